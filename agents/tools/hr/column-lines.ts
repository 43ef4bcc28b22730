/** Lines of letters in two columns, "Holiday      25 days a year", which wrapped values keep from being a table. */
import type { Range } from '../text/span.ts';

interface ColumnLine extends Range {
  readonly label: string;
  readonly value: string;
}

interface ColumnLines {
  /** What stands above the first label: the end of the value before it. */
  readonly rest?: Range;
  readonly lines: readonly ColumnLine[];
}

const labelled = /^ {0,4}(\p{Lu}[\p{L}'’ ,/&()-]{1,38}?) {3,60}(?=\S)/u;
const wordsMax = 5;
const indentationMin = 6;

/**
 * @param block of text without columns
 * @returns undefined if one of its lines has neither a label before its column nor the indentation of a wrapped value
 */
export function columnLines(text: string, { start, end }: Range): ColumnLines | undefined {
  const shown = text.slice(start, Math.min(end, start + 4_000));
  if (!shown.includes('   ')) return undefined;
  const lines: { label: string; value: string; start: number; end: number }[] = [];
  let rest: Range | undefined;
  let at = start;
  for (const line of shown.split('\n')) {
    const range = { start: at, end: at + line.trimEnd().length };
    at += line.length + 1;
    if (line.trim() === '') continue;
    const label = labelled.exec(line);
    const value = label === null ? '' : line.slice(label[0].length).trim();
    const last = lines.at(-1);
    if (label !== null && isLabel(label[1]!) && /\s|\d/u.test(value) && !/ {4,}|\.{4}|_{4}/u.test(value))
      lines.push({ label: label[1]!, value, ...range });
    else if (last !== undefined && /^ */.exec(line)![0].length >= indentationMin) {
      last.value += ` ${line.trim()}`;
      last.end = range.end;
    } else if (last === undefined) rest = { start: rest?.start ?? range.start, end: range.end };
    else return undefined;
  }
  return lines.length === 0 ? undefined : { ...(rest === undefined ? {} : { rest }), lines };
}

const isLabel = (words: string): boolean => words.split(/\s+/).length <= wordsMax && !/ {2}/.test(words);
