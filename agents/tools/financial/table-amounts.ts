/** Converts amounts of a row or line to figures, with their periods, units and signs. */
import type { Table } from '../../document/table.ts';
import { findNumbers } from '../text/numbers.ts';
import type { Range } from '../text/span.ts';
import { titledPeriod } from './caption-periods.ts';
import { isLossLabel } from './labels.ts';
import { balanceItems, costItems, type LineItem, normaliseName, signedBalances, unscaledItems } from './line-items.ts';
import { endOfMonth } from './period-words.ts';
import { labelOf, periodOfCell, undated } from './periods.ts';
import { findProseAmounts } from './prose-sentences.ts';
import { absolute, compare, multiply, negate, parseRational, type Rational, rational } from './rational.ts';
import { captionCharactersMax } from './table-captions.ts';
import type { Column } from './table-columns.ts';
import { type AmountCell, amountCell, isDash, isInPence } from './table-rows.ts';
import { type ReadingState, vote } from './table-state.ts';
import { type TaggedAmount, taggedAmount } from './tagged-figures.ts';
import { readUnitNote } from './units.ts';

export interface ColumnAmount {
  readonly cell: AmountCell;
  readonly column: Column | undefined;
}

export function takeLine(
  state: ReadingState,
  item: LineItem,
  label: string,
  amounts: readonly AmountCell[],
  compared: readonly Column[],
) {
  const reported = state.columns.filter(({ period, isOther }) => period !== undefined && !isOther);
  const known = compared.length > 0 ? compared : reported;
  const titled = amounts.length === 1 ? titledPeriod([state.topic, ...state.captions], state.calendar) : undefined;
  const single: Column = titled === undefined ? undatedColumn : { period: titled, isOther: false };
  const columns =
    known.length === amounts.length && (titled === undefined || compared.length > 0)
      ? known
      : amounts.length === 1
        ? [single]
        : [];
  takeAmounts(
    state,
    [item],
    label,
    amounts.map((cell, index) => ({ cell, column: columns[index] })),
  );
}

export const undatedColumn: Column = { isOther: false };

const withinYear =
  /restlaufzeit (?:von )?bis zu (?:einem|1|einem \(1\)) jahr|due within one year|[àa] moins d.un an|a menos de un a[ñn]o|entro (?:l.esercizio successivo|un anno)|korter dan (?:een|1|één) jaar/iu;
const afterYear =
  /restlaufzeit (?:von )?(?:mehr als|[üu]ber) (?:einem|1) jahr|due after (?:more than )?one year|[àa] plus d.un an|oltre (?:l.esercizio successivo|un anno)|langer dan (?:een|1|één) jaar/iu;

/** "- davon mit einer Restlaufzeit bis zu einem Jahr EUR 640.000,00 (Vj. TEUR 640)" below a line of bank loans. */
export function takeMaturity(state: ReadingState, line: string, { start }: Range): boolean {
  const item = withinYear.test(line) ? 'short_term_debt' : afterYear.test(line) ? 'long_term_debt' : undefined;
  if (item === undefined || !state.hasBankLoans || line.length > captionCharactersMax) return false;
  const shown = line.replace(/\bun an\b|\b1 (?:Jahr|an|year)\b/giu, (all) => ' '.repeat(all.length));
  const amounts = findProseAmounts(shown, state.decimalMark);
  const bare =
    amounts.length > 0
      ? []
      : findNumbers(shown, { decimalMark: state.decimalMark }).filter(({ value }) => value.length > 2);
  const columns = state.columns.filter(({ period, isOther }) => period !== undefined && !isOther);
  for (const [index, found] of (amounts.length > 0 ? amounts : bare).slice(0, columns.length).entries()) {
    const value = parseRational(found.value);
    const column = columns[index]!;
    const period = periodIn(state, column, item);
    if (value === undefined || period === undefined) continue;
    const zeros = amounts.length > 0 ? 0 : (column.zeros ?? state.zeros);
    push(state, item, period, { start: start + found.start, end: start + found.end, text: '', value }, zeros);
  }
  state.hasBankLoans = false;
  return true;
}

/** A small integer in a column without a period is a note number or a line number. */
export function isNote(text: string): boolean {
  return /^\d{1,3}(?:\.\d{1,2})?$/.test(text);
}

export function takeAmounts(
  state: ReadingState,
  items: readonly LineItem[],
  label: string,
  amounts: readonly ColumnAmount[],
) {
  const note = readUnitNote(label);
  if (note?.currency !== undefined) vote(state, note.currency);
  const isNamedLoss = isLossLabel(label);
  for (const item of items) {
    // "Shares used in computing net loss per share" are no loss.
    const isLoss = isNamedLoss && item !== 'shares_basic' && item !== 'shares_diluted';
    // A note number may be below the heading of the adjacent amount.
    const own = amounts.filter((_, index) => !isNoteBeside(state, item, amounts, index));
    // "Group 2024, Group 2023, Company 2024, Company 2023": the group's columns come first.
    const periods = new Set<string>();
    for (const { cell, column = undatedColumn, column: headed } of own) {
      const tagged = taggedAmount(state, item, cell);
      if (tagged === 'other') continue;
      const period = tagged?.period ?? (headed === undefined ? undefined : periodIn(state, column, item));
      if (period === undefined || periods.has(period)) state.unassigned += 1;
      else
        push(
          state,
          item,
          period,
          cell,
          tagged?.zeros ?? zerosOf(state, item, cell, note, column, label),
          isLoss,
          tagged,
        );
      if (period !== undefined) periods.add(period);
    }
  }
}

/** Whether an integer of at most three digits is followed by an amount of the same period that is not one. */
function isNoteBeside(state: ReadingState, item: LineItem, amounts: readonly ColumnAmount[], index: number): boolean {
  const [{ cell, column }, next] = [amounts[index]!, amounts[index + 1]];
  return (
    isNote(cell.text) &&
    column?.mayBeNotes === true &&
    next?.column !== undefined &&
    isSamePeriod(state, column, next.column, item)
  );
}

function isSamePeriod(state: ReadingState, one: Column, other: Column, item: LineItem): boolean {
  const period = periodIn(state, one, item);
  return period !== undefined && period !== undated && period === periodIn(state, other, item);
}

function periodIn({ calendar }: ReadingState, { period }: Column, item: LineItem): string | undefined {
  if (period === undefined) return undated;
  if (item !== 'opening_cash') return labelOf(period, balanceItems.has(item), calendar);
  // Opening cash is the closing balance of the previous period.
  const flow = labelOf(period, false, calendar);
  if (flow !== undefined && /^\d{4}$/.test(flow)) return String(Number(flow) - 1);
  const { end, months } = period;
  if (end === undefined || months === undefined || months >= 12) return undefined;
  const [endYear, endMonth] = [Number(end.slice(0, 4)), Number(end.slice(5, 7))];
  // If periods count weeks, the date is unknown.
  if (end !== endOfMonth(endYear, endMonth)) return undefined;
  const index = endYear * 12 + endMonth - 1 - months;
  return labelOf({ end: endOfMonth(Math.floor(index / 12), (index % 12) + 1)!, isEstimate: false }, true, calendar);
}

function zerosOf(
  state: ReadingState,
  item: LineItem,
  cell: AmountCell,
  note: ReturnType<typeof readUnitNote>,
  column: Column,
  label: string,
): number {
  if (unscaledItems.has(item))
    return isInPence(cell.text) ||
      /\(\s?(?:pence|p|cents?|c|in cents|rappen|ct|[öo]re)\s?\)|,\s?(?:pence|cents|[öo]re)$/iu.test(label)
      ? -2
      : 0;
  if (note?.zeros !== undefined) return note.zeros;
  if (item === 'shares_outstanding' || item === 'shares_basic' || item === 'shares_diluted') {
    const shown = /\((?:in )?(millions?|thousands?|mio|tsd|000s?)/i.exec(label)?.[1];
    if (shown !== undefined) return /^mi/i.test(shown) ? 6 : 3;
    if (state.shareZeros !== undefined) return state.shareZeros;
    return cell.value !== undefined && compare(cell.value, sharesInFull) >= 0 ? 0 : state.zeros;
  }
  return column.zeros ?? state.zeros;
}

/** Share counts of at least a million are printed in full, regardless of the caption's unit. */
const sharesInFull = rational(1_000_000n);

function push(
  state: ReadingState,
  item: LineItem,
  period: string,
  cell: AmountCell,
  zeros: number,
  isLoss = false,
  tagged: TaggedAmount | undefined = undefined,
) {
  const factor = rational(10n ** BigInt(Math.abs(zeros)));
  const printed =
    zeros < 0 ? multiply(cell.value!, { numerator: 1n, denominator: factor.numerator }) : multiply(cell.value!, factor);
  // A concept has one sign, however the statement prints it: a cost of 310 is 310 in parentheses or without them.
  const signed = tagged?.isNegative === undefined ? printed : absolute(printed);
  const printedNegative = signed.numerator < 0n;
  const value = isLoss || tagged?.isNegative === true ? negate(absolute(printed)) : signed;
  const { start, end } = cell;
  const isTagged = tagged?.period !== undefined;
  pushValue(state, item, { period, value, printedNegative, isDash: isDash(cell.text), zeros, isTagged, start, end });
}

interface Valued extends Range {
  readonly period: string;
  /** In whole units. */
  readonly value: Rational;
  readonly printedNegative?: boolean;
  readonly isDash?: boolean;
  readonly isTagged?: boolean;
  readonly zeros: number;
}

/** Adds a figure, with the sign that its item has here. */
export function pushValue(
  state: ReadingState,
  item: LineItem,
  { value, isDash: dash, isTagged, zeros, ...read }: Valued,
) {
  const isMagnitude = costItems.has(item) || (balanceItems.has(item) && !signedBalances.has(item));
  state.figures.push({
    item,
    printedNegative: value.numerator < 0n,
    ...read,
    value: isMagnitude ? absolute(value) : value,
    source: 'table',
    ...(dash === true ? { isDash: true } : {}),
    ...(isTagged === true ? { isTagged } : {}),
    zeros: Math.max(0, zeros),
    ...(state.table === undefined ? {} : { table: state.table }),
  });
}

/** Rows whose label is a period, below a heading of items. @returns the number of such rows */
export function takePeriodRows(
  state: ReadingState,
  { rows }: Table,
  items: readonly (LineItem | undefined)[],
  columns: readonly Column[],
): number {
  let taken = 0;
  for (const { cells } of rows) {
    const label = cells[0]?.text ?? '';
    const period = periodOfCell(label, normaliseName(label));
    if (period === undefined) continue;
    taken += 1;
    for (const [column, cell] of cells.entries()) {
      const item = items[column];
      const heading = columns[column];
      if (cell === undefined || item === undefined || heading === undefined || heading.isOther) continue;
      const amount = amountCell(cell, state.decimalMark);
      const tagged = taggedAmount(state, item, amount);
      if (amount.value === undefined || tagged === 'other') continue;
      push(
        state,
        item,
        tagged?.period ?? period,
        amount,
        tagged?.zeros ?? zerosOf(state, item, amount, undefined, heading, label),
        false,
        tagged,
      );
    }
  }
  return taken;
}
