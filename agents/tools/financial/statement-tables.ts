/** Reads financial statements out of a document's tables: headings give the periods, captions the units, labels the items. */
import type { Block } from '../../document/blocks.ts';
import type { Document } from '../../document/document.ts';
import type { Table } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import { isLossLabel, itemOfLabel } from './labels.ts';
import { costItems, type LineItem, normaliseName, unscaledItems } from './line-items.ts';
import { findPeriods, periodOfCell, periodOfHeadings, undated } from './periods.ts';
import { absolute, compare, multiply, negate, type Rational, rational } from './rational.ts';
import { type AmountCell, amountCell, isYear, readRow } from './table-rows.ts';
import { readUnitNote } from './units.ts';

/** One amount as read, in whole units of its currency. */
export interface ReadFigure {
  readonly item: LineItem;
  readonly period: string;
  readonly value: Rational;
  /** The item was printed with a minus sign or in parentheses. */
  readonly printedNegative: boolean;
  readonly source: 'table' | 'text';
  readonly start: number;
  readonly end: number;
}

export interface TableReading {
  readonly figures: readonly ReadFigure[];
  /** ISO 4217, in the order of the first mention. */
  readonly currencies: readonly string[];
  /** Powers of ten that captions asked to multiply by. */
  readonly zeros: readonly number[];
  /** Amounts beside an item that no heading gives a period; a row's only amount is kept as undated. */
  readonly unassigned: number;
  /** Tables and lines that held items, in order, so that they are not read as prose. */
  readonly itemLines: readonly Range[];
}

interface State {
  /** Of the last table's number columns: a table below without a heading of its own goes on with them. */
  periods: readonly (string | undefined)[];
  /** Of short lines above a table, nearest last. */
  captions: readonly string[];
  zeros: number;
  /** For counts of shares, where a caption excepts them. */
  shareZeros: number | undefined;
  readonly decimalMark: '.' | ',' | undefined;
  readonly figures: ReadFigure[];
  readonly currencies: Set<string>;
  readonly scales: Set<number>;
  readonly itemLines: Range[];
  unassigned: number;
}

/** Lines above a table that may be its caption, and how long one is at most. */
const captionsMax = 4;
const captionCharactersMax = 160;

export function readTables(document: Document): TableReading {
  const state: State = {
    periods: [],
    captions: [],
    zeros: 0,
    shareZeros: undefined,
    decimalMark: document.decimalMark,
    figures: [],
    currencies: new Set(),
    scales: new Set(),
    itemLines: [],
    unassigned: 0,
  };
  for (const block of document.blocks) {
    if (block.kind === 'table') takeTable(state, block.table);
    else takeBlock(state, document.text, block);
  }
  return {
    figures: state.figures,
    currencies: [...state.currencies],
    zeros: [...state.scales],
    unassigned: state.unassigned,
    itemLines: state.itemLines,
  };
}

/** A caption, or an item with its amount in a line of its own. */
function takeBlock(state: State, text: string, { start, end }: Block) {
  for (const line of linesOf(text, start, end)) {
    const shown = text.slice(line.start, Math.min(line.end, line.start + 1_000));
    const row = shown.length > captionCharactersMax ? undefined : readRow(shown, line.start, state.decimalMark);
    const item = row === undefined ? undefined : itemOfLabel(row.label.replace(/:\s*$/, ''));
    const amounts = row?.cells.filter(({ value, text: cell }) => value !== undefined && !isYear(cell)) ?? [];
    if (row !== undefined && item !== undefined && amounts.length > 0) {
      state.itemLines.push(line);
      const known = state.periods.filter((period) => period !== undefined);
      const periods = known.length === amounts.length ? known : amounts.length === 1 ? [undated] : [];
      takeAmounts(
        state,
        item,
        row.label,
        amounts.map((cell, index) => ({ cell, period: periods[index] })),
      );
      continue;
    }
    takeUnits(state, shown);
    takeCaptionPeriods(state, shown);
    state.captions = shown.length > captionCharactersMax ? [] : [...state.captions, shown].slice(-captionsMax);
  }
}

function linesOf(text: string, start: number, end: number): Range[] {
  const lines: Range[] = [];
  for (let at = start; at < end; ) {
    const next = text.indexOf('\n', at);
    const to = next === -1 || next > end ? end : next;
    if (to > at) lines.push({ start: at, end: to });
    at = to + 1;
  }
  return lines;
}

/** A line of periods alone heads the lines below it. */
function takeCaptionPeriods(state: State, line: string) {
  if (line.length > captionCharactersMax || /[.;!?]\s{0,4}$/.test(line)) return;
  const periods = findPeriods(line);
  const words = normaliseName(line).split(' ').length;
  if (periods.length > 0 && words <= periods.length * 4 + 4) state.periods = periods.map(({ label }) => label);
}

function takeTable(state: State, table: Table) {
  const headers = table.columns.map(({ headerCells }) => headerCells.map(({ text }) => text));
  for (const text of new Set(headers.flat())) takeUnits(state, text);
  const numeric = table.columns.flatMap((_, column) =>
    column > 0 && holdsAmounts(state, table, column) ? [column] : [],
  );
  const items = headers.map((texts) => texts.map(itemOfLabel).findLast((item) => item !== undefined));
  let taken = 0;
  if (items.filter((item) => item !== undefined).length > 1) taken = takePeriodRows(state, table, items);
  if (taken === 0)
    taken = takeItemRows(
      state,
      table,
      columnPeriods(
        state,
        headers,
        numeric,
        table.headerRows.flat().map(({ text }) => text),
      ),
    );
  if (taken > 0) state.itemLines.push({ start: table.start, end: table.end });
  state.captions = [];
}

function holdsAmounts({ decimalMark }: State, { rows }: Table, column: number): boolean {
  return rows.some(
    ({ cells }) => cells[column] !== undefined && amountCell(cells[column], decimalMark).value !== undefined,
  );
}

/** By column: from its headings, with the captions above the table; else those of the table before, where they are as many. */
function columnPeriods(
  state: State,
  headers: readonly (readonly string[])[],
  numeric: readonly number[],
  all: readonly string[],
): (string | undefined)[] {
  const own = headers.map((texts) => periodOfHeadings(texts, state.captions));
  const known = own.filter((period, column) => period !== undefined && (column > 0 || numeric.length === 0));
  if (known.length > 0) {
    state.periods = own.slice(1).filter((period) => period !== undefined);
    return own.map((period, column) => (column === 0 ? undefined : period));
  }
  const before = state.periods;
  // A heading of periods that fits no column leaves its amounts without one.
  const hasPeriods = all.some((text) => findPeriods(text).length > 0);
  if (before.length === 0 || before.length !== numeric.length)
    return headers.map((_, column) =>
      numeric.length === 1 && numeric[0] === column && !hasPeriods ? undated : undefined,
    );
  return headers.map((_, column) => before[numeric.indexOf(column)]);
}

/** @returns how many rows named an item */
function takeItemRows(state: State, { rows }: Table, periods: readonly (string | undefined)[]): number {
  let taken = 0;
  for (const { cells } of rows) {
    const named = labelCell(cells);
    if (named === undefined) {
      if (cells[0] !== undefined && cells.slice(1).every((cell) => cell === undefined)) takeUnits(state, cells[0].text);
      continue;
    }
    taken += 1;
    const amounts = cells.slice(named.column + 1).flatMap((cell, index) => {
      const period = periods[named.column + 1 + index];
      const amount = cell === undefined ? undefined : amountCell(cell, state.decimalMark);
      if (amount?.value === undefined || (period === undefined && (isNote(amount.text) || isYear(amount.text))))
        return [];
      return [{ cell: amount, period }];
    });
    takeAmounts(state, named.item, named.label, amounts);
  }
  return taken;
}

/** Some tables have a mark or number of the line before its name: the label is then one of the next two cells. */
function labelCell(
  cells: readonly ({ readonly text: string } | undefined)[],
): { item: LineItem; label: string; column: number } | undefined {
  for (const [column, cell] of cells.slice(0, 3).entries()) {
    if (cell === undefined) continue;
    const item = itemOfLabel(cell.text);
    if (item !== undefined) return { item, label: cell.text, column };
    if (cell.text.length > 12) return undefined;
  }
  return undefined;
}

/** A small whole number in a column without a period is the number of a note or of the line. */
function isNote(text: string): boolean {
  return /^\d{1,3}$/.test(text);
}

function takeAmounts(
  state: State,
  item: LineItem,
  label: string,
  amounts: readonly { readonly cell: AmountCell; readonly period: string | undefined }[],
) {
  const note = readUnitNote(label);
  const zeros = note?.zeros ?? zerosFor(state, item, amounts[0]?.cell);
  if (note?.currency !== undefined) state.currencies.add(note.currency);
  const isLoss = isLossLabel(label);
  // "Group 2024, Group 2023, Company 2024, Company 2023": the group's columns come first.
  const periods = new Set<string>();
  for (const { cell, period } of amounts) {
    if (period === undefined || periods.has(period)) state.unassigned += 1;
    else push(state, item, period, cell, zeros, isLoss);
    if (period !== undefined) periods.add(period);
  }
}

function push(state: State, item: LineItem, period: string, cell: AmountCell, zeros: number, isLoss = false) {
  const printed = multiply(cell.value!, rational(10n ** BigInt(zeros)));
  const printedNegative = printed.numerator < 0n;
  const value = isLoss ? negate(absolute(printed)) : printed;
  state.figures.push({
    item,
    period,
    value: costItems.has(item) ? absolute(value) : value,
    printedNegative,
    source: 'table',
    start: cell.start,
    end: cell.end,
  });
}

/** A count of a million shares and more is printed in full, whatever the caption counts in. */
const sharesInFull = rational(1_000_000n);

function zerosFor(state: State, item: LineItem, cell: AmountCell | undefined): number {
  if (item !== 'shares_outstanding') return unscaledItems.has(item) ? 0 : state.zeros;
  if (state.shareZeros !== undefined) return state.shareZeros;
  return cell?.value !== undefined && compare(cell.value, sharesInFull) >= 0 ? 0 : state.zeros;
}

/** Rows whose label is a period, below a heading of items. @returns how many there were */
function takePeriodRows(state: State, { rows }: Table, items: readonly (LineItem | undefined)[]): number {
  let taken = 0;
  for (const { cells } of rows) {
    const label = cells[0]?.text ?? '';
    const period = periodOfCell(label, normaliseName(label));
    if (period === undefined) continue;
    taken += 1;
    for (const [column, cell] of cells.entries()) {
      const item = items[column];
      const amount = cell === undefined || item === undefined ? undefined : amountCell(cell, state.decimalMark);
      if (item !== undefined && amount?.value !== undefined)
        push(state, item, period, amount, zerosFor(state, item, amount));
    }
  }
  return taken;
}

/** Sentences say something of units only with one of these words: "All amounts are in EUR thousand." */
const unitSentence =
  /\b(?:amounts|figures|expressed|stated|presented|betr[äa]ge|angaben|montants|[úu]daje|[čc][áa]stky)\b/i;

function takeUnits(state: State, line: string) {
  const start = line.slice(0, 200);
  const isSentence = line.length > 200 || /[.!?]["')\]]?\s{0,4}$/.test(line);
  if (isSentence && !unitSentence.test(start)) return;
  const note = readUnitNote(start);
  if (note?.currency !== undefined) state.currencies.add(note.currency);
  if (note?.zeros === undefined) return;
  state.zeros = note.zeros;
  state.shareZeros = note.shareZeros ?? state.shareZeros;
  state.scales.add(note.zeros);
}
