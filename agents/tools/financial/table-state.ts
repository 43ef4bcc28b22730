/** What the reading of a document's tables carries from block to block, and what it gives. */
import type { Table } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import type { FiscalCalendar } from './fiscal-year.ts';
import type { LineItem } from './line-items.ts';
import type { Rational } from './rational.ts';
import type { Column } from './table-columns.ts';

/** One amount as read, in whole units of its currency. */
export interface ReadFigure {
  readonly item: LineItem;
  readonly period: string;
  readonly value: Rational;
  /** The item was printed with a minus sign or in parentheses. */
  readonly printedNegative: boolean;
  readonly source: 'table' | 'text';
  /** Powers of ten of the unit it was printed in. */
  readonly zeros: number;
  readonly start: number;
  readonly end: number;
  /** Where its table begins; undefined for sentences and single lines. */
  readonly table?: number;
}

/** A table with its columns and captions, for readers of its other rows. */
export interface ReadTable {
  readonly table: Table;
  readonly columns: readonly Column[];
  readonly captions: readonly string[];
  readonly zeros: number;
  /** Rows that named an item. */
  readonly taken: number;
}

export interface TableReading {
  readonly figures: readonly ReadFigure[];
  /** ISO 4217, with how many captions and headings name each. */
  readonly currencyVotes: ReadonlyMap<string, number>;
  /** Powers of ten that captions asked to multiply by. */
  readonly zeros: readonly number[];
  /** Amounts beside an item that no heading gives a period; a row's only amount is kept as undated. */
  readonly unassigned: number;
  /** Tables and lines that held items, in order, so that they are not read as prose. */
  readonly itemLines: readonly Range[];
  readonly tables: readonly ReadTable[];
}

export interface ReadingState {
  readonly calendar: FiscalCalendar;
  /** Of the last table: one below without a heading of its own goes on with them. */
  columns: readonly Column[];
  captions: readonly string[];
  /** The heading that tables stand under, until the next. */
  topic: string;
  /** "30 June | 31 December" at the end of the last table. */
  days: readonly string[];
  zeros: number;
  /** For counts of shares, where a caption excepts them. */
  shareZeros: number | undefined;
  /** Unit of the caption that stands directly above. */
  hasOwnUnit: boolean;
  readonly decimalMark: '.' | ',' | undefined;
  readonly figures: ReadFigure[];
  readonly currencies: Map<string, number>;
  readonly scales: Set<number>;
  readonly itemLines: Range[];
  readonly tables: ReadTable[];
  unassigned: number;
  /** Where the table that is read begins. */
  table: number | undefined;
  /** A line of bank loans stands above, which "of which due within one year" divides. */
  hasBankLoans: boolean;
}
/** A caption or heading names a currency. */
export function vote({ currencies }: ReadingState, code: string) {
  currencies.set(code, (currencies.get(code) ?? 0) + 1);
}
