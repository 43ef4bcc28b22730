/**
 * Finds fixed dates by which an act must be done, as opposed to periods. @see Regulation (EEC, Euratom) No 1182/71, Article
 * 5(2)
 */
import type { FoundDate } from '../text/dates.ts';
import type { Range } from '../text/span.ts';
import { formatDay, parseDay, weekday, weekdayNames } from './calendar.ts';
import { isWorkingDay } from './periods.ts';

export interface FixedDate extends Range {
  readonly date: string;
  readonly weekday: (typeof weekdayNames)[number];
  /** The deadline ends when this hour begins: `2026-04-15T00:00` is the end of 14 April. */
  readonly ends: string;
  readonly rule: string;
  /** Neither a Saturday, a Sunday nor a holiday of the list. */
  readonly workingDay: boolean;
}

const limit =
  /(?<!\p{L})(?:by|until|till|before|on or before|(?:no|not) later than|at the latest(?: by| on)?|due (?:on|by)|deadline(?: is| of)?:?|bis(?: zum)?|spätestens(?: am)?|vor dem|jusqu’au|jusqu'au|au plus tard le|avant le|do|nejpozději(?: do| dne)?|před)\s{1,3}(?:the\s)?$/iu;

/** @param dates of the text, in order · @param holidays the result of `holidayNumbers` */
export function findFixedDates(text: string, dates: readonly FoundDate[], holidays: ReadonlySet<number>): FixedDate[] {
  return dates.flatMap(({ iso, start, end }) => {
    const day = parseDay(iso);
    const words = text.slice(Math.max(0, start - 40), start);
    const match = limit.exec(words);
    if (day === undefined || match === null) return [];
    // "before 16 March" after a computed period belongs to that period; "10 days before" is found with the period.
    if (/^(?:before|vor dem|avant le|před)/i.test(match[0]) && /\d\s?\p{L}{3,8}\s$/u.test(words.slice(0, match.index)))
      return [];
    const excluded = /^(?:before|vor dem|avant le|před)/i.test(match[0]);
    const last = excluded ? day - 1 : day;
    const workingDay = isWorkingDay(last, holidays);
    const moved = workingDay
      ? ''
      : `; it falls on a ${holidays.has(last) ? 'public holiday' : weekdayNames[weekday(last)]}, and whether that moves a fixed date must be checked`;
    return [
      {
        date: formatDay(last),
        weekday: weekdayNames[weekday(last)]!,
        ends: `${formatDay(last + 1)}T00:00`,
        rule: `Art. 5(2): until the expiry of the last hour of that day${moved}`,
        workingDay,
        start,
        end,
      },
    ];
  });
}
