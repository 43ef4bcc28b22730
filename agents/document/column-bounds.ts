/** Where the columns of a table are: between positions that no cell crosses. */

import { isNumberCell } from './cell-kinds.ts';
import type { Cell } from './overflowing-rows.ts';

export interface Bounds {
  readonly from: number;
  readonly to: number;
}

/** How far two ranges of columns or characters cover each other; zero or less if they do not. */
export function overlap(one: Bounds, other: Bounds): number {
  return Math.min(one.to, other.to) - Math.max(one.from, other.from);
}

/** Unit of cell positions: columns, or characters of a line. */
export type Grid = 'indices' | 'characters';

/** Maximum width of a grid in characters; wider grids are truncated. */
const gridMax = 1_024;

/**
 * A boundary is a position that no cell crosses (in columns of characters, at most one row in ten), and a column lies between
 * two boundaries.
 */
export function columnBounds(rows: readonly (readonly Cell[])[], grid: Grid): Bounds[] {
  const full = rows.filter((cells) => cells.length > 1);
  const counted = full.length > 0 ? full : rows;
  const width = Math.min(gridMax, Math.max(1, ...counted.map((cells) => cells.at(-1)?.to ?? 0)));
  const noise = grid === 'characters' ? Math.floor(counted.length / 10) : 0;
  const covering = new Int32Array(width + 2);
  const crossing = new Int32Array(width + 2);
  const labelsEnd = grid === 'characters' ? endOfLabels(counted) : width;
  for (const cell of counted.flat()) {
    const { from, to, text } = cell;
    if (from >= width) continue;
    const isLabel = from < labelsEnd && to > labelsEnd && !isNumberCell(text);
    const until = Math.min(isLabel ? labelsEnd : to, width);
    covering[from]! += 1;
    covering[until]! -= 1;
    // "Current assets" above all columns spans them and is ignored for boundaries.
    if (grid === 'indices' && !isNumberCell(text)) continue;
    crossing[from + 1]! += 1;
    crossing[Math.max(until, from + 1)]! -= 1;
  }
  const bounds: Bounds[] = [];
  let [covered, crossed, from, isUsed] = [0, 0, 0, false];
  for (let at = 0; at <= width; at += 1) {
    crossed += crossing[at]!;
    if (at > 0 && crossed <= noise) {
      if (isUsed) bounds.push({ from, to: at });
      from = at;
      isUsed = false;
    }
    covered += covering[at]!;
    isUsed ||= covered > noise;
  }
  if (isUsed && from < width) bounds.push({ from, to: width });
  return bounds.length > 0 ? bounds : [{ from: 0, to: width }];
}

/**
 * Where the first column of amounts begins, if nearly all rows have as many cells: a label may extend beyond it in a row of short
 * amounts.
 */
function endOfLabels(rows: readonly (readonly Cell[])[]): number {
  const counts = Map.groupBy(rows, ({ length }) => length);
  const [usual] = [...counts.values()].sort((a, b) => b.length - a.length);
  if (usual === undefined || usual.length < 3 || usual.length * 5 < rows.length * 4) return Number.POSITIVE_INFINITY;
  if (!usual.every(([, amount]) => amount !== undefined && isNumberCell(amount.text))) return Number.POSITIVE_INFINITY;
  return usual.reduce((first, [, amount]) => Math.min(first, amount!.from), Number.POSITIVE_INFINITY);
}

/** Adds the columns that have a heading of their own, but a number in so few rows that these count as displaced. */
export function withSparseColumns(
  bounds: readonly Bounds[],
  header: readonly (readonly Cell[])[],
  body: readonly (readonly Cell[])[],
): Bounds[] {
  const isFree = ({ from, to }: Bounds) => bounds.every((column) => to <= column.from || from >= column.to);
  const headings = header.flat().filter(isFree);
  if (headings.length === 0) return [...bounds];
  const numbers = body.flatMap((cells) => cells.slice(1)).filter((cell) => isNumberCell(cell.text) && isFree(cell));
  const added: Bounds[] = [];
  for (const heading of headings) {
    const below = numbers.filter(({ from, to }) => from < heading.to && to > heading.from);
    if (below.length === 0) continue;
    const whole = {
      from: Math.min(heading.from, ...below.map(({ from }) => from)),
      to: Math.max(heading.to, ...below.map(({ to }) => to)),
    };
    if (isFree(whole) && added.every(({ from, to }) => whole.to <= from || whole.from >= to)) added.push(whole);
  }
  return [...bounds, ...added].sort((a, b) => a.from - b.from);
}

/**
 * If rows such as "Total Meyer   worked 38:00   leave 8:00" cover the boundaries between the columns of the others, the columns of
 * those rows that have nearly as many cells as the heading. @returns undefined unless most rows are such rows
 */
export function namedColumns(
  header: readonly (readonly Cell[])[],
  body: readonly (readonly Cell[])[],
  found: readonly Bounds[],
): Bounds[] | undefined {
  const count = Math.max(0, ...header.map(({ length }) => length));
  if (count <= found.length || count < 4) return undefined;
  const regular = body.filter(({ length }) => length * 4 >= count * 3 && length <= count);
  if (regular.length * 2 <= body.filter(({ length }) => length > 1).length) return undefined;
  const bounds = columnBounds([...header, ...regular], 'characters');
  return bounds.length === count && body.some((cells) => isAcross(cells, bounds)) ? bounds : undefined;
}

/** Whether a cell extends over more than one column, so that its column is unknown. */
export function isAcross(cells: readonly Cell[], bounds: readonly Bounds[]): boolean {
  return cells.some((cell) => bounds.filter((column) => overlap(cell, column) > 0).length > 1);
}
