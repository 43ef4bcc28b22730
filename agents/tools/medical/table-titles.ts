/** What stands over the columns of a table, and the row of a position. */
import type { Document } from '../../document/document.ts';
import { type Cell, fullRows, type Table } from '../../document/table.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';

/** The words of the first row by column: a table of words alone has no header that the document model knows. */
export function titlesOf({ columns, headerRows, rows }: Table): string[] {
  const first = headerRows[0];
  if (first === undefined) return columns.map((_, column) => rows[0]?.cells[column]?.text.trim() ?? '');
  return columns.map(({ headerCells }) => headerCells.find((cell) => first.includes(cell))?.text.trim() ?? '');
}

interface TitledRow {
  readonly cells: readonly Cell[];
  readonly titles: readonly string[];
}

const rowsOf = new WeakMap<Table, readonly (TitledRow & Range)[]>();

/** The cells of the row at a position, with the titles of their columns; undefined outside tables. */
export function rowAt({ tables }: Document, position: number): TitledRow | undefined {
  const at = indexAt(tables, position);
  const table = at === undefined ? undefined : tables[at]!;
  if (table === undefined || position >= table.end) return undefined;
  const rows = rowsOf.get(table) ?? titledRows(table);
  rowsOf.set(table, rows);
  const index = indexAt(rows, position);
  return index === undefined ? undefined : rows[index];
}

function titledRows(table: Table): (TitledRow & Range)[] {
  const titles = titlesOf(table);
  return fullRows(table).flatMap((cells) => {
    const filled = cells.filter(({ text }) => text !== '');
    return filled.length === 0 ? [] : [{ cells, titles, start: filled[0]!.start, end: filled.at(-1)!.end }];
  });
}
