/** Scores CVSS 3.0 and 3.1 vectors. Pure. */
import { parseMetrics, type Severity, severityOf } from './cvss-metrics.ts';

export interface Cvss3Score {
  readonly version: '3.0' | '3.1';
  /** As written, with metrics in the order of the specification. */
  readonly vector: string;
  readonly base: number;
  /** Present if a temporal metric (E, RL, RC) is given. */
  readonly temporal?: number;
  /** Present if an environmental metric is given. */
  readonly environmental?: number;
  /** The last existing one of base, temporal and environmental score. */
  readonly overall: number;
  readonly severity: Severity;
}

/**
 * With ISS = 1 − (1−C)(1−I)(1−A): impact = 6.42·ISS, or 7.52·(ISS−0.029) − 3.25·(ISS−0.02)^15 if the scope changes;
 * exploitability = 8.22·AV·AC·PR·UI; base = roundup(min(impact + exploitability, 10)), with the sum times 1.08 if the scope
 * changes, and 0 if the impact is not above 0. Temporal = roundup(base·E·RL·RC). Environmental: the same with the modified
 * metrics and requirements.
 * @returns an error text for a vector that the specification refuses
 * @see FIRST, Common Vulnerability Scoring System v3.1: Specification Document, §7 and appendix A; v3.0 likewise
 */
export function scoreCvss3(vector: string): Cvss3Score | { readonly error: string } {
  const version = vector.startsWith('CVSS:3.0/') ? '3.0' : '3.1';
  const metrics = parseMetrics(vector, `CVSS:${version}/`, metricValues, requiredMetrics);
  if ('error' in metrics) return metrics;
  const { values } = metrics;
  const roundup = version === '3.0' ? roundup30 : roundup31;
  const base = baseScore(values, roundup);
  const has = (names: readonly string[]) => names.some((name) => (values.get(name) ?? 'X') !== 'X');
  const temporal = has(['E', 'RL', 'RC']) ? roundup(base * temporalFactor(values)) : undefined;
  const environmental = has(environmentalMetrics) ? environmentalScore(values, version, roundup) : undefined;
  const overall = environmental ?? temporal ?? base;
  return {
    version,
    vector: metrics.vector,
    base,
    ...(temporal === undefined ? {} : { temporal }),
    ...(environmental === undefined ? {} : { environmental }),
    overall,
    severity: severityOf(overall),
  };
}

type Values = ReadonlyMap<string, string>;

const requiredMetrics = ['AV', 'AC', 'PR', 'UI', 'S', 'C', 'I', 'A'];
const environmentalMetrics = ['CR', 'IR', 'AR', 'MAV', 'MAC', 'MPR', 'MUI', 'MS', 'MC', 'MI', 'MA'];

const metricValues: Readonly<Record<string, string>> = {
  AV: 'NALP',
  AC: 'LH',
  PR: 'NLH',
  UI: 'NR',
  S: 'UC',
  C: 'HLN',
  I: 'HLN',
  A: 'HLN',
  E: 'XUPFH',
  RL: 'XOTWU',
  RC: 'XURC',
  CR: 'XLMH',
  IR: 'XLMH',
  AR: 'XLMH',
  MAV: 'XNALP',
  MAC: 'XLH',
  MPR: 'XNLH',
  MUI: 'XNR',
  MS: 'XUC',
  MC: 'XNLH',
  MI: 'XNLH',
  MA: 'XNLH',
};

/** §7.4, metric values. */
const weights: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  impact: { H: 0.56, L: 0.22, N: 0 },
  E: { X: 1, H: 1, F: 0.97, P: 0.94, U: 0.91 },
  RL: { X: 1, U: 1, W: 0.97, T: 0.96, O: 0.95 },
  RC: { X: 1, C: 1, R: 0.96, U: 0.92 },
  requirement: { X: 1, M: 1, L: 0.5, H: 1.5 },
  privilegesUnchanged: { N: 0.85, L: 0.62, H: 0.27 },
  privilegesChanged: { N: 0.85, L: 0.68, H: 0.5 },
};

function baseScore(values: Values, roundup: (score: number) => number): number {
  const changed = values.get('S') === 'C';
  const impactSub =
    1 - (1 - impactWeight(values, 'C')) * (1 - impactWeight(values, 'I')) * (1 - impactWeight(values, 'A'));
  const impact = changed ? 7.52 * (impactSub - 0.029) - 3.25 * (impactSub - 0.02) ** 15 : 6.42 * impactSub;
  if (impact <= 0) return 0;
  return roundup(Math.min((changed ? 1.08 : 1) * (impact + exploitability(values, '', changed)), 10));
}

function environmentalScore(values: Values, version: '3.0' | '3.1', roundup: (score: number) => number): number {
  const changed = modified(values, 'S') === 'C';
  const left = (metric: string) =>
    1 - impactWeight(values, `M${metric}`) * weight('requirement', values.get(`${metric}R`) ?? 'X');
  const impactSub = Math.min(1 - left('C') * left('I') * left('A'), 0.915);
  const far = version === '3.0' ? (impactSub - 0.02) ** 15 : (impactSub * 0.9731 - 0.02) ** 13;
  const impact = changed ? 7.52 * (impactSub - 0.029) - 3.25 * far : 6.42 * impactSub;
  if (impact <= 0) return 0;
  const sum = Math.min((changed ? 1.08 : 1) * (impact + exploitability(values, 'M', changed)), 10);
  return roundup(roundup(sum) * temporalFactor(values));
}

function exploitability(values: Values, prefix: '' | 'M', changed: boolean): number {
  const of = (metric: string) => (prefix === 'M' ? modified(values, metric) : (values.get(metric) ?? ''));
  const privileges = weight(changed ? 'privilegesChanged' : 'privilegesUnchanged', of('PR'));
  return 8.22 * weight('AV', of('AV')) * weight('AC', of('AC')) * privileges * weight('UI', of('UI'));
}

function temporalFactor(values: Values): number {
  return ['E', 'RL', 'RC'].reduce((product, metric) => product * weight(metric, values.get(metric) ?? 'X'), 1);
}

/** The modified metric, or the base metric if the modified one is not defined. */
function modified(values: Values, metric: string): string {
  const given = values.get(`M${metric}`) ?? 'X';
  return given === 'X' ? (values.get(metric) ?? '') : given;
}

function impactWeight(values: Values, metric: string): number {
  return weight('impact', metric.startsWith('M') ? modified(values, metric.slice(1)) : (values.get(metric) ?? ''));
}

function weight(table: string, value: string): number {
  return weights[table]![value]!;
}

/** The least number with one decimal that is not below the score, without floating-point noise. @see v3.1, appendix A */
function roundup31(score: number): number {
  const whole = Math.round(score * 100_000);
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10;
}

/** The same in exact arithmetic, as in 3.0; products have seven decimals, so the margin removes only floating-point noise. */
function roundup30(score: number): number {
  return Math.ceil(score * 10 - 1e-8) / 10;
}
