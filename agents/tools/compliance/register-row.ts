/** A row of a register, and its cells. */
import type { Range } from '../text/span.ts';
import type { ColumnPart } from './column-names.ts';

export interface RegisterCell extends Range {
  /** On one line; lines that a narrow column divided are joined. */
  readonly text: string;
  readonly part?: ColumnPart;
  /** The name of its column, as printed. */
  readonly header?: string;
  /** Which of the columns with names it is under. */
  readonly column?: number;
}

export interface RegisterRow extends Range {
  readonly cells: readonly RegisterCell[];
  /** The parts of the columns that have known names; empty if the table has no such row above. */
  readonly columns: readonly ColumnPart[];
  readonly heading: string;
  /** The row is a heading that aligned columns made look like a row. */
  readonly title?: string;
}
