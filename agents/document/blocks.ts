/** The blocks of a document: what a reader sees as one heading, paragraph, list item, labelled line, table or log line. */

import { startsWithDay } from '../tools/text/dates.ts';
import { trimRange } from '../tools/text/lines.ts';
import type { Range } from '../tools/text/span.ts';
import { isNumberCell } from './cell-kinds.ts';
import { asParagraph, continuesBelow, type Heading, headingOf } from './headings.ts';
import type { GridRow, Part } from './parts.ts';
import { type Piece, PlainText } from './plain-text.ts';
import { buildTables, type Cell, type Grid, type Table } from './table.ts';

export type Block = Range &
  /** `isMarked`: by the markup of the format, and not by its form. */
  (
    | { readonly kind: 'heading'; readonly heading: Heading; readonly isMarked?: true }
    | { readonly kind: 'paragraph' }
    /** An item of a list, with its mark. */
    | { readonly kind: 'item' }
    /** "Label: value" on its own line. */
    | { readonly kind: 'field'; readonly label: Range; readonly value: Range }
    | { readonly kind: 'table'; readonly table: Table }
    /** One line of a log or of code. */
    | { readonly kind: 'line' }
  );

export interface BlockList {
  readonly plain: PlainText;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** Adjacent lines behind ">", with the empty ones between them. */
  readonly quotations: readonly Range[];
}

/** Lines at least this long may be broken for width; the next line continues with the sentence. */
const wrappedCharactersMin = 50;

export function buildBlocks(source: string, parts: readonly Part[]): BlockList {
  const builder = new BlockBuilder(source);
  for (const part of parts) builder.add(part);
  return builder.build();
}

type Line = { readonly range: Range; readonly heading?: number; readonly isItem?: true; readonly isVerbatim?: true };
type CellRange = Omit<Cell, 'text'>;
type Entry = Line | { readonly rows: readonly (readonly CellRange[])[]; readonly grid: Grid } | 'gap';

class BlockBuilder {
  readonly #plain: PlainText;
  readonly #entries: Entry[] = [];
  readonly #quotations: { readonly start: number; end: number }[] = [];
  #isQuoting = false;
  /** Position of the next separator in the source. */
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
    this.#plain = new PlainText(source);
  }

  add(part: Part): void {
    if (part.kind === 'gap') {
      const breaks = this.#source.slice(part.range.start, part.range.end).split('\n').length - 1;
      this.#plain.append([{ ...part.range, text: '\n'.repeat(Math.max(1, breaks)) }]);
      this.#entries.push('gap');
    } else if (part.kind === 'table') this.#addTable(part.rows, part);
    else {
      const { pieces, next, kind: _, isQuoted = false, ...marks } = part;
      const range = this.#plain.append(pieces);
      this.#entries.push({ range, ...marks });
      if (isQuoted && this.#isQuoting) this.#quotations.at(-1)!.end = range.end;
      else if (isQuoted) this.#quotations.push({ start: range.start, end: range.end });
      this.#isQuoting = isQuoted;
      this.#break(pieces.at(-1)?.end ?? next, next);
    }
  }

  build(): BlockList {
    const text = this.#plain.toString();
    return { plain: this.#plain, text, blocks: joinLines(text, this.#entries), quotations: this.#quotations };
  }

  /** A single line feed is kept as it is; blanks before it and a carriage return are left out. */
  #break(end: number, next: number): void {
    const between = this.#source.slice(end, next);
    if (between === '\n') this.#plain.append([{ start: end, end: next }]);
    else if (next < this.#source.length || /[\r\n]$/.test(between))
      this.#plain.append([{ start: end, end: next, text: '\n' }]);
  }

  #addTable(rows: readonly GridRow[], { grid, next }: Extract<Part, { kind: 'table' }>): void {
    let lines: CellRange[][] = [];
    let isAfterEmptyRow = false;
    for (const row of rows) {
      const cells: CellRange[] = [];
      for (const { pieces, ...place } of row) {
        const [first] = pieces;
        if (first === undefined || this.#shown(pieces).trim() === '') continue;
        if (cells.length > 0) this.#plain.separate('\t', first.start);
        cells.push({ ...this.#plain.append(pieces), ...place });
      }
      if (cells.length === 0) {
        isAfterEmptyRow = row.length > 1;
        continue;
      }
      this.#plain.separate('\n', row.at(-1)!.pieces.at(-1)?.end ?? next);
      if (isAfterEmptyRow && grid === 'indices' && this.#opensTable(row, lines[0])) {
        this.#entries.push({ rows: lines, grid });
        lines = [];
      }
      isAfterEmptyRow = false;
      lines.push(cells);
    }
    if (lines.length > 0) this.#entries.push({ rows: lines, grid });
  }

  /** A row of headings below an empty row of a CSV file, in other columns than those of the first row above. */
  #opensTable(row: GridRow, first: readonly CellRange[] | undefined): boolean {
    const filled = row.filter(({ pieces }) => this.#shown(pieces).trim() !== '');
    if (filled.length < headingsMin || first === undefined) return false;
    const places = (cells: readonly { readonly from: number }[]) => cells.map(({ from }) => from).join();
    return places(filled) !== places(first) && !filled.some(({ pieces }) => isNumberCell(this.#shown(pieces)));
  }

  #shown(pieces: readonly Piece[]): string {
    return pieces.map(({ start, end, text }) => text ?? this.#source.slice(start, end)).join('');
  }
}

/** A row of fewer cells is a label with its value. */
const headingsMin = 3;

function joinLines(text: string, entries: readonly Entry[]): Block[] {
  const blocks: Block[] = [];
  /** Blocks directly below the one before, without an empty line. */
  const adjacent = new Set<number>();
  let previous: Range | undefined;
  for (const entry of entries) {
    if (entry === 'gap' || 'rows' in entry) {
      if (entry !== 'gap') blocks.push(...tablesOf(text, entry));
      previous = undefined;
      continue;
    }
    const line = trimRange(text, entry.range);
    if (line.end === line.start) {
      previous = undefined;
      continue;
    }
    const found = blockOf(text, line, entry);
    const last = previous === undefined ? blocks.at(-1) : withoutFalseHeading(text, blocks, line);
    const block = isCapitalsBelow(text, found, last, entry) ? ({ ...line, kind: 'paragraph' } as const) : found;
    if (
      block.kind === 'paragraph' &&
      previous !== undefined &&
      last !== undefined &&
      goesOn(text, previous, line, last)
    ) {
      blocks[blocks.length - 1] = { ...last, end: line.end };
    } else {
      if (previous !== undefined) adjacent.add(block.start);
      blocks.push(block);
    }
    previous = block.kind === 'line' ? undefined : line;
  }
  return withNumberedItems(blocks, adjacent);
}

/**
 * "1. Start bisoprolol" directly above "2. Review in 4 weeks": titles in sequence without text between them are the items of a list,
 * unless all of them are as short as in a table of contents. The last one is a title if text follows directly below it.
 */
function withNumberedItems(blocks: readonly Block[], adjacent: ReadonlySet<number>): Block[] {
  const shown = [...blocks];
  for (let first = 0; first < blocks.length; ) {
    let next = first + 1;
    while (next < blocks.length && follows(blocks[next - 1]!, blocks[next]!, adjacent)) next += 1;
    const hasTextBelow = next < blocks.length && adjacent.has(blocks[next]!.start);
    const run = blocks.slice(first, hasTextBelow ? next - 1 : next);
    if (next - first > 1 && !run.every(isShortTitle))
      for (const [index, { start, end }] of run.entries()) shown[first + index] = { kind: 'item', start, end };
    first = next;
  }
  return shown;
}

function follows(before: Block, block: Block, adjacent: ReadonlySet<number>): boolean {
  const number = titleNumber(before);
  return number !== undefined && adjacent.has(block.start) && titleNumber(block) === number + 1;
}

function isShortTitle(block: Block): boolean {
  return (
    block.kind === 'heading' && /^[^\d,]{1,40}$/.test(block.heading.title) && block.heading.title.split(' ').length <= 5
  );
}

/** The whole number of a title that fills its line. */
function titleNumber(block: Block): number | undefined {
  if (block.kind !== 'heading' || block.isMarked || block.heading.bodyStart < block.end) return undefined;
  return /^\d{1,3}$/.test(block.heading.number ?? '') ? Number(block.heading.number) : undefined;
}

/** If the last block is a heading by its form, but the line below continues its sentence, it becomes a paragraph. */
function withoutFalseHeading(text: string, blocks: Block[], line: Range): Block | undefined {
  const last = blocks.at(-1);
  if (last?.kind !== 'heading' || last.isMarked || last.heading.bodyStart < last.end) return last;
  if (!continuesBelow(text, last, last.heading, line)) return last;
  const heading = asParagraph(text, last, last.heading);
  const range = { start: last.start, end: last.end };
  blocks[blocks.length - 1] =
    heading === undefined ? { ...range, kind: 'paragraph' } : { ...range, kind: 'heading', heading };
  return blocks.at(-1);
}

/** A line in capitals directly below an unfinished line in capitals continues its sentence. */
function isCapitalsBelow(text: string, block: Block, last: Block | undefined, { heading: marked }: Line): boolean {
  if (block.kind !== 'heading' || marked !== undefined || block.heading.number !== undefined) return false;
  if (last === undefined || (last.kind !== 'paragraph' && last.kind !== 'item' && last.kind !== 'heading'))
    return false;
  if (last.kind === 'heading' && last.heading.bodyStart >= last.end) return false;
  const before = text
    .slice(Math.max(last.start, last.end - 60), last.end)
    .split('\n')
    .at(-1)!;
  return before.length >= 30 && !/[.!?:;]$/.test(before) && !/\p{Ll}{2}/u.test(before.slice(-24));
}

function tablesOf(
  text: string,
  { rows, grid }: { readonly rows: readonly (readonly CellRange[])[]; readonly grid: Grid },
): Block[] {
  const cells = rows.map((row) => row.map((cell) => ({ ...cell, text: text.slice(cell.start, cell.end) })));
  return buildTables(cells, grid).map((table) => ({ kind: 'table', start: table.start, end: table.end, table }));
}

const itemMark = /^(?:[-*•–+▪◦‣][ \t]|(?:\[[ xX✓✔]\]|[☐☑☒])[ \t]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)][ \t])/;
const fieldShape = /^([\p{L}\d][\p{L}\d /().,&'’#-]{0,48}?)[ \t]{0,4}:[ \t]{1,20}(?=\S)/u;

function blockOf(text: string, line: Range, { heading: marked, isItem, isVerbatim }: Line): Block {
  if (isVerbatim) return { ...line, kind: 'line' };
  const heading = headingOf(text, line, marked);
  if (heading !== undefined)
    return { ...line, kind: 'heading', heading, ...(marked === undefined ? {} : { isMarked: true }) };
  const shown = text.slice(line.start, Math.min(line.end, line.start + 120));
  if (isItem || (itemMark.test(shown) && !startsWithDay(shown))) return { ...line, kind: 'item' };
  const field = fieldShape.exec(shown);
  // "equipment (2024: £31.5m)" continues a sentence.
  const isOpen = field !== null && field[1]!.lastIndexOf('(') > field[1]!.lastIndexOf(')');
  // "days per full year. Public holidays: ten": the label would begin in the middle of the line.
  const isSentence = field !== null && /\p{Ll}{2}\. \p{Lu}/u.test(field[1]!);
  if (field === null || isOpen || isSentence || field[1]!.split(' ').length > 5) return { ...line, kind: 'paragraph' };
  const label = { start: line.start, end: line.start + field[1]!.length };
  return { ...line, kind: 'field', label, value: { start: line.start + field[0].length, end: line.end } };
}

/**
 * Whether a line continues the block of the previous line: the sentence continues, or the previous line is as long as wrapped
 * lines are.
 */
function goesOn(text: string, previous: Range, line: Range, block: Block): boolean {
  if (block.kind === 'heading' && block.heading.bodyStart >= block.end) return false;
  const before = text[previous.end - 1]!;
  const isLong = previous.end - previous.start >= wrappedCharactersMin;
  const startsSmall = /^[\p{Ll}(,;–&]/u.test(text.slice(line.start, line.start + 2));
  if (before === ':') return false;
  return /[.!?]/.test(before) ? isLong : isLong || startsSmall || /[,–-]/.test(before);
}
