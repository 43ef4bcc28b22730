/** Withholds figures of segments that no printed amount confirms: their columns or rows may show something else. */
import type { DocumentReading } from './document-reading.ts';
import { absolute, compare, divide, multiply, type Rational, rational, subtract, sum } from './rational.ts';
import type { SegmentFigure } from './segment-figures.ts';
import { amountCell } from './table-rows.ts';
import type { ReadTable } from './table-state.ts';

/** The figures of segments that add up to a printed amount, and the results of segments whose revenue does. */
export function confirmedSegments(figures: readonly SegmentFigure[], reading: DocumentReading): SegmentFigure[] {
  const byTable = Map.groupBy(figures, ({ start }) => reading.tables.find(({ table }) => contains(table, start)));
  return [...byTable].flatMap(([read, own]) => {
    if (read === undefined) return [];
    const printed = printedAmounts(read, reading);
    const confirmed = new Set(
      [...Map.groupBy(own, groupOf)]
        .filter(([, group]) => addsUp(group, printed, rational(10n ** BigInt(read.zeros))))
        .map(([name]) => name),
    );
    return own.filter(
      (figure) => confirmed.has(groupOf(figure)) || confirmed.has(groupOf({ ...figure, item: 'revenue' })),
    );
  });
}

function groupOf({ item, period }: SegmentFigure): string {
  return `${item}|${period}`;
}

function addsUp(group: readonly SegmentFigure[], printed: readonly Rational[], unit: Rational): boolean {
  if (group.length < 2) return false;
  const total = sum(group.map(({ value }) => value));
  // Each segment may be off by half of its last digit, because it is rounded.
  const tolerance = multiply(unit, {
    numerator: BigInt(group.length),
    denominator: hasDecimals(group, unit) ? 20n : 2n,
  });
  return printed.some((value) => compare(absolute(subtract(value, total)), tolerance) <= 0);
}

/** The amounts of the table, and those of all statements. */
function printedAmounts({ table, columns, zeros }: ReadTable, { document, figures }: DocumentReading): Rational[] {
  const own = table.rows.flatMap(({ cells }) =>
    cells.flatMap((cell, column) => {
      const value = cell === undefined ? undefined : amountCell(cell, document.decimalMark).value;
      return value === undefined ? [] : multiply(value, rational(10n ** BigInt(columns[column]?.zeros ?? zeros)));
    }),
  );
  return [...own, ...figures.map(({ value }) => value)];
}

function hasDecimals(group: readonly SegmentFigure[], unit: Rational): boolean {
  return group.some(({ value }) => divide(value, unit).denominator !== 1n);
}

function contains({ start, end }: ReadTable['table'], at: number): boolean {
  return at >= start && at < end;
}
