/** Passages that do not state the terms of the document: printed quotations, earlier messages, and superseded columns. */
import type { Document } from '../../document/document.ts';
import type { Cell, Table } from '../../document/table.ts';
import { splitLines } from '../text/lines.ts';
import { rangeAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';

/** Lines of one quotation at most. */
const quotedLinesMax = 12;
const opens = /^[ \t]{0,12}["“„«]/u;
const closes = /["”“»][.]?[ \t]{0,12}$/u;
/** "On 29 Sep 2026, A wrote:" */
const someoneWrote = /\b(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef)\b[^:]{0,80}:[ \t]{0,4}$/iu;

/** "-----Original Message-----": what follows is an earlier message, to the end. */
const earlierMessage =
  /^[ \t]{0,4}[-_]{2,}[ \t]{0,2}(?:original message|ursprüngliche nachricht|message d['’]origine|mensaje original|messaggio originale|oorspronkelijk bericht)[ \t]{0,2}[-_]{2,}/iu;

/**
 * Quotations that a line announces ("Extract of the leaflet:"), each in lines of its own, and earlier messages: the lines with ">"
 * below "A wrote:", and what follows "Original Message". In the order of the text.
 */
export function otherVoices({ text, quotations }: Pick<Document, 'text' | 'quotations'>): Range[] {
  const lines = splitLines(text);
  const shown = (index: number) => text.slice(lines[index]!.start, lines[index]!.end).slice(0, 2_000);
  const found: Range[] = [];
  let isAnnounced = false;
  let isMessage = false;
  for (let index = 0; index < lines.length; index += 1) {
    const { start, end } = lines[index]!;
    const line = shown(index);
    if (index > 0 && earlierMessage.test(line)) {
      found.push({ start, end: text.length });
      break;
    }
    const answered = isMessage ? rangeAt(quotations, start) : undefined;
    if (answered !== undefined) {
      found.push(answered);
      while (index + 1 < lines.length && lines[index + 1]!.start < answered.end) index += 1;
      isMessage = false;
      continue;
    }
    const isEmpty = line.trim() === '';
    if (
      isMessage &&
      isEmpty &&
      index + 1 < lines.length &&
      (rangeAt(quotations, lines[index + 1]!.start) !== undefined || /^[ \t]{0,8}>/u.test(shown(index + 1)))
    )
      continue;
    // Without marks, the paragraph is the message.
    isMessage = isMessage && !isEmpty;
    if (isMessage) {
      found.push({ start, end });
      continue;
    }
    const last = isAnnounced && opens.test(line) ? lastOfQuotation(index, lines.length, shown) : undefined;
    if (last !== undefined) {
      found.push({ start, end: lines[last]!.end });
      index = last;
      continue;
    }
    isMessage = someoneWrote.test(line.slice(-200));
    isAnnounced = /:[ \t]{0,4}$/u.test(line);
  }
  return merged(found);
}

function merged(ranges: readonly Range[]): Range[] {
  const found: { readonly start: number; end: number }[] = [];
  for (const { start, end } of ranges) {
    const last = found.at(-1);
    if (last !== undefined && start - last.end <= 2) last.end = Math.max(last.end, end);
    else found.push({ start, end });
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
  /^(?:from|as of|as from|new|revised|after|amended|now|current|agreed|heute|jetzt|maintenant|actuel|ahora|actual|adesso|attuale|nu|ab|neu|neue[rs]? \p{L}+|künftig|à (?:compter|partir)|nouveau|nouvelle|après|desde|a partir|nuevo|nueva|después|dal?|nuov[oa]|dopo|vanaf|nieuw|voortaan)(?!\p{L})/iu;

/** "May 4", "4. Mai", "04.05." */
const day = /^(?:\p{L}{3,9}\.? \d{1,2}|\d{1,2}\.? ?\p{L}{3,9}|\d{1,2}[./-]\d{1,2}[./-]?(?:\d{2,4})?)$/u;

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
  const present = heads.find((head) => newColumn.test(head));
  if (present === undefined) return new Set();
  // "May 4 | Now": a column of a day holds what was offered then.
  const isNow = /^(?:now|current|heute|jetzt|maintenant|ahora|adesso|nu)$/iu.test(present);
  return new Set(
    heads.flatMap((head, index) =>
      index > 0 && (earlierColumn.test(head) || (isNow && day.test(head))) ? [index] : [],
    ),
  );
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
