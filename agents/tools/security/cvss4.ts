/** Scores CVSS 4.0 vectors. Pure. */
import { parseMetrics, type Severity, severityOf } from './cvss-metrics.ts';
import { depths, highestVectors, macroVectorScore } from './cvss4-table.ts';

export interface Cvss4Score {
  readonly version: '4.0';
  /** As written, with metrics in the order of the specification. */
  readonly vector: string;
  /** Metric groups in the score: B base, T threat, E environmental. */
  readonly nomenclature: 'CVSS-B' | 'CVSS-BT' | 'CVSS-BE' | 'CVSS-BTE';
  /** Levels of EQ1…EQ6; 0 is the most severe. */
  readonly macroVector: string;
  readonly overall: number;
  readonly severity: Severity;
}

/**
 * The score of the vector's MacroVector minus the mean, over the equivalence sets with a next lower MacroVector, of (scoring
 * difference to it) · (severity distance from the highest vector of the own set) / (depth of the own set).
 * @returns an error text for a vector that the specification refuses
 * @see FIRST, Common Vulnerability Scoring System v4.0: Specification Document, §8
 */
export function scoreCvss4(vector: string): Cvss4Score | { readonly error: string } {
  const metrics = parseMetrics(vector, 'CVSS:4.0/', metricValues, requiredMetrics);
  if ('error' in metrics) return metrics;
  const given = (metric: string) => metrics.values.get(metric) ?? 'X';
  const value = (metric: string) => effectiveValue(given, metric);
  const levels = equivalenceLevels(value);
  const harmless = ['VC', 'VI', 'VA', 'SC', 'SI', 'SA'].every((metric) => value(metric) === 'N');
  const overall = harmless ? 0 : interpolated(levels, value);
  const threat = given('E') !== 'X';
  const environmental = environmentalMetrics.some((metric) => given(metric) !== 'X');
  return {
    version: '4.0',
    vector: metrics.vector,
    nomenclature: `CVSS-B${threat ? 'T' : ''}${environmental ? 'E' : ''}`,
    macroVector: levels.join(''),
    overall,
    severity: severityOf(overall),
  };
}

type ValueOf = (metric: string) => string;

const requiredMetrics = ['AV', 'AC', 'AT', 'PR', 'UI', 'VC', 'VI', 'VA', 'SC', 'SI', 'SA'];

const metricValues: Readonly<Record<string, string>> = {
  AV: 'NALP',
  AC: 'LH',
  AT: 'NP',
  PR: 'NLH',
  UI: 'NPA',
  VC: 'HLN',
  VI: 'HLN',
  VA: 'HLN',
  SC: 'HLN',
  SI: 'HLN',
  SA: 'HLN',
  E: 'XAPU',
  CR: 'XHML',
  IR: 'XHML',
  AR: 'XHML',
  MAV: 'XNALP',
  MAC: 'XLH',
  MAT: 'XNP',
  MPR: 'XNLH',
  MUI: 'XNPA',
  MVC: 'XHLN',
  MVI: 'XHLN',
  MVA: 'XHLN',
  MSC: 'XHLN',
  MSI: 'XSHLN',
  MSA: 'XSHLN',
  S: 'XNP',
  AU: 'XNY',
  R: 'XAUI',
  V: 'XDC',
  RE: 'XLMH',
  U: 'X',
};

const environmentalMetrics = Object.keys(metricValues).filter((metric) => /^(?:M..?|[CIA]R)$/.test(metric));

/** The modified metric before the base one; an undefined metric counts as the worst case. @see §8.1 */
function effectiveValue(given: ValueOf, metric: string): string {
  const changed = given(`M${metric}`);
  if (changed !== 'X') return changed;
  const value = given(metric);
  if (value !== 'X') return value;
  return metric === 'E' ? 'A' : 'H';
}

/** @returns levels of EQ1…EQ6 @see §8.2, tables 24 to 29 */
function equivalenceLevels(value: ValueOf): number[] {
  const is = (metric: string, letter: string) => value(metric) === letter;
  const easy = [is('AV', 'N'), is('PR', 'N'), is('UI', 'N')];
  const eq1 = easy.every(Boolean) ? 0 : easy.some(Boolean) && !is('AV', 'P') ? 1 : 2;
  const eq2 = is('AC', 'L') && is('AT', 'N') ? 0 : 1;
  const eq3 = is('VC', 'H') && is('VI', 'H') ? 0 : ['VC', 'VI', 'VA'].some((metric) => is(metric, 'H')) ? 1 : 2;
  const safety = is('SI', 'S') || is('SA', 'S');
  const eq4 = safety ? 0 : ['SC', 'SI', 'SA'].some((metric) => is(metric, 'H')) ? 1 : 2;
  const eq5 = 'APU'.indexOf(value('E'));
  const eq6 = ['C', 'I', 'A'].some((letter) => is(`${letter}R`, 'H') && is(`V${letter}`, 'H')) ? 0 : 1;
  return [eq1, eq2, eq3, eq4, eq5, eq6];
}

/** Values from the most severe to the least; a distance is counted in steps between them. */
const order: Readonly<Record<string, string>> = {
  AV: 'NALP',
  PR: 'NLH',
  UI: 'NPA',
  AC: 'LH',
  AT: 'NP',
  VC: 'HLN',
  VI: 'HLN',
  VA: 'HLN',
  SC: 'SHLN',
  SI: 'SHLN',
  SA: 'SHLN',
  CR: 'HML',
  IR: 'HML',
  AR: 'HML',
};

function interpolated(levels: readonly number[], value: ValueOf): number {
  const [eq1 = 0, eq2 = 0, eq3 = 0, eq4 = 0, , eq6 = 0] = levels;
  const top = macroVectorScore(levels)!;
  const lower = (index: number) => macroVectorScore(levels.map((level, at) => (at === index ? level + 1 : level)));
  const sets = [
    { next: lower(0), distance: distance(highestVectors.eq1[eq1]!, value), depth: depths.eq1[eq1]! },
    { next: lower(1), distance: distance(highestVectors.eq2[eq2]!, value), depth: depths.eq2[eq2]! },
    {
      next: nextOfEq3Eq6(eq3, eq6, lower),
      distance: distance(highestVectors.eq3eq6[eq3]![eq6]!, value),
      depth: depths.eq3eq6[eq3]![eq6]!,
    },
    { next: lower(3), distance: distance(highestVectors.eq4[eq4]!, value), depth: depths.eq4[eq4]! },
    // Within EQ5 every vector is a highest one.
    { next: lower(4), distance: 0, depth: 1 },
  ].filter((set) => set.next !== undefined);
  const losses = sets.map((set) => ((top - set.next!) * set.distance) / set.depth);
  const mean = sets.length === 0 ? 0 : losses.reduce((sum, loss) => sum + loss, 0) / sets.length;
  // Half a tenth rounds up; the addend compensates for floating-point error.
  return Math.min(10, Math.max(0, Math.round((top - mean) * 10 + 1e-9) / 10));
}

/** EQ3 and EQ6 decrease together: 00 to the better of 01 and 10, 01 and 10 to 11, 11 to 21, and 21 is the last. */
function nextOfEq3Eq6(eq3: number, eq6: number, lower: (index: number) => number | undefined): number | undefined {
  if (eq3 === 0 && eq6 === 0) return Math.max(lower(2)!, lower(5)!);
  return eq3 === 1 && eq6 === 0 ? lower(5) : lower(2);
}

/** Steps from the first highest vector that is at least as severe as the given one in every metric. */
function distance(highest: readonly string[], value: ValueOf): number {
  for (const vector of highest) {
    const steps = vector.split('/').map((part) => {
      const [metric = '', letter = ''] = part.split(':');
      return order[metric]!.indexOf(value(metric)) - order[metric]!.indexOf(letter);
    });
    if (steps.every((step) => step >= 0)) return steps.reduce((sum, step) => sum + step, 0);
  }
  return 0;
}
