/** The state of reading a document's tables, kept from block to block, and the result. */
import type { Document } from '../../document/document.ts';
import type { Table } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import type { FiscalCalendar } from './fiscal-year.ts';
import type { LineItem } from './line-items.ts';
import type { LongTableReading } from './long-facts.ts';
import type { Rational } from './rational.ts';
import type { Column } from './table-columns.ts';

/** One amount as read, in whole units of its currency. */
export interface ReadFigure {
  readonly item: LineItem;
  readonly period: string;
  readonly value: Rational;
  /** Whether the item was printed with a minus sign or in parentheses. */
  readonly printedNegative: boolean;
  readonly source: 'table' | 'text';
  /** Whether the cell prints a dash: 0 in formulas, but not a figure that the document states. */
  readonly isDash?: boolean;
  /** Powers of ten of the printed unit. */
  readonly zeros: number;
  readonly start: number;
  readonly end: number;
  /** Whether inline XBRL gives its period, so that its heading is not needed. */
  readonly isTagged?: boolean;
  /** Start of its table; undefined for sentences and single lines. */
  readonly table?: number;
}

/** A table with its columns and captions, for functions that read its other rows. */
export interface ReadTable {
  readonly table: Table;
  readonly columns: readonly Column[];
  readonly captions: readonly string[];
  readonly zeros: number;
  /** Rows that named an item. */
  readonly taken: number;
  /** The facts, if each row is one and no column is a period. */
  readonly long?: LongTableReading;
}

export interface TableReading {
  readonly figures: readonly ReadFigure[];
  /** ISO 4217, with the number of captions and headings that name each currency. */
  readonly currencyVotes: ReadonlyMap<string, number>;
  /** Powers of ten in captions. */
  readonly zeros: readonly number[];
  /** Number of amounts without a period in any heading; the only amount of a row is kept as undated instead. */
  readonly unassigned: number;
  /** Tables and lines with items, in order, so that they are not read as prose. */
  readonly itemLines: readonly Range[];
  readonly tables: readonly ReadTable[];
}

export interface ReadingState {
  /** The elements of inline XBRL around the number of a cell. */
  readonly tagged: Document['taggedNumbers'];
  /** Quoted messages. */
  readonly quotations: readonly Range[];
  readonly calendar: FiscalCalendar;
  /** Columns of the last table; a table below without its own heading continues them. */
  columns: readonly Column[];
  captions: readonly string[];
  /** The heading above the tables, until the next one. */
  topic: string;
  /** "30 June | 31 December" at the end of the last table. */
  days: readonly string[];
  zeros: number;
  /** For share counts, if a caption excludes them from its unit. */
  shareZeros: number | undefined;
  /** Unit of the caption directly above. */
  hasOwnUnit: boolean;
  readonly decimalMark: '.' | ',' | undefined;
  readonly figures: ReadFigure[];
  readonly currencies: Map<string, number>;
  readonly scales: Set<number>;
  readonly itemLines: Range[];
  readonly tables: ReadTable[];
  unassigned: number;
  /** Start of the table that is being read. */
  table: number | undefined;
  /** Whether the previous line shows bank loans, which "of which due within one year" divides. */
  hasBankLoans: boolean;
}
/** Whether a caption or heading names a currency. */
export function vote({ currencies }: ReadingState, code: string) {
  currencies.set(code, (currencies.get(code) ?? 0) + 1);
}
