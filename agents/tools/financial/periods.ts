/** Reporting periods in table headings and sentences. */
import { daysInMonth, isoDate } from '../text/dates.ts';
import type { Range } from '../text/span.ts';
import { closingDay, type FiscalCalendar, fiscalMonthOf } from './fiscal-year.ts';
import { endOfMonth, endsPeriod, type PeriodWords, readPeriodWords } from './period-words.ts';

/**
 * A period with its position; labels are "2024" (a financial year, and the balance at its end), "2024E" (estimate, forecast or
 * budget), "Q1 2024", "H1 2024", "9M 2024" (parts of the calendar year), "3M 2025-02-01" (any other length and its last day),
 * "2024-09-30" (a balance between two year-ends), "current" or "prior".
 */
export interface FoundPeriod extends Range {
  readonly label: string;
}

/** The label of figures without a date in a heading or sentence. */
export const undated = 'undated';

// "2023/24" and "2023/2024" are the year that ends in 2024. Every repeat is bounded.
const shape =
  /(?<![\p{L}\p{N}.,/])(?:(?<part>[QH][1-4]|[1-4][QH]|9M|3M|6M)[ \u00a0/-]{0,2})?(?<fiscal>FY[ \u00a0]?)?(?:(?<year>(?:19|20)\d\d)(?:[/–-](?<end>(?:20)?\d\d)(?!\d))?(?<estimate>[EFB](?![\p{L}\p{N}]))?|(?<short>\d\d))(?![\p{N}\p{L}%])(?!,\d)/gu;

const words: readonly [label: string, names: readonly string[]][] = [
  [
    'current',
    ['current year', 'this year', 'current period', 'berichtsjahr', 'bezne obdobi', 'sledovane obdobi', 'exercice n'],
  ],
  ['prior', ['prior year', 'previous year', 'last year', 'prior period', 'vorjahr', 'minule obdobi', 'exercice n 1']],
];

/** Every year-like period in the text; a two-digit year counts only after FY, Q or H. */
export function findPeriods(text: string): FoundPeriod[] {
  const found: FoundPeriod[] = [];
  if (!/\d\d/.test(text)) return found;
  for (const match of text.matchAll(shape)) {
    const { part, fiscal, year, end, estimate, short } = match.groups!;
    if (year === undefined && part === undefined && fiscal === undefined) continue;
    const full = year === undefined ? `20${short}` : endYear(year, end);
    const label = `${part === undefined ? '' : `${partName(part)} `}${full}${estimate === undefined ? '' : 'E'}`;
    found.push({ start: match.index, end: match.index + match[0].length, label });
  }
  // "31.12.2023" and "31/12/2023", which the pattern above excludes.
  for (const match of text.matchAll(/(?<!\d)\d{1,2}[./]\d{1,2}[./]((?:19|20)\d\d)(?!\d)/g)) {
    found.push({ start: match.index, end: match.index + match[0].length, label: match[1]! });
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The period of a heading cell, if it names exactly one. @param normalised in the form of `normaliseName` */
export function periodOfCell(text: string, normalised: string): string | undefined {
  const found = findPeriods(text);
  if (found.length === 1) return found[0]!.label;
  return wordsOf(normalised);
}

function wordsOf(normalised: string): string | undefined {
  return words.find(([, names]) => names.includes(normalised))?.[0];
}

/** The period of a column's headings, completed from captions and the document's financial year as far as possible. */
export interface ColumnPeriod {
  /** ISO 8601. */
  readonly end?: string;
  readonly year?: number;
  readonly months?: number;
  readonly relative?: 'current' | 'prior';
  readonly isEstimate: boolean;
}

/** "Three Months Ended", "June 30,", "2024" from the top; captions above the table, the nearest last, complete the headings. */
export function periodOfHeadings(
  headings: readonly string[],
  captions: readonly string[],
  calendar: FiscalCalendar,
): ColumnPeriod | undefined {
  const own = readPeriodWords(headings.join(' '));
  const known = own.end !== undefined || own.year !== undefined || own.relative !== undefined;
  if (own.isOther || (!known && own.dayMonth === undefined && own.months === undefined)) return undefined;
  const above = captions.toReversed().map(captionWords);
  const months = own.isCumulated
    ? undefined
    : (own.months ?? above.find((words) => words.months !== undefined && mayMeasure(words, own))?.months);
  const year = own.year ?? (known ? undefined : above.find((words) => yearOf(words) !== undefined && !words.isMonth));
  const named = typeof year === 'object' ? yearOf(year) : year;
  const part =
    own.part ??
    (own.months === undefined || own.year === undefined
      ? above.find((words) => words.part !== undefined)?.part
      : undefined);
  const end =
    own.end ?? endOfPart(part, named, calendar) ?? endIn(named, own.dayMonth ?? dayMonthAbove(above, own.months));
  const isMonth = own.isMonth && !own.isCumulated && months === undefined;
  const length = own.isCumulated && end !== undefined ? monthsIntoYear(end, calendar) : isMonth ? 1 : months;
  const isFiscalYear = own.isFiscal && end === undefined;
  return {
    ...(end === undefined ? {} : { end }),
    ...(named === undefined ? {} : { year: named + (isFiscalYear ? calendar.shift : 0) }),
    ...(length === undefined ? {} : { months: length }),
    ...(own.relative === undefined || own.end !== undefined || own.year !== undefined
      ? {}
      : { relative: own.relative }),
    isEstimate: own.isEstimate,
  };
}

/** "Financial year ends 31 March" says nothing about a column of October. */
function mayMeasure({ end, dayMonth }: PeriodWords, own: PeriodWords): boolean {
  const month = end === undefined ? dayMonth?.month : Number(end.slice(5, 7));
  return !own.isMonth || month === undefined || own.end === undefined || month === Number(own.end.slice(5, 7));
}

/** A date that is not the end of a period does not identify a column. */
function captionWords(caption: string): PeriodWords {
  const words = readPeriodWords(caption);
  if (words.end === undefined || endsPeriod(caption, words.end)) return words;
  const { isFiscal, isMonth, isCumulated, isEstimate, isOther } = words;
  return { isFiscal, isMonth, isCumulated, isEstimate, isOther };
}

function yearOf({ end, year }: PeriodWords): number | undefined {
  return year ?? (end === undefined ? undefined : Number(end.slice(0, 4)));
}

/** A caption with another length than the column does not determine the column's end. */
function dayMonthAbove(above: readonly PeriodWords[], own: number | undefined): PeriodWords['dayMonth'] {
  for (const { end, dayMonth, isMonth, months } of above) {
    if (own !== undefined && months !== own) continue;
    if (dayMonth !== undefined) return dayMonth;
    if (end !== undefined && !isMonth) return { month: Number(end.slice(5, 7)), day: Number(end.slice(8, 10)) };
  }
  return undefined;
}

function endIn(year: number | undefined, dayMonth: PeriodWords['dayMonth']): string | undefined {
  if (year === undefined || dayMonth === undefined) return undefined;
  return isoDate(year, dayMonth.month, Math.min(dayMonth.day, daysInMonth(year, dayMonth.month)));
}

/** A quarter or half belongs to the company's financial year. */
function endOfPart(part: PeriodWords['part'], year: number | undefined, calendar: FiscalCalendar): string | undefined {
  if (part === undefined || year === undefined) return undefined;
  const { month, shift } = calendar;
  const left = part.kind === 'Q' ? 3 * (4 - part.number) : 6 * (2 - part.number);
  const index = (year + shift) * 12 + (month - 1) - left;
  return closingDay(Math.floor(index / 12), (index % 12) + 1, calendar);
}

/** Number of elapsed months of the financial year. */
export function monthsIntoYear(end: string, { month }: FiscalCalendar): number {
  const months = (fiscalMonthOf(end) - month + 12) % 12;
  return months === 0 ? 12 : months;
}

/** The same a year earlier. */
export function yearBefore(period: ColumnPeriod): ColumnPeriod {
  const { relative: _, ...rest } = period;
  return {
    ...rest,
    ...(period.end === undefined ? {} : { end: shiftYear(period.end, -1) }),
    ...(period.year === undefined ? {} : { year: period.year - 1 }),
  };
}

/** The label for figures of a column; undefined if the length of a flow is unknown. */
export function labelOf(period: ColumnPeriod, isBalance: boolean, calendar: FiscalCalendar): string | undefined {
  const { end, year, relative, isEstimate } = period;
  if (end === undefined && year === undefined) return relative;
  const mark = isEstimate ? 'E' : '';
  const isYearEnd = end !== undefined && fiscalMonthOf(end) === calendar.month;
  // "9M 2025": the balance at the end of the nine months.
  if (isBalance && end === undefined && year !== undefined && (period.months === 6 || period.months === 9)) {
    const index = year * 12 + calendar.month - 1 - (12 - period.months);
    return closingDay(Math.floor(index / 12), (index % 12) + 1, calendar);
  }
  if (isBalance) return end === undefined || isYearEnd ? `${end?.slice(0, 4) ?? year}${mark}` : end;
  const months =
    period.months ?? (end === undefined || isYearEnd ? 12 : endsLike(end, calendar.end) ? calendar.months : undefined);
  if (months === undefined) return undefined;
  if (months === 12) return end === undefined || isYearEnd ? `${end?.slice(0, 4) ?? year}${mark}` : `12M ${end}`;
  if (end === undefined) {
    // A half-year, or nine months, start at the beginning of the year.
    const index =
      (months === 6 || months === 9) && year !== undefined ? year * 12 + calendar.month - 1 - (12 - months) : undefined;
    if (index === undefined) return `${months}M ${year}${mark}`;
    return labelOf(
      { ...period, end: closingDay(Math.floor(index / 12), (index % 12) + 1, calendar)!, months },
      isBalance,
      calendar,
    );
  }
  return `${calendarPart(end, months) ?? `${months}M ${end}`}${calendarPart(end, months) === undefined ? '' : mark}`;
}

/** The same date in the same or another year. */
function endsLike(end: string, other: string | undefined): boolean {
  return other !== undefined && (end === other || end.slice(4) === other.slice(4));
}

function calendarPart(end: string, months: number): string | undefined {
  const [year, month] = [end.slice(0, 4), Number(end.slice(5, 7))];
  if (end !== endOfMonth(Number(year), month)) return undefined;
  if (months === 3 && month % 3 === 0) return `Q${month / 3} ${year}`;
  if (months === 6 && month % 6 === 0) return `H${month / 6} ${year}`;
  return months === 9 && month === 9 ? `9M ${year}` : undefined;
}

/** @param end last day, or the year of a financial year · @param months length of a flow; undefined for a balance */
export function labelOfPeriod(end: string, months: number | undefined): string {
  if (end.length === 4 || months === undefined) return end;
  return calendarPart(end, months) ?? `${months}M ${end}`;
}

/** Last day of a labelled period; for a year, only the year is known. */
export function endOfLabel(label: string): string | undefined {
  const date = /\d{4}-\d\d-\d\d$/.exec(label)?.[0];
  if (date !== undefined) return date;
  const match = /^([QH9])(\d|M) (\d{4})E?$/.exec(label);
  if (match === null) return undefined;
  const month = match[1] === 'Q' ? Number(match[2]) * 3 : match[1] === 'H' ? Number(match[2]) * 6 : 9;
  return endOfMonth(Number(match[3]), month);
}

/** Whether a label is not that of a forecast or budget. */
export function isReported(label: string): boolean {
  return !label.endsWith('E');
}

/** Length of the period of a flow, in months. */
export function monthsOf(label: string): number {
  if (label.startsWith('Q')) return 3;
  if (label.startsWith('H')) return 6;
  const months = /^(\d{1,2})M /.exec(label)?.[1];
  return months === undefined ? 12 : Number(months);
}

/** The same period of the previous year: "Q1 2023" for "Q1 2024". */
export function priorPeriod(label: string): string | undefined {
  if (label === 'current') return 'prior';
  const dated = /^(.{0,4}?)(\d{4}-\d\d-\d\d)$/.exec(label);
  if (dated !== null) return `${dated[1]}${shiftYear(dated[2]!, -1)}`;
  const match = /^(.{0,4}?)(\d{4})(E?)$/.exec(label);
  return match === null ? undefined : `${match[1]}${Number(match[2]) - 1}${match[3]}`;
}

/** Whether two labels name periods of one length that end at most a week apart: years and quarters of whole weeks. */
export function isWeeksApart(one: string, other: string): boolean {
  const [a, b] = [one, other].map((label) => /^(\d{1,2}M )?(\d{4}-\d\d-\d\d)$/.exec(label));
  if (a === null || b === null || a === undefined || b === undefined || a[1] !== b[1]) return false;
  return Math.abs(Date.parse(a[2]!) - Date.parse(b[2]!)) <= weekMs;
}

const weekMs = 7 * 86_400_000;

/** Newest first; periods without a year last. */
export function comparePeriods(a: string, b: string): number {
  return sortKey(a) < sortKey(b) ? 1 : sortKey(a) > sortKey(b) ? -1 : 0;
}

function sortKey(label: string): string {
  if (label === 'current') return '1';
  if (label === 'prior') return '0';
  const year = /\d{4}/.exec(label);
  if (year === null) return '';
  const end = endOfLabel(label);
  // A year before its parts, later parts first.
  return `2${year[0]}${end === undefined ? '9' : `8${end}`}${label}`;
}

/** "2024-02-29" a year before is "2023-02-28". */
export function shiftYear(iso: string, years: number): string {
  const year = Number(iso.slice(0, 4)) + years;
  const month = Number(iso.slice(5, 7));
  const isLastDay = Number(iso.slice(8, 10)) === daysInMonth(Number(iso.slice(0, 4)), month);
  return isoDate(
    year,
    month,
    isLastDay ? daysInMonth(year, month) : Math.min(Number(iso.slice(8, 10)), 28 + (month === 2 ? 0 : 3)),
  );
}

function partName(part: string): string {
  return /^\d[QH]$/.test(part) ? `${part[1]}${part[0]}` : part;
}

function endYear(year: string, end: string | undefined): string {
  if (end === undefined) return year;
  const full = end.length === 4 ? end : `${year.slice(0, 2)}${end}`;
  // "2023-12" is a month and "2020-2030" a range, not a financial year.
  return Number(full) === Number(year) + 1 ? full : year;
}
