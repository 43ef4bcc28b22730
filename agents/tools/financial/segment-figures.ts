/** One figure of a segment, and the period of a table whose columns name none. */
import type { Cell } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import type { FiscalCalendar } from './fiscal-year.ts';
import { readPeriodWords } from './period-words.ts';
import { type ColumnPeriod, labelOf, periodOfHeadings } from './periods.ts';
import { multiply, type Rational, rational } from './rational.ts';
import { nameOf, type SegmentItem } from './segment-names.ts';
import type { DocumentReading } from './statements.ts';
import type { Column } from './table-columns.ts';
import { amountCell } from './table-rows.ts';
import type { ReadTable } from './table-state.ts';

export interface SegmentFigure extends Range {
  readonly segment: string;
  readonly item: SegmentItem;
  readonly period: string;
  readonly value: Rational;
}

export function scaleOf(column: Column, read: ReadTable): number {
  return column.zeros ?? read.zeros;
}

export function figureOf(
  cell: Cell,
  name: string,
  item: SegmentItem,
  period: ColumnPeriod,
  zeros: number,
  { document, calendar }: { readonly document: DocumentReading['document']; readonly calendar: FiscalCalendar },
): SegmentFigure | undefined {
  const value = amountCell(cell, document.decimalMark).value;
  const label = labelOf(period, false, calendar);
  if (value === undefined || label === undefined || label.endsWith('E')) return undefined;
  return {
    segment: nameOf(name),
    item,
    period: label,
    value: multiply(value, rational(10n ** BigInt(zeros))),
    start: cell.start,
    end: cell.end,
  };
}

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
