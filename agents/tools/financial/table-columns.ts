/** The contents of each table column: period, unit, or nothing that was reported. */
import { findPeriodHeading } from '../../document/cell-kinds.ts';
import type { Table } from '../../document/table.ts';
import { titledPeriod } from './caption-periods.ts';
import { isOtherColumn, restatedHeading } from './column-kinds.ts';
import type { FiscalCalendar } from './fiscal-year.ts';
import { otherWords } from './heading-words.ts';
import { endOfMonth, readPeriodWords } from './period-words.ts';
import { type ColumnPeriod, monthsIntoYear, periodOfHeadings, yearBefore } from './periods.ts';
import { readUnitNote } from './units.ts';

export interface Column {
  readonly period?: ColumnPeriod;
  /** Powers of ten, if the column's own heading states them. */
  readonly zeros?: number;
  readonly currency?: string;
  /** Notes, budgets, changes: not read. */
  readonly isOther: boolean;
  /** Whether all its numbers are as short as note numbers. */
  readonly mayBeNotes?: boolean;
}

export interface Captions {
  /** Short lines above the table, nearest last. */
  readonly lines: readonly string[];
  /**
   * Cells of a row of days and months that the document model assigned to the end of the previous table: "30 June", "31
   * December".
   */
  readonly days: readonly string[];
}

/**
 * @param isHeadingOnly whether the amounts are in tables below, so that the first column may be one of them · @returns one per
 *   column; the first contains the labels
 */
export function readColumns(
  table: Table,
  captions: Captions,
  calendar: FiscalCalendar,
  isHeadingOnly = false,
): Column[] {
  const headings = table.columns.map(({ headerCells }) =>
    headerCells.map(({ text }) => text).filter((text) => !isRemark(text)),
  );
  const dated = headings.flatMap((texts, column) =>
    column > 0 && texts.some((text) => readPeriodWords(text).year !== undefined) ? [column] : [],
  );
  const withDays = headings.map((texts, column) => {
    const nth = dated.indexOf(column);
    return captions.days.length === dated.length && nth !== -1 ? [captions.days[nth]!, ...texts] : texts;
  });
  // "(cumulative January to September)" above the labels is a caption of all columns.
  const isFirstDated = isHeadingOnly && (headings[0] ?? []).some((text) => findPeriodHeading(text));
  const corner = isFirstDated ? [] : (headings[0]?.filter((text) => !isOtherColumn(text)) ?? []);
  const lines = [...captions.lines, ...corner];
  // "Q3 2024 | FY 2024" below "Results of the third quarter": a year next to quarters is a whole year.
  const hasParts = withDays.some((texts) => isPart(texts));
  const linesOfYears = hasParts ? lines.filter((line) => !isPart([line])) : lines;
  // "€" above a column repeats the currency of a caption in thousands.
  const isScaled = captions.lines.slice(-4).some((line) => (readUnitNote(line)?.zeros ?? 0) > 0);
  const columns = withDays.map((texts, column): Column => {
    if (column === 0 && !isFirstDated) return { isOther: false };
    const unit = unitOf(texts, isScaled);
    if (isOtherColumn(texts.join(' '))) return { ...unit, isOther: true };
    const period =
      texts.length === 0 ? undefined : periodOfHeadings(texts, isFiscalYear(texts) ? linesOfYears : lines, calendar);
    if (period !== undefined && isYearToDate(texts, period)) return cumulated(period, withDays, unit, calendar);
    return { ...(period === undefined ? {} : { period }), ...unit, isOther: false };
  });
  return interimYears(
    ofOneCurrency(ofTotals(withCurrent(withCurrentNet(columns, headings), headings), headings)),
    calendar,
  ).map((column, index, all) => withRelative(column, all.slice(0, index), { lines: captions.lines, calendar }));
}

/** Whether a heading names a quarter, a half, the year to date or another part of a year. */
function isPart(texts: readonly string[]): boolean {
  const { part, months, isCumulated } = readPeriodWords(texts.join(' '));
  return part !== undefined || isCumulated || (months !== undefined && months < 12);
}

/** "FY 2024", without a quarter or a half. */
function isFiscalYear(texts: readonly string[]): boolean {
  const { isFiscal, year } = readPeriodWords(texts.join(' '));
  return isFiscal && year !== undefined && !isPart(texts);
}

/** "Brut | Amortissements | Net | Net N-1": the only other net column is that of the current year. */
function withCurrentNet(columns: readonly Column[], headings: readonly (readonly string[])[]): readonly Column[] {
  const isNet = headings.map((texts) => /^\s*net(?:to|s)?(?!\p{L})/iu.test(texts.join(' ')));
  const prior = columns.findIndex(({ period }, index) => isNet[index] && period?.relative === 'prior');
  const bare = columns.flatMap(({ period, isOther }, index) =>
    index > 0 && isNet[index] && period === undefined && !isOther ? [index] : [],
  );
  if (prior === -1 || bare.length !== 1) return columns;
  const period: ColumnPeriod = { relative: 'current', isEstimate: false };
  return columns.map((column, index) => (index === bare[0] ? { ...column, period } : column));
}

/** "EUR | Vorjahr TEUR": next to the previous year, the only other column that is headed by its unit alone is the current year. */
function withCurrent(columns: readonly Column[], headings: readonly (readonly string[])[]): readonly Column[] {
  const prior = columns.flatMap(({ period, isOther }, index) =>
    period?.relative === 'prior' && !isOther ? [index] : [],
  );
  const bare = columns.flatMap(({ period, isOther, currency, zeros }, index) =>
    index > 0 &&
    period === undefined &&
    !isOther &&
    (currency !== undefined || zeros !== undefined) &&
    otherWords(headings[index]!).length === 0
      ? [index]
      : [],
  );
  const isPair = prior.length === 1 && bare.length === 1 && bare[0] === prior[0]! - 1;
  if (!isPair || columns.some(({ period }, index) => period !== undefined && index !== prior[0])) return columns;
  const period: ColumnPeriod = { relative: 'current', isEstimate: false };
  return columns.map((column, index) => (index === bare[0] ? { ...column, period } : column));
}

/**
 * "S1 2024 publié | S1 2024 retraité", "Underlying | Exceptional | Total": of the columns of one period, the restated one or the
 * total holds its figures.
 */
function ofTotals(columns: readonly Column[], headings: readonly (readonly string[])[]): readonly Column[] {
  return [restatedHeading, totalHeading].reduce((kept, shape) => {
    const isMain = headings.map((texts) => texts.some((text) => shape.test(text)));
    const main = kept.filter(({ isOther }, index) => isMain[index] && !isOther);
    return kept.map((column, index) => {
      const isReplaced =
        !isMain[index] &&
        column.period !== undefined &&
        main.some(({ period }) => JSON.stringify(period) === JSON.stringify(column.period));
      return isReplaced ? { ...column, isOther: true } : column;
    });
  }, columns);
}

/** The last of several columns of one period. */
const totalHeading =
  /^(?:(?:group |company |reported |statutory )?(?:total|statutory)|gesamt|summe|totale?|totaal|ensemble)(?: (?:group|reported|statutory))?\*?$/iu;

/**
 * Columns translated into another currency "for convenience" repeat the others: the currency of most columns counts, else the
 * first.
 */
function ofOneCurrency(columns: readonly Column[]): readonly Column[] {
  const counts = new Map<string, number>();
  for (const { currency, period, isOther } of columns) {
    if (currency !== undefined && period !== undefined && !isOther)
      counts.set(currency, (counts.get(currency) ?? 0) + 1);
  }
  const [main] = [...counts].sort((a, b) => b[1] - a[1]);
  if (main === undefined || counts.size < 2) return columns;
  return columns.map((column) =>
    column.currency === undefined || column.currency === main[0] ? column : { ...column, isOther: true },
  );
}

/**
 * "2025 | 2024" alone in a half-year report are half-years; in a quarterly report, their length is unknown. "2024" next to "H1
 * 2025" is the year.
 */
function interimYears(columns: readonly Column[], { end, months }: FiscalCalendar): Column[] {
  const isBare = ({ period }: Column) =>
    period?.year !== undefined && period.end === undefined && period.months === undefined;
  const year = end === undefined ? undefined : Number(end.slice(0, 4));
  const isInterim =
    months !== undefined &&
    months < 12 &&
    columns.every((column) => column.period === undefined || isBare(column)) &&
    columns.some((column) => isBare(column) && column.period!.year === year);
  if (!isInterim || end === undefined) return [...columns];
  return columns.map((column) => {
    if (!isBare(column)) return column;
    if (months !== 6) return { ...column, isOther: true };
    return { ...column, period: { ...column.period!, end: `${column.period!.year}${end.slice(4)}`, months } };
  });
}

/** "YTD 2025": from the beginning of the year to a day that the heading does not name. */
function isYearToDate(texts: readonly string[], { end }: ColumnPeriod): boolean {
  return end === undefined && readPeriodWords(texts.join(' ')).isCumulated;
}

/** To the end of the adjacent month ("Mar 2025"), or of the document's period; of unknown length if there is neither. */
function cumulated(
  period: ColumnPeriod,
  headings: readonly (readonly string[])[],
  unit: Pick<Column, 'zeros' | 'currency'>,
  calendar: FiscalCalendar,
): Column {
  const ends = headings.flatMap((texts) => readPeriodWords(texts.join(' ')).end ?? []);
  const known = [...ends, ...(calendar.end === undefined ? [] : [calendar.end])];
  const month = known[0]?.slice(5);
  const years = known.map((end) => Number(end.slice(0, 4)));
  const year =
    period.year ?? (years.length === 0 ? undefined : Math.max(...years) - (period.relative === 'prior' ? 1 : 0));
  if (month === undefined || year === undefined || new Set(known.map((end) => end.slice(5, 7))).size > 1)
    return { ...unit, isOther: true };
  const end = endOfMonth(year, Number(month.slice(0, 2)))!;
  return { ...unit, isOther: false, period: { end, months: monthsIntoYear(end, calendar), isEstimate: false } };
}

function monthsOf(months: number | undefined): Pick<ColumnPeriod, 'months'> {
  return months === undefined ? {} : { months };
}

/** "(% indicates changes from the previous period)" above a table is not a column heading. */
function isRemark(text: string): boolean {
  return text.length > 40 && /^\(.*\)$/.test(text);
}

function unitOf(texts: readonly string[], isScaled: boolean): Pick<Column, 'zeros' | 'currency'> {
  const note = texts.map((text) => readUnitNote(text)).findLast((each) => each !== undefined);
  const isPlain = texts.some((text) =>
    /^(?:(?:.{0,30}\d{4}[ ,(]{1,2})?(?:in )?(?:EUR|CHF|USD|GBP|€|£)\)?)$/.test(text.trim()),
  );
  const zeros = note?.zeros ?? (isPlain && !isScaled ? 0 : undefined);
  return {
    ...(zeros === undefined ? {} : { zeros }),
    ...(note?.currency === undefined ? {} : { currency: note.currency }),
  };
}

/** "31.12.2024 | Vorjahr": the other column determines the year. */
function withRelative(
  column: Column,
  before: readonly Column[],
  { lines, calendar }: { readonly lines: readonly string[]; readonly calendar: FiscalCalendar },
): Column {
  const { period } = column;
  if (period?.relative === undefined || period.end !== undefined) return column;
  const sibling = before.findLast((each) => each.period !== undefined && each.period.relative === undefined)?.period;
  const known =
    sibling ??
    titledPeriod(lines, calendar) ??
    (calendar.end === undefined
      ? undefined
      : { end: calendar.end, isEstimate: false, ...monthsOf(calendar.months ?? period.months) });
  if (known === undefined) return column;
  return { ...column, period: period.relative === 'prior' ? yearBefore(known) : known };
}
