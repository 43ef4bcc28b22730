/** Definitions shared by the versions of CVSS: the syntax of a vector and the names of the severities. */

export type Severity = 'none' | 'low' | 'medium' | 'high' | 'critical';

/** None 0.0, low 0.1…3.9, medium 4.0…6.9, high 7.0…8.9, critical 9.0…10.0. @see FIRST, CVSS v3.1 §5 and v4.0 §6 */
export function severityOf(score: number): Severity {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score > 0 ? 'low' : 'none';
}

/**
 * Parses `PREFIX/AV:N/…`: each metric at most once, in any order, each with an allowed value of one letter (`U` also with the
 * words Clear, Green, Amber and Red).
 * @param allowed metric → its values, one letter each, in the specification's order
 * @returns the values, and the vector in the specification's order; or an error text
 */
export function parseMetrics(
  vector: string,
  prefix: string,
  allowed: Readonly<Record<string, string>>,
  required: readonly string[],
): { readonly values: ReadonlyMap<string, string>; readonly vector: string } | { readonly error: string } {
  if (!vector.startsWith(prefix)) return { error: `a vector must begin with ${prefix}` };
  const values = new Map<string, string>();
  for (const part of vector.slice(prefix.length).split('/')) {
    const colon = part.indexOf(':');
    const metric = part.slice(0, Math.max(colon, 0));
    const value = part.slice(colon + 1);
    if (colon < 0 || !Object.hasOwn(allowed, metric))
      return { error: 'the vector contains a metric that its version does not define' };
    if (!isAllowed(metric, value, allowed[metric]!)) return { error: `metric ${metric} has an invalid value` };
    if (values.has(metric)) return { error: `metric ${metric} is given twice` };
    values.set(metric, value);
  }
  const missing = required.filter((metric) => !values.has(metric));
  if (missing.length > 0) return { error: `not computable: ${missing.join(', ')} missing` };
  const ordered = Object.keys(allowed).filter((metric) => values.has(metric));
  return { values, vector: prefix + ordered.map((metric) => `${metric}:${values.get(metric)}`).join('/') };
}

const urgencies = ['Clear', 'Green', 'Amber', 'Red'];

function isAllowed(metric: string, value: string, letters: string): boolean {
  if (metric === 'U' && urgencies.includes(value)) return true;
  return value.length === 1 && letters.includes(value);
}
