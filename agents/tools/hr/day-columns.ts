/** The days that the headings of a table name: "Mon", "Di 10.03.", "2026-03-02", or the numbers of the days of a month. */
import type { Document } from '../../document/document.ts';
import type { Cell } from '../../document/table.ts';
import { type DateOrder, findDates, isCalendarDay, isoDate, monthNumbers } from '../text/dates.ts';
import { oncePer } from '../text/once-per.ts';
import { dayNumber, isoOfDay, mondayOf } from './calendar.ts';
import { namedWeeks, recordOrder } from './record-dates.ts';
import { weekdaysOf } from './weekdays.ts';

export interface DayColumn {
  readonly column: number;
  /** Days since 1970-01-01; undefined if the text names no date. */
  readonly day: number | undefined;
}

/** What a heading says of its day. */
interface Heading {
  readonly column: number;
  readonly weekdays: readonly number[];
  readonly iso?: string;
  readonly date?: number;
  readonly month?: number;
}

/** Fewest columns of days: with a date in each heading, with weekdays alone, and with the numbers of days alone. */
const columnsMin = { dated: 2, weekday: 3, number: 4 } as const;

/** The columns of the days, in their order; undefined if the cells are no series of days. @param at position of the table */
export function dayColumns(cells: readonly Cell[], document: Document, at: number): readonly DayColumn[] | undefined {
  if (cells.filter(({ text }, column) => column > 0 && mayBeDay.test(text)).length < columnsMin.dated) return undefined;
  const order = orderOf(document);
  const headings = cells.flatMap(({ text }, column) =>
    column === 0 ? [] : (headingOf(text.trim(), column, order) ?? []),
  );
  if (headings.length < columnsMin.dated) return undefined;
  const isDated = headings.every(({ iso, month }) => iso !== undefined || month !== undefined);
  const isNamed = headings.every(({ weekdays, iso }) => weekdays.length > 0 || iso !== undefined);
  const fewest = isDated ? columnsMin.dated : isNamed ? columnsMin.weekday : columnsMin.number;
  if (headings.length < fewest) return undefined;
  // Between the days are no other columns.
  if (headings.at(-1)!.column - headings[0]!.column >= headings.length + 2) return undefined;
  const weekdays = isNamed && !isDated ? inOrder(headings) : undefined;
  if (isNamed && !isDated && weekdays === undefined) return undefined;
  const days = daysOf(headings, weekdays, contextOf(document, at));
  const isSeries = days.every((day, index) => index === 0 || day === undefined || (days[index - 1] ?? -1) < day);
  if (!isSeries || (days.some((day) => day === undefined) && (!isNamed || isDated))) return undefined;
  return headings.map(({ column }, index) => ({ column, day: days[index] }));
}

const mayBeDay = /^\P{L}{0,3}(?:\d|\p{L}{1,14}(?:-feira)?(?:[\s.,\d(]|$))/u;
const numericDay = /^(\d{1,2})[./](?: ?(\d{1,2})\.?)?$/u;
const namedDay =
  /^(?:(\d{1,2})(?:st|nd|rd|th|er|\.)?(?: de)? (\p{L}{3,10})\.?|(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?)$/u;

function headingOf(text: string, column: number, order: DateOrder | undefined): Heading | undefined {
  if (text === '' || text.length > 24) return undefined;
  const word = /^(\p{L}{1,14}(?:-feira)?)[.,]{0,2}(?=[\s\d(]|$)/u.exec(text)?.[1] ?? '';
  const weekdays = weekdaysOf(word);
  const rest = weekdays.length > 0 ? text.slice(word.length).replace(/^[.,\s(]+|\)$/gu, '') : text;
  if (weekdays.length > 0 && rest === '') return { column, weekdays };
  const [date] = findDates(rest, undefined, order);
  if (date?.iso.length === 10 && date.end - date.start === rest.length && !date.ambiguous)
    return { column, weekdays, iso: date.iso };
  const numeric = /^\d{1,2}$/u.test(rest) ? [rest, rest] : numericDay.exec(rest);
  if (numeric !== null) {
    const month = numeric.length > 2 ? numeric[2] : undefined;
    return { column, weekdays, date: Number(numeric[1]), ...(month === undefined ? {} : { month: Number(month) }) };
  }
  const named = namedDay.exec(rest);
  const month = monthNumbers.get((named?.[2] ?? named?.[3] ?? '').toLowerCase());
  if (month === undefined) return undefined;
  return { column, weekdays, date: Number(named![1] ?? named![4]), month };
}

/** One weekday for each heading, each the next or a later one of a week; undefined if they are in another order. */
function inOrder(headings: readonly Heading[]): readonly number[] | undefined {
  const days: number[] = [];
  // A week may begin on any day: "Sun | Mon | … | Sat".
  for (const { weekdays } of headings) {
    const last = days.at(-1);
    const next =
      last === undefined
        ? weekdays[0]
        : weekdays.map((day) => last + 1 + ((day - last - 1 + 14) % 7)).sort((a, b) => a - b)[0];
    if (next === undefined) return undefined;
    days.push(next);
  }
  // "Tue | Wed | … | Mon" belongs to a record that is no week from Monday or Sunday.
  const first = days[0]!;
  return days.at(-1)! - first <= 6 ? (first === 6 ? days.map((day) => day - 7) : days) : undefined;
}

interface Context {
  readonly monday: number | undefined;
  readonly year: number | undefined;
  /** The month of the record, if the text above names one. */
  readonly month: number | undefined;
}

function contextOf(document: Document, at: number): Context {
  const { text } = document;
  const { dates } = datesOf(document);
  const before = dates.filter(({ start, ambiguous }) => start < at && !ambiguous);
  const last = before.at(-1);
  const weeks = namedWeeks(
    text,
    dates.filter(({ ambiguous }) => !ambiguous),
  ).filter(({ start }) => start < at);
  const mondays = new Set(before.flatMap(({ iso }) => (iso.length === 10 ? [mondayOf(dayNumber(iso))] : [])));
  const years = [...text.slice(Math.max(0, at - 600), at).matchAll(/(?<![\d.,-])20\d\d(?![\d])/gu)];
  const months = before.filter(({ iso }) => iso.length === 7);
  return {
    monday: weeks.at(-1)?.monday ?? (mondays.size === 1 ? [...mondays][0] : undefined),
    year: last === undefined ? numberOf(years.at(-1)?.[0]) : Number(last.iso.slice(0, 4)),
    month: numberOf(months.at(-1)?.iso.slice(5, 7)),
  };
}

/** The dates of a record in their order of day and month, by document. */
const datesOf = oncePer(({ text, words }: Document) => {
  const order = recordOrder(text);
  return { order, dates: findDates(text, words, order) };
});

const orderOf = (document: Document) => datesOf(document).order;

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

function daysOf(
  headings: readonly Heading[],
  weekdays: readonly number[] | undefined,
  { monday, year, month: namedMonth }: Context,
): (number | undefined)[] {
  if (weekdays !== undefined) {
    const days = weekdays.map((weekday) => (monday === undefined ? undefined : monday + weekday));
    // "Mon 9": the week above names other days.
    const fits = headings.every(({ date }, index) => {
      const own = days[index];
      return date === undefined || (own !== undefined && Number(isoOfDay(own).slice(8)) === date);
    });
    if (fits) return days;
    if (monday !== undefined || namedMonth === undefined) return headings.map(() => undefined);
  }
  return headings.map(({ iso, date, month = namedMonth, weekdays: named }) => {
    const shown =
      iso ?? (date === undefined || month === undefined || year === undefined ? '' : isoIn(year, month, date));
    if (shown === '') return undefined;
    const day = dayNumber(shown);
    return named.length === 0 || named.includes(day - mondayOf(day)) ? day : undefined;
  });
}

function isoIn(year: number, month: number, date: number): string {
  return isCalendarDay(year, month, date) ? isoDate(year, month, date) : '';
}
