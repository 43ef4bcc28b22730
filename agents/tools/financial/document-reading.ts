import type { Document } from '../../document/document.ts';
import type { FiscalCalendar } from './fiscal-year.ts';
import type { ReadFigure, TableReading } from './table-state.ts';

/** A document with what its tables and sentences gave. */
export interface DocumentReading extends TableReading {
  readonly document: Document;
  readonly calendar: FiscalCalendar;
  /** The currency of most captions and amounts. */
  readonly currency: string | undefined;
  /** The same, unless the document names another currency nearly as often. */
  readonly reportedCurrency: string | undefined;
  /** Powers of ten of amounts in sentences that print no multiplier; 0 if the document declares none. */
  readonly declaredZeros: number;
  /** Figures that sentences state. */
  readonly sentences: readonly ReadFigure[];
}
