/**
 * Tables whose columns are separated by single blanks only: a heading that ends with periods, and rows that end with as many
 * amounts.
 */
import type { Range } from '../tools/text/span.ts';
import type { GridCell, GridRow, Part } from './parts.ts';
import { periodCells } from './period-cells.ts';

const lineCharactersMax = 200;
/** Lines without amounts, such as the title of a group, between two rows. */
const labelLinesMax = 2;
const amount = /^[-−–(]{0,2}[€$£]?\d[\d.,'’]{0,30}\)?%?$|^[-–—]$/u;
/** The first and the other groups of digits of "-1 284,6". */
const firstGroup = /^[-−–(]{0,2}\d{1,3}$/u;
const nextGroup = /^\d{3}(?:,\d{1,3})?\)?$/u;
/** The number of a note. */
const note = /^\d{1,2}$/;

/** @returns undefined if no such table begins at this line */
export function readSpacedTable(
  text: string,
  lines: readonly Range[],
  index: number,
): { readonly parts: readonly Part[]; readonly next: number } | undefined {
  const heading = periodCells(text, lines[index]!);
  if (heading === undefined) return undefined;
  const { label: corner, periods } = heading;
  const rows: GridRow[] = [
    [
      ...(corner === undefined ? [] : [cellOf(0, { start: corner.start, end: corner.end })]),
      ...periods.map(({ start, end }, nth) => cellOf(nth + 1, { start, end })),
    ],
  ];
  const count = periods.length;
  let amounts = 0;
  let [at, next] = [index + 1, index + 1];
  let pending: GridRow[] = [];
  for (; at < lines.length; at += 1) {
    const line = lines[at]!;
    const row = line.end - line.start > lineCharactersMax ? undefined : rowOf(text, line, count);
    if (row !== undefined) {
      for (const label of pending) rows.push(label);
      rows.push(row);
      pending = [];
      amounts += 1;
      next = at + 1;
      continue;
    }
    const label = labelRow(text, line);
    if (amounts === 0 && label !== undefined && pending.length > 0) break;
    if (label === undefined || pending.length >= labelLinesMax) {
      if (line.end > line.start) break;
      continue;
    }
    pending.push(label);
  }
  if (amounts < 1) return undefined;
  return {
    parts: [{ kind: 'table', rows, grid: 'indices', next: lines[next]?.start ?? lines.at(-1)!.end }],
    next,
  };
}

function labelRow(text: string, { start, end }: Range): GridRow | undefined {
  const shown = text.slice(start, Math.min(end, start + 80)).trim();
  if (shown.length > 70 || !/^\p{L}/u.test(shown) || /[.;!?]$/.test(shown)) return undefined;
  const from = start + text.slice(start, end).indexOf(shown);
  return [cellOf(0, { start: from, end: from + shown.length })];
}

/** Splits off the last words as amounts; everything before them is the label. */
function rowOf(text: string, line: Range, count: number): GridRow | undefined {
  const words = [...text.slice(line.start, line.end).matchAll(/[^ \u00a0\t]+/gu)];
  const first = words.findLastIndex(([word]) => !amount.test(word)) + 1;
  if (first === 0) return undefined;
  const printed = words.slice(first);
  // "850 120" are two amounts below two periods.
  const values =
    printed.length === count
      ? printed.map(({ 0: text, index }) => ({ text, start: index, end: index + text.length }))
      : amountsOf(printed);
  const notes = values.length - count;
  // A note number precedes the amounts.
  if (notes < 0 || notes > 1 || (notes === 1 && !note.test(values[0]!.text))) return undefined;
  const labels = words.slice(0, first);
  if (!labels.some(([word]) => /\p{L}/u.test(word))) return undefined;
  const [from, last] = [labels[0]!, labels.at(-1)!];
  const place = (start: number, end: number) => ({ start: line.start + start, end: line.start + end });
  return [
    cellOf(0, place(from.index, last.index + last[0].length)),
    ...values.slice(notes).map(({ start, end }, nth) => cellOf(nth + 1, place(start, end))),
  ];
}

/** Joins groups of digits: "1 284,6 1 197,3" are two amounts. */
function amountsOf(words: readonly RegExpExecArray[]): { text: string; start: number; end: number }[] {
  const amounts: { text: string; start: number; end: number; isOpen: boolean }[] = [];
  for (const { 0: text, index } of words) {
    const last = amounts.at(-1);
    if (last?.isOpen === true && nextGroup.test(text) && index === last.end + 1) {
      last.text += text;
      last.end = index + text.length;
      last.isOpen = /^\d{3}$/.test(text);
    } else amounts.push({ text, start: index, end: index + text.length, isOpen: firstGroup.test(text) });
  }
  return amounts;
}

function cellOf(from: number, piece: Range): GridCell {
  return { pieces: [piece], from, to: from + 1 };
}
