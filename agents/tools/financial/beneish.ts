/**
 * Beneish's M with eight variables: the similarity of a year to those of companies that were found to manipulate their
 * earnings.
 * @see M. D. Beneish, "The Detection of Earnings Manipulation", Financial Analysts Journal 55:5 (1999) 24–36
 */
import type { LineItem } from './line-items.ts';
import { monthsOf } from './periods.ts';
import {
  add,
  compare,
  decimal,
  divide,
  isZero,
  multiply,
  type Rational,
  rational,
  subtract,
  toFixed,
} from './rational.ts';
import { takeInputs } from './ratios.ts';
import { periodBefore } from './statement-inputs.ts';
import type { Statements } from './statements.ts';

export const beneishVariables = ['DSRI', 'GMI', 'AQI', 'SGI', 'DEPI', 'SGAI', 'TATA', 'LVGI'] as const;
export type BeneishVariable = (typeof beneishVariables)[number];

const weights: Readonly<Record<BeneishVariable, string>> = {
  DSRI: '0.920',
  GMI: '0.528',
  AQI: '0.404',
  SGI: '0.892',
  DEPI: '0.115',
  SGAI: '-0.172',
  TATA: '4.679',
  LVGI: '-0.327',
};

export const beneishFormula =
  'M = −4.84 + 0.920·DSRI + 0.528·GMI + 0.404·AQI + 0.892·SGI + 0.115·DEPI − 0.172·SGAI + 4.679·TATA − 0.327·LVGI';

/** Above this, the paper's classification (with error costs of 20:1) labels a company a likely manipulator. */
export const beneishThreshold = '-1.78';

export type BeneishScore =
  | {
      readonly value: string;
      readonly above_threshold: boolean;
      /** Four places. */
      readonly variables: Readonly<Record<BeneishVariable, string>>;
      readonly notes: readonly string[];
    }
  | { readonly not_computable: string };

/** −4.84 and the weighted sum of the eight variables. */
export function beneishScore(variables: Readonly<Record<BeneishVariable, Rational>>): Rational {
  return beneishVariables.reduce(
    (score, name) => add(score, multiply(decimal(weights[name]), variables[name])),
    decimal('-4.84'),
  );
}

const needs: readonly LineItem[] = [
  'revenue',
  'cost_of_sales',
  'receivables',
  'current_assets',
  'ppe',
  'total_assets',
  'depreciation',
  'sga',
  'current_liabilities',
  'long_term_debt',
];

/** One name for each of `needs`, in order; then securities, which are 0 if the statement shows none. */
const yearMembers = [
  'sales',
  'cost',
  'receivables',
  'currentAssets',
  'ppe',
  'assets',
  'depreciation',
  'sga',
  'currentLiabilities',
  'longTermDebt',
  'securities',
] as const;

type Year = Readonly<Record<(typeof yearMembers)[number], Rational>>;

/** The score of a period relative to the previous one; a missing input is named instead. */
export function beneishOf(statements: Statements, period: string): BeneishScore {
  if (monthsOf(period) < 12)
    return { not_computable: `${period} covers ${monthsOf(period)} months: the score needs a full year` };
  const before = periodBefore(statements, period);
  if (before === undefined) return { not_computable: 'the previous period is missing' };
  const now = takeInputs(statements, [...needs, 'securities?', 'net_income', 'operating_cash_flow'], period);
  const then = takeInputs(statements, [...needs, 'securities?'], before);
  const missing = [
    ...('missing' in now ? now.missing : []),
    ...('missing' in then ? then.missing.map((item) => `${item} of ${before}`) : []),
  ];
  if ('missing' in now || 'missing' in then) return { not_computable: `${missing.join(', ')} missing` };
  const [income, flow] = now.values.slice(-2);
  const variables = variablesOf(yearOf(now.values), yearOf(then.values), income!, flow!);
  if (variables === undefined) return { not_computable: 'a denominator is 0' };
  const score = beneishScore(variables);
  const texts = Object.fromEntries(beneishVariables.map((name) => [name, toFixed(variables[name], 4)]));
  return {
    value: toFixed(score, 2),
    above_threshold: compare(score, decimal(beneishThreshold)) > 0,
    variables: texts as Record<BeneishVariable, string>,
    notes: [...new Set([...now.notes, ...then.notes])],
  };
}

function yearOf(values: readonly Rational[]): Year {
  return Object.fromEntries(yearMembers.map((name, index) => [name, values[index]!])) as Year;
}

/** Each index is this year's ratio divided by last year's, or the inverse if the paper defines it so (GMI, DEPI). */
function variablesOf(
  now: Year,
  then: Year,
  income: Rational,
  flow: Rational,
): Record<BeneishVariable, Rational> | undefined {
  const values: Record<BeneishVariable, Rational | undefined> = {
    DSRI: quotient(quotient(now.receivables, now.sales), quotient(then.receivables, then.sales)),
    GMI: quotient(grossMargin(then), grossMargin(now)),
    AQI: quotient(softAssets(now), softAssets(then)),
    SGI: quotient(now.sales, then.sales),
    DEPI: quotient(depreciationRate(then), depreciationRate(now)),
    SGAI: quotient(quotient(now.sga, now.sales), quotient(then.sga, then.sales)),
    TATA: quotient(subtract(income, flow), now.assets),
    LVGI: quotient(leverage(now), leverage(then)),
  };
  return Object.values(values).every((value) => value !== undefined)
    ? (values as Record<BeneishVariable, Rational>)
    : undefined;
}

const grossMargin = ({ sales, cost }: Year) => quotient(subtract(sales, cost), sales);
const depreciationRate = ({ depreciation, ppe }: Year) => quotient(depreciation, add(depreciation, ppe));
const leverage = (year: Year) => quotient(add(year.currentLiabilities, year.longTermDebt), year.assets);

/** The share of the assets that is neither current, nor property, nor securities. */
function softAssets(year: Year): Rational | undefined {
  const hard = quotient(add(add(year.currentAssets, year.ppe), year.securities), year.assets);
  return hard && subtract(rational(1n), hard);
}

function quotient(a: Rational | undefined, b: Rational | undefined): Rational | undefined {
  return a === undefined || b === undefined || isZero(b) ? undefined : divide(a, b);
}
