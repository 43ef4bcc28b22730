/**
 * Statements with one cell per line, as text extracted from a PDF file prints them: the headings of the columns, then each label
 * with as many numbers below it as there are columns.
 */
import type { Range } from '../tools/text/span.ts';
import { findPeriodHeading, isNumberCell } from './cell-kinds.ts';
import type { GridCell, GridRow, Part } from './parts.ts';

const lineCharactersMax = 90;
const headingLinesMax = 24;
const columnsMax = 8;
const rowsMin = 3;
/** Label lines above the numbers of a row: titles of groups, and a label that is broken over lines. */
const labelLinesMax = 4;
const dayShape = /^(?:\p{L}{3,9}\.? \d{1,2},?|\d{1,2}\.? \p{L}{3,9}\.?)$/u;
const yearShape = /^(?:(?:FY|Q[1-4]|H[12]) ?)?(?:19|20)\d\d$/u;
const sign = /^(?:[€$£¥]|US\$)$/u;

/** @returns undefined if no such table begins at this line */
export function readStackedTable(
  text: string,
  lines: readonly Range[],
  index: number,
): { readonly parts: readonly Part[]; readonly next: number } | undefined {
  const shown = (at: number) => {
    const line = lines[at];
    return line === undefined || line.end - line.start > lineCharactersMax
      ? ''
      : text.slice(line.start, line.end).trim();
  };
  const isHeading = (at: number) => {
    const line = shown(at);
    return line !== '' && (findPeriodHeading(line) || dayShape.test(line));
  };
  // The headings above were examined with the first of them, so that a long list of years takes linear time.
  if (!isHeading(index) || (index > 0 && isHeading(index - 1))) return undefined;
  let body = index;
  while (body - index < headingLinesMax && isHeading(body)) body += 1;
  const headings = headingRows(lines.slice(index, body), (line) => text.slice(line.start, line.end).trim());
  if (headings === undefined) return undefined;
  const rows: GridRow[] = [...headings.rows];
  let [at, numbered] = [body, 0];
  for (;;) {
    const row = readRow(lines, at, headings.columns, shown);
    if (row === undefined) break;
    rows.push(...row.rows);
    numbered += 1;
    at = row.next;
  }
  if (numbered < rowsMin) return undefined;
  const next = lines[at]?.start ?? lines[at - 1]!.end;
  return { parts: [{ kind: 'table', rows, grid: 'indices', next }], next: at };
}

/** "Three Months Ended | September 30, | 2025 | 2024": groups of equal width above years, or a day above each year. */
function headingRows(
  lines: readonly Range[],
  shown: (line: Range) => string,
): { readonly rows: readonly GridRow[]; readonly columns: number } | undefined {
  const first = lines.findIndex((line) => yearShape.test(shown(line)));
  if (first === -1) return undefined;
  const years = lines.slice(first);
  if (years.every((line) => yearShape.test(shown(line)))) return groupedRows(lines.slice(0, first), years, shown);
  const isPaired = lines.length % 2 === 0 && lines.every((line, at) => (at % 2 === 1) === yearShape.test(shown(line)));
  const columns = lines.length / 2;
  if (!isPaired || columns < 2 || columns > columnsMax) return undefined;
  const row = (odd: number) =>
    lines.filter((_, at) => at % 2 === odd).map((line, at) => cellOf([line], at + 1, at + 2));
  return { rows: [row(0), row(1)], columns };
}

function groupedRows(
  above: readonly Range[],
  years: readonly Range[],
  shown: (line: Range) => string,
): { readonly rows: readonly GridRow[]; readonly columns: number } | undefined {
  const columns = years.length;
  if (columns < 2 || columns > columnsMax) return undefined;
  const bottom = years.map((line, at) => cellOf([line], at + 1, at + 2));
  if (above.length === 0) return { rows: [bottom], columns };
  // "December 31," alone is above all years.
  if (above.length === 1 && dayShape.test(shown(above[0]!)))
    return { rows: [[cellOf([above[0]!], 1, columns + 1)], bottom], columns };
  const groups = above.filter((line) => !dayShape.test(shown(line))).length;
  const height = above.length / groups;
  const isEven = groups > 0 && columns % groups === 0 && Number.isInteger(height);
  if (!isEven || above.some((line, at) => dayShape.test(shown(line)) !== at % height > 0)) return undefined;
  const width = columns / groups;
  const rows = Array.from({ length: height }, (_, level) =>
    above
      .filter((_, at) => at % height === level)
      .map((line, group) => cellOf([line], 1 + group * width, 1 + (group + 1) * width)),
  );
  return { rows: [...rows, bottom], columns };
}

/** The labels of a row, and its numbers, each perhaps below the sign of its currency. */
function readRow(
  lines: readonly Range[],
  from: number,
  columns: number,
  shown: (at: number) => string,
): { readonly rows: readonly GridRow[]; readonly next: number } | undefined {
  let at = from;
  while (at - from < labelLinesMax && /\p{L}/u.test(shown(at)) && !isNumber(shown(at))) at += 1;
  const labels = lines.slice(from, at);
  if (labels.length === 0) return undefined;
  const cells: GridCell[] = [];
  while (cells.length < columns) {
    const pieces = sign.test(shown(at)) ? [lines[at]!] : [];
    const number = lines[at + pieces.length];
    if (number === undefined || !isNumber(shown(at + pieces.length))) return undefined;
    cells.push(cellOf([...pieces, number], cells.length + 1, cells.length + 2));
    at += pieces.length + 1;
  }
  // With more numbers than columns, the column of each is unknown; the number of a page is followed by a title.
  if (isNumber(shown(at)) && !/^\d{1,3}$/.test(shown(at))) return undefined;
  const own = cellOf([labels.at(-1)!], 0, 1);
  return { rows: [...labels.slice(0, -1).map((line) => [cellOf([line], 0, 1)]), [own, ...cells]], next: at };
}

function isNumber(line: string): boolean {
  return isNumberCell(line) && !sign.test(line);
}

function cellOf(pieces: readonly Range[], from: number, to: number): GridCell {
  return { pieces, from, to };
}
