/** Splits lines of text into cells, separated by bars, tabs, semicolons or commas, or aligned in columns by blanks or dots. */
import { isBlank, trimRange } from '../tools/text/lines.ts';
import type { Range } from '../tools/text/span.ts';
import { monthName } from './cell-kinds.ts';

export type GridKind = 'bars' | 'tabs' | 'semicolons' | 'commas' | 'blanks';

/** A cell of one line: its range, and its position on the grid. */
export interface LineCell extends Range {
  readonly from: number;
  readonly to: number;
}

/** Longer lines are treated as prose or machine output. */
export const rowCharactersMax = 4_000;
const cellsMax = 200;

const separators = { bars: '|', tabs: '\t', semicolons: ';', commas: ',' } as const;
/** Bars of tables that programs draw for terminals. */
const drawnBar = /[│┃║]/;

/** @param current kind of the previous rows, which a line with fewer separators continues · @returns undefined for prose */
export function gridKind(text: string, line: Range, current: GridKind | undefined): GridKind | undefined {
  const content = trimRange(text, line);
  if (content.end === content.start || content.end - content.start > rowCharactersMax) return undefined;
  const shown = text.slice(content.start, content.end);
  if (shown.includes('|') && /\|[^|]*\||^[^|]{1,60}\|[^|]/.test(shown)) return 'bars';
  if (/[│┃║][^│┃║]*[│┃║]/.test(shown)) return 'bars';
  if (shown.includes('\t') && /\S[ ]*\t+[ ]*\S/.test(shown)) return 'tabs';
  if (current === 'blanks' && hasColumns(shown)) return 'blanks';
  if (isOfDays(shown)) return 'blanks';
  // A quoted cell may contain semicolons.
  const bare = shown.includes('"') ? shown.replace(/"(?:[^"]|""){0,400}"/g, '""') : shown;
  const semicolons = count(bare, ';');
  // "…; (b) to borrow; (c) to sell" is a list in a sentence.
  const isRow = !/;\s(?:\p{Ll}|\(?[\p{L}\d]{1,3}\)\s)/u.test(bare) || isValueRow(bare, semicolons);
  if (semicolons >= 2 ? isRow : current === 'semicolons' && semicolons > 0) return 'semicolons';
  if (current !== 'commas' && hasColumns(shown)) return 'blanks';
  return isCommaRow(shown) ? 'commas' : undefined;
}

/** "; Ferritin ; 41 ; µg/l ; 13-150 ;": short cells, one of them a number alone, where prose would have words. */
function isValueRow(bare: string, semicolons: number): boolean {
  if (semicolons < 3 || bare.length > 400) return false;
  const cells = bare.split(';').map((cell) => cell.trim());
  return cells.every((cell) => cell.length <= 32) && cells.some((cell) => /^[<>]?\d[\d.,]{0,11}$/.test(cell));
}

/** Commas separate cells only where no blank follows them outside quotes. */
function isCommaRow(shown: string): boolean {
  // "(22,043)" alone is one number.
  if (/^[-−(]{0,2}(?:[€$£] ?)?\d{1,3}(?:,\d{3})+(?:\.\d+)?\)?%?$/.test(shown.trim())) return false;
  const bare = shown.includes('"') ? shown.replace(/"(?:[^"]|""){0,400}"/g, '""') : shown;
  // In "USD 500,000 with a cap of 1,5 %", the commas belong to numbers, so there are no cells.
  if (/[ \u00a0]/.test(bare) && !/(?:^|\D),|,(?:\D|$)/.test(bare)) return false;
  // "Yes,of course." is prose; "Metformin,500 mg,b.i.d." is a row.
  return bare.includes(',') && !/,[ ]/.test(bare) && (!/[.!?]$/.test(bare) || count(bare, ',') > 1);
}

function count(text: string, mark: string): number {
  let found = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) found += 1;
  return found;
}

/** Cells are separated by at least two blanks (except after a sentence, where typists use two) or by a dot leader. */
function hasColumns(shown: string): boolean {
  for (let at = shown.indexOf('  '); at !== -1; at = shown.indexOf('  ', at + 2)) {
    if (!'.!?:;'.includes(shown[at - 1]!)) return true;
    if (isLeader(shown, at)) return true;
  }
  return /\.{4,}[ \u00a0]{0,4}[\d(€$£–-]/.test(shown);
}

function isLeader(shown: string, at: number): boolean {
  return shown[at - 1] === '.' && shown[at - 2] === '.';
}

/** "|---|:--:|", "-----+-----", "=====": rules between rows. */
export function isRule(text: string, { start, end }: Range): boolean {
  if (end - start < 3 || end - start > 1_000) return false;
  let marks = 0;
  for (let at = start; at < end; at += 1) {
    const character = text[at]!;
    if ('-=─═━_'.includes(character)) marks += 1;
    else if (!' |+:\t'.includes(character) && !isDrawn(character)) return false;
  }
  return marks >= 3;
}

/** Corners and crossings of drawn tables: U+2500 to U+257F. */
function isDrawn(character: string): boolean {
  return character >= '\u2500' && character <= '\u257f';
}

/** "+-----+-----+", "┌─────┬─────┐": a rule with corners, as above the first row of a drawn table. */
export function isDrawnRule(text: string, line: Range): boolean {
  const first = text[trimRange(text, line).start] ?? '';
  return (first === '+' || (isDrawn(first) && !drawnBar.test(first))) && isRule(text, line);
}

/** At most 200 cells; empty cells between separators are kept. */
export function splitCells(text: string, line: Range, kind: GridKind): LineCell[] {
  return kind === 'blanks' ? splitAtBlanks(text, line) : splitAtMarks(text, line, kind);
}

function splitAtMarks(text: string, line: Range, kind: Exclude<GridKind, 'blanks'>): LineCell[] {
  const mark = kind === 'bars' ? barOf(text, line) : separators[kind];
  let { start, end } = kind === 'tabs' ? line : trimRange(text, line);
  if (kind === 'bars') {
    const isClosed = end > start && text[end - 1] === mark && text[end - 2] !== '\\';
    // " | 300 | 280": the first cell of a row without outer bars is empty.
    const isFirstEmpty = !isClosed && start > line.start;
    if (text[start] === mark && !isFirstEmpty) start += 1;
    if (isClosed) end -= 1;
  }
  const cells: LineCell[] = [];
  let from = start;
  let quoted = false;
  for (let at = start; at <= end && cells.length < cellsMax; at += 1) {
    if (text[at] === '"' && (kind === 'commas' || kind === 'semicolons' || kind === 'tabs')) quoted = !quoted;
    const divides = at === end || (!quoted && text[at] === mark && !(kind === 'bars' && text[at - 1] === '\\'));
    if (!divides) continue;
    cells.push({
      ...unquoted(text, trimRange(text, { start: from, end: at })),
      from: cells.length,
      to: cells.length + 1,
    });
    from = at + 1;
  }
  return cells;
}

function barOf(text: string, { start, end }: Range): string {
  return drawnBar.exec(text.slice(start, end))?.[0] ?? separators.bars;
}

function unquoted(text: string, { start, end }: Range): Range {
  const isQuoted = end - start >= 2 && text[start] === '"' && text[end - 1] === '"';
  return isQuoted ? { start: start + 1, end: end - 1 } : { start, end };
}

/** Cells are positioned by character, so that cells below each other share columns. */
function splitAtBlanks(text: string, line: Range): LineCell[] {
  const cells: LineCell[] = [];
  const push = (start: number, end: number) => {
    if (end > start) cells.push({ start, end, from: start - line.start, to: end - line.start });
  };
  let start = skipBlanks(text, line.start, line.end);
  let at = start;
  while (at < line.end && cells.length < cellsMax) {
    const width = gapWidth(text, at, line.end);
    if (width === 0) {
      at += 1;
      continue;
    }
    push(start, at);
    at += width;
    start = at;
  }
  push(start, trimRange(text, { start, end: line.end }).end);
  return (cells.length > 1 ? withLabelDivided(text, cells) : cells).flatMap((cell) => daysIn(text, cell));
}

const day = `${monthName}[ \\u00a0]\\d{1,2},?(?=[ \\u00a0]|$)`;
const eachDay = new RegExp(day, 'giu');
const severalDays = new RegExp(`^(?:${day}[ \\u00a0]{0,8}){2,8}$`, 'iu');

/** "September 27, September 28," above columns so narrow that one blank separates their headings. */
function isOfDays(shown: string): boolean {
  return shown.length <= 200 && /^\p{L}{3}[^|;\t]*\d,?$/u.test(shown) && severalDays.test(shown);
}

function daysIn(text: string, cell: LineCell): LineCell[] {
  const shown = text.slice(cell.start, cell.end);
  if (!isOfDays(shown)) return [cell];
  return [...shown.matchAll(eachDay)].map(({ index, 0: all }) => ({
    start: cell.start + index,
    end: cell.start + index + all.length,
    from: cell.from + index,
    to: cell.from + index + all.length,
  }));
}

const labelAndAmount = /^.{0,200}\p{L}[^\d]{0,40}[ \u00a0](?=[-−(]?\d[\d.,'’]{1,20}\d\)?$)/u;

/** "Trade receivables 1,510.8     1,902.4": after a long label, only one blank precedes the first amount. */
function withLabelDivided(text: string, [first, ...rest]: readonly LineCell[]): LineCell[] {
  const shown = text.slice(first!.start, first!.end);
  const label = /\d\)?$/.test(shown.slice(-2)) ? labelAndAmount.exec(shown)?.[0] : undefined;
  const isYear = /\b(?:19|20)\d\d$/.test(shown);
  // "CHF 1'000" above the labels is the unit of the table.
  const isUnit = /^(?:in )?(?:[A-Z]{3}|[€$£]) 1[.,'’]?000$/.test(shown);
  if (label === undefined || isYear || isUnit || !/^[-−($€£]{0,2}\d/.test(text.slice(rest[0]!.start, rest[0]!.end)))
    return [first!, ...rest];
  const at = label.length;
  return [
    { ...first!, end: first!.start + at - 1, to: first!.from + at - 1 },
    { ...first!, start: first!.start + at, from: first!.from + at },
    ...rest,
  ];
}

/** Matches runs of two or more blanks, and leaders of three or more dots with blanks around them. */
function gapWidth(text: string, at: number, end: number): number {
  const character = text[at]!;
  if (character !== ' ' && character !== '\u00a0' && character !== '.') return 0;
  let to = at;
  let blanks = 0;
  let dots = 0;
  while (to < end) {
    if (text[to] === '.') dots += 1;
    else if (text[to] === ' ' || text[to] === '\u00a0') blanks += 1;
    else break;
    to += 1;
  }
  if (dots === 0) return blanks >= 2 ? to - at : 0;
  return dots >= 3 ? to - at : 0;
}

function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}
