/** Reads financial statements out of a document's tables: headings give the periods, captions the units, labels the items. */
import type { Block } from '../../document/blocks.ts';
import type { Document } from '../../document/document.ts';
import type { Cell, Table } from '../../document/table.ts';
import type { FiscalCalendar } from './fiscal-year.ts';
import { itemOfLabel, itemsOfRow, type LabelContext } from './labels.ts';
import { type LineItem, normaliseName } from './line-items.ts';
import { type ColumnAmount, isNote, takeAmounts, takeLine, takeMaturity, takePeriodRows } from './table-amounts.ts';
import {
  captionCharactersMax,
  captionsWith,
  linesOf,
  takeCaptionColumns,
  takeSharedUnit,
  takeUnits,
  trailingCaptions,
  trailingDays,
} from './table-captions.ts';
import { type Column, readColumns } from './table-columns.ts';
import { amountCell, isYear, readRow } from './table-rows.ts';
import { type ReadingState, type TableReading, vote } from './table-state.ts';

export function readTables(document: Document, calendar: FiscalCalendar): TableReading {
  const state: ReadingState = {
    calendar,
    columns: [],
    captions: [],
    topic: '',
    days: [],
    zeros: 0,
    shareZeros: undefined,
    hasOwnUnit: false,
    decimalMark: document.decimalMark,
    figures: [],
    currencies: new Map(),
    scales: new Set(),
    itemLines: [],
    tables: [],
    unassigned: 0,
    hasBankLoans: false,
  };
  for (const block of document.blocks) {
    if (block.kind === 'table') takeTable(state, block.table);
    else takeBlock(state, document.text, block);
  }
  const { figures, itemLines, tables, unassigned } = state;
  return { figures, itemLines, tables, unassigned, currencyVotes: state.currencies, zeros: [...state.scales] };
}

/** A caption, or an item with its amount in a line of its own. */
function takeBlock(state: ReadingState, text: string, { start, end, kind }: Block) {
  for (const line of linesOf(text, start, end)) {
    const shown = text.slice(line.start, Math.min(line.end, line.start + 1_000));
    const row = shown.length > captionCharactersMax ? undefined : readRow(shown, line.start, state.decimalMark);
    const item = row === undefined ? undefined : itemOfLabel(row.label.replace(/:\s*$/, ''));
    const amounts = row?.cells.filter(({ value, text: cell }) => value !== undefined && !isYear(cell)) ?? [];
    if (takeMaturity(state, shown, line)) continue;
    if (row !== undefined && item !== undefined && amounts.length > 0) {
      state.itemLines.push(line);
      takeLine(state, item, row.label, amounts);
      continue;
    }
    takeUnits(state, shown);
    takeCaptionColumns(state, shown);
    if (kind === 'heading' || /^(?:Note|Item|Anlage|Anhang|Annexe) ?\d/i.test(shown)) state.topic = shown.slice(0, 120);
    state.captions = captionsWith(state.captions, text.slice(line.start, line.end));
  }
}

/** Tables of segments, of reconciliations and of pro forma figures repeat lines of the statements with other amounts. */
const otherTable =
  /\bsegment|gesch[äa]ftsfeld|secteurs?\b|segmento|settori?\b|geograph|nach region|by region|par zone|reconciliation|[üu]berleitung|non-gaap|non-ifrs|rapprochement|conciliaci[óo]n|riconciliazione|pro forma|proforma|disaggregat|parent company only|peer|competitor|wettbewerb/iu;

function takeTable(state: ReadingState, table: Table) {
  const corner = table.columns[0]?.headerCells.map(({ text }) => text) ?? [];
  const headings = [...new Set(table.columns.flatMap(({ headerCells }) => headerCells.map(({ text }) => text)))];
  for (const text of corner) takeUnits(state, text);
  const captions = [...state.captions, ...corner];
  const columns = columnsOf(state, table);
  for (const { currency } of columns) if (currency !== undefined) vote(state, currency);
  if (headings.length > 0 && !state.hasOwnUnit) takeSharedUnit(state, columns);
  const items = table.columns.map(({ headerCells }) =>
    headerCells.map(({ text }) => itemOfLabel(text)).findLast((item) => item !== undefined),
  );
  const isOther = [...captions, state.topic].some((line) => otherTable.test(line));
  let taken = 0;
  if (items.filter((item) => item !== undefined).length > 1) taken = takePeriodRows(state, table, items);
  if (taken === 0) taken = takeItemRows(state, table, columns, isOther);
  if (taken > 0) state.itemLines.push({ start: table.start, end: table.end });
  state.tables.push({ table, columns, captions: [state.topic, ...captions], zeros: state.zeros, taken });
  state.days = trailingDays(table.rows);
  state.captions = trailingCaptions(table.rows);
  state.hasOwnUnit = false;
}

/** From its own headings and captions; else those of the table before, where they are as many. */
function columnsOf(state: ReadingState, table: Table): readonly Column[] {
  const own = readColumns(table, { lines: state.captions, days: state.days }, state.calendar);
  if (own.some(({ period }) => period !== undefined)) {
    const usable = own.some(({ isOther, period }) => !isOther && period !== undefined);
    if (usable) state.columns = own.filter(({ period, isOther }) => period !== undefined || isOther);
    return own;
  }
  const numeric = table.columns.flatMap((_, column) =>
    column > 0 && holdsAmounts(state, table, column) && !own[column]!.isOther ? [column] : [],
  );
  const before = state.columns;
  const reported = before.filter(({ isOther }) => !isOther);
  const carried = before.length === numeric.length ? before : reported.length === numeric.length ? reported : undefined;
  if (carried !== undefined && !own.some(({ isOther }) => isOther))
    return own.map((column, index) => carried[numeric.indexOf(index)] ?? column);
  return own;
}

function holdsAmounts({ decimalMark }: ReadingState, { rows }: Table, column: number): boolean {
  return rows.some(
    ({ cells }) => cells[column] !== undefined && amountCell(cells[column], decimalMark).value !== undefined,
  );
}

/** @returns how many rows named an item */
function takeItemRows(state: ReadingState, table: Table, columns: readonly Column[], isOther: boolean): number {
  let taken = 0;
  let context: LabelContext = { section: '', maturity: undefined };
  const single = columns.filter((column, index) => !column.isOther && holdsAmounts(state, table, index));
  const hasPeriods = columns.some(({ period }) => period !== undefined);
  for (const { cells } of table.rows) {
    if (isLabelAlone(cells)) {
      const text = cells.find((cell) => cell !== undefined)!.text;
      takeUnits(state, text);
      context = { section: text, maturity: maturityOf(text, context.maturity) };
      continue;
    }
    const named = labelCell(cells, context);
    if (named === undefined) continue;
    const items = isOther ? named.items.filter((item) => isMeasure.has(item)) : named.items;
    if (items.length === 0) continue;
    taken += 1;
    if (items.includes('bank_loans')) state.hasBankLoans = true;
    const amounts = cells.slice(named.column + 1).flatMap((cell, index): ColumnAmount[] => {
      const column = columns[named.column + 1 + index];
      const amount = cell === undefined ? undefined : amountCell(cell, state.decimalMark);
      if (amount?.value === undefined || column === undefined || column.isOther) return [];
      if (column.period === undefined && (isNote(amount.text) || isYear(amount.text))) return [];
      if (column.period === undefined && (hasPeriods || single.length !== 1))
        return [{ cell: amount, column: undefined }];
      return [{ cell: amount, column }];
    });
    takeAmounts(state, items, named.label, amounts);
  }
  return taken;
}

const isMeasure: ReadonlySet<LineItem> = new Set([
  'ebitda',
  'adjusted_ebitda',
  'adjusted_operating_income',
  'adjusted_net_income',
  'adjusted_eps',
  'stated_free_cash_flow',
  'stated_net_debt',
]);

function isLabelAlone(cells: readonly (Cell | undefined)[]): boolean {
  const filled = cells.filter((cell) => cell !== undefined);
  return filled.length === 1 && filled[0] === (cells[0] ?? cells[1]) && /\p{L}/u.test(filled[0]!.text);
}

const nonCurrentShape =
  /\b(?:non current|noncurrent|long term|langfristig\w*|no corrientes?|non correnti|langlopende|more than one year|plus d un an|non courants?)\b/;
const currentShape =
  /\b(?:current|kurzfristig\w*|corrientes?|correnti|kortlopende|within one year|moins d un an|courants?|short term)\b/;

function maturityOf(text: string, before: LabelContext['maturity']): LabelContext['maturity'] {
  const name = normaliseName(text);
  if (nonCurrentShape.test(name)) return 'non_current';
  if (currentShape.test(name)) return 'current';
  return /\b(?:assets|liabilities|equity|aktiva|passiva|schulden|eigenkapital|vermogenswerte|revenue|income|expenses?)\b/.test(
    name,
  )
    ? undefined
    : before;
}

/** Some tables have a mark or number of the line before its name: the label is then one of the next two cells. */
function labelCell(
  cells: readonly (Cell | undefined)[],
  context: LabelContext,
): { items: readonly LineItem[]; label: string; column: number } | undefined {
  for (const [column, cell] of cells.slice(0, 3).entries()) {
    if (cell === undefined) continue;
    const items = itemsOfRow(cell.text, context);
    if (items.length > 0) return { items, label: cell.text, column };
    if (cell.text.length > 12) return undefined;
  }
  return undefined;
}
