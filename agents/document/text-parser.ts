/**
 * Parses plain text, Markdown and CSV line by line into the parts of a document, in linear time with a look-ahead of a few
 * lines.
 */
import { splitLines, trimRange } from '../tools/text/lines.ts';
import type { Range } from '../tools/text/span.ts';
import { joinBrokenRows } from './broken-rows.ts';
import { isNumberCell } from './cell-kinds.ts';
import { embeddedHtml } from './embedded-html.ts';
import { type GridKind, gridKind, isDrawnRule, isRule, splitCells } from './grid.ts';
import { parseHtml } from './html-parser.ts';
import { decodeLine } from './inline.ts';
import { markedHeading } from './marked-headings.ts';
import { placeMergedCells } from './merged-cells.ts';
import type { GridRow, Part } from './parts.ts';
import { periodCells } from './period-cells.ts';
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

function lineStart(text: string, { start, end }: Range): string {
  return text.slice(start, Math.min(end, start + 200));
}

function nextOf(lines: readonly Range[], index: number): number {
  return lines[index + 1]?.start ?? lines[index]!.end;
}

/** A log line: it begins with a time or a priority, or has the format of an access log. */
export const logLine =
  /^(?:<\d{1,3}>|\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\S{1,64} \S{1,32} \S{1,32} \[\d\d\/[A-Z][a-z]{2}\/\d{4}:)/;

/** Adjacent lines of one kind of grid: at least two, and at least two with more than one apparent cell. */
function takeTable(text: string, lines: readonly Range[], index: number): Taken | undefined {
  const below = lines[index + 1];
  if (below !== undefined && isDrawnRule(text, lines[index]!) && kindAt(text, below, undefined) === 'bars')
    return takeTable(text, lines, index + 1);
  const own = kindAt(text, lines[index]!, undefined);
  const heading = own === undefined ? headingOfColumns(text, lines, index) : undefined;
  const first = heading === undefined ? own : 'blanks';
  // "September 30," ends with a comma and is no row of a CSV file.
  const stacked = first === undefined || first === 'commas' ? readStackedTable(text, lines, index) : undefined;
  if (stacked !== undefined) return stacked;
  if (first === undefined) return readSpacedTable(text, lines, index);
  if (first === 'blanks' && isNumberedProse(text, lines[index]!)) return undefined;
  const rows: GridRow[] = [];
  let cellRows = 0;
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
      rows.push(cells.map(({ from, to, ...range }) => ({ pieces: decodeLine(text, range), from, to })));
      last = at;
    } else if (first === 'blanks' && isLabelRow(text, lines, at)) {
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

/** Periods with single blanks between them, above rows with wider gaps. */
function headingOfColumns(text: string, lines: readonly Range[], index: number): GridRow | undefined {
  const cells = periodCells(text, lines[index]!);
  const below = lines
    .slice(index + 1, index + 3)
    .find(({ start, end }) => end > start && !isRule(text, { start, end }));
  if (cells === undefined || below === undefined || kindAt(text, below, 'blanks') !== 'blanks') return undefined;
  if (!/\d/.test(lineStart(text, below))) return undefined;
  const { label, periods } = cells;
  return [...(label === undefined ? [] : [label]), ...periods].map(({ start, end, from, to }) => ({
    pieces: [{ start, end }],
    from,
    to,
  }));
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

/** Below a letterhead in columns, a heading between two rules that has more columns begins a table of its own. */
function isTableBelow(text: string, lines: readonly Range[], rule: number, above: readonly GridRow[]): boolean {
  const [heading, end] = [lines[rule + 1], lines[rule + 2]];
  if (heading === undefined || end === undefined || !isRule(text, end)) return false;
  if (kindAt(text, heading, 'blanks') !== 'blanks') return false;
  const count = splitCells(text, heading, 'blanks').length;
  return above.every(({ length }) => length < count);
}

function kindAt(text: string, line: Range, current: GridKind | undefined): GridKind | undefined {
  return logLine.test(lineStart(text, line)) ? undefined : gridKind(text, line, current);
}

/** "3.5  Not to assign the whole of" is a paragraph whose number is separated by blanks, and not a table row. */
function isNumberedProse(text: string, line: Range): boolean {
  return /^\d{1,2}[ \t]{2,8}(?=[^\n]*\p{Lu}{4})[\p{Lu} ,&'’()/-]{4,60}$|^[ \t]{0,24}(?:\([a-z]{1,4}\)|\(\d{1,2}\)|\d{1,2}(?:\.\d{1,2}){2,3}[.)]?)[ \t]{1,8}[^ \t|]+(?: [^ \t]+){0,30}$|^[ \t]{0,12}(?:\d{1,2}(?:\.\d{1,2}){1,3}[.)]?|\d{1,2}[.)]|\([a-z]{1,4}\)|\(\d{1,2}\))[ \t]{2,8}["“„»«(]?\p{Lu}[^ \t]*(?: [^ \t]+){3,30}$/u.test(
    text.slice(line.start, Math.min(line.end, line.start + 240)).trimEnd(),
  );
}

/** "* after analgesia    monitor 2" below a cell "14*": the note of a mark is no row, and its columns are its own. */
function isNoteOf(text: string, lines: readonly Range[], from: number, at: number): boolean {
  const mark = /^[ \t]{0,24}([*†‡§])[ \t]\p{L}/u.exec(lineStart(text, lines[at]!))?.[1];
  if (mark === undefined) return false;
  const rows = text.slice(lines[Math.max(from, at - 40)]!.start, lines[at]!.start).split(mark);
  return rows.slice(0, -1).some((before) => /[\p{L}\d]$/u.test(before));
}

/** In blank-aligned columns, an empty line or a short label between two rows belongs to the table. */
function isLabelRow(text: string, lines: readonly Range[], at: number): boolean {
  const shown = lineStart(text, lines[at]!).trim();
  if (shown.length > 70 || /[.;!?]$/.test(shown) || /^#/.test(shown)) return false;
  for (let ahead = at + 1; ahead <= at + 2 && ahead < lines.length; ahead += 1) {
    const next = lines[ahead]!;
    if (next.end === next.start) {
      if (shown === '') return false;
      continue;
    }
    return isRule(text, next) || (kindAt(text, next, 'blanks') === 'blanks' && /\d/.test(lineStart(text, next)));
  }
  return false;
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
