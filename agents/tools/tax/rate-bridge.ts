/**
 * The bridge from the statutory to the effective tax rate, read from a reconciliation and recomputed.
 *
 * @see IAS 12 Income Taxes, paragraphs 81 (c) and 84–86: a numerical reconciliation between tax expense and accounting profit times
 *   the applicable rate, or between the average effective and the applicable rate
 */
import { itemOfLabel } from '../financial/labels.ts';
import { type LineItem, normaliseName } from '../financial/line-items.ts';
import { findPeriods, periodOfCell } from '../financial/periods.ts';
import {
  absolute,
  add,
  compare,
  divide,
  isZero,
  multiply,
  negate,
  parseRational,
  type Rational,
  rational,
  subtract,
  sum,
  zero,
} from '../financial/rational.ts';
import { type Row, readRow } from '../financial/table-rows.ts';
import { splitLines } from '../text/lines.ts';
import { guessDecimalMark } from '../text/numbers.ts';
import { findPercents } from '../text/percents.ts';
import type { Range } from '../text/span.ts';

export interface BridgeItem extends Range {
  readonly label: string;
  readonly amount: Rational;
  /** Of profit before tax, as a fraction. */
  readonly share: Rational;
}

export interface RateBridge extends Range {
  /** The heading's period of this column, or "column 1". */
  readonly period: string;
  readonly profit: Rational;
  readonly expectedTax: Rational;
  /** As the text states it beside the expected tax; else absent. */
  readonly statedRate?: Rational;
  readonly items: readonly BridgeItem[];
  readonly totalTax: Rational;
  readonly effectiveRate: Rational;
  /** Total less expected and items: 0 where the bridge closes. */
  readonly unexplained: Rational;
  /** Expected tax less profit times the stated rate; absent without a stated rate. */
  readonly rateDifference?: Rational;
}

/** More rows than these between expected and total tax are no reconciliation. */
export const bridgeRowsMax = 40;

interface Line extends Range {
  readonly row: Row;
  readonly item: LineItem | undefined;
  /** What stands before the first amount, normalised: "tax at 25" of "Tax at 25% 3,950". */
  readonly label: string;
  /** The first percentage before the first amount. */
  readonly rate: Rational | undefined;
}

/** In the order of the text, one per reconciliation and column. Needs profit before tax within 12 rows above. */
export function findRateBridges(text: string): RateBridge[] {
  const decimalMark = guessDecimalMark([text]);
  const bridges: RateBridge[] = [];
  let periods: readonly string[] = [];
  let above: Line[] = [];
  let open: { start: Line; profit: Line; rows: Line[] } | undefined;
  for (const { start, end } of splitLines(text)) {
    if (end === start) continue;
    const line = text.slice(start, Math.min(end, start + 1_001));
    const row = readRow(line, start, decimalMark);
    const amounts = row?.cells.some(({ value }) => value !== undefined) ?? false;
    if (row === undefined || !amounts || isHeading(row) || !/\p{L}/u.test(row.label)) {
      periods = headingPeriods(line) ?? periods;
      continue;
    }
    const entry = toLine(line, row, { start, end });
    if (open !== undefined && isTotalTax(entry)) {
      bridges.push(...build(open.start, open.profit, open.rows, entry, periods));
      open = undefined;
    } else if (open !== undefined) {
      open = open.rows.length < bridgeRowsMax ? { ...open, rows: [...open.rows, entry] } : undefined;
    } else if (isExpectedTax(entry)) {
      const profit = above.findLast(({ item }) => item === 'pre_tax_income');
      if (profit !== undefined) open = { start: entry, profit, rows: [] };
    }
    above = [...above.slice(-11), entry];
  }
  return bridges;
}

function toLine(line: string, row: Row, { start, end }: Range): Line {
  const first = row.cells.find(({ value, text }) => value !== undefined && !text.includes('%'));
  const before = line.slice(0, Math.min(160, (first?.start ?? end) - start));
  const [percent] = findPercents(before);
  const value = percent === undefined ? undefined : parseRational(percent.value);
  const rate = value === undefined ? undefined : divide(value, rational(100n));
  return { row, item: itemOfLabel(row.label), label: normaliseName(before), rate, start, end };
}

function isHeading({ cells }: Row): boolean {
  return cells.every(({ text }) => text === '' || periodOfCell(text, normaliseName(text)) !== undefined);
}

function headingPeriods(line: string): readonly string[] | undefined {
  if (line.length > 160 || /[.;]\s{0,4}$/.test(line)) return undefined;
  const found = findPeriods(line);
  return found.length === 0 ? undefined : found.map(({ label }) => label);
}

const rateWords =
  /\b(?:statutory|applicable|domestic|nominal|standard|expected|theoretical|notional|gesetzlich\w*|erwartet\w*|theorique|zakonn\w*|teoretick\w*|ocekavan\w*)\b/;
const taxWords = /\b(?:tax|taxes|taxation|steuer\w*|ertragsteuer\w*|impots?|dan|dane)\b/;

function isExpectedTax({ label }: Line): boolean {
  return (
    (rateWords.test(label) && taxWords.test(label) && !/^effective/.test(label)) || /^(?:income )?tax at \d/.test(label)
  );
}

function isTotalTax({ item, label }: Line): boolean {
  if (/^(?:average )?effective tax rate/.test(label)) return false;
  return item === 'income_tax' || /^(?:actual|effective|reported|total|recognised) (?:income )?tax/.test(label);
}

function build(
  start: Line,
  profit: Line,
  rows: readonly Line[],
  total: Line,
  periods: readonly string[],
): RateBridge[] {
  const columns = amountsOf(total).length;
  const stated = start.rate;
  return Array.from({ length: Math.min(columns, 4) }, (_, column): RateBridge | undefined => {
    const before = amountsOf(profit)[column];
    const expectedAsPrinted = amountsOf(start)[column];
    const taxAsPrinted = amountsOf(total)[column];
    if (before === undefined || expectedAsPrinted === undefined || taxAsPrinted === undefined || isZero(before))
      return undefined;
    // Some statements print tax as a deduction: then every line of the reconciliation has the other sign.
    const isDeduction =
      compare(multiply(before, expectedAsPrinted), zero) < 0 && (stated === undefined || compare(stated, zero) > 0);
    const sign = (value: Rational) => (isDeduction ? negate(value) : value);
    const expected = sign(expectedAsPrinted);
    const tax = sign(taxAsPrinted);
    const items = rows.flatMap((line): BridgeItem[] => {
      const printed = amountsOf(line).length === columns ? amountsOf(line)[column] : undefined;
      if (printed === undefined) return [];
      const amount = sign(printed);
      return [
        { label: line.row.label.trim(), amount, share: divide(amount, before), start: line.start, end: line.end },
      ];
    });
    const explained = add(expected, sum(items.map(({ amount }) => amount)));
    return {
      start: start.start,
      end: total.end,
      period: periods.length === columns ? periods[column]! : `column ${column + 1}`,
      profit: before,
      expectedTax: expected,
      ...(stated === undefined
        ? {}
        : { statedRate: stated, rateDifference: subtract(expected, multiply(before, stated)) }),
      items,
      totalTax: tax,
      effectiveRate: divide(tax, before),
      unexplained: subtract(tax, explained),
    };
  }).filter((bridge) => bridge !== undefined);
}

/** Amounts of a row; a row of percentages has none. */
function amountsOf({ row }: Line): Rational[] {
  return row.cells.flatMap(({ value, text }) => (value === undefined || text.includes('%') ? [] : [value]));
}

/** Differences up to two units as printed are rounding. */
export function isRounding(difference: Rational): boolean {
  return compare(absolute(difference), rational(2n)) <= 0;
}
