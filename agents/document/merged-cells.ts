/** Rows between bars in which one cell extends over several columns, so that they have fewer bars than their heading. */
import type { Range } from '../tools/text/span.ts';
import type { GridRow } from './parts.ts';

/**
 * Places the cells of rows with fewer cells by the characters at which the bars of the heading stand: "| no sample      | 36.8 |" under
 * "| Pressure | Pulse | Temp |". Rows whose bars are not aligned keep their order. Changes `rows` in place.
 */
export function placeMergedCells(text: string, lines: readonly Range[], rows: GridRow[]): void {
  const barLines = lines.flatMap((line) => {
    const bars = barsOf(text, line);
    return bars.length > 1 ? [{ line, bars }] : [];
  });
  const heading = barLines[0]?.bars;
  const width = rows[0]?.length ?? 0;
  if (heading === undefined || heading.length !== width + 1) return;
  for (const [index, row] of rows.entries()) {
    if (row.length >= width || row.length < 2) continue;
    const at = row.find(({ pieces }) => pieces.length > 0)?.pieces[0]?.start;
    const found = at === undefined ? undefined : barLines.find(({ line }) => line.start <= at && at <= line.end);
    if (found === undefined || found.bars.length !== row.length + 1) continue;
    const places = found.bars.map((bar) => heading.indexOf(bar));
    if (places.includes(-1)) continue;
    rows[index] = row.map((cell, nth) => ({ ...cell, from: places[nth]!, to: places[nth + 1]! }));
  }
}

/** Offsets of the bars in their line. */
function barsOf(text: string, { start, end }: Range): number[] {
  const bars: number[] = [];
  for (let at = start; at < end && at - start < 1_024; at += 1)
    if (text[at] === '|' && text[at - 1] !== '\\') bars.push(at - start);
  return bars;
}
