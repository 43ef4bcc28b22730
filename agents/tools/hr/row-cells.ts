/** The cells of the rows of a time record: of its tables, including empty cells, and of lines that marks or blanks divide. */
import type { Document } from '../../document/document.ts';
import { type Cell, fullRows, type Table } from '../../document/table.ts';

/** The table cells by the start of their row, including empty cells. */
export type RowCells = ReadonlyMap<number, readonly string[]>;

/** Rows by the positions of their own cells: if clock times were read as headings, the body may be narrower than the table. */
export function gridRows(table: Table): (readonly Cell[])[] {
  const rows = [...table.headerRows, ...table.rows.map(({ cells }) => cells.filter((cell) => cell !== undefined))];
  const all = rows.flat();
  const isCounted = (rows[0] ?? []).every(({ from }, index) => from === index) && all.every(({ from }) => from < 64);
  if (!isCounted) return fullRows(table);
  const width = all.reduce((most, { from }) => Math.max(most, from + 1), 0);
  return rows.map((cells) => {
    const at = cells[0]?.start ?? table.start;
    const row = Array.from(
      { length: width },
      (_, column): Cell => ({
        text: '',
        start: at,
        end: at,
        from: column,
        to: column + 1,
      }),
    );
    for (const cell of cells) row[cell.from] = cell;
    return row;
  });
}

export function rowCellsOf({ tables }: Pick<Document, 'tables'>): RowCells {
  return new Map(
    tables.flatMap((table) =>
      gridRows(table).map((cells) => {
        const start = cells.find(({ text }) => text !== '')?.start ?? table.start;
        return [start, cells.map(({ text }) => text.trim())] as const;
      }),
    ),
  );
}

/** CSV lines with at least four cells; "a, b" has a blank after its comma and does not count. */
const commas = /^(?:"[^"]*"|[^,;|\t"\n]*)(?:,(?! )(?:"[^"]*"|[^,;|\t"\n]*)){3}/;

function commaCells(line: string): string[] {
  const cells: string[] = [];
  for (const [, quoted, bare] of line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,"]*))/g))
    cells.push((quoted ?? bare ?? '').trim());
  return cells;
}

export function cellsOf(line: string): string[] {
  if (commas.test(line)) return commaCells(line);
  const mark = line.includes('|') ? '|' : line.includes('\t') ? '\t' : line.includes(';') ? ';' : undefined;
  const cells = mark === undefined ? line.trim().split(/ {2,20}/) : line.split(mark).map((cell) => cell.trim());
  return mark === '|' && cells[0] === '' ? cells.slice(1, cells.at(-1) === '' ? -1 : undefined) : cells;
}
