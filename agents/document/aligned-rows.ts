/** Lines of tables whose columns are aligned by blanks: headings above the columns, labels without amounts, and lines that are no rows. */
import { trimRange } from '../tools/text/lines.ts';
import type { Range } from '../tools/text/span.ts';
import { findPeriodHeading, isNumberCell } from './cell-kinds.ts';
import { isRule, splitCells } from './grid.ts';
import { kindAt, lineStart } from './line-kinds.ts';
import type { GridRow } from './parts.ts';
import { periodCells } from './period-cells.ts';

/** Periods with single blanks between them, above rows with wider gaps. */
export function headingOfColumns(text: string, lines: readonly Range[], index: number): GridRow | undefined {
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

/** A heading that begins further to the left may be the label of a row. */
const cornerCharactersMin = 16;
const lengthOfPeriod = /\b(?:months|weeks|quarters?|years?) (?:ended|ending)\b|^as (?:of|at)\b/i;

/** "Nine Months Ended" alone on a line above "Sept. 27,    Sept. 28,": the heading of all columns. */
export function headingOfGroup(text: string, lines: readonly Range[], index: number): GridRow | undefined {
  const line = lines[index]!;
  const content = trimRange(text, line);
  const from = content.start - line.start;
  if (from < cornerCharactersMin || content.end - content.start > 60) return undefined;
  if (!lengthOfPeriod.test(text.slice(content.start, content.end))) return undefined;
  const below = lines.slice(index + 1, index + 3).find((next) => !isRule(text, next));
  if (below === undefined || kindAt(text, below, 'blanks') !== 'blanks') return undefined;
  const cells = splitCells(text, below, 'blanks');
  const isHeading =
    cells.length > 1 &&
    cells[0]!.from >= cornerCharactersMin &&
    cells.every(({ start, end }) => !isAmount(text.slice(start, end)));
  return isHeading ? [{ pieces: [content], from, to: content.end - line.start }] : undefined;
}

const remarks = /^[ \t]*\([^()]{3,80}\)(?: {2,4}\([^()]{3,80}\))+[ \t]*$/;

/** "(In thousands, except per share amounts)  (Unaudited)" above the headings: a caption in two parts. */
export function isOfRemarks(text: string, line: Range): boolean {
  return line.end - line.start <= 200 && remarks.test(text.slice(line.start, line.end));
}

/** Below a letterhead in columns, a heading between two rules that has more columns begins a table of its own. */
export function isTableBelow(text: string, lines: readonly Range[], rule: number, above: readonly GridRow[]): boolean {
  const [heading, end] = [lines[rule + 1], lines[rule + 2]];
  if (heading === undefined || end === undefined || !isRule(text, end)) return false;
  if (kindAt(text, heading, 'blanks') !== 'blanks') return false;
  const cells = splitCells(text, heading, 'blanks');
  // "Cash at end of period   $  83,437   $  82,305" between two rules is a total.
  if (cells.some(({ start, end }) => isAmount(text.slice(start, end)))) return false;
  const count = cells.length;
  return above.every(({ length }) => length < count);
}

function isAmount(text: string): boolean {
  return isNumberCell(text) && !findPeriodHeading(text);
}

/** "3.5  Not to assign the whole of" is a paragraph whose number is separated by blanks, and not a table row. */
export function isNumberedProse(text: string, line: Range): boolean {
  return /^\d{1,2}[ \t]{2,8}(?=[^\n]*\p{Lu}{4})[\p{Lu} ,&'’()/-]{4,60}$|^[ \t]{0,24}(?:\([a-z]{1,4}\)|\(\d{1,2}\)|\d{1,2}(?:\.\d{1,2}){2,3}[.)]?)[ \t]{1,8}[^ \t|]+(?: [^ \t]+){0,30}$|^[ \t]{0,12}(?:\d{1,2}(?:\.\d{1,2}){1,3}[.)]?|\d{1,2}[.)]|\([a-z]{1,4}\)|\(\d{1,2}\))[ \t]{2,8}["“„»«(]?\p{Lu}[^ \t]*(?: [^ \t]+){3,30}$/u.test(
    text.slice(line.start, Math.min(line.end, line.start + 240)).trimEnd(),
  );
}

/** "* after analgesia    monitor 2" below a cell "14*": the note of a mark is no row, and its columns are its own. */
export function isNoteOf(text: string, lines: readonly Range[], from: number, at: number): boolean {
  const mark = /^[ \t]{0,24}([*†‡§])[ \t]\p{L}/u.exec(lineStart(text, lines[at]!))?.[1];
  if (mark === undefined) return false;
  const rows = text.slice(lines[Math.max(from, at - 40)]!.start, lines[at]!.start).split(mark);
  return rows.slice(0, -1).some((before) => /[\p{L}\d]$/u.test(before));
}

/** Labels below each other, before the next row. */
const labelLinesMax = 3;

/**
 * Whether an empty line or a short label between two rows belongs to the table: a label directly above a row, a label that is broken over
 * lines, or an empty line above the title of a group.
 * @param hasAmounts whether a row of amounts precedes; below the headings, any label opens the first group
 */
export function isLabelRow(text: string, lines: readonly Range[], at: number, hasAmounts: boolean): boolean {
  const shown = lineStart(text, lines[at]!).trim();
  if (shown !== '' && !isLabel(shown)) return false;
  let labels = 0;
  for (let ahead = at + 1; ahead <= at + 1 + labelLinesMax && ahead < lines.length; ahead += 1) {
    const next = lines[ahead]!;
    if (next.end === next.start) {
      if (shown === '' || labels > 0 || ahead > at + 1) return false;
      continue;
    }
    if (isRule(text, next) || (kindAt(text, next, 'blanks') === 'blanks' && /\d/.test(lineStart(text, next))))
      return labels === 0 ? ahead <= at + 2 : isRowOfAmounts(text, splitCells(text, next, 'blanks'));
    const label = lineStart(text, next).trim();
    if (!isLabel(label) || (ahead > at + 1 && lines[ahead - 1]!.end === lines[ahead - 1]!.start)) return false;
    const opensGroup = shown === '' && labels === 0;
    if (opensGroup ? !label.endsWith(':') && hasAmounts : !continuesLabel(text, lines[ahead - 1]!, next)) return false;
    labels += 1;
  }
  return false;
}

function isLabel(shown: string): boolean {
  return shown.length <= 70 && !/[.;!?]$/.test(shown) && !/^#/.test(shown);
}

/** "Adjustments to reconcile net income to net", "    cash provided by operating activities:". */
function continuesLabel(text: string, above: Range, line: Range): boolean {
  const [one, other] = [lineStart(text, above), lineStart(text, line)];
  const indent = (shown: string) => shown.search(/\S/);
  return one.trimEnd().endsWith(':')
    ? indent(other) > indent(one)
    : indent(other) > indent(one) || /^\s*\p{Ll}/u.test(other);
}

/** A label with at least one amount. @param cells of the row */
export function isRowOfAmounts(text: string, cells: readonly Range[]): boolean {
  const [label, ...amounts] = cells.map(({ start, end }) => text.slice(start, end));
  return /\p{L}/u.test(label ?? '') && amounts.some(isAmount);
}
