/** Tables: cells by row and column, and separate header rows, so that the headings above a value can be found. */

import type { Range } from '../tools/text/span.ts';
import {
  findPeriodHeading,
  isDatedLabel,
  isMeasure,
  isNumberCell,
  isPartOfYear,
  isPeriodWithUnit,
  isScenarioPeriod,
} from './cell-kinds.ts';
import {
  type Bounds,
  columnBounds,
  type Grid,
  isAcross,
  namedColumns,
  overlap,
  withSparseColumns,
} from './column-bounds.ts';
import { type Column, headingsOf } from './column-headings.ts';
import {
  type Cell,
  joinCells,
  joinEnumerator,
  pushedRows,
  splitOverflowing,
  splitTextColumns,
} from './overflowing-rows.ts';
import { isMarkedResult, joinResultMarks } from './result-marks.ts';

export type { Grid } from './column-bounds.ts';
export type { Cell } from './overflowing-rows.ts';

export interface Row extends Range {
  /** By column; undefined if the row has no cell there. The first column contains the label. */
  readonly cells: readonly (Cell | undefined)[];
}

export interface Table extends Range {
  readonly columns: readonly Column[];
  /** Body rows, including rows that consist of a label only. */
  readonly rows: readonly Row[];
  readonly headerRows: readonly (readonly Cell[])[];
}

/** All rows from the first header on, each as wide as the table, with empty cells for missing ones. */
export function fullRows({ headerRows, rows, columns, start }: Table): (readonly Cell[])[] {
  const empty = (at: number, column: number): Cell => ({ text: '', start: at, end: at, from: column, to: column + 1 });
  const headers = headerRows.map((cells) =>
    columns.map(({ headerCells }) => cells.find((cell) => headerCells.includes(cell))),
  );
  return [...headers, ...rows.map(({ cells }) => cells)].map((cells) => {
    const at = cells.find((cell) => cell !== undefined)?.start ?? start;
    return cells.map((cell, column) => cell ?? empty(at, column));
  });
}

/** Splits the rows into several tables if headings recur. @param lines cells of each row, at least one, none of them empty */
export function buildTables(lines: readonly (readonly Cell[])[], grid: Grid): Table[] {
  const joined = grid === 'characters' ? joinResultMarks(lines.map(joinEnumerator)) : lines;
  const units = unitPositions(joined);
  return splitAtHeaders(
    joined.map((cells) => joinMarks(cells, units)),
    grid,
  ).map(({ header, body }) =>
    buildTable(header, grid === 'characters' ? splitOverflowing(splitTextColumns(header, body)) : body, grid),
  );
}

interface Block {
  readonly header: (readonly Cell[])[];
  readonly body: (readonly Cell[])[];
}

function splitAtHeaders(lines: readonly (readonly Cell[])[], grid: Grid): Block[] {
  const blocks: Block[] = [];
  const titles = titleRows(lines);
  const isUnderHeading = isUnderWords(lines);
  let block: Block = { header: [], body: [] };
  for (const [index, cells] of lines.entries()) {
    const atTop = block.body.length === 0 && (titles === undefined || index < titles);
    const isTitle =
      !isUnderHeading &&
      isHeaderRow(cells, lines[index + 1], { atTop, isBelowHeadings: block.header.length > 0, grid }) &&
      !isOfTimes(lines, index);
    const isHeader = isMarked(cells) || (isTitle && !isDated(cells, block));
    if (isHeader && block.body.length > 0) {
      const groups = groupsAbove(block.body, cells, grid);
      blocks.push(block);
      block = { header: groups, body: [] };
    }
    (isHeader ? block.header : block.body).push(cells);
  }
  blocks.push(block);
  return blocks;
}

/** Removes the headings of groups of columns, directly above a heading of the columns, from the end of the table above. */
function groupsAbove(body: (readonly Cell[])[], heading: readonly Cell[], grid: Grid): (readonly Cell[])[] {
  const groups: (readonly Cell[])[] = [];
  while (body.length > 1 && groups.length < titleRowsMax) {
    const last = body.at(-1)!;
    const isGroup =
      grid === 'characters' &&
      last.length > 1 &&
      last.length < heading.length &&
      last[0]!.from >= cornerCharactersMin &&
      last.every(({ text }) => !isNumberCell(text));
    if (!isGroup) break;
    groups.unshift(body.pop()!);
  }
  return groups;
}

/** Whether the format marks every cell of the row as a heading. */
function isMarked(cells: readonly Cell[]): boolean {
  return cells.length > 1 && cells.every(({ isHeading }) => isHeading === true);
}

/** Where the format marks a heading of words alone, rows that it does not mark are no headings, even if they have periods. */
function isUnderWords(lines: readonly (readonly Cell[])[]): boolean {
  const [first] = lines;
  return (
    first !== undefined &&
    isMarked(first) &&
    first.length > 2 &&
    first.every(({ text }) => !/\d/.test(text) && !findPeriodHeading(text))
  );
}

/** Rows of words that may be above each other in a heading. */
const titleRowsMax = 3;

/**
 * The number of rows at the top that may be headings for their words alone: those that the format marks; in a table without numbers,
 * and in one with many such rows, the first. @returns undefined if each row decides for itself
 */
function titleRows(lines: readonly (readonly Cell[])[]): number | undefined {
  const marked = lines.findIndex((cells) => !isMarked(cells));
  if (marked > 0) return marked;
  let rows = 0;
  for (const cells of lines) {
    if (cells.some(({ text }) => isNumberCell(text) || findPeriodHeading(text))) return undefined;
    if (cells.length > 1) rows += 1;
    if (rows > titleRowsMax) return 1;
  }
  return rows > 1 ? 1 : undefined;
}

/** "Mon | 08:00 | 16:30" above or below another such row: a record of times, where a single row of times may be a heading. */
function isOfTimes(lines: readonly (readonly Cell[])[], index: number): boolean {
  const count = (cells: readonly Cell[] | undefined) =>
    cells?.filter(({ text }) => /^\d{1,2}[:h]\d\d$/.test(text)).length ?? 0;
  const own = count(lines[index]);
  return own >= 2 && (count(lines[index + 1]) === own || count(lines[index - 1]) === own);
}

/** Under a heading of words alone, a row with one date is a row of a schedule: "Third claim | D. Del. | March 2026". */
function isDated(cells: readonly Cell[], { header, body }: Block): boolean {
  const [titles] = header;
  return (
    body.length > 0 &&
    titles !== undefined &&
    titles.length > 2 &&
    !header.flat().some(({ text }) => findPeriodHeading(text) || /\d/.test(text)) &&
    cells.some(({ text }) => /\p{L}{2}/u.test(text) && !findPeriodHeading(text)) &&
    !findPeriodHeading(cells[0]!.text) &&
    (cells.filter(({ text }) => findPeriodHeading(text)).length === 1 ||
      // "Prednisolone 30 mg | once daily | 29-05-2026 | 03-06-2026": from and to.
      (cells.length === titles.length && !findPeriodHeading(cells[1]!.text)))
  );
}

/** A row of periods anywhere; at the top also a row of words over a row that has more numbers. */
function isHeaderRow(
  cells: readonly Cell[],
  next: readonly Cell[] | undefined,
  { atTop, isBelowHeadings, grid }: { readonly atTop: boolean; readonly isBelowHeadings: boolean; readonly grid: Grid },
): boolean {
  const hasLabel = cells[0]!.from < (grid === 'characters' ? cornerCharactersMin : 1);
  const rest = cells.length > 1 && hasLabel ? cells.slice(1) : cells;
  const periods = cells.filter(({ text }) => findPeriodHeading(text));
  const hasNumbers = rest.some(({ text }) => isNumberCell(text) && !findPeriodHeading(text));
  const united = atTop ? cells.filter(({ text }) => isPeriodWithUnit(text)) : [];
  if (united.length >= 2 && rest.every(({ text }) => isPeriodWithUnit(text) || !isNumberCell(text))) return true;
  if (hasNumbers) return false;
  if (rest.length >= 2 && rest.every(({ text }) => isDatedLabel(text))) return true;
  if (cells.filter(({ text }) => isScenarioPeriod(text)).length >= 2) return true;
  if (rest.length >= 2 && rest.filter(({ text }) => isPartOfYear(text)).length >= rest.length - 1) return true;
  if (periods.length >= 2) return true;
  if (rest.some(({ text }) => findPeriodHeading(text)) && (atTop || cells.length > 1)) return true;
  // A row of words above numbers, or above another header row; below headings, "max 3.50x" and "3.24x" are figures.
  if (isBelowHeadings && cells.some(({ text }) => isMeasure(text))) return false;
  if (!atTop || next === undefined || cells.length === 1) return false;
  return !cells.some(
    ({ text }, column) =>
      (isNumberCell(text) && !(findPeriodHeading(text) && !(hasLabel && column === 0))) || isMarkedResult(text),
  );
}

/** A heading that begins so far to the right has no cell above the labels. */
const cornerCharactersMin = 16;

/** Where cells contain words without a number, such as the units of a column: "%" is a unit there, and not a part of a number. */
function unitPositions(lines: readonly (readonly Cell[])[]): ReadonlySet<number> {
  const isWords = (text: string) => !/[\d%]/.test(text) && /[\p{L}/]/u.test(text);
  return new Set(lines.flat().flatMap(({ text, from }) => (isWords(text) ? [from] : [])));
}

/** Statements print "$", "(" and ")" in separate cells; they belong to the adjacent number. */
function joinMarks(cells: readonly Cell[], units: ReadonlySet<number>): readonly Cell[] {
  if (!cells.some(({ text }) => text.length <= 3 && /^(?:[€$£¥(]|US\$|[)%]{1,2})$/.test(text))) return cells;
  const joined: Cell[] = [];
  for (const cell of cells) {
    const before = joined.at(-1);
    const follows =
      before !== undefined &&
      joined.length > 1 &&
      (cell.text.includes(')') ? /\d/.test(before.text) : isNumberCell(before.text)) &&
      /^[)%]{1,2}$/.test(cell.text) &&
      !(cell.text === '%' && units.has(cell.from)) &&
      // A heading "%" above the column to the right of a period is not a currency sign or parenthesis of that period.
      !(cell.text === '%' && findPeriodHeading(before.text));
    const leads =
      before !== undefined &&
      /^[(€$£¥]$|^US\$$/.test(before.text) &&
      isNumberCell(before.text === '(' ? `(${cell.text}` : cell.text);
    if (before !== undefined && (follows || leads)) {
      joined[joined.length - 1] = joinCells(before, cell, follows || before.text === '(' ? '' : ' ');
    } else joined.push(cell);
  }
  return joined;
}

function buildTable(header: readonly (readonly Cell[])[], body: readonly (readonly Cell[])[], grid: Grid): Table {
  const counted = grid === 'characters' ? countedColumns(header, body) : undefined;
  if (counted !== undefined) return buildTable(counted.header, counted.body, 'indices');
  const pushed: ReadonlySet<readonly Cell[]> = grid === 'characters' ? pushedRows(body) : new Set();
  const placed = body.filter((cells) => !pushed.has(cells));
  const found = columnBounds(placed.length > 0 ? placed : header, grid);
  const named = grid === 'characters' ? namedColumns(header, placed, found) : undefined;
  const bounds = named ?? (grid === 'characters' ? withSparseColumns(found, header, placed) : found);
  const rows = body.map((cells) => {
    if (named !== undefined && isAcross(cells, bounds)) return labelRow(cells, bounds);
    return pushed.has(cells) || isTooLong(cells, bounds, grid) ? pushedRow(cells, bounds) : toRow(cells, bounds, grid);
  });
  const columns = headingsOf(header, bounds, grid);
  const all = [...header, ...body].flat();
  return { start: all[0]!.start, end: all.at(-1)!.end, columns, rows, headerRows: header };
}

/**
 * If every row has the same number of cells, and every header as many or one fewer (without a cell above the labels), cells are
 * assigned by count: authors who separate columns by two blanks do not align them.
 */
function countedColumns(header: readonly (readonly Cell[])[], body: readonly (readonly Cell[])[]): Block | undefined {
  const counts = new Set(body.filter((cells) => cells.length > 1).map((cells) => cells.length));
  const [count] = counts;
  if (
    counts.size !== 1 ||
    count === undefined ||
    !header.every(({ length }) => length === count || length === count - 1)
  )
    return undefined;
  const counted = (cells: readonly Cell[]) => {
    const first = cells.length === count || cells.length === 1 ? 0 : 1;
    return cells.map((cell, index) => ({ ...cell, from: first + index, to: first + index + 1 }));
  };
  const headerCounted = header.map((cells) =>
    cells.length === 1 && count === 2 ? [{ ...cells[0]!, from: 1, to: 2 }] : counted(cells),
  );
  return { header: headerCounted, body: body.map(counted) };
}

function labelRow(cells: readonly Cell[], bounds: readonly Bounds[]): Row {
  return {
    cells: bounds.map((_, column) => (column === 0 ? cells[0] : undefined)),
    start: cells[0]!.start,
    end: cells.at(-1)!.end,
  };
}

/** With more amounts than columns, the column of each amount is unknown. */
function isTooLong(cells: readonly Cell[], bounds: readonly Bounds[], grid: Grid): boolean {
  return (
    grid === 'characters' && cells.length > bounds.length && cells.slice(1).every(({ text }) => isNumberCell(text))
  );
}

function pushedRow(cells: readonly Cell[], bounds: readonly Bounds[]): Row {
  const [label, ...amounts] = cells;
  const isWhole = amounts.length === bounds.length - 1;
  const byColumn = bounds.map((_, column) => (column === 0 ? label : isWhole ? amounts[column - 1] : undefined));
  return { cells: byColumn, start: label!.start, end: cells.at(-1)!.end };
}

function toRow(cells: readonly Cell[], bounds: readonly Bounds[], grid: Grid): Row {
  const byColumn: (Cell | undefined)[] = new Array(bounds.length).fill(undefined);
  let floor = 0;
  for (const [index, cell] of cells.entries()) {
    const best = bestColumn(cell, bounds);
    let column = Math.max(floor, best);
    if (index === 0 && cell.from < (bounds[1]?.from ?? Number.POSITIVE_INFINITY)) column = 0;
    if (column >= bounds.length) {
      joinToLast(byColumn, cell);
      continue;
    }
    // Two cells of a row over one column: neither belongs to the column next to it.
    if (grid === 'characters' && column > best && isNumberCell(cell.text) && cell.to <= bounds[column]!.from) continue;
    byColumn[column] = cell;
    floor = column + 1;
  }
  return { cells: byColumn, start: cells[0]!.start, end: cells.at(-1)!.end };
}

/** A row with more cells than columns loses none of its words; the column of a number would be unknown. */
function joinToLast(byColumn: (Cell | undefined)[], cell: Cell): void {
  const last = byColumn.at(-1);
  if (last !== undefined && isOfWords(last.text) && isOfWords(cell.text))
    byColumn[byColumn.length - 1] = joinCells(last, cell, ' ');
}

function isOfWords(text: string): boolean {
  return !/\d/.test(text) || /\p{L}{3}/u.test(text);
}

/** The last column that the cell extends into, because amounts are right-aligned. */
function bestColumn(cell: Bounds, bounds: readonly Bounds[]): number {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (const [index, column] of bounds.entries()) {
    const covered = overlap(cell, column);
    if (covered > most || (covered === most && covered > 0)) {
      most = covered;
      best = index;
    }
  }
  return best;
}
