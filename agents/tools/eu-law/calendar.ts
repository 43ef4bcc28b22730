/** Days of the Gregorian calendar as numbers. Pure: no clock and no time zone. */

const msPerDay = 86_400_000;

/** Days since 1970-01-01. @returns undefined if the date does not exist, such as `2026-02-30` */
export function parseDay(iso: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso);
  if (match === null) return undefined;
  const day = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])) / msPerDay;
  return formatDay(day) === iso ? day : undefined;
}

/** @returns `2026-11-21` */
export function formatDay(day: number): string {
  return new Date(day * msPerDay).toISOString().slice(0, 10);
}

/** 0 is Sunday, 6 Saturday. 1970-01-01 was a Thursday. */
export function weekday(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** The same date of another month; the last day of that month if it has no such date. */
export function addMonths(day: number, months: number): number {
  const [year = 0, month = 0, date = 0] = formatDay(day).split('-').map(Number);
  const first = Date.UTC(year, month - 1 + months, 1);
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return first / msPerDay + Math.min(date, lastDate) - 1;
}
