/**
 * Handles rows of blank-aligned tables whose label is longer than its column: their amounts follow after one blank, or too far
 * to the right.
 */
import type { Range } from '../tools/text/span.ts';
import { isNumberCell } from './cell-kinds.ts';

export interface Cell extends Range {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Whether the format itself marks the cell as a heading. */
  readonly isHeading?: true;
}

/** Two adjacent cells as one. */
export function joinCells(left: Cell, right: Cell, gap: string): Cell {
  const { start, from } = left;
  const { end, to } = right;
  return { start, end, from, to, text: left.text + gap + right.text };
}

const enumerator = /^(?:\(?(?:[IVX]{1,5}|\d{1,2}|[A-Za-z])[.)]|[-–•])$/;

/** In "V.   Net income", blanks separate the line number from its label, but both are one label. */
export function joinEnumerator(cells: readonly Cell[]): readonly Cell[] {
  const [first, second, ...rest] = cells;
  if (first === undefined || second === undefined || !enumerator.test(first.text) || !/^\p{L}/u.test(second.text))
    return cells;
  return [joinCells(first, second, ' '), ...rest];
}

/**
 * "Cash at the beginning of the period 470 368      560": a long label leaves one blank before the first amounts. If a row has
 * fewer cells than most rows, and one of its cells ends in as many numbers as are missing, each of these numbers becomes a
 * cell.
 */
export function splitOverflowing(lines: readonly (readonly Cell[])[]): (readonly Cell[])[] {
  const usual = usualCount(lines);
  const hasNotes = lines.filter((cells) => cells.length > 2 && noteNumber.test(cells[1]!.text)).length > 1;
  const isSpaced = lines.some((cells) => cells.some(({ text }) => spacedNumber.test(text)));
  return lines.map((cells) => {
    // In "Trade receivables and contract assets 15     28,330", 15 is the number of the note.
    const isNoted =
      hasNotes &&
      cells.length > 1 &&
      / \d{1,2}$/.test(cells[0]!.text) &&
      isNumberCell(cells[1]!.text) &&
      !noteNumber.test(cells[1]!.text);
    if (isNoted) return [...(overflowOf(cells[0]!, 1, false) ?? [cells[0]!]), ...cells.slice(1)];
    const missing = usual - cells.length;
    if (missing < 1 || cells.length === 0) return cells;
    const isOverflowing = ({ text }: Cell) => text.length <= overflowMax && / [-–(]?[$€£]?\d[^ ]*$/u.test(text);
    const at = cells.findIndex(
      (cell, index) =>
        isOverflowing(cell) &&
        (index === 0 || isNumberCell(cell.text) || /^[-–(]?[\d.,]+ [\d.,() -]+$/.test(cell.text)),
    );
    if (cells.some(({ text }, index) => index > 0 && index !== at && !isNumberCell(text))) return cells;
    const parts = at === -1 ? undefined : overflowOf(cells[at]!, missing, isSpaced);
    return parts === undefined ? cells : [...cells.slice(0, at), ...parts, ...cells.slice(at + 1)];
  });
}

/**
 * "Waalkade Ventures Holding B.V. Preferred A": a long cell leaves one blank before a column of words, which begins where the heading
 * and the cells of most rows do.
 */
export function splitTextColumns(
  header: readonly (readonly Cell[])[],
  body: readonly (readonly Cell[])[],
): (readonly Cell[])[] {
  const usual = usualCount(body);
  const rows = body.filter(({ length }) => length > 1).length;
  const counts = new Map<number, number>();
  for (const { from, text } of body.flatMap((cells) => cells.slice(1)))
    if (/^\p{L}/u.test(text)) counts.set(from, (counts.get(from) ?? 0) + 1);
  const headed = new Set(header.flatMap((cells) => cells.slice(1)).map(({ from }) => from));
  const starts = [...counts].flatMap(([from, count]) => (headed.has(from) && count * 2 >= rows ? [from] : []));
  if (usual === 0 || starts.length === 0) return [...body];
  return body.map((cells) =>
    cells.length < 2 || cells.length >= usual ? cells : cells.flatMap((cell) => splitAt(cell, starts)),
  );
}

function splitAt(cell: Cell, starts: readonly number[]): Cell[] {
  const { text, start, end, from, to } = cell;
  // Marks of the form make the shown text shorter than its source.
  if (text.length !== end - start || text.length !== to - from) return [cell];
  const cut = starts.map((each) => each - from).find((at) => at > 1 && at < text.length && text[at - 1] === ' ');
  if (cut === undefined || !/^\p{L}/u.test(text.slice(cut))) return [cell];
  return [
    { text: text.slice(0, cut - 1), start, end: start + cut - 1, from, to: from + cut - 1 },
    { text: text.slice(cut), start: start + cut, end, from: from + cut, to },
  ];
}

const noteNumber = /^\d{1,2}$/;
const overflowMax = 200;
/** "1 204 660" */
const spacedNumber = /^[-–(]?\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)/;

/** The number of cells of more than half of the rows with several cells; 0 if there is no such number. */
function usualCount(lines: readonly (readonly Cell[])[]): number {
  const counts = new Map<number, number>();
  let rows = 0;
  for (const { length } of lines) {
    if (length < 2) continue;
    rows += 1;
    counts.set(length, (counts.get(length) ?? 0) + 1);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return best !== undefined && best[0] > 2 && best[1] * 2 > rows && best[1] > 2 ? best[0] : 0;
}

function overflowOf(cell: Cell, missing: number, isSpaced: boolean): Cell[] | undefined {
  const { text, start, from } = cell;
  const tokens = [...text.matchAll(/\S+/g)];
  const numbers: RegExpMatchArray[] = [];
  while (tokens.length > 0 && /^[-–(]?[$€£]?\d[\d.,'’]*\)?$/u.test(tokens.at(-1)![0])) numbers.unshift(tokens.pop()!);
  const label = tokens.at(-1);
  const isLabelled = label !== undefined && /\p{L}/u.test(text);
  // "1 204 660" is one number.
  const isGrouped = missing === 1 && numbers.length > 1 && numbers.slice(1).every(([all]) => /^\d{3}\)?$/.test(all));
  const isCounted = isLabelled ? numbers.length === missing : tokens.length === 0 && numbers.length === missing + 1;
  // If blanks separate thousands, "4 988" is one amount and not two.
  if (
    isSpaced
      ? !(isLabelled && missing === 1 && (isGrouped || numbers.length === 1))
      : !isCounted && !(isLabelled && isGrouped)
  )
    return undefined;
  const part = (at: number, to: number): Cell => ({
    text: text.slice(at, to),
    start: start + at,
    end: start + to,
    from: from + at,
    to: from + to,
  });
  const amounts =
    isGrouped && !isCounted
      ? [part(numbers[0]!.index!, text.length)]
      : numbers.map((match) => part(match.index!, match.index! + match[0].length));
  return isLabelled ? [part(0, label.index! + label[0].length), ...amounts] : amounts;
}

/**
 * Rows whose label extends into the column of the first amounts and displaces them to the right. They are not used to find
 * columns. Their amounts are in order; if there are fewer amounts than columns, their columns are unknown.
 */
export function pushedRows(body: readonly (readonly Cell[])[]): ReadonlySet<readonly Cell[]> {
  const numbered = body.filter((cells) => cells.length > 1 && isNumberCell(cells[1]!.text));
  const ends = new Map<number, number>();
  for (const cells of numbered) ends.set(cells[1]!.to, (ends.get(cells[1]!.to) ?? 0) + 1);
  const [edge] = [...ends].sort((a, b) => b[1] - a[1]);
  if (edge === undefined || edge[1] < 2 || edge[1] * 5 < numbered.length * 2) return new Set();
  return new Set(
    numbered.filter(
      ([label, amount]) =>
        amount!.to > edge[0] + 1 &&
        amount!.from - label!.to <= 3 &&
        label!.to + 3 > edge[0] - (amount!.to - amount!.from),
    ),
  );
}
