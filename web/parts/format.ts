/** Numbers, amounts and times for people. */

const locale = 'en-GB';
const numbers = new Intl.NumberFormat(locale);
const times = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

export function formatCount(count: number): string {
  return numbers.format(count);
}

/** At least two decimals, and as many as the amount has. @param microDollars millionths of a US dollar */
export function formatMoney(microDollars: number): string {
  return `$${(microDollars / 1e6).toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1')}`;
}

/** @param time milliseconds since 1970, or as ISO 8601 */
export function formatTime(time: number | string): string {
  return times.format(new Date(time));
}

/** A name of the API, such as `lab_value`, as words. */
export function formatName(name: string): string {
  return name.replaceAll('_', ' ');
}

export function formatDay(day: string): string {
  return days.format(new Date(day));
}
