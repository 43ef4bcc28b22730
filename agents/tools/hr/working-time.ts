/**
 * Checks recorded working time against the limits of the Working Time Directive. Pure arithmetic on shifts; national law may be
 * stricter, and derogations (articles 17, 18 and 22) may apply: a person must decide that.
 * @see Directive 2003/88/EC, articles 3 (daily rest), 4 (breaks), 5 (weekly rest), 6 (48 hours), 8 (night work), 16 (reference
 *   periods); Commission Interpretative Communication 2023/C 109/01; CJEU C-306/16 (weekly rest on any day of the seven)
 */
import { decimalHours, hoursText, isoOfDay, mondayOf } from './calendar.ts';
import { type Breach, dailyBreaches, fullWeeks, weeklyBreaches } from './rest-breaches.ts';
import { hour, limits, minutesOf, minutesPerDay, type Shift, workingDays } from './shifts.ts';

export interface WorkingTimeReport {
  readonly from: string;
  readonly to: string;
  readonly shifts: number;
  readonly workedHours: string;
  /** Days of leave or sickness inside the period, which are neutral (article 16 (b)). */
  readonly neutralDays: number;
  readonly averageWeeklyHours: string;
  readonly averageAbove48: boolean;
  /** Highest average over 17 consecutive weeks; absent if the record is shorter. */
  readonly highest17WeekAverage?: string;
  readonly weeks: readonly { readonly monday: string; readonly hours: string; readonly above48: boolean }[];
  readonly weeksChecked: number;
  readonly longestRunOfDays: number;
  readonly nightShifts: number;
  /** Night shifts of more than eight hours, which are forbidden for hazardous or heavy work (article 8 (b)). */
  readonly nightShiftsOver8Hours: number;
  /** Average hours per working day with one rest day in seven; present if there are night shifts (article 8 (a)). */
  readonly nightWorkerDailyAverage?: string;
  /** Shifts that begin before the previous one has ended. */
  readonly overlaps: number;
  readonly breaches: readonly Breach[];
}

/** Default night time if the text defines none: 23:00 to 06:00, seven hours that include midnight to five (article 2 (3)). */
const nightStart = 23 * hour;
const nightEnd = 30 * hour;

/**
 * @param shifts of one person, in any order, at least one; ends after starts · @param neutralDays day numbers of leave or sickness
 */
export function checkWorkingTime(shifts: readonly Shift[], neutralDays: readonly number[] = []): WorkingTimeReport {
  const days = workingDays(shifts);
  const allDays = [...days.map(({ day }) => day), ...neutralDays];
  const from = allDays.reduce((a, b) => Math.min(a, b));
  const to = allDays.reduce((a, b) => Math.max(a, b));
  const neutral = new Set(neutralDays.filter((day) => !days.some((worked) => worked.day === day)));
  const worked = shifts.reduce((sum, shift) => sum + minutesOf(shift), 0);
  const daysCounted = Math.max(1, daysOfRecord(from, to) - neutral.size);
  const nights = shifts.filter((shift) => nightMinutes(shift) >= 3 * hour);
  const weeks = weeklyTotals(shifts);
  const highest = highestAverage(weeks, from, to);
  return {
    from: isoOfDay(from),
    to: isoOfDay(to),
    shifts: shifts.length,
    workedHours: hoursText(worked),
    neutralDays: neutral.size,
    averageWeeklyHours: decimalHours(worked, 7, daysCounted),
    averageAbove48: worked * 7 > limits.weeklyAverage * hour * daysCounted,
    ...(highest === undefined ? {} : { highest17WeekAverage: highest }),
    weeks: [...weeks].map(([monday, minutes]) => ({
      monday: isoOfDay(monday),
      hours: hoursText(minutes),
      above48: minutes > limits.weeklyAverage * hour,
    })),
    weeksChecked: fullWeeks(from, to).length,
    longestRunOfDays: longestRun(days.map(({ day }) => day)),
    nightShifts: nights.length,
    nightShiftsOver8Hours: nights.filter((shift) => minutesOf(shift) > limits.nightDaily * hour).length,
    ...(nights.length === 0 ? {} : { nightWorkerDailyAverage: decimalHours(worked, 7, daysCounted * 6) }),
    overlaps: overlapsOf(shifts),
    breaches: [...dailyBreaches(days), ...weeklyBreaches(shifts, from, to)],
  };
}

/** A record that ends on a Friday or Saturday counts as its whole week, and a record of two days as a week without other work. */
function daysOfRecord(from: number, to: number): number {
  const untilSunday = mondayOf(to) + 6 - to;
  return Math.max(7, to - from + 1 + (untilSunday <= 2 ? untilSunday : 0));
}

function weeklyTotals(shifts: readonly Shift[]): ReadonlyMap<number, number> {
  const totals = new Map<number, number>();
  for (const shift of [...shifts].sort((a, b) => a.start - b.start)) {
    const monday = mondayOf(Math.floor(shift.start / minutesPerDay));
    totals.set(monday, (totals.get(monday) ?? 0) + minutesOf(shift));
  }
  return totals;
}

function highestAverage(weeks: ReadonlyMap<number, number>, from: number, to: number): string | undefined {
  const count = limits.referenceWeeks;
  const last = mondayOf(to) - (count - 1) * 7;
  let highest: number | undefined;
  for (let first = mondayOf(from); first <= last; first += 7) {
    let sum = 0;
    for (let week = 0; week < count; week += 1) sum += weeks.get(first + week * 7) ?? 0;
    highest = Math.max(highest ?? 0, sum);
  }
  return highest === undefined ? undefined : decimalHours(highest, 1, count);
}

function overlapsOf(shifts: readonly Shift[]): number {
  const sorted = [...shifts].sort((a, b) => a.start - b.start || a.end - b.end);
  return sorted.filter((shift, index) => index > 0 && shift.start < sorted[index - 1]!.end).length;
}

function longestRun(days: readonly number[]): number {
  let longest = 0;
  let run = 0;
  let before: number | undefined;
  for (const day of days) {
    run = before !== undefined && day === before + 1 ? run + 1 : 1;
    longest = Math.max(longest, run);
    before = day;
  }
  return longest;
}

/** Minutes of a shift between 23:00 and 06:00. */
function nightMinutes({ start, end }: Shift): number {
  let minutes = 0;
  const firstDay = Math.floor(start / minutesPerDay) - 1;
  for (let day = firstDay; day * minutesPerDay < end && day < firstDay + 4; day += 1) {
    minutes += Math.max(
      0,
      Math.min(end, day * minutesPerDay + nightEnd) - Math.max(start, day * minutesPerDay + nightStart),
    );
  }
  return minutes;
}
