/** Rows of registers: each cell with the part that its column plays, also where a page divides the table from its column names. */
import type { Document } from '../../document/document.ts';
import { isHtml } from '../../document/html-parser.ts';
import type { Cell, Table } from '../../document/table.ts';
import { splitLines } from '../text/lines.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { type ColumnPart, columnPartOf, isColumnName, isFormerColumn } from './column-names.ts';
import { elisionMark } from './flat-text.ts';
import { partOfHeadings, transposedRows } from './record-rows.ts';
import type { RegisterRow } from './register-row.ts';

export type { RegisterCell, RegisterRow } from './register-row.ts';

/** The text of the first cell of a part; undefined if it is empty or holds only a dash. */
export function cellText({ cells }: RegisterRow, part: ColumnPart): string | undefined {
  const text = cells.find((cell) => cell.part === part)?.text;
  return text === undefined || isEmptyCell(text) ? undefined : text.replaceAll(elisionMark, "'");
}

/** Whether a place of a row is what a test did or found, which states no rule. */
export function isResult({ cells }: RegisterRow, { start }: Range): boolean {
  const part = cells.find((cell) => cell.start === start)?.part;
  return part === 'test' || (part === 'status' && cells.some((cell) => cell.part === 'test'));
}

/** "-", "n/a", "[owner]": a cell that says nothing. */
export function isEmptyCell(text: string): boolean {
  return /^(?:[-–—.…/_ ]{0,40}|n\/?a\.?|n\.v\.t\.?|s\.?\/?o\.?|k\.?a\.?|tbd|\[[^\]]{0,60}\]|<[^>]{0,60}>|_{2,}.*)$/i.test(
    text.trim(),
  );
}

interface HeaderCell {
  readonly text: string;
  readonly part: ColumnPart | undefined;
  /** Column of the table, and column of characters in the source. */
  readonly index: number;
  readonly column: number;
}

interface RawCell extends Range {
  readonly text: string;
  readonly index: number | undefined;
  readonly column: number;
}

/** A line of a page shows so many columns that differ by fewer characters as one. */
const alignmentMax = 3;

export class RowReader {
  readonly all: RegisterRow[] = [];
  readonly #document: Document;
  readonly #flat: string;
  readonly #lineStarts: readonly Range[];
  readonly #source: string;
  readonly #isHtml: boolean;
  #header: { readonly cells: readonly HeaderCell[]; readonly table: Table } | undefined;

  constructor(document: Document, source: string, flat: string) {
    this.#document = document;
    this.#flat = flat;
    this.#source = source;
    this.#isHtml = isHtml(source);
    this.#lineStarts = splitLines(source);
  }

  /** Column names hold up to the next heading. */
  endTable(): void {
    this.#header = undefined;
  }

  /** In the order of the text; rows of column names are left out. */
  read(table: Table, heading: string): RegisterRow[] {
    const transposed = transposedRows(table, heading);
    if (transposed !== undefined) {
      this.all.push(...transposed);
      return transposed;
    }
    const rows: RegisterRow[] = [];
    let over = heading;
    const isIndexed = [...table.headerRows.flat(), ...table.rows.flatMap(({ cells }) => cells)].every(
      (cell) => cell === undefined || cell.to - cell.from < Math.max(2, cell.text.length - 1) || cell.text.length < 2,
    );
    const headers = table.headerRows.map((header) => this.#headerCells(header, table, isIndexed));
    const isNamed = new Set(headers);
    const stacked = stackedHeader(table);
    for (const cells of [...headers, ...table.rows.map((row) => this.#bodyCells(row, isIndexed))]) {
      const title = titleOf(cells);
      if (title !== undefined) {
        over = title;
        this.endTable();
      }
      const header = title === undefined ? this.#asHeader(cells, isNamed.has(cells)) : undefined;
      if (isNamed.has(cells) && stacked !== undefined && title === undefined) {
        this.#header = { cells: stacked, table };
        continue;
      }
      if (header !== undefined) {
        this.#header = { cells: header, table };
        continue;
      }
      const row = { ...this.#rowOf(cells, table, isIndexed, over), ...(title === undefined ? {} : { title }) };
      const last = rows.at(-1);
      if (last !== undefined && this.#continues(cells, row)) rows[rows.length - 1] = joined(last, row);
      else rows.push(row);
    }
    this.all.push(...rows);
    return rows;
  }

  /** The row of a question and its answer that stand in running text. */
  readPair(question: Range, answer: Range, heading: string): RegisterRow {
    const cellOf = ({ start, end }: Range, part: ColumnPart) => ({
      start,
      end,
      text: shown(this.#flat.slice(start, end)).replace(/^(?:A|Answer|Antwort|R):\s/u, ''),
      part,
    });
    const cells = [cellOf(question, 'question'), cellOf(answer, 'answer')];
    const row = { start: question.start, end: answer.end, columns: ['question', 'answer'] as const, heading, cells };
    this.all.push(row);
    return row;
  }

  #headerCells(cells: readonly Cell[], table: Table, isIndexed: boolean): RawCell[] {
    return cells.map((cell) => {
      const column = isIndexed ? cell.from : table.columns.findIndex(({ headerCells }) => headerCells.includes(cell));
      return this.#raw(cell, column === -1 ? undefined : column);
    });
  }

  /** The text of the row, not its placed cells: a row with more cells than the table has columns loses none. */
  #bodyCells(
    {
      start,
      end,
      cells,
    }: {
      readonly start: number;
      readonly end: number;
      readonly cells: readonly (Cell | undefined)[];
    },
    isIndexed: boolean,
  ): RawCell[] {
    const ranges: Range[] = [];
    let from = start;
    for (const part of this.#document.text.slice(start, end).split('\t')) {
      ranges.push({ start: from, end: from + part.length });
      from += part.length + 1;
    }
    const placed = cells.flatMap((cell, index) => (cell === undefined ? [] : [isIndexed ? cell.from : index]));
    const known = placed.length === ranges.length;
    return ranges.map((range, nth) => this.#raw(range, known ? placed[nth] : undefined));
  }

  #raw({ start, end }: Range, index: number | undefined): RawCell {
    const source = this.#document.spanOf({ start, end }).start;
    const line = this.#lineStarts[indexAt(this.#lineStarts, source) ?? 0];
    return { start, end, text: shown(this.#flat.slice(start, end)), index, column: source - (line?.start ?? 0) };
  }

  /** @param isNamed whether the document model read the row as headings, so that two known names suffice */
  #asHeader(cells: readonly RawCell[], isNamed: boolean): HeaderCell[] | undefined {
    const parts = presentParts(cells.map(({ text }) => text));
    const known = parts.filter((part) => part !== undefined);
    if (
      new Set(known).size < 2 ||
      (known.length * 2 < cells.length &&
        new Set(known).size < partsMin &&
        !(isNamed && cells.filter(({ text }) => isColumnName(text)).length >= 2)) ||
      cells.some(({ text }) => /:\s*$/.test(text)) ||
      cells.some(({ text }) => (/^\p{L}{0,6}[.-]?\d/u.test(text) && !yearName.test(text)) || identifier.test(text))
    )
      return undefined;
    return cells.map(({ index, column, text }, nth) => ({ part: parts[nth], index: index ?? nth, column, text }));
  }

  #rowOf(cells: readonly RawCell[], table: Table, isIndexed: boolean, heading: string): RegisterRow {
    const header = this.#header !== undefined && isNote(cells, this.#header.cells.length) ? undefined : this.#header;
    const columns = header?.cells.flatMap(({ part }) => (part === undefined ? [] : [part])) ?? [];
    const under = cells.map((cell) =>
      header === undefined ? undefined : columnOfCell(cell, header.cells, isIndexed || header.table === table),
    );
    return {
      start: cells[0]?.start ?? 0,
      end: cells.at(-1)?.end ?? 0,
      columns,
      heading,
      cells: cells.map(({ start, end, text }, nth) => {
        const column = under[nth];
        const unit = column === undefined ? undefined : headedUnit(header?.cells, column, cells, under);
        const part = column === undefined ? undefined : header?.cells[column]?.part;
        const name = column === undefined ? undefined : header?.cells[column]?.text;
        return {
          start,
          end,
          text: unit !== undefined && part === 'period' && /^\d{1,3}$/.test(text) ? `${text} ${unit}` : text,
          ...(part === undefined ? {} : { part }),
          ...(name === undefined ? {} : { header: name }),
          ...(column === undefined ? {} : { column }),
        };
      }),
    };
  }

  /** Whether Markdown strikes words of the row's line: its first cell may be one of them. */
  #isStruck({ start }: Range): boolean {
    const at = this.#document.spanOf({ start, end: start }).start;
    const line = this.#lineStarts[indexAt(this.#lineStarts, at) ?? 0];
    return line !== undefined && this.#source.slice(line.start, Math.min(line.end, line.start + 400)).includes('~~');
  }

  /** A row without a first cell goes on with the row above it. */
  #continues(cells: readonly RawCell[], row: RegisterRow): boolean {
    const header = this.#header;
    if (header === undefined || row.columns.length === 0 || this.#isHtml || this.#isStruck(row)) return false;
    const first = cells[0];
    if (first === undefined) return false;
    // "Annex 3   Company   Service": what has no known name before the columns is no column.
    const start = header.cells.find(({ part }) => part !== undefined) ?? header.cells[0]!;
    const isAtFirst =
      first.index === undefined ? first.column <= start.column + alignmentMax : first.index <= start.index;
    return !isAtFirst && !/^(?:A\.)?\d+\.\d+$/.test(first.text);
  }
}

/** Headings of several levels, if together they name more parts than the last level alone. */
function stackedHeader({ headerRows, columns }: Table): HeaderCell[] | undefined {
  // A row of data that looks like a heading has identifiers and numbers.
  if (headerRows.length < 2 || headerRows.flat().some(({ text }) => /\d/.test(text))) return undefined;
  const texts = columns.map(({ headerCells }) => headerCells.map(({ text }) => text));
  const parts = texts.map(partOfHeadings);
  const countOf = (all: readonly (ColumnPart | undefined)[]) => new Set(all.filter((part) => part !== undefined)).size;
  const lower = countOf(texts.map((each) => (each.length < 2 ? undefined : columnPartOf(each.at(-1)!))));
  if (countOf(parts) < stackedPartsMin || countOf(parts) <= lower) return undefined;
  return texts.map((each, index) => ({ part: parts[index], index, column: index, text: each.join(' ') }));
}

const stackedPartsMin = 3;

/** The unit of a number of a column: "Retention (years)", or the cell under "Unit" next to it. */
function headedUnit(
  header: readonly HeaderCell[] | undefined,
  column: number,
  cells: readonly RawCell[],
  under: readonly (number | undefined)[],
): string | undefined {
  const own = timeUnit.exec(header?.[column]?.text ?? '')?.[1];
  if (own !== undefined || !unitName.test(header?.[column + 1]?.text ?? '')) return own;
  return timeUnit.exec(cells[under.indexOf(column + 1)]?.text ?? '')?.[1];
}

const timeUnit =
  /(?<!\p{L})(years?|months?|weeks?|days?|hours?|jahren?|monaten?|wochen|tagen?|stunden|ann[ée]es|ans|mois|semaines|jours|heures|años|meses|semanas|días|horas|anni|mesi|settimane|giorni|ore|jaar|jaren|maanden|weken|dagen|uren|år|månader|måneder|veckor|dagar|lata|lat|miesiące|miesięcy|dni|anos|dias)(?!\p{L})/iu;
const unitName =
  /^(?:units?|einheit|unité|unidad|unità|eenheid|enhet|enhed|jednostka|unidade|period unit|retention unit)$/iu;

/** A row with this number of known names is a row of column names. */
const partsMin = 4;

/** The part of each column. Of several with one part, of different years, only the latest counts; former editions have none. */
function presentParts(headers: readonly string[]): (ColumnPart | undefined)[] {
  const named = headers.map((text) => (isFormerColumn(text) ? undefined : columnPartOf(text)));
  // A response to a question is an answer, and to a risk its treatment.
  const isAsked = named.includes('question') && !named.includes('answer');
  // "Datenart | Frist": of data, a time limit is that of keeping them.
  const isKept =
    (named.includes('data') || named.includes('start')) &&
    !named.includes('period') &&
    named.filter((part) => part === 'due').length === 1;
  const parts = named.map((part) =>
    isAsked && part === 'treatment' ? 'answer' : isKept && part === 'due' ? 'period' : part,
  );
  const years = headers.map((text) => Number(columnYear.exec(text)?.[1] ?? 0) % 2_000);
  return parts.map((part, nth) =>
    part !== undefined && years[nth]! > 0 && parts.some((other, at) => other === part && years[at]! > years[nth]!)
      ? undefined
      : part,
  );
}

const columnYear = /(?<![\d.])(?:FY ?)?(20\d\d|(?<=FY ?)\d\d)(?!\d)/u;

/** "3 | MFA is in place for …" below a register with many columns. */
function isNote(cells: readonly RawCell[], columns: number): boolean {
  if (cells.length === 1 && columns >= 4 && (cells[0]!.index ?? 1) === 0) return true;
  return (
    cells.length === 2 &&
    columns >= 5 &&
    /^\(?\d{1,2}[.)]?$/.test(cells[0]!.text) &&
    cells[1]!.text.length > noteCharactersMin
  );
}

const noteCharactersMin = 12;

/** "Ref DPIA/2026/09": no name of a column. */
const identifier = /\p{L}{2,10}[/-]\d{2,4}[/-]\d/u;
/** "FY25", "2025 status": a column of an earlier or the present year. */
const yearName = /^(?:FY ?\d\d|(?:FY ?)?20\d\d)(?: \p{L}[\p{L} ]*)?$/u;

const named =
  /^(?:annex|appendix|schedule|section|part|anhang|anlage|annexe|anexo|allegato|bijlage|sezione|sección|abschnitt)[ \u00a0][\dA-Z]{1,4}$/i;

/** "ANNEX 2   CHANGES", "5   AUTHENTICATION". */
function titleOf(cells: readonly RawCell[]): string | undefined {
  const [first, second] = cells;
  if (cells.length !== 2 || first === undefined || second === undefined) return undefined;
  const isCapital = second.text === second.text.toUpperCase() && /\p{Lu}{4}/u.test(second.text);
  return (named.test(first.text) && /^\p{Lu}[^;,:]*$/u.test(second.text) && second.text.length < 60) ||
    (/^\d{1,2}\.?$/.test(first.text) && isCapital)
    ? second.text
    : undefined;
}

function columnOfCell(cell: RawCell, header: readonly HeaderCell[], byIndex: boolean): number | undefined {
  const column =
    byIndex && cell.index !== undefined
      ? header.findIndex(({ index }) => index === cell.index)
      : header.findLastIndex((each) => each.column <= cell.column + alignmentMax);
  return column === -1 ? undefined : column;
}

function joined(row: RegisterRow, more: RegisterRow): RegisterRow {
  const cells = row.cells.map((cell) => {
    const next = more.cells.filter(({ column }) => column !== undefined && column === cell.column);
    return next.length === 0
      ? cell
      : { ...cell, end: next.at(-1)!.end, text: [cell, ...next].map(({ text }) => text).join(' ') };
  });
  return { ...row, end: more.end, cells };
}

function shown(text: string): string {
  return text.slice(0, 2_000).replace(/ {2,}/g, ' ').trim();
}
