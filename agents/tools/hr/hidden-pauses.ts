/** Breaks in a column whose heading is not known: they make up the difference between the times and the hours of a row. */
import { hoursCell, pauseMinutes } from './clock-times.ts';
import type { Columns } from './timesheet-columns.ts';

/** Lengths that breaks usually have, in minutes. */
const usualPauses = new Set([15, 20, 30, 40, 45, 60, 75, 90]);

/** Number of rows that prove that a column contains breaks. */
const proofsMin = 2;

export class HiddenPauses {
  /** Rows by column in which the cell is the difference. */
  readonly #proofs = new Map<number, number>();
  #uncertainRows = 0;

  /** Rows with a cell that looks like a break and no printed hours that would prove it. */
  get uncertainRows(): number {
    return this.#uncertainRows;
  }

  /**
   * @param stretches times worked, in minutes of the day · @param stated printed minutes of the row
   * @returns minutes; undefined if no unknown column is the break
   */
  ofRow(
    cells: readonly string[],
    { unknown }: Columns,
    stretches: readonly (readonly [number, number])[],
    stated: number | undefined,
  ): number | undefined {
    const span = stretches.reduce((sum, [from, to]) => sum + ((to - from + 1_440) % 1_440), 0);
    const pauses = unknown.flatMap((column) => {
      const minutes = lengthOf(cells[column] ?? '');
      return minutes === undefined ? [] : [{ column, minutes }];
    });
    const printed = stated === undefined ? unknown.flatMap((column) => hoursCell(cells[column] ?? '') ?? []) : [stated];
    const proven = pauses.find(({ minutes }) => printed.some((hours) => Math.abs(span - minutes - hours) <= 1));
    if (proven !== undefined) {
      this.#proofs.set(proven.column, (this.#proofs.get(proven.column) ?? 0) + 1);
      return proven.minutes;
    }
    const known = pauses.find(({ column }) => (this.#proofs.get(column) ?? 0) >= proofsMin);
    if (known === undefined && stated === undefined && pauses.some(({ minutes }) => usualPauses.has(minutes)))
      this.#uncertainRows += 1;
    return known?.minutes;
  }
}

/** "0:30", "30", "45 min", "0,75": up to two hours. */
function lengthOf(text: string): number | undefined {
  if (!/^(?:\d{1,2}[:h]\d\d|\d{1,3}(?: ?(?:min\.?|m|['′]))?|\d[.,]\d{1,2}(?: ?h)?)$/iu.test(text)) return undefined;
  const minutes = pauseMinutes(text);
  return minutes !== undefined && minutes > 0 && minutes <= 120 ? minutes : undefined;
}
