/** Days and minutes since 1970-01-01, Gregorian. No clock and no time zone: times are used as the text states them. */

/** @param iso `2024-03-04` · @returns days since 1970-01-01 */
export function dayNumber(iso: string): number {
  const [year, month, day] = iso.split('-').map(Number) as [number, number, number];
  // Counts years from March, so that the leap day is the last day of its year.
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The inverse of `dayNumber`. */
export function isoOfDay(day: number): string {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`;
}

/** The Monday on or before a day. 1970-01-01 was a Thursday. */
export function mondayOf(day: number): number {
  return day - ((((day + 3) % 7) + 7) % 7);
}

/** Completed years and months between two days, and the days that are left, as employment law counts service. */
export function serviceBetween(
  startIso: string,
  endIso: string,
): { years: number; months: number; days: number } | undefined {
  const [startYear, startMonth, startDay] = startIso.split('-').map(Number) as [number, number, number];
  const [endYear, endMonth, endDay] = endIso.split('-').map(Number) as [number, number, number];
  if (dayNumber(endIso) < dayNumber(startIso)) return undefined;
  let months = (endYear - startYear) * 12 + endMonth - startMonth;
  if (endDay < startDay) months -= 1;
  const anniversary = addMonths(startYear, startMonth, startDay, months);
  return { years: Math.floor(months / 12), months: months % 12, days: dayNumber(endIso) - anniversary };
}

/**
 * A day some months, weeks or days later; a day past the end of a month becomes its last day. @returns undefined for other
 * units
 */
export function addDuration(iso: string, count: number, unit: string): string | undefined {
  const [year, month, day] = iso.split('-').map(Number) as [number, number, number];
  if (!Number.isInteger(count) || count < 0 || count > 1_200) return undefined;
  if (unit === 'D' || unit === 'W') return isoOfDay(dayNumber(iso) + count * (unit === 'W' ? 7 : 1));
  if (unit !== 'M' && unit !== 'Y') return undefined;
  return isoOfDay(addMonths(year, month, day, unit === 'Y' ? count * 12 : count));
}

/** The same day some months later, or the last day of a shorter month. */
function addMonths(year: number, month: number, day: number, count: number): number {
  const total = year * 12 + (month - 1) + count;
  const [toYear, toMonth] = [Math.floor(total / 12), (total % 12) + 1];
  const first = dayNumber(`${toYear}-${toMonth}-1`);
  const nextFirst = dayNumber(toMonth === 12 ? `${toYear + 1}-1-1` : `${toYear}-${toMonth + 1}-1`);
  return Math.min(first + day - 1, nextFirst - 1);
}

/** Minutes as "7:45". */
export function hoursText(minutes: number): string {
  const sign = minutes < 0 ? '-' : '';
  const whole = Math.abs(minutes);
  return `${sign}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Whole minutes divided by a count, in hours with two decimals, rounded half up: 2,900 minutes over 1 is "48.33". */
export function decimalHours(minutes: number, numerator = 1, denominator = 1): string {
  const hundredths = Math.floor((minutes * numerator * 100 * 2 + 60 * denominator) / (2 * 60 * denominator));
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
}
