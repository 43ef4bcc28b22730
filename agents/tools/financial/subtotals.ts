/**
 * Table totals that differ from the sum of the rows above them although the same rows add up in another column; and debits
 * compared with credits.
 */
import type { Cell, Row } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import type { DocumentReading } from './document-reading.ts';
import { normaliseName } from './line-items.ts';
import { labelOf } from './periods.ts';
import { absolute, add, compare, multiply, type Rational, rational, subtract, zero } from './rational.ts';
import { amountCell } from './table-rows.ts';
import type { ReadTable } from './table-state.ts';

export interface SubtotalFailure extends Range {
  readonly check: 'subtotal' | 'debits-credits';
  readonly label: string;
  readonly period?: string;
  readonly printed: Rational;
  readonly parts: Rational;
}

/** Maximum number of rows in a sum. */
const rowsMax = 40;
const tablesMax = 60;
const totalName =
  /^(?:sub ?)?(?:total|totals|totale|totaal|summe|gesamt|somme|suma|som)\b|\b(?:total|gesamt|insgesamt|totale)$|^net cash (?:provided|used|from|generated)/;

export function tableSubtotals(reading: DocumentReading): SubtotalFailure[] {
  let isTrialBalance = false;
  const found = reading.tables.slice(0, tablesMax).flatMap((read) => {
    const [debits, credits] = sidesOf(read);
    // Continuation pages have no headings.
    isTrialBalance = (debits !== -1 && credits !== -1) || (isTrialBalance && read.table.headerRows.length === 0);
    return [...totalsOf(read, reading), ...(isTrialBalance ? debitsOf(read, reading) : [])];
  });
  return found.filter((failure, index) => !followsFrom(failure, found.slice(0, index)));
}

/** A total that is wrong by as much as a subtotal above it is right: only the subtotal was misprinted. */
function followsFrom({ period, printed, parts }: SubtotalFailure, above: readonly SubtotalFailure[]): boolean {
  return above.some(
    (other) =>
      other.check === 'subtotal' &&
      other.period === period &&
      !isNothing(subtract(printed, parts)) &&
      compare(subtract(printed, parts), subtract(other.parts, other.printed)) === 0,
  );
}

function totalsOf(read: ReadTable, reading: DocumentReading): SubtotalFailure[] {
  const { rows } = read.table;
  return rows.flatMap(({ cells }, index) => {
    const label = cells[0]?.text ?? '';
    return totalName.test(normaliseName(label)) ? failureOf(rows, index, label, read, reading) : [];
  });
}

/** The longest run of rows above the total that adds up to it in one column and not in another. */
function failureOf(
  rows: readonly Row[],
  index: number,
  label: string,
  read: ReadTable,
  reading: DocumentReading,
): SubtotalFailure[] {
  const columns = read.columns.flatMap(({ period, isOther }, column) =>
    column > 0 && period !== undefined && !isOther ? [column] : [],
  );
  if (columns.length < 2) return [];
  const value = (row: Row, column: number) =>
    row.cells[column] === undefined ? zero : amountCell(row.cells[column]!, reading.document.decimalMark).value;
  const printed = columns.map((column) => value(rows[index]!, column));
  const sums: Rational[] = columns.map(() => zero);
  let count = 0;
  let found: SubtotalFailure[] | undefined;
  const failuresIn = (failing: readonly { column: number; nth: number }[]) =>
    failing.map(({ column, nth }): SubtotalFailure => {
      const { period, zeros } = read.columns[column]!;
      const { start, end } = rows[index]!.cells[column]!;
      const factor = rational(10n ** BigInt(zeros ?? read.zeros));
      const at =
        period === undefined
          ? undefined
          : (labelOf(period, false, reading.calendar) ?? labelOf(period, true, reading.calendar));
      const dated = at === undefined ? {} : { period: at };
      const [stated, parts] = [multiply(printed[nth]!, factor), multiply(sums[nth]!, factor)];
      return { check: 'subtotal', label, ...dated, printed: stated, parts, start, end };
    });
  for (let at = index - 1; at >= 0 && index - at <= rowsMax; at -= 1) {
    const row = rows[at]!;
    const amounts = columns.map((column) => value(row, column));
    if (amounts.some((amount) => amount === undefined)) break;
    if (row.cells.slice(1).every((cell) => cell === undefined)) {
      if (count > 0 && row.cells[0]!.text.endsWith(':')) break;
      continue;
    }
    amounts.forEach((amount, nth) => {
      sums[nth] = add(sums[nth]!, amount!);
    });
    count += 1;
    if (count < 2) continue;
    const agreeing = columns.map(
      (column, nth) =>
        printed[nth] !== undefined && isClose(printed[nth]!, sums[nth]!, rows[index]!.cells[column], count),
    );
    const used = columns.filter((_, nth) => printed[nth] !== undefined && !isNothing(printed[nth]!));
    if (!agreeing.some((agrees, nth) => agrees && !isNothing(printed[nth]!))) continue;
    const failing = columns.flatMap((column, nth) =>
      !agreeing[nth] && printed[nth] !== undefined && rows[index]!.cells[column] !== undefined ? [{ column, nth }] : [],
    );
    if (failing.length === 0 || failing.length * 2 > used.length) return [];
    // A row further up may be zero in the columns that agree: a debt of this year, with a dash for the year before.
    const above = rows[at - 1];
    const next = columns.map((column) => (above === undefined ? undefined : value(above, column)));
    const goesOn =
      above?.cells.slice(1).some((cell) => cell !== undefined) === true &&
      next.every((amount, nth) => amount !== undefined && (!agreeing[nth] || isNothing(amount)));
    found = failuresIn(failing);
    if (!goesOn) break;
  }
  return found ?? [];
}

function isNothing({ numerator }: Rational): boolean {
  return numerator === 0n;
}

/** Each row may be off by half of its last digit, because it is rounded. */
function isClose(printed: Rational, together: Rational, cell: Cell | undefined, count: number): boolean {
  const decimals = /[.,](\d{1,2})\)?$/.exec(cell?.text.trim() ?? '')?.[1]?.length ?? 0;
  const unit: Rational = {
    numerator: BigInt(Math.max(1, Math.floor(count / 2))),
    denominator: 10n ** BigInt(decimals),
  };
  const bound = decimals === 2 ? { numerator: 2n, denominator: 100n } : unit;
  return compare(absolute(subtract(printed, together)), bound) <= 0;
}

const debitHeading = /\b(?:soll|debits?|d[ée]bit|debe|dare|debet)\b/iu;
const creditHeading = /\b(?:haben|credits?|cr[ée]dit|haber|avere|credit)\b/iu;

function sidesOf({ table }: ReadTable): [number, number] {
  const headings = table.columns.map(({ headerCells }) => headerCells.map(({ text }) => text).join(' '));
  return [
    headings.findLastIndex((text) => debitHeading.test(text)),
    headings.findLastIndex((text) => creditHeading.test(text)),
  ];
}

/** The last line of a trial balance. */
function debitsOf(read: ReadTable, { document, calendar }: DocumentReading): SubtotalFailure[] {
  const [debits, credits] = sidesOf(read);
  return read.table.rows.flatMap(({ cells }): SubtotalFailure[] => {
    const label = cells
      .slice(0, 2)
      .map((cell) => cell?.text ?? '')
      .join(' ')
      .trim();
    if (
      !/^(?:total|totals|totale|totaal|summe|summen|gesamt|suma|sumas|totaux|sumas iguales|gesamtsumme)\b/i.test(label)
    )
      return [];
    const amounts = cells.flatMap((cell) =>
      cell === undefined ? [] : (amountCell(cell, document.decimalMark).value ?? []),
    ) as Rational[];
    const [debit, credit] = [cells[debits], cells[credits]].map((cell) =>
      cell === undefined ? undefined : amountCell(cell, document.decimalMark).value,
    );
    const pair =
      debit !== undefined && credit !== undefined ? [debit, credit] : amounts.length === 2 ? amounts : undefined;
    if (pair === undefined || compare(pair[0]!, pair[1]!) === 0) return [];
    const factor = rational(10n ** BigInt(read.zeros));
    const first = cells.find((cell) => cell !== undefined)!;
    return [
      {
        check: 'debits-credits',
        label,
        ...(calendar.end === undefined ? {} : { period: calendar.end }),
        printed: multiply(pair[0]!, factor),
        parts: multiply(pair[1]!, factor),
        start: first.start,
        end: cells.findLast((cell) => cell !== undefined)!.end,
      },
    ];
  });
}
