/** Tables of words: determines the heading row if no row has numbers. */
import { type Cell, fullRows, type Table } from '../../document/table.ts';

export interface TableRows {
  /** By column. */
  readonly titles: readonly string[];
  /** Each as wide as the table, with empty cells for missing ones. */
  readonly rows: readonly (readonly Cell[])[];
}

const known = new WeakMap<Table, TableRows>();

/** The first row is the heading, together with the rows that continue it: rows without a first cell or with fewer cells. */
export function tableRows(table: Table): TableRows {
  const before = known.get(table);
  if (before !== undefined) return before;
  const all = fullRows(table);
  const headers = table.headerRows.length;
  const countOf = (row: readonly Cell[] | undefined) => (row ?? []).filter(({ text }) => text !== '').length;
  let head = Math.min(1, headers);
  while (head < headers && (all[head]?.[0]?.text === '' || countOf(all[head]) < Math.min(countOf(all[0]), 3)))
    head += 1;
  const titles = table.columns.map((_, index) =>
    all
      .slice(0, head)
      .map((row) => row[index]?.text ?? '')
      .filter((text) => text !== '')
      .join(' '),
  );
  const found = { titles, rows: all.slice(head) };
  known.set(table, found);
  return found;
}
