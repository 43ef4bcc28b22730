/**
 * Tables whose columns are separated by single blanks only: a heading that ends with periods, and rows that end with as many
 * amounts.
 */
import type { Range } from '../tools/text/span.ts';
import type { GridCell, GridRow, Part } from './parts.ts';

const lineCharactersMax = 200;
const headingShape = /^(.{0,80}?)((?:(?:^|[ \u00a0])(?:[QH][1-4] )?(?:FY)?(?:19|20)\d\d[AEFB]?){2,8})[ \t]*$/u;
const amount = /^[-−–(]{0,2}[€$£]?\d[\d.,'’]{0,30}\)?%?$/u;

/** @returns undefined if no such table begins at this line */
export function readSpacedTable(
  text: string,
  lines: readonly Range[],
  index: number,
): { readonly parts: readonly Part[]; readonly next: number } | undefined {
  const heading = lines[index]!;
  if (heading.end - heading.start > lineCharactersMax) return undefined;
  const match = headingShape.exec(text.slice(heading.start, heading.end));
  if (match === null || !/\p{L}|^$/u.test(match[1]!)) return undefined;
  const count = (match[2]!.match(/(?:19|20)\d\d/g) ?? []).length;
  const rows: GridRow[] = [rowOf(text, heading, count)!];
  let at = index + 1;
  for (; at < lines.length; at += 1) {
    const row = lines[at]!.end - lines[at]!.start > lineCharactersMax ? undefined : rowOf(text, lines[at]!, count);
    if (row === undefined) break;
    rows.push(row);
  }
  const next = lines[at]?.start ?? lines.at(-1)!.end;
  return rows.length < 2 ? undefined : { parts: [{ kind: 'table', rows, grid: 'indices', next }], next: at };
}

/** Splits off the last words as cells; everything before them is the label. */
function rowOf(text: string, line: Range, count: number): GridRow | undefined {
  const words = [...text.slice(line.start, line.end).matchAll(/[^ \u00a0\t]+/gu)];
  const values = words.slice(-count);
  const labels = words.slice(0, -count);
  const isPeriods = values.every(([word]) => /(?:19|20)\d\d[AEFB]?$/.test(word));
  if (values.length < count || !values.every(([word]) => amount.test(word) || (isPeriods && word !== '')))
    return undefined;
  if (!isPeriods && !labels.some(([word]) => /\p{L}/u.test(word))) return undefined;
  const cell = (from: number, first: RegExpMatchArray, last: RegExpMatchArray): GridCell => ({
    pieces: [{ start: line.start + first.index!, end: line.start + last.index! + last[0].length }],
    from,
    to: from + 1,
  });
  const label = labels.length === 0 ? [] : [cell(0, labels[0]!, labels.at(-1)!)];
  return [...label, ...values.map((word, nth) => cell(nth + 1, word, word))];
}
