/** One figure of a segment. */
import type { Cell } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import type { DocumentReading } from './document-reading.ts';
import type { FiscalCalendar } from './fiscal-year.ts';
import { type ColumnPeriod, labelOf } from './periods.ts';
import { multiply, type Rational, rational } from './rational.ts';
import { nameOf, type SegmentItem } from './segment-names.ts';
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
