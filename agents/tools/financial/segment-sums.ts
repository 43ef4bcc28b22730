/** Withholds figures of segments that no printed amount confirms: their columns or rows may show something else. */
import { absolute, compare, divide, multiply, type Rational, rational, subtract, sum } from './rational.ts';
import type { SegmentFigure } from './segment-figures.ts';
import type { DocumentReading } from './statements.ts';
import { amountCell } from './table-rows.ts';
import type { ReadTable } from './table-state.ts';

/** The figures of segments that add up to a printed amount, and the results of segments whose revenue does. */
export function confirmedSegments(figures: readonly SegmentFigure[], reading: DocumentReading): SegmentFigure[] {
  const keyOf = ({ item, period, start }: SegmentFigure) =>
    [tableAt(reading, start)?.table.start, period, item].join('|');
  const groups = Map.groupBy(figures, keyOf);
  const confirmed = new Set([...groups].filter(([, group]) => addsUp(group, reading)).map(([key]) => key));
  return figures.filter(
    (figure) => confirmed.has(keyOf(figure)) || confirmed.has(keyOf({ ...figure, item: 'revenue' })),
  );
}

function addsUp(group: readonly SegmentFigure[], reading: DocumentReading): boolean {
  const read = tableAt(reading, group[0]!.start);
  if (read === undefined || group.length < 2) return false;
  const total = sum(group.map(({ value }) => value));
  const unit = rational(10n ** BigInt(read.zeros));
  const printed = read.table.rows.flatMap(({ cells }) =>
    cells.flatMap((cell, column) => {
      const value = cell === undefined ? undefined : amountCell(cell, reading.document.decimalMark).value;
      return value === undefined
        ? []
        : multiply(value, rational(10n ** BigInt(read.columns[column]?.zeros ?? read.zeros)));
    }),
  );
  // Each segment may be off by half of its last digit, because it is rounded.
  const tolerance = multiply(unit, {
    numerator: BigInt(group.length),
    denominator: hasDecimals(group, unit) ? 20n : 2n,
  });
  return [...printed, ...reading.figures.map(({ value }) => value)].some(
    (value) => compare(absolute(subtract(value, total)), tolerance) <= 0,
  );
}

function hasDecimals(group: readonly SegmentFigure[], unit: Rational): boolean {
  return group.some(({ value }) => divide(value, unit).denominator !== 1n);
}

function tableAt({ tables }: DocumentReading, at: number): ReadTable | undefined {
  return tables.find(({ table }) => at >= table.start && at < table.end);
}
