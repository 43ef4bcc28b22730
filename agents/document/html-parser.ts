/**
 * Parses HTML into the parts of a document: block elements, lists, tables with spanning cells, preformatted text. One pass over
 * the tags, without a tree: unclosed elements end with the text, so nesting takes linear time.
 */
import { splitLines } from '../tools/text/lines.ts';
import type { Range } from '../tools/text/span.ts';
import { isTextTable } from './embedded-html.ts';
import { HiddenElements } from './hidden-elements.ts';
import { addCollapsed, addDecoded, trimmed } from './html-text.ts';
import type { GridCell, GridRow, Part } from './parts.ts';
import type { Piece } from './plain-text.ts';

const blockClose = /<\/(?:p|div|td|tr|li|h[1-6]|table|body|html)\s{0,8}>/i;

/** What EDGAR puts before each document of a filing. @see EDGAR Filer Manual, volume II, "submission header" */
const edgarHeader =
  /^<DOCUMENT>[ \r\n]{0,4}(?:<(?:TYPE|SEQUENCE|FILENAME|DESCRIPTION)>[^<\n]{0,120}\n){0,4}<TEXT>[ \r\n]{0,4}/;

/** Documents in inline XBRL begin with it, and with comments of the program that made them. */
const xmlDeclaration = /^(?:\ufeff)?<\?xml [^<>]{0,200}\?>(?:\s{0,20}<!--(?:[^-]|-(?!->)){0,800}-->){0,8}\s{0,20}/;

/** Matches text that begins with a tag, perhaps after EDGAR's header or an XML declaration, and closes a block element, which no other format does. */
export function isHtml(text: string): boolean {
  const start = text.slice(0, 2_000).trimStart().replace(edgarHeader, '').replace(xmlDeclaration, '');
  return (
    /^(?:\ufeff)?<(?:!doctype|html|head|body|table|div|p|h[1-6]|ul|ol|section|article|meta|span|font|b|center)\b/i.test(
      start,
    ) &&
    blockClose.test(text) &&
    !(/^(?:\ufeff)?<table\b/i.test(start) && isTextTable(text, text.search(/<table\b/i)))
  );
}

const tag = /<(\/?)([a-zA-Z][a-zA-Z0-9]{0,15}(?::[a-zA-Z]{1,20})?)((?:[^<>"']|"[^"<>]{0,2000}"|'[^'<>]{0,2000}')*)>/y;
const columnsMax = 200;

/** @param range of the HTML in the text; default: all of it */
export function parseHtml(text: string, range: Range = { start: 0, end: text.length }): Part[] {
  return new HtmlParser(text, range.end).parse(range.start);
}

interface OpenTable {
  readonly rows: GridCell[][];
  /** [columns] Number of further rows that a spanning cell above occupies. */
  readonly taken: number[];
  cell: { pieces: Piece[]; from: number; to: number; isHeading?: true } | undefined;
  /** Whether no row has more than one closed cell. */
  isNarrow: boolean;
}

class HtmlParser {
  readonly #text: string;
  readonly #end: number;
  readonly #parts: Part[] = [];
  #line: Piece[] = [];
  #heading: number | undefined;
  #isItem = false;
  /** A term of a definition list, whose description continues its line: "Term: description". */
  #isTerm = false;
  #isPreformatted = false;
  /** A nested table is read as the text of the cell that contains it. */
  #table: OpenTable | undefined;
  /** A caption is a line before its table. */
  #isInCaption = false;
  #depth = 0;
  readonly #hidden = new HiddenElements();

  constructor(text: string, end: number) {
    this.#text = text;
    this.#end = end;
  }

  parse(start: number): Part[] {
    const end = this.#end;
    let at = start;
    while (at < end) {
      const next = this.#text.indexOf('<', at);
      const isLast = next === -1 || next >= end;
      if ((isLast ? end > at : next > at) && !this.#hidden.isOpen) this.#addText(at, isLast ? end : next);
      if (isLast) break;
      at = this.#takeMarkup(next);
    }
    this.#closeTable(end);
    this.#closeLine(end);
    return this.#parts;
  }

  /** @returns the offset after it */
  #takeMarkup(at: number): number {
    const text = this.#text;
    if (text.startsWith('<!--', at)) return endOf(text, '-->', at + 4);
    if (text[at + 1] === '!' || text[at + 1] === '?') return endOf(text, '>', at + 2);
    tag.lastIndex = at;
    const match = tag.exec(text);
    if (match === null) {
      if (!this.#hidden.isOpen) this.#addText(at, at + 1);
      return at + 1;
    }
    const end = at + match[0].length;
    const name = match[2]!.toLowerCase();
    const closes = match[1] === '/';
    if (!closes && (name === 'script' || name === 'style' || name === 'head')) {
      const closing = text.slice(end).search(new RegExp(`</${name}\\s{0,8}>`, 'i'));
      return closing === -1 ? text.length : endOf(text, '>', end + closing);
    }
    if (closes ? this.#hidden.close(name) : this.#hidden.open(name, match[3]!)) return end;
    if (!closes && name === 'sup' && /\p{L}[\p{L})]{2}$/u.test(text.slice(Math.max(0, at - 3), at))) {
      const mark = footnoteMark.exec(text.slice(end, end + 24));
      if (mark !== null) return this.#skip(name, end + mark[0].length);
    }
    if (!closes && struck.has(name)) {
      const inside = struckInside.exec(text.slice(end, end + struckCharactersMax));
      if (inside !== null && inside[1]!.toLowerCase() === name) return this.#skip(name, end + inside[0].length);
    }
    if (closes) this.#close(name, end);
    else this.#open(name, match[3]!, { at, end });
    return end;
  }

  /** Leaves out an element. @returns the offset after it */
  #skip(name: string, next: number): number {
    this.#hidden.close(name);
    return next;
  }

  #open(name: string, attributes: string, { at, end }: { at: number; end: number }): void {
    if (layoutContents.has(name) && this.#isLayout(name, at)) this.#dissolveTable(at);
    if (name === 'table') {
      if (this.#depth === 0 && isTextTable(this.#text, at)) {
        this.#isPreformatted = true;
        return;
      }
      this.#depth += 1;
      if (this.#depth > 1) return;
      this.#closeLine(at);
      this.#table = { rows: [], taken: [], cell: undefined, isNarrow: true };
    } else if (this.#depth === 0 && nestedCells.has(name)) this.#closeLine(at);
    else if (name === 'tr' && this.#depth === 1) this.#openRow();
    else if ((name === 'td' || name === 'th') && this.#depth === 1) this.#openCell(name, attributes);
    else if (name === 'br' || (this.#depth > 1 && nestedCells.has(name))) this.#break(end);
    else if (name === 'dd' && this.#isTerm && this.#line.length > 0) this.#endTerm(at);
    else if (blocks.has(name)) {
      this.#break(at);
      this.#isTerm = name === 'dt' && this.#table === undefined;
      if (name === 'caption') this.#isInCaption = this.#table?.rows.length === 0;
      const level = /^h([1-6])$/.exec(name);
      if (level !== null) this.#heading = Number(level[1]);
      this.#isItem ||= name === 'li';
      if (name === 'pre') this.#isPreformatted = true;
    }
  }

  #close(name: string, end: number): void {
    if (name === 'table') {
      if (this.#depth === 0) this.#isPreformatted = false;
      this.#depth = Math.max(0, this.#depth - 1);
      if (this.#depth === 0) this.#closeTable(end);
    } else if ((name === 'td' || name === 'th') && this.#depth === 1 && this.#table !== undefined) this.#closeCell();
    else if (name === 'dt' && this.#isTerm) return;
    else if (blocks.has(name)) {
      this.#break(end);
      if (name === 'caption') this.#isInCaption = false;
      if (name === 'pre') this.#isPreformatted = false;
      if (this.#table === undefined && separated.has(name))
        this.#parts.push({ kind: 'gap', range: { start: end, end } });
    }
  }

  #endTerm(at: number): void {
    this.#isTerm = false;
    const last = this.#line.at(-1)!;
    const isMarked = (last.text ?? this.#text.slice(last.start, last.end)).trimEnd().endsWith(':');
    this.#line.push({ start: at, end: at, text: isMarked ? ' ' : ': ' });
  }

  /** Whether the open table only places its content on the page: one cell in each row, and headings, lists or tables in a cell. */
  #isLayout(name: string, at: number): boolean {
    const table = this.#table;
    if (table?.cell === undefined || this.#depth !== 1 || table.cell.from > 0) return false;
    if (!table.isNarrow) return false;
    if (name === 'table') return trimmed(this.#text, table.cell.pieces).length === 0;
    const rest = this.#text.slice(at, at + layoutCharactersMax);
    return !/<t[dh]\b/i.test(rest.split(/<\/tr\b|<table\b/i, 1)[0]!);
  }

  /** What the cells contain so far becomes lines, and the rest is read as if there were no table. */
  #dissolveTable(at: number): void {
    const { rows, cell } = this.#table!;
    this.#endCaption();
    this.#table = undefined;
    this.#depth = 0;
    for (const { pieces } of [...rows.flat(), ...(cell === undefined ? [] : [cell])]) {
      this.#line = [...pieces];
      this.#closeLine(pieces.at(-1)?.end ?? at);
    }
  }

  #openRow(): void {
    if (this.#table === undefined) return;
    this.#endCaption();
    this.#closeCell();
    this.#table.rows.push([]);
    for (const [column, left] of this.#table.taken.entries()) this.#table.taken[column] = Math.max(0, left - 1);
  }

  #openCell(name: string, attributes: string): void {
    const table = this.#table;
    if (table === undefined) return;
    this.#endCaption();
    this.#closeCell();
    if (table.rows.length === 0) table.rows.push([]);
    let from = table.rows.at(-1)!.at(-1)?.to ?? 0;
    while ((table.taken[from] ?? 0) > 0) from += 1;
    const to = Math.min(columnsMax, from + spanIn(attributes, 'colspan'));
    const rows = spanIn(attributes, 'rowspan');
    for (let column = from; column < to; column += 1) table.taken[column] = rows;
    const place = { from: Math.min(from, columnsMax - 1), to };
    table.cell = { pieces: [], ...place, ...(name === 'th' ? { isHeading: true } : {}) };
  }

  /** A caption that is left open ends where the rows begin. */
  #endCaption(): void {
    if (this.#isInCaption) this.#closeLine(this.#line.at(-1)?.end ?? 0);
    this.#isInCaption = false;
  }

  /** Empty cells occupy columns too, so they are kept until the table is closed. */
  #closeCell(): void {
    const table = this.#table;
    if (table?.cell === undefined) return;
    const row = table.rows.at(-1)!;
    row.push(table.cell);
    table.cell = undefined;
    table.isNarrow &&= row.length <= 1;
  }

  #closeTable(next: number): void {
    const table = this.#table;
    if (table === undefined) return;
    this.#endCaption();
    this.#closeCell();
    this.#table = undefined;
    this.#depth = 0;
    const rows: GridRow[] = table.rows.map((row) =>
      row.map((cell) => ({ ...cell, pieces: trimmed(this.#text, cell.pieces) })),
    );
    this.#parts.push({ kind: 'table', rows, grid: 'indices', next });
  }

  #break(at: number): void {
    const cell = this.#table?.cell;
    if (cell !== undefined) {
      if (cell.pieces.length > 0) cell.pieces.push({ start: at, end: at, text: ' ' });
    } else this.#closeLine(at);
  }

  #closeLine(next: number): void {
    const pieces = trimmed(this.#text, this.#line);
    if (pieces.length > 0) {
      const heading = this.#heading === undefined ? {} : { heading: this.#heading };
      this.#parts.push({ kind: 'line', pieces, ...heading, ...(this.#isItem ? { isItem: true } : {}), next });
    }
    this.#line = [];
    this.#heading = undefined;
    this.#isItem = false;
  }

  #addText(start: number, end: number): void {
    const target =
      this.#table?.cell?.pieces ?? (this.#table === undefined || this.#isInCaption ? this.#line : undefined);
    if (target === undefined) return;
    if (this.#isPreformatted && this.#table === undefined) {
      for (const [index, line] of splitLines(this.#text.slice(start, end)).entries()) {
        if (index > 0) this.#closeLine(start + line.start);
        addDecoded(this.#text, start + line.start, start + line.end, this.#line);
      }
    } else addCollapsed(this.#text, start, end, target);
  }
}

/** What an author struck out is not part of the text; a part with blocks of its own is kept, since marks may be left open. */
const struck = new Set(['del', 's', 'strike']);
const struckCharactersMax = 600;
const struckInside = /^(?:[^<]|<\/?(?:b|i|u|em|strong|span|font|a)\b[^<>]{0,100}>){0,500}?<\/(del|s|strike)\s{0,4}>/i;

/** "Revenue<sup>a</sup>": the mark of a footnote is no part of the word before it. */
const footnoteMark = /^\s{0,2}\(?[a-z\d*†‡]\)?\s{0,2}<\/sup\s{0,4}>/i;

const blocks = new Set(
  'p div li ul ol h1 h2 h3 h4 h5 h6 pre blockquote section article header footer main nav dl dt dd hr title body html caption center address form tbody thead'.split(
    ' ',
  ),
);
/** Elements that no cell of a table of data contains. */
const layoutContents = new Set('table ul ol h1 h2 h3 h4 h5 h6'.split(' '));
const layoutCharactersMax = 4_000;
/** Separates the cells of a nested table by blanks. */
const nestedCells = new Set(['tr', 'td', 'th']);
const separated = new Set('p div dd ul ol h1 h2 h3 h4 h5 h6 pre blockquote section article table hr'.split(' '));

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
}

function spanIn(attributes: string, name: string): number {
  const value = new RegExp(`\\b${name}\\s{0,4}=\\s{0,4}["']?(\\d{1,4})`, 'i').exec(attributes)?.[1];
  return Math.min(columnsMax, Math.max(1, Number(value ?? 1)));
}
