/** Order statistics of small samples. Pure. */

/**
 * The value below which the fraction `q` of the sorted values lies, interpolated between neighbours.
 * @param q 0…1 · @throws {RangeError} if there is no value
 */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) throw new RangeError('quantile of no values');
  const sorted = Float64Array.from(values).sort();
  const position = (sorted.length - 1) * q;
  const below = Math.floor(position);
  const lower = sorted[below]!;
  const upper = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return lower + (upper - lower) * (position - below);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly count: number;
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), min: quantile(values, 0), max: quantile(values, 1), count: values.length };
}
