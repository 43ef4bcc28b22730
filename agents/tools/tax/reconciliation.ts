/**
 * Reconciliations from the expected tax to the actual one, in amounts, in percentages or in both, each period in its columns.
 *
 * @see IAS 12 Income Taxes, paragraphs 81 (c) and 84–86; Regulation S-X § 210.4-08(h)(2)
 */
import {
  absolute,
  add,
  compare,
  divide,
  isZero,
  multiply,
  negate,
  type Rational,
  rational,
  subtract,
  sum,
  zero,
} from '../financial/rational.ts';
import { alignFigures, columnHeads, type Figure, type FigureRow, figureRow, figureValue } from './figure-rows.ts';
import type { Layout } from './layout.ts';
import { type Group, periodsOf, withYears } from './reconciliation-periods.ts';
import {
  amountRoundingMax,
  pointsRoundingMax,
  type Reconciliation,
  type ReconciliationItem,
} from './reconciliation-result.ts';
import {
  isEffectiveRate,
  isExpectedTax,
  isProfit,
  isStatutoryRate,
  isSubtotal,
  isTotalTax,
  namesTax,
} from './reconciliation-words.ts';
import { reshape } from './reshape.ts';
import { rateCaption, statedRate } from './statutory-rate.ts';
import { type TableUnit, unitIn, unitOfTable } from './unit-of-table.ts';
import { unstack } from './unstack.ts';

/** Maximum number of rows between both ends of a reconciliation. */
const rowsMax = 40;
const columnsMax = 12;

interface Open {
  readonly start: FigureRow;
  readonly above: readonly FigureRow[];
  readonly rows: FigureRow[];
}

/** In the order of the text, one per reconciliation and period. */
export function findReconciliations(source: Layout): Reconciliation[] {
  const layout = reshape(unstack(source));
  const found: Reconciliation[] = [];
  let above: FigureRow[] = [];
  let open: Open | undefined;
  let label = '';
  for (let at = 0; at < layout.lines.length; at += 1) {
    const line = layout.lines[at]!;
    if (line.end - line.start > 400) continue;
    const row = figureRow(layout, line, label);
    if (row === undefined) {
      label = goesOnBelow(layout, at) && label.length < 200 ? `${label} ${line.segments[0]!.text}`.trim() : '';
      continue;
    }
    label = '';
    const isOpenFor = open !== undefined && open.rows.length < rowsMax && line.index - open.start.line < rowsMax * 2;
    if (open !== undefined && !isOpenFor) open = undefined;
    const name = row.folded;
    if (
      open !== undefined &&
      open.rows.length > 0 &&
      (isTotalTax(name) || isEffectiveRate(name) || isSumOf(open, row))
    ) {
      const end = endRows(layout, row, at);
      found.push(...build(layout, open, end.rows));
      at = end.last;
      open = undefined;
    } else if (
      isExpectedTax(name) ||
      (open === undefined && isRateOfProfit(above, row)) ||
      (open === undefined && isStatutoryRate(name))
    ) {
      if (open === undefined || isExpectedTax(name)) open = { start: row, above, rows: [] };
    } else if (open !== undefined) open.rows.push(row);
    above = [...above.slice(-11), row];
  }
  return found;
}

/** A row that names a tax and is, in most columns, the sum of the rows before it, regardless of its label. */
function isSumOf({ start, rows }: Open, row: FigureRow): boolean {
  if (rows.length < 2 || !namesTax(row.folded) || row.figures.length !== start.figures.length) return false;
  const sums = row.figures.filter((figure, column) => {
    const own = rows.filter(({ folded }) => !isSubtotal(folded));
    const parts = [start, ...own].map((each) => figureValue(alignFigures(each, start.figures)[column]) ?? zero);
    const limit = figure.isPercent ? pointsRoundingMax : amountRoundingMax;
    const isSmall = figure.value === undefined || compare(absolute(figure.value), rational(3n)) < 0;
    return !isSmall && compare(absolute(subtract(sum(parts), figure.value!)), limit) <= 0;
  });
  return sums.length > 0 && sums.length * 2 >= row.figures.length;
}

/** A row directly below the profit that names a tax and is a usual share of it, or the share that its label states. */
function isRateOfProfit(above: readonly FigureRow[], row: FigureRow): boolean {
  const profit = above.at(-1);
  const [base, value] = [profit?.figures[0]?.value, row.figures[0]?.value];
  if (profit === undefined || base === undefined || value === undefined || isZero(base)) return false;
  if (
    !isProfit(profit.folded) ||
    !namesTax(row.folded) ||
    /^(?:current|deferred|laufende|latente|total)/.test(row.folded)
  )
    return false;
  const points = absolute(multiply(divide(value, base), rational(100n)));
  const rate = statedRate(row, '');
  if (rate !== undefined) return compare(absolute(subtract(points, absolute(rate))), rational(2n, 10n)) <= 0;
  return compare(points, rational(8n)) > 0 && compare(points, rational(40n)) < 0;
}

/**
 * Whether a line is the first part of a label that the next line ends: that one goes on in small letters or in brackets, or it
 * alone is set in. Several lines that are set in are items under a heading.
 */
function goesOnBelow({ lines }: Layout, at: number): boolean {
  const [only, ...more] = lines[at]!.segments;
  const next = lines[at + 1];
  if (more.length > 0 || next?.follows !== 'line' || only!.text.length > 90) return false;
  if (!/[\p{L}\d)]$|[-,(/&]$/u.test(only!.text)) return false;
  const first = next.segments[0]!;
  if (/^[\p{Ll}(&/]/u.test(first.text) || /[-,(/&]$/.test(only!.text))
    return next.segments.length > 1 || (first.text.length <= 90 && lines[at + 2]?.follows === 'line');
  const after = lines[at + 2];
  const isSetIn = first.grid === 0 && first.from > only!.from && first.from - only!.from <= 8;
  return isSetIn && next.segments.length > 1 && (after?.follows !== 'line' || after.segments[0]!.from < first.from);
}

/** The total tax, and the effective rate in one of the next two rows. */
function endRows(
  layout: Layout,
  row: FigureRow,
  at: number,
): { readonly rows: readonly FigureRow[]; readonly last: number } {
  for (let by = 1; by <= 2; by += 1) {
    const line = layout.lines[at + by];
    const next = line === undefined ? undefined : figureRow(layout, line);
    if (next === undefined || next.figures.length > row.figures.length * 2) continue;
    const isOther = isEffectiveRate(row.folded) ? isTotalTax(next.folded) : isEffectiveRate(next.folded);
    if (isOther) return { rows: [row, next], last: at + by };
  }
  return { rows: [row], last: at };
}

function build(layout: Layout, { start, above, rows }: Open, ends: readonly FigureRow[]): Reconciliation[] {
  const all = [start, ...rows, ...ends];
  const widest = Math.max(...all.map(({ figures }) => figures.length));
  const template = (
    start.figures.length === widest
      ? start
      : ends[0]!.figures.length === widest
        ? ends[0]!
        : all.find(({ figures }) => figures.length === widest)!
  ).figures;
  if (template.length > columnsMax) return [];
  const first = [...above].reverse().find(({ folded }) => isProfit(folded));
  const heads = columnHeads(layout, first ?? start, template);
  const filled = heads.some(({ year }) => year !== undefined) ? heads : columnHeads(layout, start, template);
  const header = unitOfTable(layout, headLine(layout, (first ?? start).line), start.line - 1);
  const own = unitIn((first ?? start).folded.replace(/\d[\d.,]* ?%/g, ''));
  const named = header.zeros === 0 && own.zeros !== undefined ? { ...header, ...own, zeros: own.zeros } : header;
  const mark = currencyOfFigures(layout, all);
  const unit = named.currency === undefined && mark !== undefined ? { ...named, currency: mark } : named;
  const marked = isOfRates(start, ends)
    ? filled.map((head) => ({ ...head, isPercent: true }))
    : withRateColumn(filled, start, template);
  const caption = rateCaption(layout, start.line);
  const columns = periodsOf(marked, template, start, ends);
  // A column without a result, such as the bases of the items, is of no period.
  const ended = columns.filter(({ amount, percent }) =>
    ends.some((row) =>
      [amount, percent].some((at) => at !== undefined && alignFigures(row, template)[at] !== undefined),
    ),
  );
  const groups = withYears(ended.length > 0 ? ended : columns, layout, (first ?? start).line);
  return groups.flatMap((group) => {
    const rateRow = above.slice(-3).findLast(({ folded }) => isStatutoryRate(folded));
    const built = buildPeriod(group, { start, rows, ends, profit: first, rateRow, caption, template, unit });
    return built === undefined ? [] : [built];
  });
}

/** "$ 25,932" in the rows of a table whose caption names no currency. */
function currencyOfFigures(layout: Layout, rows: readonly FigureRow[]): string | undefined {
  const shown = rows.flatMap(({ line }) => layout.lines[line]!.segments.map(({ text }) => text)).join(' ');
  return unitIn(/[€£$]/u.exec(shown)?.[0] ?? '').currency;
}

/** "Tax at 25.8 % | 1,290 | 25.8": the column that repeats the rate of the label contains percentages, even without a heading. */
function withRateColumn<Head extends { readonly isPercent: boolean }>(
  heads: readonly Head[],
  start: FigureRow,
  template: readonly Figure[],
): readonly Head[] {
  const rate = statedRate(start, '');
  if (rate === undefined || template.length < 2) return heads;
  const aligned = alignFigures(start, template);
  return heads.map((head, column) => {
    const value = aligned[column]?.value;
    return value !== undefined && compare(absolute(value), absolute(rate)) === 0 ? { ...head, isPercent: true } : head;
  });
}

/** From a statutory rate to an effective rate: every figure is a percentage, even where no sign says so. */
function isOfRates(start: FigureRow, ends: readonly FigureRow[]): boolean {
  if (!isStatutoryRate(start.folded) || isExpectedTax(start.folded)) return false;
  return (
    ends.every(({ folded }) => isEffectiveRate(folded)) &&
    [start, ...ends].every(({ figures }) =>
      figures.every(({ value }) => value === undefined || compare(absolute(value), rational(100n)) < 0),
    )
  );
}

/** The first of the header lines over a row: those without a gap, and the caption. */
function headLine(layout: Layout, line: number): number {
  let at = line;
  while (at > 0 && line - at < 6 && !layout.lines[at]!.segments.some(({ text }) => text.length > 70)) at -= 1;
  return at;
}

interface Parts {
  readonly start: FigureRow;
  readonly rows: readonly FigureRow[];
  readonly ends: readonly FigureRow[];
  readonly profit: FigureRow | undefined;
  /** The statutory rate in a row of its own, above the tax at that rate. */
  readonly rateRow: FigureRow | undefined;
  /** The words of the sentence above the table that state the statutory rate. */
  readonly caption: string;
  readonly template: readonly Figure[];
  readonly unit: TableUnit;
}

function buildPeriod({ period, amount, percent }: Group, parts: Parts): Reconciliation | undefined {
  const { start, rows, ends, profit, rateRow, caption, template, unit } = parts;
  const at = (row: FigureRow, column: number | undefined) => {
    const figure = column === undefined ? undefined : alignFigures(row, template)[column];
    return figure === undefined ? undefined : figure;
  };
  const amountAt = (row: FigureRow) => {
    const figure = at(row, amount);
    return figure === undefined || figure.isPercent ? undefined : figureValue(figure);
  };
  const rateAt = (row: FigureRow) => {
    const figure = at(row, percent) ?? (at(row, amount)?.isPercent === true ? at(row, amount) : undefined);
    const value = figureValue(figure);
    // An amount in a row between two rates.
    return value !== undefined && compare(absolute(value), rational(100n)) >= 0 ? undefined : value;
  };
  /** "Statutory rate | 31.5" in a column of amounts. */
  const smallAt = (row: FigureRow) => {
    const value = figureValue(at(row, amount));
    return value === undefined || compare(absolute(value), rational(60n)) >= 0 ? undefined : value;
  };
  const stated = statedRate(start, period);
  const before = profit === undefined ? undefined : amountAt(profit);
  const total = ends.map(amountAt).find((value) => value !== undefined);
  const expected = amountAt(start);
  const flips = expected !== undefined && isDeduction(before, expected, total, stated);
  const startRate =
    rateAt(start) ??
    stated ??
    (rateRow === undefined ? statedRate({ label: caption }, period) : (rateAt(rateRow) ?? smallAt(rateRow)));
  const endRate = ends.map(rateAt).find((value) => value !== undefined);
  const flipsRate = startRate !== undefined && compare(startRate, zero) < 0;
  const signed = (value: Rational | undefined, flip: boolean) =>
    value === undefined ? undefined : flip ? negate(value) : value;
  const items = rows.flatMap((row): ReconciliationItem[] => {
    if (isSubtotal(row.folded) || isProfit(row.folded)) return [];
    const figureOf = (column: number | undefined) =>
      column === undefined ? undefined : alignFigures(row, template)[column];
    const isEmpty = [amount, percent].every(
      (column) => figureOf(column)?.value === undefined || isZero(figureOf(column)!.value!),
    );
    if (isEmpty) return [];
    // "(21.0%)" and "(-1.4%)": where brackets are no sign, the minus sign inside them is one.
    const isSigned = /^\(\s*[−–-]/u.test((figureOf(percent) ?? figureOf(amount))?.segment.text ?? '');
    const [own, points] = [signed(amountAt(row), flips), signed(rateAt(row), flipsRate && !isSigned)];
    const isBlank = (value: Rational | undefined, column: number | undefined) =>
      value === undefined || figureOf(column)?.value === undefined;
    const isWithout =
      (isBlank(own, amount) || own === undefined) &&
      (points === undefined || (percent !== undefined && isBlank(points, percent)));
    if (isWithout) return [];
    return [
      {
        label: row.label.replace(/\s+/g, ' ').trim(),
        start: row.start,
        end: row.end,
        ...(isBlank(own, amount) ? {} : { amount: own! }),
        ...(points === undefined || (percent !== undefined && isBlank(points, percent)) ? {} : { points }),
      },
    ];
  });
  if ((expected === undefined || total === undefined) && (rateAt(start) === undefined || endRate === undefined))
    return undefined;
  const computed = {
    ...(expected === undefined || total === undefined
      ? {}
      : { amount: add(signed(expected, flips)!, sum(items.map((item) => item.amount ?? zero))) }),
    ...(rateAt(start) === undefined || endRate === undefined || items.every(({ points }) => points === undefined)
      ? {}
      : { rate: add(signed(rateAt(start), flipsRate)!, sum(items.map(({ points }) => points ?? zero))) }),
  };
  const statutory = { ...given('amount', signed(expected, flips)), ...given('rate', signed(startRate, flipsRate)) };
  const effective = { ...given('amount', signed(total, flips)), ...given('rate', signed(endRate, flipsRate)) };
  return {
    period,
    unit,
    ...given('profit', before),
    statutory,
    items,
    effective,
    computed,
    start: start.start,
    end: ends.at(-1)!.end,
  };
}

function given<Name extends string>(name: Name, value: Rational | undefined): { [Key in Name]?: Rational } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Rational };
}

/** Some statements print tax as a deduction, so every amount has the opposite sign. */
function isDeduction(
  profit: Rational | undefined,
  expected: Rational,
  total: Rational | undefined,
  rate: Rational | undefined,
): boolean {
  if (rate !== undefined && compare(rate, zero) < 0) return false;
  if (profit !== undefined && !isZero(profit)) return compare(multiply(profit, expected), zero) < 0;
  return compare(expected, zero) < 0 && total !== undefined && compare(total, zero) < 0;
}
