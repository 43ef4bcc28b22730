/** The output of a parser: lines and tables in source order. Every input format has its own parser and produces this shape. */
import type { Range } from '../tools/text/span.ts';
import type { Piece } from './plain-text.ts';
import type { Grid } from './table.ts';

/** A cell as it was read, with its place on the grid: column indices, or character columns where blanks align the cells. */
export interface GridCell {
  readonly pieces: readonly Piece[];
  readonly from: number;
  readonly to: number;
  /** Whether the format itself marks the cell as a heading. */
  readonly isHeading?: true;
}

export type GridRow = readonly GridCell[];

export type Part =
  | {
      readonly kind: 'line';
      readonly pieces: readonly Piece[];
      /** 1 to 6 if the format itself marks the line as a heading. */
      readonly heading?: number;
      /** Whether the format marks the line as a list item. */
      readonly isItem?: true;
      /** Code and log lines, in which nothing is markup. */
      readonly isVerbatim?: true;
      /** A line behind ">". */
      readonly isQuoted?: true;
      /** Offset of the end of the line, including its line break. */
      readonly next: number;
    }
  /** Lines that a reader sees as empty. */
  | { readonly kind: 'gap'; readonly range: Range }
  | { readonly kind: 'table'; readonly rows: readonly GridRow[]; readonly grid: Grid; readonly next: number };
