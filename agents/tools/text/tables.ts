/** Tables in a text: pipes (Markdown), tabs, semicolons, quoted commas, or columns held apart by two and more blanks. */
import { splitLines, trimRange } from './lines.ts';
import type { Range } from './span.ts';

export interface Cell extends Range {
  /** Without blanks and quotes at its ends. */
  readonly text: string;
}

export interface Table extends Range {
  readonly kind: 'pipes' | 'tabs' | 'semicolons' | 'commas' | 'blanks';
  /** At least two rows of at least two cells. Rows may differ in length. The first may be a heading. */
  readonly rows: readonly (readonly Cell[])[];
}

/** Tables of more rows are cut into several. */
const rowsMax = 2_000;
const cellsMax = 100;

/**
 * In the order of the text. Lines of the same kind directly after each other are one table; rules of dashes inside are left out.
 * Commas count only where at least two lines have the same number, three cells or more, and no blank after a comma inside one.
 */
export function parseTables(text: string): Table[] {
  const tables: Table[] = [];
  let rows: Cell[][] = [];
  let kind: Table['kind'] | undefined;
  const close = () => {
    if (kind !== undefined && rows.length >= 2 && isTable(kind, rows)) {
      tables.push({ kind, start: rows[0]![0]!.start, end: rows.at(-1)!.at(-1)!.end, rows });
    }
    rows = [];
    kind = undefined;
  };
  for (const line of splitLines(text)) {
    if (kind !== undefined && isRule(text, line)) continue;
    const here = kindOf(text, line, kind);
    if (here !== kind || rows.length >= rowsMax) close();
    if (here === undefined) continue;
    const cells = splitCells(text, line, here);
    if (cells.length < 2) close();
    else {
      kind = here;
      rows.push(cells);
    }
  }
  close();
  return tables;
}

/** "|---|:--:|", "-----+-----", "=====". */
function isRule(text: string, { start, end }: Range): boolean {
  if (end - start < 3 || end - start > 1_000) return false;
  let marks = 0;
  for (let at = start; at < end; at += 1) {
    const character = text[at]!;
    if (character === '-' || character === '=' || character === '─' || character === '═') marks += 1;
    else if (!' |+:\t┼│'.includes(character)) return false;
  }
  return marks >= 3;
}

/** @param current of the lines before, which a line with both marks continues */
function kindOf(text: string, line: Range, current: Table['kind'] | undefined): Table['kind'] | undefined {
  const content = trimRange(text, line);
  if (content.end === content.start || content.end - content.start > 4_000) return undefined;
  const has = (mark: string) => text.slice(content.start, content.end).includes(mark);
  const shown = text.slice(content.start, content.end);
  if (shown.includes('|')) return 'pipes';
  if (has('\t')) return 'tabs';
  if (count(shown, ';') >= 2 || (current === 'semicolons' && has(';'))) return 'semicolons';
  if (hasColumns(shown)) return 'blanks';
  return count(shown, ',') >= 2 && !/,[ ]/.test(shown.replace(/"[^"]{0,200}"/g, '')) ? 'commas' : undefined;
}

function count(text: string, mark: string): number {
  let found = 0;
  for (const character of text) if (character === mark) found += 1;
  return found;
}

/** Two blanks or more between words, but not after a sentence mark, where typists put two. */
function hasColumns(shown: string): boolean {
  for (let at = shown.indexOf('  '); at !== -1; at = shown.indexOf('  ', at + 2)) {
    if (!'.!?:;'.includes(shown[at - 1]!)) return true;
  }
  return false;
}

function splitCells(text: string, line: Range, kind: Table['kind']): Cell[] {
  const content = trimRange(text, line);
  let { start, end } = content;
  if (kind === 'pipes') {
    if (text[start] === '|') start += 1;
    if (end > start && text[end - 1] === '|') end -= 1;
  }
  const cells: Cell[] = [];
  let from = start;
  let quoted = false;
  for (let at = start; at <= end && cells.length < cellsMax; at += 1) {
    if (text[at] === '"' && (kind === 'commas' || kind === 'semicolons')) quoted = !quoted;
    const width = at === end ? 1 : quoted ? 0 : separatorWidth(text, at, end, kind);
    if (width === 0) continue;
    cells.push(cellOf(text, { start: from, end: at }));
    from = at + width;
    at += width - 1;
  }
  return cells;
}

function separatorWidth(text: string, at: number, end: number, kind: Table['kind']): number {
  const character = text[at]!;
  if (kind !== 'blanks') return character === marksOf[kind] ? 1 : 0;
  let width = 0;
  while (at + width < end && (text[at + width] === ' ' || text[at + width] === '\u00a0')) width += 1;
  return width >= 2 ? width : 0;
}

const marksOf = { pipes: '|', tabs: '\t', semicolons: ';', commas: ',' } as const;

function cellOf(text: string, range: Range): Cell {
  let { start, end } = trimRange(text, range);
  if (end - start >= 2 && text[start] === '"' && text[end - 1] === '"') {
    start += 1;
    end -= 1;
  }
  return { start, end, text: text.slice(start, end) };
}

function isTable(kind: Table['kind'], rows: readonly (readonly Cell[])[]): boolean {
  if (kind !== 'commas') return true;
  const width = rows[0]!.length;
  return width >= 3 && rows.every((cells) => cells.length === width);
}
