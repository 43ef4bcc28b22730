/**
 * When a period of Union law begins and ends: Regulation (EEC, Euratom) No 1182/71 of the Council of 3 June 1971 determining the
 * rules applicable to periods, dates and time limits (OJ L 124, 8.6.1971, p. 1). Pure: holidays are an argument.
 */
import { addMonths, formatDay, parseDay, weekday, weekdayNames } from './calendar.ts';

export type PeriodUnit = 'hour' | 'day' | 'working day' | 'week' | 'month' | 'year';

export interface PeriodInput {
  /** `2026-03-05`; a period in hours needs the time too: `2026-03-05T14:20`. */
  readonly event: string;
  /** Above 0. An integer, or for months and years with a fraction that is a whole number of days, with 30 days to a month. */
  readonly count: number;
  readonly unit: PeriodUnit;
  /** Public holidays as Article 2(1) understands them: those of the Member State or institution concerned. */
  readonly holidays: readonly string[];
  /** Whether the period is counted back from the event; Article 3(4) excludes such periods. */
  readonly backwards?: boolean;
}

export interface PeriodEnd {
  /** First hour of the period, `2026-03-06T00:00`. For a period counted back: the last hour in which an act is still in time. */
  readonly begins: string;
  /** The period ends when this hour begins: `2026-04-07T00:00` is the end of 6 April. */
  readonly ends: string;
  /** The day whose last hour ends the period; for periods in hours, the day of the last hour. */
  readonly lastDay: string;
  readonly lastWeekday: (typeof weekdayNames)[number];
  /** Before Article 3(4) and (5) moved it. */
  readonly lastDayBeforeExtension: string;
  /** Articles that were applied, in order, each with its effect. */
  readonly rules: readonly string[];
}

/** @returns an error text if the period cannot be computed */
export function reckonPeriod(input: PeriodInput): PeriodEnd | { readonly error: string } {
  const day = parseDay(input.event.slice(0, 10));
  if (day === undefined) return { error: 'not computable: the day of the event is missing' };
  if (!Number.isFinite(input.count) || input.count <= 0 || input.count > 100_000) {
    return { error: 'not computable: the length must be above 0 and at most 100,000' };
  }
  if (input.unit === 'hour') return reckonHours(input, day);
  const span = daysOf(input, day);
  if ('error' in span) return span;
  return input.backwards === true ? reckonBack(input, day, span) : reckonDays(input, day, span);
}

/** Monday to Friday, except holidays. @param holidays the result of `holidayNumbers` @see Article 2(2) */
export function isWorkingDay(day: number, holidays: ReadonlySet<number>): boolean {
  return weekday(day) !== 0 && weekday(day) !== 6 && !holidays.has(day);
}

const numbersOf = new WeakMap<readonly string[], ReadonlySet<number>>();

/** Days since 1970-01-01; invalid dates are omitted. Computed once per list, because one list serves many periods. */
export function holidayNumbers(holidays: readonly string[]): ReadonlySet<number> {
  const known = numbersOf.get(holidays);
  if (known !== undefined) return known;
  const numbers = new Set(holidays.map(parseDay).filter((day) => day !== undefined));
  numbersOf.set(holidays, numbers);
  return numbers;
}

/** Four years, because the days are counted one by one. */
const workingDaysMax = 1_000;

interface Reckoned {
  readonly last: number;
  readonly rule: string;
}

function reckonDays(input: PeriodInput, day: number, { last: nominal, rule }: Reckoned): PeriodEnd {
  const holidays = holidayNumbers(input.holidays);
  const rules = ['Art. 3(1): the day of the event is not counted', rule];
  let last = nominal;
  if (input.unit !== 'working day' && !isWorkingDay(last, holidays)) {
    while (!isWorkingDay(last, holidays)) last += 1;
    rules.push(`Art. 3(4): ${reasonOf(nominal, holidays)}, so it ends with the following working day`);
  }
  // Whether the period has two days or more. A month or a week always has, and then the rule rarely applies.
  if (nominal - day >= 2) {
    const extended = atLeastTwoWorkingDays(day + 1, last, holidays);
    if (extended > last) rules.push('Art. 3(5): extended so that it includes two working days');
    last = extended;
  }
  return {
    begins: `${formatDay(day + 1)}T00:00`,
    ends: `${formatDay(last + 1)}T00:00`,
    lastDay: formatDay(last),
    lastWeekday: weekdayNames[weekday(last)]!,
    lastDayBeforeExtension: formatDay(nominal),
    rules,
  };
}

/** The day from which the period is counted back is excluded, and the other end is not moved: Article 3(4), second sentence. */
function reckonBack(input: PeriodInput, day: number, { last, rule }: Reckoned): PeriodEnd {
  return {
    begins: `${formatDay(last)}T00:00`,
    ends: `${formatDay(day)}T00:00`,
    lastDay: formatDay(last),
    lastWeekday: weekdayNames[weekday(last)]!,
    lastDayBeforeExtension: formatDay(last),
    rules: [
      'Art. 3(1): the day of the event is not counted',
      rule,
      `Art. 3(4), second sentence: counted back from the event, so a ${input.unit === 'working day' ? 'holiday' : 'weekend or holiday'} does not move it`,
    ],
  };
}

/**
 * The last day. Weeks, months and years end with the day that has the same name or date as the day of the event: Article 3(2)(c)
 * as interpreted in Case C-171/03, Toeters, EU:C:2004:714; months without that date end with their last day.
 */
function daysOf({ count, unit, holidays, backwards }: PeriodInput, day: number): Reckoned | { readonly error: string } {
  const sign = backwards === true ? -1 : 1;
  if (unit === 'month' || unit === 'year') return monthsOf(count * (unit === 'year' ? 12 : 1), day, sign);
  if (!Number.isInteger(count)) return { error: `not computable: the Regulation has no rule for a part of a ${unit}` };
  if (unit === 'day')
    return { last: day + sign * count, rule: 'Art. 3(2)(b): ends with the last hour of the last day' };
  if (unit === 'week') {
    return { last: day + sign * count * 7, rule: 'Art. 3(2)(c): ends with the same day of the week as the event' };
  }
  if (count > workingDaysMax) return { error: `not computable: more than ${workingDaysMax} working days` };
  const closed = holidayNumbers(holidays);
  let last = day;
  let name = weekday(day);
  for (let left = count; left > 0; ) {
    last += sign;
    name = (name + sign + 7) % 7;
    if (name !== 0 && name !== 6 && !closed.has(last)) left -= 1;
  }
  return { last, rule: 'Art. 3(3) and 2(2): only working days are counted' };
}

function monthsOf(months: number, day: number, sign: 1 | -1): Reckoned | { readonly error: string } {
  const whole = Math.floor(months);
  const days = (months - whole) * 30;
  if (Math.abs(days - Math.round(days)) > 1e-6) {
    return { error: 'not computable: the part of a month must be a whole number of days, with 30 days to a month' };
  }
  const last = addMonths(day, sign * whole) + sign * Math.round(days);
  const clipped = formatDay(addMonths(day, sign * whole)).slice(8) !== formatDay(day).slice(8);
  const rule = clipped
    ? 'Art. 3(2)(c): the month has no such date, so it ends with its last day'
    : 'Art. 3(2)(c): ends with the same date as the event';
  return {
    last,
    rule: days === 0 ? rule : `${rule}; Art. 3(2)(d): the part of a month counts ${Math.round(days)} days`,
  };
}

/**
 * Hours: the hour of the event is excluded, weekends do not move the end (Article 3(4) excepts hours), but a period of two days
 * or more includes two working days (Article 3(5)). A working day counts as included if any of its hours is; the Regulation is
 * silent on this for hours, and the result names the article so that a lawyer can check.
 */
function reckonHours(input: PeriodInput, day: number): PeriodEnd | { readonly error: string } {
  const time = /T([01]\d|2[0-3]):([0-5]\d)/.exec(input.event);
  if (time === null) return { error: 'not computable: the hour of the event is missing' };
  if (!Number.isInteger(input.count))
    return { error: 'not computable: the Regulation has no rule for a part of an hour' };
  const eventHour = day * 24 + Number(time[1]);
  if (input.backwards === true) {
    const first = eventHour - input.count;
    return hours(first, eventHour, first, ['Art. 3(1): the hour of the event is not counted', 'Art. 3(2)(a)']);
  }
  const rules = ['Art. 3(1): the hour of the event is not counted', 'Art. 3(2)(a): ends with the last hour'];
  const begins = eventHour + 1;
  let ends = begins + input.count;
  if (input.count >= 48) {
    const holidays = holidayNumbers(input.holidays);
    const lastDay = Math.floor((ends - 1) / 24);
    const extended = atLeastTwoWorkingDays(Math.floor(begins / 24), lastDay, holidays);
    if (extended > lastDay) {
      ends = (extended + 1) * 24;
      rules.push('Art. 3(5): extended to the end of the second working day that it includes');
    }
  }
  return hours(begins, ends, begins + input.count - 1, rules);
}

function hours(begins: number, ends: number, nominalLast: number, rules: readonly string[]): PeriodEnd {
  const last = Math.floor((ends - 1) / 24);
  return {
    begins: formatHour(begins),
    ends: formatHour(ends),
    lastDay: formatDay(last),
    lastWeekday: weekdayNames[weekday(last)]!,
    lastDayBeforeExtension: formatDay(Math.floor(nominalLast / 24)),
    rules,
  };
}

function formatHour(hour: number): string {
  const day = Math.floor(hour / 24);
  return `${formatDay(day)}T${String(hour - day * 24).padStart(2, '0')}:00`;
}

/** @returns the last day, postponed if two working days require it. Only the first days of a long period are examined. */
function atLeastTwoWorkingDays(first: number, last: number, holidays: ReadonlySet<number>): number {
  let found = 0;
  for (let day = first; ; day += 1) {
    if (isWorkingDay(day, holidays)) found += 1;
    if (found === 2) return Math.max(day, last);
  }
}

function reasonOf(day: number, holidays: ReadonlySet<number>): string {
  return holidays.has(day)
    ? `${formatDay(day)} is a public holiday`
    : `${formatDay(day)} is a ${weekdayNames[weekday(day)]}`;
}

/**
 * When an act enters into force "on the twentieth day following that of its publication": at the beginning of that day, also on
 * a Sunday or holiday. @see Article 4(1) and (2); Article 297(1) TFEU
 */
export function entryIntoForce(publication: string, days = 20): string | undefined {
  const day = parseDay(publication);
  return day === undefined ? undefined : formatDay(day + days);
}
