/** Tables with a column for the employer and one for the employee: each cell is a statement about one of them. */
import type { Table } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import { partyOf } from './statement-titles.ts';

interface PartyStatement {
  readonly text: string;
  /** The row. */
  readonly range: Range;
  readonly label: string;
}

/** @param above the title above the table; may be empty · @returns undefined if the table has no such columns */
export function statementsOfParties({ columns, rows }: Table, above: string): readonly PartyStatement[] | undefined {
  const heads = columns.map(({ headerCells }) => headerCells.at(-1)?.text.trim() ?? '');
  const isOfParties = ['employer', 'employee'].every(
    (party) => heads.filter((head) => partyOf(head) === party).length === 1,
  );
  if (!isOfParties) return undefined;
  return rows.flatMap(({ cells, start, end }) => {
    const label = cells[0]?.text.trim() ?? '';
    return cells.flatMap((cell, column) => {
      if (column === 0 || cell === undefined) return [];
      const text = [above, heads[column]!, label, cell.text].filter((part) => part !== '').join(': ');
      return [{ text, range: { start, end }, label }];
    });
  });
}
