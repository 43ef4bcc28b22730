/** Passages that do not state the terms of the document: printed quotations, earlier messages, and superseded columns. */
import type { Document } from '../../document/document.ts';
import type { Cell, Table } from '../../document/table.ts';
import { splitLines } from '../text/lines.ts';
import type { Range } from '../text/span.ts';

/** Lines of one quotation at most. */
const quotedLinesMax = 12;
const opens = /^[ \t]{0,12}["“„«]/u;
const closes = /["”“»][.]?[ \t]{0,12}$/u;
/** "On 29 Sep 2026, A wrote:" */
const someoneWrote = /\b(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef)\b[^:]{0,80}:[ \t]{0,4}$/iu;

/**
 * Quotations that a line announces ("Extract of the leaflet:"), each in lines of its own, and the lines with ">" of an earlier
 * message. In the order of the text.
 */
export function otherVoices({ text }: Pick<Document, 'text'>): Range[] {
  const lines = splitLines(text);
  const shown = (index: number) => text.slice(lines[index]!.start, lines[index]!.end).slice(0, 2_000);
  const found: Range[] = [];
  let isAnnounced = false;
  let isMessage = false;
  for (let index = 0; index < lines.length; index += 1) {
    const line = shown(index);
    // The parser may have removed the ">" of each line, and then the paragraph is the message.
    isMessage = isMessage && line.trim() !== '';
    if (isMessage) {
      found.push(lines[index]!);
      continue;
    }
    const last = isAnnounced && opens.test(line) ? lastOfQuotation(index, lines.length, shown) : undefined;
    if (last !== undefined) {
      found.push({ start: lines[index]!.start, end: lines[last]!.end });
      index = last;
      continue;
    }
    isMessage = someoneWrote.test(line.slice(-200));
    isAnnounced = /:[ \t]{0,4}$/u.test(line);
  }
  return found;
}

/** The index of the line that ends the quotation, up to an empty line. */
function lastOfQuotation(first: number, count: number, shown: (index: number) => string): number | undefined {
  for (let index = first; index < Math.min(count, first + quotedLinesMax); index += 1) {
    const line = index === first ? shown(index).replace(opens, ' ') : shown(index);
    if (line.trim() === '') return undefined;
    if (closes.test(line)) return index;
    // The quotation ends within the line.
    if (/["”»]/u.test(line)) return undefined;
  }
  return undefined;
}

const earlierColumn =
  /^(?:until|up to|old|previous(?:ly)?|before|former|existing|bis(?:her\w*)?|alt|alte[rs]? \p{L}+|vorher|jusqu|avant|anciens?|ancienne|hasta|antes|anterior|fino|prima|precedente|tot|oud|voorheen)(?!\p{L})/iu;
const newColumn =
  /^(?:from|as of|as from|new|revised|after|amended|ab|neu|neue[rs]? \p{L}+|künftig|à (?:compter|partir)|nouveau|nouvelle|après|desde|a partir|nuevo|nueva|después|dal?|nuov[oa]|dopo|vanaf|nieuw|voortaan)(?!\p{L})/iu;

/** By table: the columns that state the terms until now, if another column states the new ones. */
export type SupersededColumns = ReadonlyMap<Table, ReadonlySet<number>>;

/** A table that directly follows a table of changes continues it: a row such as "one month | two months" looks like headings. */
export function supersededColumns({ tables, text }: Pick<Document, 'tables' | 'text'>): SupersededColumns {
  const found = new Map<Table, ReadonlySet<number>>();
  let last: Table | undefined;
  for (const table of tables) {
    const own = ownSuperseded(table);
    const isRest =
      last !== undefined &&
      last.columns.length === table.columns.length &&
      table.start - last.end <= 4 &&
      !/\S|\n\s*\n/u.test(text.slice(last.end, table.start));
    const columns = own.size > 0 ? own : isRest ? found.get(last!) : undefined;
    if (columns !== undefined) found.set(table, columns);
    last = table;
  }
  return found;
}

/** The rows of a table of changes without its headings. */
export function changedRows(table: Table): (readonly (Cell | undefined)[])[] {
  const rows = table.rows.map(({ cells }) => cells);
  return ownSuperseded(table).size > 0 ? rows : [...table.headerRows, ...rows];
}

function ownSuperseded({ columns, rows }: Pick<Table, 'columns' | 'rows'>): ReadonlySet<number> {
  const heads = columns.map(
    ({ headerCells }, index) => headerCells.at(-1)?.text.trim() ?? rows[0]?.cells[index]?.text.trim() ?? '',
  );
  if (!heads.some((head) => newColumn.test(head))) return new Set();
  return new Set(heads.flatMap((head, index) => (index > 0 && earlierColumn.test(head) ? [index] : [])));
}

/** The cells of a row outside some columns. */
export function cellsOutside(cells: readonly (Cell | undefined)[], columns: ReadonlySet<number>): Cell[] {
  return cells.filter((cell, index): cell is Cell => cell !== undefined && !columns.has(index));
}

/** The cells of superseded columns, below their headings. */
export function supersededCells(document: Pick<Document, 'tables' | 'text'>): Range[] {
  return [...supersededColumns(document)].flatMap(([table, columns]) =>
    changedRows(table).flatMap((cells) =>
      [...columns].flatMap((column) => {
        const cell = cells[column];
        return cell === undefined ? [] : [{ start: cell.start, end: cell.end }];
      }),
    ),
  );
}
