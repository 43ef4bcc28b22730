/** The period that the captions above a table or a line name. */
import type { FiscalCalendar } from './fiscal-year.ts';
import { readPeriodWords } from './period-words.ts';
import { type ColumnPeriod, periodOfHeadings } from './periods.ts';

/** The period of a table whose columns name none. */
export function captionPeriod(captions: readonly string[], calendar: FiscalCalendar): ColumnPeriod | undefined {
  for (const caption of captions.toReversed()) {
    const words = readPeriodWords(caption);
    if (words.end !== undefined || (words.year !== undefined && words.months !== undefined))
      return periodOfHeadings([caption.replace(/note \d+/gi, ' ')], captions, calendar);
  }
  const { end, months } = calendar;
  return end === undefined ? undefined : { end, isEstimate: false, ...(months === undefined ? {} : { months }) };
}
