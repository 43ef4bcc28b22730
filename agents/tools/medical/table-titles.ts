/** What stands over the columns of a table. */
import type { Table } from '../../document/table.ts';

/** The words of the first row by column: a table of words alone has no header that the document model knows. */
export function titlesOf({ columns, headerRows, rows }: Table): string[] {
  const first = headerRows[0];
  if (first === undefined) return columns.map((_, column) => rows[0]?.cells[column]?.text.trim() ?? '');
  return columns.map(({ headerCells }) => headerCells.find((cell) => first.includes(cell))?.text.trim() ?? '');
}
