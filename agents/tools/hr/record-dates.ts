/** The day of each line of a time record: a full date, a day and a month, or a weekday of the week that the record names. */
import {
  type DateOrder,
  decideDateOrder,
  type FoundDate,
  findDates,
  isCalendarDay,
  isoDate,
  monthNumbers,
} from '../text/dates.ts';
import type { Range } from '../text/span.ts';
import { splitWords } from '../text/words.ts';
import { dayNumber, isoOfDay, mondayOf } from './calendar.ts';
import { isWeekday, weekdaysOf } from './weekdays.ts';

export interface RecordDay {
  readonly iso: string;
  readonly ambiguous: boolean;
}

const weekWords =
  /\b(?:week|weekly|w\/[ceb]|wc|we|wk|kw|woche|kalenderwoche|semaine|semana|settimana|weeknummer|vecka|veckan|uge|uke|tydzie[nń]|t[yý]den|period[eo]?|per[ií]odo|p[eé]riode|zeitraum|commencing|beginning|ending|from|vom|del?|du|dal|van|fra|från|od)\b/iu;
const weekNumber =
  /(?<![\p{L}])(?:week|wk|kw|woche|kalenderwoche|semaine|sem\.?|semana|settimana|vecka|v\.|uge|uke|tydzie[nń]|t[yý]den)(?: no\.?| nr\.?)?[ .]{0,2}(\d{1,2})(?:[ ,/–-]{1,3}|\s?\/\s?| of | de | von )(20\d\d)/giu;

/** Reads the dates of a text once. */
export class RecordDates {
  readonly #dates: readonly FoundDate[];
  /** Undefined if the text does not determine the order of day and month. */
  readonly #order: DateOrder | undefined;
  readonly #mondays: readonly (Range & { readonly monday: number })[];

  constructor(text: string) {
    const words = splitWords(text);
    const order = recordOrder(text);
    this.#order = order?.sure === true ? order : undefined;
    this.#dates = findDates(text, words, order);
    this.#mondays = namedWeeks(text, this.#dates);
  }

  /** The year of the last date up to a position, else the only year of the text. */
  yearAt(position: number): string | undefined {
    const before = this.#dates[lastUpTo(this.#dates, position)];
    if (before !== undefined) return before.iso.slice(0, 4);
    const years = new Set(this.#dates.map(({ iso }) => iso.slice(0, 4)));
    return years.size === 1 ? [...years][0] : undefined;
  }

  /** @param line the text of the line, `start` its position */
  dayOf(line: string, start: number): RecordDay | undefined {
    const end = start + line.length;
    const own = this.#dates[lastUpTo(this.#dates, start - 1) + 1];
    if (own !== undefined && own.end <= end && own.iso.length === 10) return own;
    return this.#dayOfYear(line, end) ?? this.#weekday(line, start);
  }

  /** "07/09" in a column of dates, without a year: the day that is closest to the last date before it. @param at its position */
  dayOfCell(cell: string, at: number): RecordDay | undefined {
    const match = /^\D{0,12}(?<!\d)(\d{1,2})[/.-](\d{1,2})\.?$/u.exec(cell.trim());
    const last = this.#dates[lastUpTo(this.#dates, at)]?.iso;
    const [, dayOfMonth] = /^(?:\p{L}{2,3}[., ]{1,2})?(\d{1,2})\.?$/u.exec(cell.trim()) ?? [];
    // "October 2026" above a column of days.
    if (dayOfMonth !== undefined && last?.length === 7)
      return dayIn(Number(last.slice(0, 4)), Number(last.slice(5)), Number(dayOfMonth));
    if (match === null || last?.length !== 10) return undefined;
    const [first, second] = [Number(match[1]), Number(match[2])];
    const year = Number(last.slice(0, 4));
    const distance = ({ iso }: RecordDay) => Math.abs(dayNumber(iso) - dayNumber(last));
    const closest = (month: number, day: number) =>
      [year - 1, year, year + 1]
        .flatMap((each) => dayIn(each, month, day) ?? [])
        .sort((one, other) => distance(one) - distance(other))[0];
    const [dayFirst, monthFirst] = [closest(second, first), closest(first, second)];
    if (dayFirst === undefined || monthFirst === undefined) return dayFirst ?? monthFirst;
    if (this.#order !== undefined) return this.#order.dayFirst ? dayFirst : monthFirst;
    // Without a known order, one reading has to be of the same weeks, and the other one of another season.
    const near = [dayFirst, monthFirst].filter((day) => distance(day) <= 31);
    const far = [dayFirst, monthFirst].filter((day) => distance(day) > 62);
    return dayFirst.iso === monthFirst.iso || (near.length === 1 && far.length === 1) ? near[0] : undefined;
  }

  /** "Mon 04.03. 08:00-17:00", "lundi 02/03", "Wed 1 April", "April 1". */
  #dayOfYear(line: string, end: number): RecordDay | undefined {
    const year = this.yearAt(end);
    if (year === undefined) return undefined;
    const numeric =
      /^[\s|*-]{0,6}(?:(\p{L}{2,10})[.,]{0,2}[ |\t]{1,3})?(\d{1,2})([./]) ?(\d{1,2})(?:\.|(?=[ |\t]|$))(?!\d)/u.exec(
        line,
      );
    if (numeric !== null) {
      // "02/03" is a date only behind a weekday.
      if (numeric[3] === '/' && !isWeekday(numeric[1] ?? '')) return undefined;
      // "Total 19.5" is no day.
      if (numeric[1] !== undefined && !isWeekday(numeric[1]) && !articles.has(numeric[1].toLowerCase()))
        return undefined;
      return dayIn(Number(year), Number(numeric[4]), Number(numeric[2]));
    }
    const named =
      /^[\s|*-]{0,6}(?:\p{L}{2,10}[.,]{0,2}[ |\t]{1,3})?(?:(\d{1,2})(?:st|nd|rd|th|\.)? (\p{L}{3,10})|(\p{L}{3,10}) (\d{1,2})(?:st|nd|rd|th)?)(?![\p{L}\d])/u.exec(
        line,
      );
    const month = monthNumbers.get((named?.[2] ?? named?.[3] ?? '').toLowerCase());
    return month === undefined ? undefined : dayIn(Number(year), month, Number(named![1] ?? named![4]));
  }

  #weekday(line: string, start: number): RecordDay | undefined {
    const word = /^[\s|*-]{0,6}(\p{L}{2,10})[.:,]{0,2}(?=[\s|]|$)/u.exec(line)?.[1] ?? '';
    const [day] = weekdaysOf(word);
    const week = this.#mondays[lastUpTo(this.#mondays, start)];
    return day === undefined || week === undefined ? undefined : { iso: isoOfDay(week.monday + day), ambiguous: false };
  }
}

/** The Mondays of the weeks that a text names by a date or by a number, in the order of the text. */
export function namedWeeks(text: string, dates: readonly FoundDate[]): (Range & { readonly monday: number })[] {
  const named = dates.flatMap(({ start, end, iso }) =>
    iso.length === 10 && weekWords.test(text.slice(Math.max(0, start - 40), start))
      ? [{ start, end, monday: mondayOf(dayNumber(iso)) }]
      : [],
  );
  const numbered = [...text.matchAll(weekNumber)].flatMap(({ index, 0: match, 1: week, 2: year }) =>
    Number(week) >= 1 && Number(week) <= 53
      ? [{ start: index, end: index + match.length, monday: mondayOfWeek(Number(year), Number(week)) }]
      : [],
  );
  return [...named, ...numbered].sort((a, b) => a.start - b.start);
}

function dayIn(year: number, month: number, day: number): RecordDay | undefined {
  return isCalendarDay(year, month, day) ? { iso: isoDate(year, month, day), ambiguous: false } : undefined;
}

/** Index of the last range that starts at or before a position; −1 if there is none. */
function lastUpTo(ranges: readonly Range[], position: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.start <= position) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The order of day and month in a record: that of its other dates, of its weekdays, or the one with days that are close. */
export function recordOrder(text: string): DateOrder | undefined {
  const decided = decideDateOrder(text);
  return decided?.sure === true ? decided : (orderOfWeekdays(text) ?? closerOrder(text) ?? decided);
}

const articles: ReadonlySet<string> = new Set([
  'den',
  'le',
  'il',
  'el',
  'am',
  'de',
  'dne',
  'dia',
  'on',
  'vom',
  'tag',
  'day',
]);

const dayWithWeekday = /(?<!\p{L})(\p{L}{2,10})[.,]{0,2} (\d{1,2})([/-])(\d{1,2})\3(\d{4}|\d{2})(?!\d)/gu;
/** Weeks begin on a Monday. */
const weekBegin =
  /\b(?:(?:week|w\/) ?(?:commencing|beginning|starting|c\b|of)|wc|week from|semana del|semaine du|settimana dal|woche (?:vom|ab))[ :]{1,3}(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/giu;

/** "Mon 02/11/2026" and "week commencing 02/11/2026": only one of the two readings is a Monday. */
function orderOfWeekdays(text: string): DateOrder | undefined {
  let balance = 0;
  const weigh = (weekdays: readonly number[], first: string, second: string, year: string) => {
    const isOn = (month: string, day: string) => {
      const date = dayIn(Number(year.length === 2 ? `20${year}` : year), Number(month), Number(day));
      return date !== undefined && weekdays.includes(dayNumber(date.iso) - mondayOf(dayNumber(date.iso)));
    };
    balance += Number(isOn(second, first)) - Number(isOn(first, second));
  };
  for (const [, word, first, , second, year] of text.matchAll(dayWithWeekday))
    if (isWeekday(word!)) weigh(weekdaysOf(word!), first!, second!, year!);
  for (const [, first, , second, year] of text.matchAll(weekBegin)) weigh([0], first!, second!, year!);
  return balance === 0 ? undefined : { dayFirst: balance > 0, sure: true };
}

/** The days of a record are close together: 03/02, 03/03 and 03/04 are three days of March. */
function closerOrder(text: string): { dayFirst: boolean; sure: boolean } | undefined {
  const span = (dayFirst: boolean) => {
    const days = findDates(text, [], { dayFirst, sure: true }).map(({ iso }) =>
      dayNumber(iso.length === 10 ? iso : `${iso}-01`),
    );
    return new Set(days).size < 2
      ? undefined
      : days.reduce((most, day) => Math.max(most, day)) - days.reduce((least, day) => Math.min(least, day));
  };
  const [dayFirst, monthFirst] = [span(true), span(false)];
  if (dayFirst === undefined || monthFirst === undefined) return undefined;
  if (dayFirst * 3 < monthFirst) return { dayFirst: true, sure: true };
  return monthFirst * 3 < dayFirst ? { dayFirst: false, sure: true } : undefined;
}

/** ISO 8601: week 1 contains 4 January. */
function mondayOfWeek(year: number, week: number): number {
  return mondayOf(dayNumber(`${year}-01-04`)) + (week - 1) * 7;
}
