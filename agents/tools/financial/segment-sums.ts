/** Withholds figures of segments that no printed amount confirms: their columns or rows may show something else. */
import type { DocumentReading } from './document-reading.ts';
import { normaliseName } from './line-items.ts';
import { absolute, compare, divide, multiply, type Rational, rational, subtract, sum } from './rational.ts';
import type { SegmentFigure } from './segment-figures.ts';
import { isTotal } from './segment-names.ts';
import { amountCell } from './table-rows.ts';
import type { ReadTable } from './table-state.ts';

/** The figures of segments that add up to a printed amount, and the results of segments whose revenue does. */
export function confirmedSegments(figures: readonly SegmentFigure[], reading: DocumentReading): SegmentFigure[] {
  const byTable = Map.groupBy(figures, ({ start }) => reading.tables.find(({ table }) => contains(table, start)));
  return [...byTable].flatMap(([read, own]) => {
    if (read === undefined) return [];
    const printed = printedAmounts(read, reading);
    const unit = rational(10n ** BigInt(read.zeros));
    const confirmed = new Set(
      [...Map.groupBy(own, groupOf)]
        .filter(
          ([, group]) =>
            addsUp(group, printed, unit) ||
            addsUpReconciled(group, printed, unit, read, reading) ||
            isTotalled(group, read, reading),
        )
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

/** The row of the total prints the revenue of the statements, and the segments differ from it by a misprint. */
function isTotalled(
  group: readonly SegmentFigure[],
  { table, columns, zeros }: ReadTable,
  reading: DocumentReading,
): boolean {
  const [first] = group;
  if (group.length < 2 || first!.item !== 'revenue') return false;
  const column = table.rows.flatMap(({ cells }) =>
    cells.flatMap((cell, index) => (cell?.start === first!.start ? [index] : [])),
  )[0];
  const total = table.rows.findLast(({ cells }) => isTotal(normaliseName(cells[0]?.text ?? '')));
  const cell = column === undefined ? undefined : total?.cells[column];
  const value = cell === undefined ? undefined : amountCell(cell, reading.document.decimalMark).value;
  if (value === undefined) return false;
  const printed = multiply(value, rational(10n ** BigInt(columns[column!]?.zeros ?? zeros)));
  const isRevenue = reading.figures.some(
    (figure) => figure.item === 'revenue' && figure.period === first!.period && compare(figure.value, printed) === 0,
  );
  const difference = absolute(subtract(printed, sum(group.map(({ value: own }) => own))));
  return isRevenue && compare(multiply(difference, rational(misprintFactor)), absolute(printed)) <= 0;
}

/** A difference of at most a twentieth. */
const misprintFactor = 20n;

const reconciling =
  /\b(?:elimin\w*|elim|inter ?segment\w*|corporate|unallocated|central|zentral\w*|holding|konsolidierung\w*|uberleitung\w*|konsolideringar|koncerngemensamt\w*|gruppen\w*|gemeinsam\w*|other|others|sonstige\w*|autres?|altri|altro|otros|overige?|ovrigt|non allou\w*|nicht zugeordnet|adjustments?|head office|shared)\b/;

/** With the eliminations and the costs of the head office in the same column, or in the same row. */
function addsUpReconciled(
  group: readonly SegmentFigure[],
  printed: readonly Rational[],
  unit: Rational,
  { table, columns, zeros }: ReadTable,
  { document }: DocumentReading,
): boolean {
  const starts = new Set(group.map(({ start }) => start));
  const rows = table.rows.filter(({ cells }) => cells.some((cell) => cell !== undefined && starts.has(cell.start)));
  const places = new Set(
    rows.flatMap(({ cells }) =>
      cells.flatMap((cell, column) => (cell !== undefined && starts.has(cell.start) ? [column] : [])),
    ),
  );
  const isRows = places.size === 1;
  const [column] = places;
  const others = isRows
    ? table.rows.flatMap((row) => {
        const name = normaliseName(row.cells[0]?.text ?? '');
        return !rows.includes(row) && !isTotal(name) && reconciling.test(name) ? [row.cells[column!]] : [];
      })
    : rows.length === 1
      ? table.columns.flatMap(({ headerCells }, index) =>
          !places.has(index) && reconciling.test(normaliseName(headerCells.map(({ text }) => text).join(' ')))
            ? [rows[0]!.cells[index]]
            : [],
        )
      : [];
  const amounts = others.flatMap((cell) =>
    cell === undefined ? [] : (amountCell(cell, document.decimalMark).value ?? []),
  );
  if (amounts.length === 0) return false;
  const factor = rational(10n ** BigInt(columns[column ?? 0]?.zeros ?? zeros));
  const reconciled = amounts.map(
    (value, index): SegmentFigure => ({ ...group[0]!, segment: `${index}`, value: multiply(value, factor) }),
  );
  return addsUp([...group, ...reconciled], printed, unit);
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
