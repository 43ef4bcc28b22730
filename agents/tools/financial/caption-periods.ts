/** The period that the captions above a table or a line name. */

import type { Table } from '../../document/table.ts';
import { monthNumbers } from '../text/dates.ts';
import { restatedHeading } from './column-kinds.ts';
import type { FiscalCalendar } from './fiscal-year.ts';
import { endsPeriod, readPeriodWords } from './period-words.ts';
import { type ColumnPeriod, periodOfHeadings, yearBefore } from './periods.ts';

/** The period of a table whose columns name none. */
export function captionPeriod(captions: readonly string[], calendar: FiscalCalendar): ColumnPeriod | undefined {
  for (const caption of captions.toReversed()) {
    const words = readPeriodWords(caption);
    if (words.end !== undefined || (words.year !== undefined && (words.months !== undefined || words.isFiscal)))
      return periodOfHeadings([caption.replace(/note \d+/gi, ' ')], captions, calendar);
  }
  const { end, months } = calendar;
  return end === undefined ? undefined : { end, isEstimate: false, ...(months === undefined ? {} : { months }) };
}

/** The period that one of the nearest captions names for a table with one column of amounts, also by the name of a month alone. */
export function titledPeriod(captions: readonly string[], calendar: FiscalCalendar): ColumnPeriod | undefined {
  for (const caption of captions.slice(-titlesMax).toReversed()) {
    const words = readPeriodWords(caption);
    if (words.end !== undefined && endsPeriod(caption, words.end)) {
      const period = periodOfHeadings([caption.replace(/note \d+/gi, ' ')], [], calendar);
      if (period !== undefined) return period;
    }
    const month =
      caption
        .toLowerCase()
        .match(/\p{L}{3,}/gu)
        ?.flatMap((word) => monthNumbers.get(word) ?? []) ?? [];
    if (calendar.end !== undefined && month.length === 1 && month[0] === Number(calendar.end.slice(5, 7)))
      return { end: calendar.end, months: 1, isEstimate: false };
  }
  return undefined;
}

const titlesMax = 3;

/**
 * The period of figures that a table restates: the one that its title names; else the year before the document's own, because a document
 * restates comparatives.
 */
export function restatedPeriod(captions: readonly string[], calendar: FiscalCalendar): ColumnPeriod | undefined {
  for (const caption of captions.slice(-titlesMax).toReversed()) {
    const words = readPeriodWords(caption);
    if (/[.!?]$/.test(caption.trim()) || (words.end === undefined && words.year === undefined)) continue;
    if (words.end !== undefined && !endsPeriod(caption, words.end)) continue;
    const named = periodOfHeadings([caption.replace(/note \d+/gi, ' ')], captions, calendar);
    if (named !== undefined) return named;
  }
  const { end, months } = calendar;
  if (end === undefined) return captionPeriod(captions, calendar);
  const own = { end, isEstimate: false, ...(months === undefined ? {} : { months }) };
  return yearBefore(own);
}

/** "As previously reported | Adjustments | As restated": the last column has the period of the caption. */
export function restatedColumns<Column extends { readonly isOther: boolean; readonly period?: ColumnPeriod }>(
  { columns: printed }: Table,
  columns: readonly Column[],
  captions: readonly string[],
  calendar: FiscalCalendar,
): readonly Column[] | undefined {
  const restated = columns.findIndex(
    ({ isOther }, index) =>
      index > 0 && !isOther && restatedHeading.test(printed[index]!.headerCells.map(({ text }) => text).join(' ')),
  );
  const isOnly = columns.every(({ isOther }, index) => index === 0 || index === restated || isOther);
  if (restated === -1 || columns.length < 3 || !isOnly) return undefined;
  const period = restatedPeriod(captions, calendar);
  return period === undefined
    ? undefined
    : columns.map((column, index) => (index === restated ? { ...column, period } : column));
}
