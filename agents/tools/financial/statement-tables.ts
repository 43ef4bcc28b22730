/** Reads the tables of financial statements line by line: headings give the periods, captions the units, labels the items. */
import { splitLines } from '../text/lines.ts';
import { guessDecimalMark } from '../text/numbers.ts';
import type { Range } from '../text/span.ts';
import { isLossLabel, itemOfLabel } from './labels.ts';
import { costItems, type LineItem, normaliseName, unscaledItems } from './line-items.ts';
import { findPeriods, periodOfCell, undated } from './periods.ts';
import { absolute, compare, multiply, negate, type Rational, rational } from './rational.ts';
import { type Cell, type Row, readRow, rowCharactersMax, splitAtEveryBlank } from './table-rows.ts';
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
  /** Amounts beside an item that no heading gives a period: without any heading, the first of a row is kept as undated. */
  readonly unassigned: number;
  /** Lines that held items, in order, so that they are not read as prose. */
  readonly itemLines: readonly Range[];
}

interface State {
  /** Of the number columns, in order; undefined where a column is none of a period. */
  columns: readonly (string | undefined)[];
  /** Columns that are items, in a table whose rows are periods. */
  itemColumns: readonly (LineItem | undefined)[];
  zeros: number;
  /** For counts of shares, where a caption excepts them. */
  shareZeros: number | undefined;
  readonly figures: ReadFigure[];
  readonly currencies: Set<string>;
  readonly scales: Set<number>;
  readonly itemLines: Range[];
  unassigned: number;
}

export function readTables(text: string): TableReading {
  const decimalMark = guessDecimalMark([text]);
  const state: State = {
    columns: [],
    itemColumns: [],
    zeros: 0,
    shareZeros: undefined,
    figures: [],
    currencies: new Set(),
    scales: new Set(),
    itemLines: [],
    unassigned: 0,
  };
  for (const { start, end } of splitLines(text)) {
    if (end - start > rowCharactersMax || end === start) continue;
    readLine(state, text.slice(start, end), start, decimalMark);
  }
  return {
    figures: state.figures,
    currencies: [...state.currencies],
    zeros: [...state.scales],
    unassigned: state.unassigned,
    itemLines: state.itemLines,
  };
}

function readLine(state: State, line: string, at: number, decimalMark: '.' | ',' | undefined) {
  const row = fromItem(readRow(line, at, decimalMark));
  const item = row === undefined ? undefined : itemOfLabel(row.label);
  if (row !== undefined && item !== undefined && row.cells.some(({ value }) => value !== undefined)) {
    state.itemLines.push({ start: at, end: at + line.length });
    takeItemRow(state, item, row, decimalMark);
    return;
  }
  if (row !== undefined && takePeriodRow(state, row)) {
    state.itemLines.push({ start: at, end: at + line.length });
    return;
  }
  takeUnits(state, line);
  takeHeading(state, line, row);
}

/** Some tables have a mark or number of the line before its name: the row then begins at the name. */
function fromItem(row: Row | undefined): Row | undefined {
  if (row === undefined || !row.divided || row.label.length > 12 || itemOfLabel(row.label) !== undefined) return row;
  const at = row.cells
    .slice(0, 2)
    .findIndex(({ text, value }) => value === undefined && itemOfLabel(text) !== undefined);
  // A row of several names is a heading.
  if (at === -1 || !row.cells.slice(at + 1).some(({ value }) => value !== undefined)) return row;
  return { ...row, label: row.cells[at]!.text, cells: row.cells.slice(at + 1) };
}

function takeItemRow(state: State, item: LineItem, row: Row, decimalMark: '.' | ',' | undefined) {
  const note = readUnitNote(row.label);
  const cells = assignCells(state, row, decimalMark);
  const zeros = note?.zeros ?? zerosFor(state, item, cells[0]?.cell);
  if (note?.currency !== undefined) state.currencies.add(note.currency);
  const isLoss = isLossLabel(row.label);
  // "Group 2024, Group 2023, Company 2024, Company 2023": the group's columns come first.
  const periods = new Set<string>();
  for (const { cell, period } of cells) {
    if (periods.has(period)) state.unassigned += 1;
    else push(state, item, period, cell, zeros, isLoss);
    periods.add(period);
  }
}

function push(state: State, item: LineItem, period: string, cell: Cell, zeros: number, isLoss = false) {
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

function zerosFor(state: State, item: LineItem, cell: Cell | undefined): number {
  if (item !== 'shares_outstanding') return unscaledItems.has(item) ? 0 : state.zeros;
  if (state.shareZeros !== undefined) return state.shareZeros;
  return cell?.value !== undefined && compare(cell.value, sharesInFull) >= 0 ? 0 : state.zeros;
}

/** Which cell belongs to which period. Bars and tabs keep empty cells, so columns count; else only amounts count. */
function assignCells(state: State, row: Row, decimalMark: '.' | ',' | undefined): { cell: Cell; period: string }[] {
  const dated = state.columns.filter((period) => period !== undefined);
  if (row.divided && row.cells.length === state.columns.length) {
    return row.cells.flatMap((cell, index) => {
      const period = state.columns[index];
      return cell.value === undefined || period === undefined ? [] : [{ cell, period }];
    });
  }
  let amounts = row.cells.filter(({ value }) => value !== undefined);
  if (amounts.length < dated.length) {
    const finer = splitAtEveryBlank(row, decimalMark).cells.filter(({ value }) => value !== undefined);
    if (finer.length === dated.length || finer.length === dated.length + 1) amounts = finer;
  }
  // A small whole number before the amounts is the number of a note or of the line.
  if (amounts.length === dated.length + 1 && /^\d{1,3}$/.test(amounts[0]!.text)) amounts = amounts.slice(1);
  // Columns behind the periods are changes or percentages, where the heading has them too.
  if (amounts.length > dated.length && state.columns.length > dated.length) amounts = amounts.slice(0, dated.length);
  if (amounts.length === dated.length) return amounts.map((cell, index) => ({ cell, period: dated[index]! }));
  // With two columns and more, an amount too few or too many could belong to any of them.
  const kept = dated.length > 1 ? 0 : 1;
  state.unassigned += Math.max(0, amounts.length - kept);
  return amounts.slice(0, kept).map((cell) => ({ cell, period: undated }));
}

/** A row whose label is a period, below a heading of items. */
function takePeriodRow(state: State, row: Row): boolean {
  const period = row.divided ? periodOfCell(row.label, normaliseName(row.label)) : undefined;
  if (period === undefined || row.cells.length > state.itemColumns.length) return false;
  let taken = false;
  row.cells.forEach((cell, index) => {
    const item = state.itemColumns[index];
    if (item === undefined || cell.value === undefined) return;
    taken = true;
    push(state, item, period, cell, zerosFor(state, item, cell));
  });
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

/** How many words other than periods a heading without dividers has at most: more is prose. */
const headingWordsMax = 12;

function takeHeading(state: State, line: string, row: Row | undefined) {
  if (row?.divided) {
    const items = row.cells.map(({ text }) => itemOfLabel(text));
    if (items.filter((item) => item !== undefined).length > 1) {
      state.itemColumns = items;
      return;
    }
    const periods = row.cells.map(({ text }) => periodOfCell(text, normaliseName(text)));
    if (periods.some((period) => period !== undefined)) {
      state.columns = withoutNoteColumn(periods, row);
      return;
    }
  }
  if (line.length > 160 || /[.;!?]\s{0,4}$/.test(line)) return;
  const periods = findPeriods(line);
  if (periods.length === 0) return;
  const wordCount = normaliseName(line).split(' ').length - periods.length;
  const tail = normaliseName(line.slice(periods.at(-1)?.end ?? 0));
  if (wordCount > headingWordsMax || tail.split(' ').length > 4) return;
  const hasChange = /\b(?:change|var|variance|variation|growth|veranderung|zmena|delta)\b|^%$/.test(tail);
  state.columns = [...periods.map(({ label }) => label), ...(hasChange ? [undefined] : [])];
}

/** "| Note | 2024 | 2023 |" keeps its first column; "Item | 2024 | 2023" has the item's column as its label. */
function withoutNoteColumn(periods: readonly (string | undefined)[], row: Row) {
  const labelPeriod = periodOfCell(row.label, normaliseName(row.label));
  return labelPeriod === undefined ? periods : [labelPeriod, ...periods];
}
