/**
 * The layout of a document: lines of segments separated by blanks, tabs or cells, each with its columns. Forms such as invoices
 * express facts by position: right of a label, or below it.
 */
import { type Document, type DocumentSource, readDocument } from '../../document/document.ts';
import type { Table } from '../../document/table.ts';
import { type FoundNumber, findNumbers } from '../text/numbers.ts';
import { type FoundPercent, findPercents } from '../text/percents.ts';
import type { Range } from '../text/span.ts';
import { foldText } from './fold.ts';

export interface Segment extends Range {
  readonly text: string;
  /** Like `text`, in lower case without accents, with the same length. */
  readonly folded: string;
  readonly line: number;
  /** Columns: character positions of the line, or column indices of a grid. */
  readonly from: number;
  readonly to: number;
  /** Identifies the grid; columns of the same grid can be compared. 0 for character positions. */
  readonly grid: number;
}

export interface Line extends Range {
  readonly index: number;
  readonly segments: readonly Segment[];
  /** Whether an empty line or a rule precedes it. */
  readonly follows: 'line' | 'gap' | 'rule';
}

export interface Layout {
  readonly document: Document;
  readonly lines: readonly Line[];
}

const layouts = new WeakMap<DocumentSource, Layout>();

/** Maximum number of segments per line; segments further right are ignored. */
const segmentsMax = 60;

export function readLayout(source: DocumentSource): Layout {
  const known = layouts.get(source);
  if (known !== undefined) return known;
  const layout = buildLayout(source.text, readDocument(source));
  layouts.set(source, layout);
  return layout;
}

function buildLayout(source: string, document: Document): Layout {
  const { text } = document;
  const columns = cellColumns(document, source);
  const lines: Line[] = [];
  let follows: Line['follows'] = 'gap';
  const push = (range: Range, segments: readonly Segment[]) => {
    if (segments.length === 0) return;
    lines.push({ ...range, index: lines.length, segments, follows });
    follows = 'line';
  };
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    const shown = text.slice(at, end);
    if (shown.trim() === '') follows = follows === 'rule' ? 'rule' : 'gap';
    else if (ruleShape.test(shown)) follows = 'rule';
    else {
      const cells = splitSegments(text, { start: at, end });
      for (const row of rowsOf(document, source, cells, columns)) {
        const segments = row.map((cell) => toSegment(text, cell, lines.length));
        push({ start: segments[0]!.start, end: segments.at(-1)!.end }, segments);
      }
    }
    at = end + 1;
  }
  return { document, lines };
}

const ruleShape = /^[ \t]{0,200}[-=_*─═~+]{3,400}[-=_*─═~+ \t]{0,400}$/;

type Placed = Range & { readonly from: number; readonly to: number; readonly grid: number };

function toSegment(text: string, { start, end, from, to, grid }: Placed, line: number): Segment {
  const shown = inOneLanguage(text.slice(start, end));
  return { start, end, from, to, grid, line, text: shown, folded: foldText(shown) };
}

/** "FACTURE / FACTUUR", "Échéance / Vervaldatum": a label in two languages is read in the first. */
function inOneLanguage(shown: string): string {
  return bilingual.exec(shown)?.[1] ?? shown;
}

const bilingual = /^(\p{L}[^\d/|:]{1,40}?) \/ \p{L}[^\d/|:]{1,40}$/u;

function splitSegments(text: string, { start, end }: Range): Range[] {
  const cells: Range[] = [];
  for (const match of text.slice(start, end).matchAll(/[^\t \u00a0]+(?:[ \u00a0][^\t \u00a0]+)*/gu)) {
    if (cells.length >= segmentsMax) break;
    const cell = { start: start + match.index, end: start + match.index + match[0].length };
    if (/^[|│┃]+$/.test(match[0])) continue;
    if (/[│┃]| \| /.test(match[0])) {
      cells.push(...atBars(match[0], cell.start));
      continue;
    }
    cells.push(
      ...(match[0].includes('....') || match[0].includes('. . .') || match[0].includes('……')
        ? atLeaders(match[0], cell.start)
        : [cell]),
    );
  }
  return cells;
}

/** "No. 12 | VAT no. 34": bars between parts of a line, and bars of drawn tables. */
function atBars(shown: string, start: number): Range[] {
  return [...shown.matchAll(/[^|│┃]+/g)].slice(0, segmentsMax).flatMap(({ index, 0: part }) => {
    const from = start + index + part.length - part.trimStart().length;
    const to = start + index + part.trimEnd().length;
    return to > from ? [{ start: from, end: to }] : [];
  });
}

/** "Total ........ 12.50": a dot leader between a label and its value. */
function atLeaders(shown: string, start: number): Range[] {
  if (shown.length > 400) return [{ start, end: start + shown.length }];
  const cells: Range[] = [];
  let at = 0;
  for (const leader of [
    ...shown.matchAll(/ ?(?:\.{4,200}|…{2,200}|(?:\. ){3,60}\.?) ?/g),
    { index: shown.length, 0: '' },
  ]) {
    if (leader.index > at) cells.push({ start: start + at, end: start + leader.index });
    at = leader.index + leader[0].length;
  }
  return cells.slice(0, 8);
}

interface CellColumns {
  readonly isHtml: boolean;
  readonly places: ReadonlyMap<number, Omit<Placed, 'start' | 'end'>>;
}

/** Columns of cells in a grid of bars, separators or tags; cells aligned by blanks keep character positions. */
function cellColumns(document: Document, source: string): CellColumns {
  const places = new Map<number, Omit<Placed, 'start' | 'end'>>();
  const isHtml = /<(?:html|body|table|div|p)\b/i.test(source.slice(0, 2_000)) && document.text !== source;
  for (const [index, table] of document.tables.entries()) {
    if (!isHtml && isAligned(document, source, table)) continue;
    const rows = table.rows.map(({ cells }) => cells.filter((cell) => cell !== undefined));
    for (const { start, from, to } of [...table.headerRows, ...rows].flat())
      places.set(start, { from, to, grid: index + 1 });
  }
  return { isHtml, places };
}

function isAligned(document: Document, source: string, { rows, headerRows }: Table): boolean {
  const cells = [...headerRows, ...rows.map((row) => row.cells.filter((cell) => cell !== undefined))].find(
    ({ length }) => length > 1,
  );
  if (cells === undefined) return true;
  const between = source.slice(document.spanOf(cells[0]!).end, document.spanOf(cells[1]!).start);
  return /^[ \u00a0.]+$/.test(between);
}

/** One row of segments, or several if an HTML cell contains lines or a nested table. */
function rowsOf(document: Document, source: string, cells: readonly Range[], columns: CellColumns): Placed[][] {
  if (columns.isHtml && cells.some(({ start }) => columns.places.has(start)))
    return htmlRows(document, source, cells, columns);
  const [first] = cells;
  if (first === undefined) return [];
  const at = document.spanOf(first).start;
  // Line breaks in HTML do not indicate columns.
  const lineStart = columns.isHtml ? at : source.lastIndexOf('\n', Math.max(0, at - 1)) + 1;
  return [
    cells.map((cell) => {
      const place = columns.places.get(cell.start);
      if (place !== undefined) return { ...cell, ...place };
      const from = Math.max(0, document.spanOf(cell).start - lineStart);
      return { ...cell, from, to: from + cell.end - cell.start, grid: 0 };
    }),
  ];
}

function htmlRows(document: Document, source: string, cells: readonly Range[], { places }: CellColumns): Placed[][] {
  const rows: Placed[][] = [];
  let place = { from: 0, to: 1, grid: 0 };
  for (const cell of cells) {
    place = places.get(cell.start) ?? place;
    let [row, column, start] = [0, 0, cell.start];
    const close = (end: number) => {
      const shown = document.text.slice(start, end);
      const from = start + shown.length - shown.trimStart().length;
      const to = end - (shown.length - shown.trimEnd().length);
      // Lines within a cell have the cell's column; a nested table has its own columns.
      const columns =
        column === 0 ? place : { from: place.from * 100 + column, to: place.from * 100 + column + 1, grid: place.grid };
      if (to <= from) return;
      const own = rows[row] ?? [];
      rows[row] = own;
      own.push({ start: from, end: to, ...columns });
    };
    for (let at = cell.start; at < cell.end; at += 1) {
      if (document.text[at] !== ' ') continue;
      const mark = markupAt(document, source, at);
      if (mark === undefined) continue;
      close(at);
      start = at + 1;
      if (mark === 'line') [row, column] = [row + 1, 0];
      else column += 1;
    }
    close(cell.end);
  }
  return rows.filter((row) => row !== undefined && row.length > 0);
}

/** The source text between the characters around a blank. */
function markupAt(document: Document, source: string, at: number): 'line' | 'cell' | undefined {
  const from = document.spanOf({ start: at - 1, end: at }).end;
  const to = document.spanOf({ start: at + 1, end: at + 2 }).start;
  if (to - from < 4) return undefined;
  const between = source.slice(from, Math.min(to, from + 2_000));
  if (/<(?:br|\/?tr|\/?p|\/?div|\/?li|\/?table|\/?h[1-6])\b/i.test(between)) return 'line';
  return /<(?:td|th)\b/i.test(between) ? 'cell' : undefined;
}

/** The preceding segment on the same line. */
export function leftOf({ lines }: Layout, { line, start }: Segment): Segment | undefined {
  return lines[line]!.segments.findLast((segment) => segment.start < start);
}

export function rightOf({ lines }: Layout, { line, start }: Segment): Segment | undefined {
  return lines[line]!.segments.find((segment) => segment.start > start);
}

/** The segment `by` lines below (above if negative) that shares most columns. */
export function verticalOf({ lines }: Layout, { line, from, to, grid }: Segment, by: number): Segment | undefined {
  let best: Segment | undefined;
  let most = 0;
  for (const segment of lines[line + by]?.segments ?? []) {
    if (segment.grid !== grid) continue;
    const overlap = Math.min(to, segment.to) - Math.max(from, segment.from);
    if (overlap > most) [best, most] = [segment, overlap];
  }
  return best;
}

export type SegmentNumber = FoundNumber & { readonly percent?: FoundPercent };

/** Numbers of a segment with offsets in the document; percentages are marked. */
export function numbersIn({ document }: Layout, { start, text }: Pick<Segment, 'start' | 'text'>): SegmentNumber[] {
  if (!/\d/.test(text) || text.length > 1_000) return [];
  const hint = { decimalMark: document.decimalMark };
  const percents = text.includes('%') || /proc|proz|cent|pros/i.test(text) ? findPercents(text, hint) : [];
  return findNumbers(text, hint).map((number) => {
    const percent = percents.find((each) => each.start <= number.start && number.start < each.end);
    return {
      ...number,
      start: start + number.start,
      end: start + number.end,
      ...(percent === undefined
        ? {}
        : { percent: { ...percent, start: start + percent.start, end: start + percent.end } }),
    };
  });
}
