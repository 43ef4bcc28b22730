/** Tables in the markup of AsciiDoc (`|===`) and MediaWiki (`{|`), whose cells stand on lines of their own. Linear time. */
import { trimRange } from '../tools/text/lines.ts';
import type { Range } from '../tools/text/span.ts';
import { decodeLine } from './inline.ts';
import type { GridRow, Part } from './parts.ts';
import type { Piece } from './plain-text.ts';

/** The tables of a text: the index of the first line of each, and of the line that closes it. */
export type WikiTables = ReadonlyMap<number, { readonly last: number; readonly kind: Kind }>;

type Kind = 'asciidoc' | 'mediawiki';

const opening: Readonly<Record<Kind, RegExp>> = { asciidoc: /^\|={3,40}$/, mediawiki: /^[ \t:]{0,8}\{\|/ };
const closing: Readonly<Record<Kind, RegExp>> = { asciidoc: opening.asciidoc, mediawiki: /^[ \t]{0,8}\|\}/ };
const marks: readonly string[] = ['|===', '{|'];

/** Finds the tables that are closed. */
export function findWikiTables(text: string, lines: readonly Range[]): WikiTables {
  const tables = new Map<number, { last: number; kind: Kind }>();
  if (!marks.some((mark) => text.includes(mark))) return tables;
  let open: { readonly first: number; readonly kind: Kind } | undefined;
  for (const [index, { start, end }] of lines.entries()) {
    const shown = text.slice(start, Math.min(end, start + 80));
    if (open !== undefined && closing[open.kind].test(shown)) {
      tables.set(open.first, { last: index, kind: open.kind });
      open = undefined;
    } else if (open === undefined) {
      const kind = (['asciidoc', 'mediawiki'] as const).find((one) => opening[one].test(shown));
      if (kind !== undefined) open = { first: index, kind };
    }
  }
  return tables;
}

interface Cell {
  readonly pieces: Piece[];
  readonly isHeading: boolean;
}

/**
 * @param range of the lines from the one that opens the table to the one that closes it
 * @param next offset behind the table · @returns undefined if it has no rows of at least two cells
 */
export function readWikiTable(
  text: string,
  lines: readonly Range[],
  { first, last, kind, next }: { first: number; last: number; kind: Kind; next: number },
): Part[] | undefined {
  const inside = lines.slice(first + 1, last);
  const captions: Part[] = [];
  const rows =
    kind === 'mediawiki'
      ? mediaWikiRows(text, inside, captions)
      : asciiDocRows(text, inside, columnsOf(text, lines[first - 1]));
  if (rows.filter(({ length }) => length > 1).length < 2) return undefined;
  const cells = rows.map(
    (row): GridRow =>
      row.map(({ pieces, isHeading }, at) => ({
        ...{ pieces, from: at, to: at + 1 },
        ...(isHeading ? { isHeading: true as const } : {}),
      })),
  );
  return [...captions, { kind: 'table', rows: cells, grid: 'indices', next }];
}

/** "|-" begins a row, "!" marks headings, "||" divides the cells of a line, and `style="…" |` are attributes. */
function mediaWikiRows(text: string, lines: readonly Range[], captions: Part[]): Cell[][] {
  const rows: Cell[][] = [[]];
  for (const line of lines) {
    const { start, end } = trimRange(text, line);
    const mark = text[start];
    if (mark === '|' && text[start + 1] === '-') rows.push([]);
    else if (mark === '|' && text[start + 1] === '+')
      captions.push({ kind: 'line', pieces: decodeLine(text, trimRange(text, { start: start + 2, end })), next: end });
    else if (mark === '|' || mark === '!') {
      for (const cell of divided(text, { start: start + 1, end }, mark === '!' ? /!!|\|\|/g : /\|\|/g))
        rows.at(-1)!.push({ pieces: decodeLine(text, withoutAttributes(text, cell)), isHeading: mark === '!' });
    } else continueCell(text, rows.at(-1)!.at(-1), { start, end });
  }
  return rows.filter(({ length }) => length > 0);
}

function withoutAttributes(text: string, cell: Range): Range {
  const attributes =
    /^\s{0,4}(?:[a-z-]{2,20}\s{0,2}=\s{0,2}(?:"[^"|]{0,200}"|[\w%#-]{1,40})\s{0,4}){1,6}\|(?!\|)/i.exec(
      text.slice(cell.start, Math.min(cell.end, cell.start + 600)),
    );
  return trimRange(text, { start: cell.start + (attributes?.[0].length ?? 0), end: cell.end });
}

/** Cells in order; the attribute `cols` or the first line with several cells gives their number in a row. */
function asciiDocRows(text: string, lines: readonly Range[], columns: number | undefined): Cell[][] {
  const cells: Cell[] = [];
  let [width, isFirstLine, headings] = [columns, true, 0];
  for (const line of lines) {
    const { start, end } = trimRange(text, line);
    if (end === start) {
      // An empty line below the first row marks it as the headings.
      if (headings === 0 && cells.length > 0) [headings, width] = [width ?? cells.length, width ?? cells.length];
      continue;
    }
    if (text[start] !== '|') {
      continueCell(text, cells.at(-1), { start, end });
      continue;
    }
    const found = divided(text, { start: start + 1, end }, /(?<!\\)\|/g);
    if (isFirstLine && found.length > 1) width ??= found.length;
    isFirstLine = false;
    for (const cell of found) cells.push({ pieces: decodeLine(text, trimRange(text, cell)), isHeading: false });
  }
  if (width === undefined) return [];
  const isHeaded = headings === width;
  return Array.from({ length: Math.ceil(cells.length / width) }, (_, row) =>
    cells
      .slice(row * width, (row + 1) * width)
      .map((cell) => (row === 0 && isHeaded ? { ...cell, isHeading: true } : cell)),
  );
}

/** `[cols="1,2,1"]`, `[cols=3*]` above the table. */
function columnsOf(text: string, line: Range | undefined): number | undefined {
  if (line === undefined) return undefined;
  const value = /\bcols\s?=\s?"?([^"\]]{1,200})/.exec(
    text.slice(line.start, Math.min(line.end, line.start + 300)),
  )?.[1];
  if (value === undefined || text[line.start] !== '[') return undefined;
  const repeated = /^(\d{1,2})\*/.exec(value)?.[1];
  return repeated === undefined ? value.split(/[,;]/).length : Number(repeated);
}

function divided(text: string, { start, end }: Range, separator: RegExp): Range[] {
  const cells: Range[] = [];
  let from = start;
  for (const { index, 0: mark } of text.slice(start, end).matchAll(separator)) {
    cells.push({ start: from, end: start + index });
    from = start + index + mark.length;
  }
  return [...cells, { start: from, end }];
}

/** A line without a mark continues the cell above it. */
function continueCell(text: string, cell: Cell | undefined, range: Range): void {
  if (cell === undefined || range.end === range.start) return;
  if (cell.pieces.length > 0) cell.pieces.push({ start: range.start, end: range.start, text: ' ' });
  cell.pieces.push(...decodeLine(text, range));
}
