/** Days without a year, "16/03" or "16.3.", by the dates of the record that have one. */
import type { Document } from '../../document/document.ts';
import { isCalendarDay, isoDate } from '../text/dates.ts';
import { eventDates, orderOf } from './clinical-dates.ts';

/** A record writes a day without its year near one that it writes in full. */
const daysAround = 31;
const dayMs = 86_400_000;

/** By day and month as written, because charts repeat them. */
const known = new WeakMap<Document, Map<string, string | undefined>>();

/** The day at the beginning of a cell or a line. @returns undefined where its year, or the order of day and month, is not certain */
export function shortDayIn(document: Document, text: string): string | undefined {
  const match = /^\s{0,8}(\d{1,2})([./])(\d{1,2})\.?(?![\d./-]|\s?(?:mg|%))/.exec(text);
  // Points are written between day and month only in this order.
  const isPointed = match?.[2] === '.';
  const order = match === null ? undefined : orderOf(document);
  if (match === null) return undefined;
  const read = known.get(document) ?? new Map<string, string | undefined>();
  known.set(document, read);
  const written = `${match[1]}${match[2]}${match[3]}`;
  if (!read.has(written)) {
    const [one, other] = [Number(match[1]), Number(match[3])];
    const [dayFirst, monthFirst] = [dayNear(document, other, one), dayNear(document, one, other)];
    // Where nothing tells the order, only one of the two may be near a day of the record.
    const near = dayFirst === undefined || monthFirst === undefined ? (dayFirst ?? monthFirst) : undefined;
    if (isPointed || order?.dayFirst === true) read.set(written, dayFirst);
    else read.set(written, order === undefined ? near : monthFirst);
  }
  return read.get(written);
}

function dayNear(document: Document, month: number, day: number): string | undefined {
  const found = new Set<string>();
  for (const iso of new Set(eventDates(document).map((date) => date.iso))) {
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
