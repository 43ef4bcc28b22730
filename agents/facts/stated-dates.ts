/** The dates, months and years that a line states. */
import type { Document } from '../document/document.ts';
import { findPeriods } from '../tools/financial/periods.ts';
import { findDates, isoDate, monthNumbers } from '../tools/text/dates.ts';
import { splitWords } from '../tools/text/words.ts';
import type { StatedValue } from './stated-numbers.ts';

/** The keys are ISO dates; a day also states its month and its year. */
export function statedDates(text: string, order: Document['dateOrder']): StatedValue[] {
  const dates = findDates(text, splitWords(text), order).map(({ iso, start, end }) => ({
    start,
    end,
    keys: [iso, iso.slice(0, 7), iso.slice(0, 4)],
  }));
  const years = findPeriods(text).flatMap(({ label, start, end }) => {
    const year = /\d{4}/.exec(label)?.[0];
    return year === undefined ? [] : [{ start, end, keys: [year] }];
  });
  return [...dates, ...years, ...numericMonths(text), ...shortYears(text)];
}

/** "02/2019", but not the number of "Regulation No 10/2011". */
function numericMonths(text: string): StatedValue[] {
  const shape = /(?<![\d./-]|(?:\bNo\.?|\bNr\.?|n°|\(E[UC]\)) ?)(0?[1-9]|1[0-2])[./-]((?:19|20)\d\d)(?!\d)/giu;
  return [...text.matchAll(shape)].map(({ index, 0: all, 1: month, 2: year }) => ({
    start: index,
    end: index + all.length,
    keys: [isoDate(Number(year), Number(month))],
  }));
}

/** "FY26", "Q1 26", "’25", "mar-24". */
function shortYears(text: string): StatedValue[] {
  const shape = /(?<![\p{L}\d])(?:(?:FY|[QH][1-4])[ .'’/-]{0,2}|(\p{L}{3,4})[-'’]|['’])([012]\d)(?![\p{L}\d%.,:/-])/gu;
  return [...text.matchAll(shape)]
    .filter(([, word]) => word === undefined || monthNumbers.has(word.toLowerCase()))
    .map(({ index, 0: all, 2: year }) => ({ start: index, end: index + all.length, keys: [`20${year}`] }));
}

const monthNames = Array.from({ length: 12 }, (_value, index) =>
  [...monthNumbers].flatMap(([name, month]) => (month === index + 1 ? [name] : [])).join('|'),
);

/** Whether a line states a day of a month without another year: "31 December", "Dec 31", "31.12." @param date ISO */
export function statesDay(text: string, date: string): boolean {
  const [year = '', month = '', day = ''] = date.split('-');
  const names = monthNames[Number(month) - 1]!;
  const number = `0?${Number(day)}`;
  const otherYear = `(?!,?[ \\u00a0]{0,2}(?!${year})(?:19|20)\\d\\d)`;
  const named =
    `(?<![\\p{L}\\d])(?:${number}(?:st|nd|rd|th|er|º|\\.)?[ \\u00a0]{1,3}(?:of |de |d')?(?:${names})|` +
    `(?:${names})\\.?[ \\u00a0]{1,3}${number}(?:st|nd|rd|th)?)(?![\\p{L}\\d])${otherYear}`;
  const numeric = `(?<![\\d.,/-])(?:${day}[./-]${month}|${month}[/-]${day})(?:\\.|(?![\\d.,%/-]))${otherYear}`;
  return new RegExp(`${named}|${numeric}`, 'iu').test(text);
}
