/** Marks that laboratories print after a result, such as "+", "-", "*" or "H", in tables aligned by blanks. */
import { isNumberCell } from './cell-kinds.ts';
import { type Cell, joinCells } from './overflowing-rows.ts';

const mark = /^(?:[+\-−*!↑↓]{1,3}|[HL]{1,2})$/u;
const marked = /^[<>≤≥]? ?\d[\d.,]{0,10} ([+\-−*!↑↓]{1,3}|[HL]{1,2})$/u;
/** Marks are aligned, so that a short number is further from its mark than a long one. */
const blanksMax = 6;

/** "131,5 L", "402 +": a number and its mark in one cell. */
export function isMarkedResult(text: string): boolean {
  return text.length <= 20 && marked.test(text);
}

/**
 * Joins a mark to the number before it ("74   -") where another row has a mark directly after a number ("11,8 +") in about the same
 * position, and the table uses this mark so: without that, a dash is an empty cell.
 */
export function joinResultMarks(lines: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] {
  const marks = new Set<string>();
  const positions = new Set<number>();
  for (const { text, to } of lines.flat()) {
    const found = marked.exec(text)?.[1];
    if (found === undefined) continue;
    marks.add(found[0]!);
    for (const shift of [-1, 0, 1]) positions.add(to - found.length + shift);
  }
  return marks.size === 0 ? lines : lines.map((cells) => joinRow(cells, marks, positions));
}

function joinRow(cells: readonly Cell[], marks: ReadonlySet<string>, positions: ReadonlySet<number>): readonly Cell[] {
  const joined: Cell[] = [];
  for (const cell of cells) {
    const before = joined.at(-1);
    if (
      before !== undefined &&
      joined.length > 1 &&
      mark.test(cell.text) &&
      marks.has(cell.text[0]!) &&
      positions.has(cell.from) &&
      cell.from - before.to <= blanksMax &&
      isNumberCell(before.text.replace(/^[<>≤≥] ?/, ''))
    )
      joined[joined.length - 1] = joinCells(before, cell, ' ');
    else joined.push(cell);
  }
  return joined;
}
