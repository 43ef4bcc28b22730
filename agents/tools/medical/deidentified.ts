/**
 * Tokens of de-identified records, which replace names, numbers and dates: `[**Known lastname 2004**]`, `[**2154-3-2**]`,
 * `[**6-25**]`. Dates are shifted by the same time for one patient, so their years can be of any century.
 */
import { type FoundDate, isCalendarDay, isoDate } from '../text/dates.ts';
import type { Range } from '../text/span.ts';

/** A token can continue on the next line. */
const tokenShape = /\[\*\*[^[\]*]{1,120}\*\*\]/g;

/** In the order of the text. */
export function tokensIn(text: string): Range[] {
  return [...text.matchAll(tokenShape)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

export function withoutTokens(text: string): string {
  return text.replaceAll(tokenShape, '').replace(/\[\*{0,2}$/, '');
}

/** Dates that are the whole of a token. A day without a year has the year of the record, if its full dates state only one. */
export function tokenDates(text: string, tokens: readonly Range[]): FoundDate[] {
  const written = tokens.map(({ start, end }) => ({
    start: start + 3,
    end: end - 3,
    inner: text.slice(start + 3, end - 3),
  }));
  const full = written.flatMap(({ inner, ...range }): FoundDate[] => {
    const [, year, month, day] = /^\s?(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?-?\s?$/.exec(inner) ?? [];
    if (year === undefined || Number(year) < 1800) return [];
    const iso = month === undefined ? year : isoOf(Number(year), Number(month), day);
    return iso === undefined ? [] : [{ ...range, iso, ambiguous: false }];
  });
  const daysOfRecord = full.filter(({ iso, start }) => iso.length === 10 && !birth.test(text.slice(start - 40, start)));
  const years = new Set(daysOfRecord.map(({ iso }) => Number(iso.slice(0, 4))));
  const [year] = years;
  const short = written.flatMap(({ inner, ...range }): FoundDate[] => {
    const [, month, day] = /^\s?(\d{1,2})[-/](\d{1,2})\s?$/.exec(inner) ?? [];
    if (day === undefined || year === undefined || years.size !== 1) return [];
    const iso = isoOf(year, Number(month), day);
    return iso === undefined ? [] : [{ ...range, iso, ambiguous: false }];
  });
  return [...full, ...short].sort((one, other) => one.start - other.start);
}

const birth = /(?<!\p{L})(?:birth|born|dob)[^\p{L}\d]{0,20}$/iu;

function isoOf(year: number, month: number, day: string | undefined): string | undefined {
  return isCalendarDay(year, month, Number(day ?? 1))
    ? isoDate(year, month, day === undefined ? undefined : Number(day))
    : undefined;
}
