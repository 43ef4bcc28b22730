/**
 * Parses plain text, Markdown and CSV line by line into the parts of a document, in linear time with a look-ahead of a few
 * lines.
 */
import { splitLines, trimRange } from '../tools/text/lines.ts';
import type { Range } from '../tools/text/span.ts';
import {
  headingOfColumns,
  headingOfGroup,
  isLabelRow,
  isNoteOf,
  isNumberedProse,
  isOfRemarks,
  isRowOfAmounts,
  isTableBelow,
} from './aligned-rows.ts';
import { joinBrokenRows } from './broken-rows.ts';
import { isNumberCell } from './cell-kinds.ts';
import { embeddedHtml } from './embedded-html.ts';
import { type GridKind, isDrawnRule, isRule, splitCells } from './grid.ts';
import { parseHtml } from './html-parser.ts';
import { decodeLine } from './inline.ts';
import { kindAt, lineStart, logLine } from './line-kinds.ts';
import { markedHeading } from './marked-headings.ts';
import { placeMergedCells } from './merged-cells.ts';
import type { GridRow, Part } from './parts.ts';
import { readSpacedTable } from './spaced-table.ts';
import { readStackedTable } from './stacked-table.ts';
import { findWikiTables, readWikiTable, type WikiTables } from './wiki-table.ts';

/** Longer tables are split. */
const rowsMax = 5_000;

export function parseText(text: string): Part[] {
  const lines = joinBrokenRows(text, linesOf(text));
  const foreign: Foreign = {
    html: new Map(embeddedHtml(text).map((range) => [range.start, range])),
    wikiTables: findWikiTables(text, lines),
  };
  const parts: Part[] = [];
  for (let index = 0; index < lines.length; ) {
    const taken =
      takeFence(text, lines, index) ??
      takeForeign(text, lines, { index, ...foreign }) ??
      takeTable(text, lines, index) ??
      takeLine(text, lines, index);
    parts.push(...taken.parts);
    index = taken.next;
  }
  return parts;
}

/** Elements of other formats inside the text. */
interface Foreign {
  /** By the offset at which they begin. */
  readonly html: ReadonlyMap<number, Range>;
  readonly wikiTables: WikiTables;
}

function takeForeign(
  text: string,
  lines: readonly Range[],
  { index, html, wikiTables }: Foreign & { index: number },
): Taken | undefined {
  const element = html.size === 0 ? undefined : html.get(trimRange(text, lines[index]!).start);
  if (element !== undefined) {
    let next = index + 1;
    while (next < lines.length && lines[next]!.start < element.end) next += 1;
    return { parts: parseHtml(text, element), next };
  }
  const table = wikiTables.get(index);
  if (table === undefined) return undefined;
  const parts = readWikiTable(text, lines, { first: index, ...table, next: nextOf(lines, table.last) });
  return parts === undefined ? undefined : { parts, next: table.last + 1 };
}

/**
 * Removes what a reader does not see: line breaks, blanks before them, a byte order mark, and the indentation that all lines
 * share.
 */
function linesOf(text: string): Range[] {
  const from = text.startsWith('\uFEFF') ? 1 : 0;
  const lines = splitLines(text).map(({ start, end }) => {
    const first = Math.max(start, from);
    let last = end;
    while (last > first && /[ \t\r]/.test(text[last - 1]!)) last -= 1;
    return { start: first, end: last };
  });
  const shared = sharedIndent(text, lines);
  return shared === 0 ? lines : lines.map(({ start, end }) => ({ start: Math.min(end, start + shared), end }));
}

function sharedIndent(text: string, lines: readonly Range[]): number {
  let shared = Number.POSITIVE_INFINITY;
  for (const { start, end } of lines) {
    let at = start;
    while (at < end && at - start < shared && text[at] === ' ') at += 1;
    if (at < end) shared = Math.min(shared, at - start);
    if (shared === 0) return 0;
  }
  return Number.isFinite(shared) ? shared : 0;
}

interface Taken {
  readonly parts: readonly Part[];
  /** Index of the next line. */
  readonly next: number;
}

const fence = /^[ \t]{0,3}(?:`{3,}|~{3,})/;

/** Code between fences is kept unchanged. */
function takeFence(text: string, lines: readonly Range[], index: number): Taken | undefined {
  if (!fence.test(lineStart(text, lines[index]!))) return undefined;
  const parts: Part[] = [];
  let at = index + 1;
  for (; at < lines.length && !fence.test(lineStart(text, lines[at]!)); at += 1) {
    parts.push({ kind: 'line', pieces: [lines[at]!], isVerbatim: true, next: nextOf(lines, at) });
  }
  return { parts, next: Math.min(lines.length, at + 1) };
}

function nextOf(lines: readonly Range[], index: number): number {
  return lines[index + 1]?.start ?? lines[index]!.end;
}

/** Adjacent lines of one kind of grid: at least two, and at least two with more than one apparent cell. */
function takeTable(text: string, lines: readonly Range[], index: number): Taken | undefined {
  const below = lines[index + 1];
  if (below !== undefined && isDrawnRule(text, lines[index]!) && kindAt(text, below, undefined) === 'bars')
    return takeTable(text, lines, index + 1);
  const own = kindAt(text, lines[index]!, undefined);
  const heading =
    own === undefined ? (headingOfColumns(text, lines, index) ?? headingOfGroup(text, lines, index)) : undefined;
  const first = heading === undefined ? own : 'blanks';
  // "September 30," ends with a comma and is no row of a CSV file.
  const stacked = first === undefined || first === 'commas' ? readStackedTable(text, lines, index) : undefined;
  if (stacked !== undefined) return stacked;
  if (first === undefined) return readSpacedTable(text, lines, index);
  if (first === 'blanks' && (isNumberedProse(text, lines[index]!) || isOfRemarks(text, lines[index]!)))
    return undefined;
  const rows: GridRow[] = [];
  let cellRows = 0;
  let hasAmounts = false;
  let last = index;
  if (heading !== undefined) rows.push(heading);
  for (let at = heading === undefined ? index : index + 1; at < lines.length && rows.length < rowsMax; at += 1) {
    const line = lines[at]!;
    if (isRule(text, line)) {
      last = at;
      if (first === 'blanks' && cellRows > 0 && isTableBelow(text, lines, at, rows)) break;
      // Markdown rules off its heading.
      if (first === 'bars' && rows.length === 1 && !isOfAmounts(text, rows[0]!))
        rows[0] = rows[0]!.map((cell) => ({ ...cell, isHeading: true }));
      continue;
    }
    const kind = kindAt(text, line, first);
    if (kind === 'blanks' && (isNumberedProse(text, line) || isNoteOf(text, lines, index, at))) break;
    if (kind === first) {
      const cells = splitCells(text, line, kind);
      // Gives up at once on lines that cannot form a table, so that the next line does not read all of them again.
      if (cells.length < 2 && cellRows < 2) break;
      if (kind === 'commas' && rows.length > 0 && cells.length !== rows[0]!.length) break;
      if (cells.length > 1) cellRows += 1;
      hasAmounts ||= isRowOfAmounts(text, cells);
      rows.push(cells.map(({ from, to, ...range }) => ({ pieces: decodeLine(text, range), from, to })));
      last = at;
    } else if (first === 'blanks' && isLabelRow(text, lines, at, hasAmounts)) {
      const label = trimRange(text, line);
      if (label.end > label.start)
        rows.push([{ pieces: decodeLine(text, label), from: label.start - line.start, to: label.end - line.start }]);
    } else break;
  }
  if (cellRows < 2 || !isTable(first, rows)) return undefined;
  if (first === 'bars') placeMergedCells(text, lines.slice(index, last + 1), rows);
  const grid = first === 'blanks' ? 'characters' : 'indices';
  return { parts: [{ kind: 'table', rows, grid, next: nextOf(lines, last) }], next: last + 1 };
}

/** "| Stock | 1,306 |" above the rule: an author without column headings puts the first row there. */
function isOfAmounts(text: string, row: GridRow): boolean {
  const shown = row.map(({ pieces }) =>
    pieces
      .map(({ start, end }) => text.slice(start, end))
      .join('')
      .trim(),
  );
  const [label, ...values] = shown;
  return (
    /\p{L}{3}/u.test(label ?? '') &&
    values.length > 0 &&
    values.every(
      (value) => value === '' || (isNumberCell(value) && (/\d{3}|\d[.,]\d/.test(value) || !/\d/.test(value))),
    ) &&
    values.some((value) => /\d/.test(value)) &&
    !values.some((value) => /^(?:19|20)\d\d$/.test(value))
  );
}

function isTable(kind: GridKind, rows: readonly GridRow[]): boolean {
  if (kind !== 'commas') return true;
  const width = rows[0]!.length;
  return width >= 3 || (width === 2 && rows.length >= 3);
}

const quote = /^[ \t]{0,3}(?:>[ \t]?){1,5}/;

function takeLine(text: string, lines: readonly Range[], index: number): Taken {
  const line = lines[index]!;
  const next = nextOf(lines, index);
  const content = trimRange(text, line);
  if (content.end === content.start) {
    let last = index;
    while (last + 1 < lines.length && lines[last + 1]!.end === lines[last + 1]!.start) last += 1;
    return { parts: [{ kind: 'gap', range: { start: line.start, end: nextOf(lines, last) } }], next: last + 1 };
  }
  const shown = lineStart(text, line);
  if (logLine.test(shown))
    return { parts: [{ kind: 'line', pieces: [line], isVerbatim: true, next }], next: index + 1 };
  const marked = markedHeading(text, lines, index);
  if (marked !== undefined) {
    const { level, title, lines: count } = marked;
    const last = index + count - 1;
    return {
      parts: [{ kind: 'line', pieces: decodeLine(text, title), heading: level, next: nextOf(lines, last) }],
      next: last + 1,
    };
  }
  const quoted = quote.exec(shown)?.[0].length ?? 0;
  const pieces = decodeLine(text, { start: line.start + quoted, end: line.end });
  return {
    parts: [{ kind: 'line', pieces, next, ...(quoted > 0 ? { isQuoted: true } : {}) }],
    next: index + 1,
  };
}
