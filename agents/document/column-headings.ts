/** The headings above each column: of the column itself, and of groups of columns. */
import { type Bounds, type Grid, overlap } from './column-bounds.ts';
import type { Cell } from './overflowing-rows.ts';

export interface Column {
  /** The header cells above the column, from the top; a cell that spans several columns is in each of them. */
  readonly headerCells: readonly Cell[];
}

export function headingsOf(
  header: readonly (readonly Cell[])[],
  bounds: readonly Bounds[],
  grid: Grid,
): readonly Column[] {
  const rows = header.map((cells, index) => headingRow(cells, bounds, grid, index === header.length - 1));
  return bounds.map((_, index) => ({ headerCells: rows.flatMap((row) => row[index] ?? []) }));
}

type HeadingRow = readonly (Cell | undefined)[];

function headingRow(cells: readonly Cell[], bounds: readonly Bounds[], grid: Grid, isLast: boolean): HeadingRow {
  const above = bounds.map((column) => mostAbove(cells, column));
  const own = grid === 'characters' && isShifted(cells, bounds, above) ? [undefined, ...cells] : above;
  if (cells.length > bounds.length) return own.map((cell, index) => wholeAbove(cell, bounds[index]!));
  if (grid === 'indices') return isLast ? own : own.map((cell, index) => cell ?? groupBefore(cells, bounds, index));
  const spread = bounds.map(
    (column, index) => own[index] ?? (index === 0 ? undefined : nearest(cells, column, bounds)),
  );
  return spread.map((cell, index) =>
    cell === undefined || own[index] !== undefined || isGroupOf(cell, index, own, spread, bounds) ? cell : undefined,
  );
}

/** One heading for each column of amounts, so wide that they are not above their columns: they are in order. */
function isShifted(cells: readonly Cell[], bounds: readonly Bounds[], above: HeadingRow): boolean {
  const [first] = cells;
  return (
    cells.length > 1 &&
    cells.length === bounds.length - 1 &&
    first!.from + first!.to >= bounds[0]!.to + bounds[1]!.from &&
    cells.some((cell) => !above.includes(cell))
  );
}

/** A heading that is wider than its column may extend over the edge of the next one. */
function mostAbove(cells: readonly Cell[], column: Bounds): Cell | undefined {
  let best: Cell | undefined;
  for (const cell of cells) {
    const covered = overlap(cell, column);
    if (covered > 0 && (best === undefined || covered > overlap(best, column))) best = cell;
  }
  return best;
}

/** In a row with more cells than columns, a cell counts only if it is completely above or below. */
function wholeAbove(cell: Cell | undefined, column: Bounds): Cell | undefined {
  if (cell === undefined) return undefined;
  return overlap(cell, column) * 2 >= Math.min(cell.to - cell.from, column.to - column.from) ? cell : undefined;
}

/** "2024;;2023;": the cells that a heading leaves empty on its right belong to it. */
function groupBefore(cells: readonly Cell[], bounds: readonly Bounds[], index: number): Cell | undefined {
  return cells.findLast(({ from }) => from > 0 && from < bounds[index]!.to);
}

function nearest(cells: readonly Cell[], column: Bounds, bounds: readonly Bounds[]): Cell | undefined {
  const middle = middleOf(column);
  const groups = cells.filter(({ from }) => from > 0);
  if (groups.length === 0) return undefined;
  const distance = (cell: Cell) => Math.abs(middleOf(cell) - middle);
  const best = groups.reduce((closest, cell) => (distance(cell) < distance(closest) ? cell : closest));
  return groups.length < bounds.length - 1 || distance(best) < adjacentMax ? best : undefined;
}

/** A heading this many characters from the middle of a column may be printed above its edge. */
const adjacentMax = 12;

function middleOf({ from, to }: Bounds): number {
  return (from + to) / 2;
}

/**
 * Whether a heading that is above another column is also that of this column: the heading of a group is above the middle or the
 * beginning of its columns. A heading above the end of a column is that of this column alone.
 */
function isGroupOf(cell: Cell, index: number, own: HeadingRow, spread: HeadingRow, bounds: readonly Bounds[]): boolean {
  if (!own.includes(cell)) return true;
  const [first, last] = [spread.indexOf(cell), spread.lastIndexOf(cell)];
  const group = { from: bounds[first]!.from, to: bounds[last]!.to };
  const isCentred = Math.abs(middleOf(cell) - middleOf(group)) <= Math.max(4, (group.to - group.from) / 5);
  return isCentred || (index > first && Math.abs(cell.from - group.from) <= 4);
}
