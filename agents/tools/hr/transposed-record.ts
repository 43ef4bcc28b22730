/** Time records with a column for each day and a row each for the start, the end, the break and the hours. */
import type { Document } from '../../document/document.ts';
import type { Cell } from '../../document/table.ts';
import { personAbove } from './record-names.ts';
import { type DayRecord, readDayRecords, type Timesheet } from './timesheets.ts';
import { type DayTable, dayTables, labelColumn } from './week-matrix.ts';

/** One timesheet for each person of each such table. */
export function readTransposed(document: Document): Timesheet[] {
  return dayTables(document).flatMap((table) => {
    const labels = labelColumn(table);
    if (labels === undefined) return [];
    const owner = personAbove(document.text, table.table.start) ?? '';
    const groups: { worker: string; rows: (readonly Cell[])[] }[] = [];
    for (const row of table.rows) {
      const label = row[labels]?.text.trim() ?? '';
      const name = labels === 0 ? '' : (row[labels - 1]?.text.trim() ?? '');
      const isRepeated = groups.at(-1)?.rows.some((each) => each[labels]?.text.trim() === label) ?? true;
      // A second row of starts is that of another person, whose name the table has, or of a second period of the day.
      if (groups.length === 0 || (name !== '' && name !== groups.at(-1)!.worker && isRepeated))
        groups.push({ worker: name || owner, rows: [] });
      if (label !== '') groups.at(-1)!.rows.push(row);
    }
    return groups.flatMap(({ worker, rows }) => sheetOf(table, labels, rows, worker) ?? []);
  });
}

function sheetOf(
  { columns }: DayTable,
  labels: number,
  rows: readonly (readonly Cell[])[],
  worker: string,
): Timesheet | undefined {
  const heads = ['Date', ...rows.map((row) => row[labels]?.text.trim() ?? ''), ''];
  const days = columns.flatMap(({ column, day }): DayRecord[] => {
    const cells = rows.map((row) => row[column]);
    const first = cells.find((cell) => cell !== undefined && cell.text.trim() !== '');
    if (day === undefined || first === undefined) return [];
    const shown = cells.map((cell) => cell?.text.trim() ?? '');
    return [{ day, cells: ['', ...shown, ''], range: { start: first.start, end: first.end } }];
  });
  return readDayRecords(heads, days, worker);
}
