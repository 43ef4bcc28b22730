/**
 * Withholds tax figures whose reading the document does not confirm. Each test asks whether the reading can be what it claims to be in
 * any layout: one column per period, a rate within its bounds, a tax that the amounts allow, a statement about a payment of its own.
 */
import {
  absolute,
  compare,
  divide,
  isZero,
  multiply,
  type Rational,
  rational,
  subtract,
} from '../financial/rational.ts';
import { type Certain, withhold } from '../left-out.ts';
import type { Deadline } from './filings.ts';
import { foldText } from './fold.ts';
import type { Invoice } from './invoice.ts';
import type { RateLine } from './invoice-rates.ts';
import { bridgeErrors, type Reconciliation } from './reconciliation-result.ts';
import type { Withholding } from './withholding-words.ts';

export type Doubt = 'sum' | 'period' | 'rate' | 'order' | 'indicator' | 'tax' | 'repeated' | 'general' | 'mood';

/** Why findings are left out, for readers of the report. */
export const doubtReasons: Readonly<Record<Doubt, string>> = {
  sum: 'the lines of a reconciliation give another total by more than a fifth, so that not all of them may have been read',
  period: 'several columns are of one period',
  rate: 'a statutory tax rate cannot have their value',
  order: 'their quartiles are not in order',
  indicator: 'their values are too large for a profit level indicator',
  tax: 'their tax is larger than a tax on their amounts can be',
  repeated: 'two lines of one tax rate state different taxes',
  general: 'their sentence states a rate without an amount or an article, as for payments in general',
  mood: 'their sentence says what would or should have been',
};

/**
 * Of a reconciliation with a doubtful statutory rate or sum, only the statutory line or the sum is withheld.
 * @param bridges of one document
 */
export function certainBridges(bridges: readonly Reconciliation[]): Certain<Reconciliation, Doubt> {
  const amounts = new Map(
    [...Map.groupBy(bridges, ({ period }) => period)].map(([period, group]) => [
      period,
      new Set(group.flatMap(({ effective: { amount } }) => (amount === undefined ? [] : textOf(amount)))),
    ]),
  );
  const { facts, doubts } = withhold(bridges, ({ period, effective }) =>
    /^\d{4}/u.test(period) && effective.amount !== undefined && amounts.get(period)!.size > 1 ? 'period' : undefined,
  );
  const partly: Doubt[] = [];
  const corrected = facts.map((bridge) => {
    const { statutory } = bridge;
    const isRate = statutory.rate === undefined || isWithin(statutory.rate, statutoryMin, statutoryMax);
    const isSum = bridgeErrors(bridge).every(({ stated, correct }) => !isFar(stated, correct));
    if (isRate && isSum) return bridge;
    partly.push(isRate ? 'sum' : 'rate');
    return { ...bridge, statutory: isRate ? statutory : {}, computed: {} };
  });
  return { facts: corrected, doubts: [...doubts, ...partly] };
}

const statutoryMin = rational(5n);
const statutoryMax = rational(60n);
const indicatorMax = rational(200n);

function isWithin(value: Rational, low: Rational, high: Rational): boolean {
  return compare(value, low) >= 0 && compare(value, high) <= 0;
}

function isFar(stated: Rational, correct: Rational): boolean {
  return compare(multiply(absolute(subtract(stated, correct)), rational(5n)), absolute(stated)) > 0;
}

interface Ranged {
  readonly lower: Rational;
  readonly median?: Rational | undefined;
  readonly upper: Rational;
}

export function rangeDoubt({ lower, median, upper }: Ranged): Doubt | undefined {
  if (compare(lower, median ?? upper) > 0 || compare(median ?? lower, upper) > 0) return 'order';
  return [lower, upper].some((value) => compare(absolute(value), indicatorMax) > 0) ? 'indicator' : undefined;
}

export function certainRanges<Range extends Ranged>(ranges: readonly Range[]): Certain<Range, Doubt> {
  return withhold(ranges, rangeDoubt);
}

interface CertainInvoice {
  readonly invoice: Invoice;
  readonly doubts: readonly Doubt[];
}

/** The invoice without totals and lines by rate whose tax is too large for their amounts. */
export function certainInvoice(invoice: Invoice): CertainInvoice {
  const { net, tax, gross, ...others } = invoice.amounts;
  const taxes = bareTaxes(others.rates);
  const lines = withhold(others.rates, (line) => {
    if (line.net === undefined && line.tax !== undefined && taxes.get(textOf(line.rate))!.size > 1) return 'repeated';
    const isBare = line.net === undefined && line.gross === undefined;
    return isBare && isTooLarge(line.tax?.value, net?.value, gross?.value) ? 'tax' : undefined;
  });
  const amounts = { ...others, rates: lines.facts };
  if (isTooLarge(tax?.value, net?.value, gross?.value))
    return { invoice: { ...invoice, amounts, errors: [] }, doubts: [...lines.doubts, 'tax'] };
  return { invoice: { ...invoice, amounts: { ...invoice.amounts, rates: lines.facts } }, doubts: lines.doubts };
}

/** By rate, the taxes of the lines without net amounts, which would tell two lines apart. */
function bareTaxes(lines: readonly RateLine[]): ReadonlyMap<string, ReadonlySet<string>> {
  const bare = lines.filter(({ net }) => net === undefined);
  return new Map(
    [...Map.groupBy(bare, ({ rate }) => textOf(rate))].map(([rate, group]) => [
      rate,
      new Set(group.flatMap(({ tax }) => (tax === undefined ? [] : textOf(tax.value)))),
    ]),
  );
}

function textOf({ numerator, denominator }: Rational): string {
  return `${numerator}/${denominator}`;
}

/** Whether a tax is more than 30 % of the net amount, or of what is left of the gross amount, or is the only amount. */
function isTooLarge(tax: Rational | undefined, net: Rational | undefined, gross: Rational | undefined): boolean {
  if (tax === undefined || isZero(tax)) return false;
  const base = net ?? (gross && subtract(gross, tax));
  if (base === undefined) return true;
  return isZero(base) || compare(absolute(divide(tax, base)), rational(30n, 100n)) > 0;
}

export function certainWithholdings(found: readonly Withholding[]): Certain<Withholding, Doubt> {
  return withhold(found, ({ amount, gross, article }) =>
    amount === undefined && gross === undefined && article === undefined ? 'general' : undefined,
  );
}

export function certainDeadlines(text: string, found: readonly Deadline[]): Certain<Deadline, Doubt> {
  return withhold(found, ({ start, end }) =>
    hypothetical.test(foldText(withoutStates(text.slice(start, end)))) ? 'mood' : undefined,
  );
}

/** Without the last cell of a row, the state of the work: "31 Dec 2026 | Country-by-country report | draft". */
function withoutStates(shown: string): string {
  return shown.replace(/(?:\t| {2,})[^\t\n]{1,24}$/, '');
}

const hypothetical =
  /\b(?:should have|would have|ought to have|aurait|auraient|hatte\w* .{0,60} (?:mussen|sollen)|habria|deberia haber|avrebbe|had moeten|superseded|draft|proposed)\b/;
