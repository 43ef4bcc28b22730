/** Days without a year, "16/03" or "16.3.", by the dates of the record that have one. */
import type { Document } from '../../document/document.ts';
import { isCalendarDay, isoDate } from '../text/dates.ts';
import { eventDates, orderOf } from './clinical-dates.ts';

/** A record writes a day without its year near one that it writes in full. */
const daysAround = 31;
const dayMs = 86_400_000;

/** The day at the beginning of a cell or a line. @returns undefined where its year, or the order of day and month, is not certain */
export function shortDayIn(document: Document, text: string): string | undefined {
  const match = /^\s{0,8}(\d{1,2})([./])(\d{1,2})\.?(?![\d./-]|\s?(?:mg|%))/.exec(text);
  const order = match === null ? undefined : orderOf(document);
  if (match === null || order === undefined) return undefined;
  const [one, other] = [Number(match[1]), Number(match[3])];
  const [day, month] = order.dayFirst || match[2] === '.' ? [one, other] : [other, one];
  const found = new Set<string>();
  for (const { iso } of eventDates(document)) {
    if (iso.length !== 10) continue;
    const known = Date.parse(iso);
    for (const year of [-1, 0, 1].map((shift) => Number(iso.slice(0, 4)) + shift)) {
      if (!isCalendarDay(year, month, day)) continue;
      const read = isoDate(year, month, day);
      if (Math.abs(Date.parse(read) - known) <= daysAround * dayMs) found.add(read);
    }
  }
  return found.size === 1 ? [...found][0] : undefined;
}
