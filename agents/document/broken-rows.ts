/**
 * Joins the lines of a table row whose cells contain line breaks: rows of a Markdown table, whose rule gives the number of cells,
 * and records of a CSV file with line breaks between quotation marks. Linear time.
 */
import type { Range } from '../tools/text/span.ts';
import { isRule } from './grid.ts';

/** Maximum number of lines of one row. */
const rowLinesMax = 64;
const rowCharactersMax = 4_000;

/** @returns the lines, with the lines of each broken row as one range, which contains its line breaks */
export function joinBrokenRows(text: string, lines: readonly Range[]): readonly Range[] {
  if (!text.includes('|') && !text.includes('"')) return lines;
  const bars = lines.map((line) => barsOf(text, line));
  const joined: Range[] = [];
  let width: number | undefined;
  for (let index = 0; index < lines.length; ) {
    const line = lines[index]!;
    const last = endOfRow(text, lines, bars, { index, width }) ?? endOfRecord(text, lines, index) ?? index;
    joined.push(last === index ? line : { start: line.start, end: lines[last]!.end });
    if (isBarRule(text, line, bars[index]!)) width = bars[index]!;
    else if (bars[index] === 0 && last === index) width = undefined;
    index = last + 1;
  }
  return joined;
}

/** The number of bars that are not escaped. */
function barsOf(text: string, { start, end }: Range): number {
  let found = 0;
  for (let at = text.indexOf('|', start); at !== -1 && at < end; at = text.indexOf('|', at + 1)) {
    if (text[at - 1] !== '\\') found += 1;
  }
  return found;
}

function isBarRule(text: string, line: Range, bars: number): boolean {
  return bars >= 2 && opens(text, line) && isRule(text, line);
}

function opens(text: string, { start, end }: Range): boolean {
  return /^[ \t]{0,8}\|/.test(text.slice(start, Math.min(end, start + 10)));
}

/**
 * The last line of a row that begins here and has too few bars for its table: as many lines as complete the bars of the rule above
 * it, or of the rule directly below it.
 */
function endOfRow(
  text: string,
  lines: readonly Range[],
  bars: readonly number[],
  { index, width }: { readonly index: number; readonly width: number | undefined },
): number | undefined {
  const line = lines[index]!;
  if (bars[index] === 0 || !opens(text, line) || text[line.end - 1] === '|') return undefined;
  let found = bars[index]!;
  for (let at = index + 1; at < lines.length && at <= index + rowLinesMax; at += 1) {
    const next = lines[at]!;
    if (next.end === next.start || next.end - line.start > rowCharactersMax || opens(text, next)) return undefined;
    found += bars[at]!;
    if (text[next.end - 1] !== '|') continue;
    if (found === width) return at;
    const below = lines[at + 1];
    if (below !== undefined && bars[at + 1] === found && isBarRule(text, below, found)) return at;
  }
  return undefined;
}

const openQuote = /(?:^|[,;\t])"(?:[^"]|""){0,400}$/;

/** The last line of a CSV record that begins here and has an open quotation mark at its end. */
function endOfRecord(text: string, lines: readonly Range[], index: number): number | undefined {
  const line = lines[index]!;
  const shown = text.slice(line.start, Math.min(line.end, line.start + rowCharactersMax));
  if (!shown.includes('"') || !openQuote.test(shown) || !/[,;\t]/.test(shown) || quotesOf(shown) % 2 === 0)
    return undefined;
  for (let at = index + 1; at < lines.length && at <= index + rowLinesMax; at += 1) {
    const next = lines[at]!;
    if (next.end - line.start > rowCharactersMax) return undefined;
    const added = text.slice(next.start, next.end);
    if (!added.includes('"')) continue;
    const whole = text.slice(line.start, next.end);
    if (quotesOf(whole) % 2 === 0) return /"(?:[,;\t]|$)/.test(added) ? at : undefined;
    if (!openQuote.test(added)) return undefined;
  }
  return undefined;
}

function quotesOf(shown: string): number {
  return shown.split('"').length - 1;
}
