/** Reads the rows of a statement's table: labels name the items, and headings, gross rows and totals without labels complete them. */

import type { Cell, Row, Table } from '../../document/table.ts';
import { parseNumber } from '../text/numbers.ts';
import { isDeferredAsset } from './balance-sides.ts';
import { isCashFlowTable, isChangeInBalance } from './cash-flow-tables.ts';
import { type GrossRow, isGross, isNetOf } from './gross-rows.ts';
import { continuedLabel, hasParts, itemsOfRow, type LabelContext } from './labels.ts';
import { type LineItem, normaliseName } from './line-items.ts';
import { maturityOf } from './maturity.ts';
import type { Rational } from './rational.ts';
import { type ColumnAmount, isNote, takeAmounts } from './table-amounts.ts';
import { captionCharactersMax, takeUnits } from './table-captions.ts';
import type { Column } from './table-columns.ts';
import { addHeading, addRow, closeGroup, isContinued, newOutline, type Outline } from './table-outline.ts';
import { amountCell, isYear } from './table-rows.ts';
import type { ReadingState } from './table-state.ts';
import { itemOfTags } from './tagged-figures.ts';
import { readUnitNote } from './units.ts';

/** What a table shows: the company, lines that lead to a measure, or parts and other companies. */
export type TableScope = 'statement' | 'reconciliation' | 'parts';

/** @returns how many rows named an item */
export function takeItemRows(state: ReadingState, table: Table, columns: readonly Column[], scope: TableScope): number {
  // A table without headings continues below the label above it.
  const above = table.headerRows.length === 0 ? (state.captions.at(-1) ?? '') : '';
  const rows: RowsReading = {
    state,
    table,
    columns,
    scope,
    context: { section: above, maturity: maturityOf(above, undefined) },
    outline: newOutline(),
    pending: '',
    taken: 0,
    seen: new Set(),
    single: columns.filter((column, index) => !column.isOther && holdsAmounts(state, table, index)).length === 1,
    hasPeriods: columns.some(({ period }) => period !== undefined),
    isOfFlows: isCashFlowTable(table),
  };
  if (table.headerRows.length === 0) for (const caption of state.captions.slice(-2)) addHeading(rows.outline, caption);
  const hasGroups = isGrouped(state, table);
  for (const [index, { cells: printed }] of table.rows.entries()) {
    const cells = hasGroups && isWords(state, printed[1]) ? [printed[1], undefined, ...printed.slice(2)] : printed;
    if (isLabelAlone(cells)) takeHeading(rows, cells.find((cell) => cell !== undefined)!.text);
    else takeRow(rows, cells, isGross(table.rows, index));
  }
  return rows.taken;
}

/** Rows that name a group before their own label: "Income;Machining;…", "Income;Repairs;…". */
const groupRowsMin = 3;

function isGrouped(state: ReadingState, { rows }: Table): boolean {
  const labelled = rows.filter(({ cells }) => cells[0] !== undefined && isWords(state, cells[1]));
  const groups = new Set(labelled.map(({ cells }) => cells[0]!.text));
  return labelled.length >= groupRowsMin && labelled.length * 2 > rows.length && groups.size * 2 <= labelled.length;
}

function isWords({ decimalMark }: ReadingState, cell: Cell | undefined): boolean {
  return cell !== undefined && /\p{L}{3}/u.test(cell.text) && amountCell(cell, decimalMark).value === undefined;
}

interface RowsReading {
  readonly state: ReadingState;
  readonly table: Table;
  readonly columns: readonly Column[];
  readonly scope: TableScope;
  readonly single: boolean;
  readonly hasPeriods: boolean;
  /** Whether the table is a statement of cash flows. */
  readonly isOfFlows: boolean;
  readonly outline: Outline;
  context: LabelContext;
  /** A label without amounts directly above, which the next label may continue. */
  pending: string;
  /** The last row or heading that may have parts below it, such as receivables. */
  head?: string;
  /** The last row from which the next row deducts. */
  gross?: GrossRow;
  taken: number;
  /** The items of the rows above. */
  readonly seen: Set<LineItem>;
}

function takeHeading(rows: RowsReading, text: string) {
  takeUnits(rows.state, text);
  const label = rows.pending !== '' && isContinued(rows.pending, text) ? `${rows.pending} ${text}` : text;
  rows.context = { section: label, maturity: maturityOf(label, rows.context.maturity) };
  rows.pending = label.slice(0, captionCharactersMax);
  if (hasParts(label)) rows.head = label;
  addHeading(rows.outline, label);
}

function takeRow(rows: RowsReading, printed: Row['cells'], hasDeduction: boolean) {
  const { state, context, scope } = rows;
  const { label, year } = datedLabel(/\p{L}/u.test(printed[0]?.text ?? '') ? printed[0]!.text : '');
  const cells = year === undefined ? printed : [{ ...printed[0]!, text: label }, ...printed.slice(1)];
  const first = cells[0];
  const amounts = amountsOf(rows, cells, 1).filter(({ column }) => year === undefined || isOfYear(column, year));
  const isUnlabelled = !cells.some((cell) => cell !== undefined && /\p{L}{2}/u.test(cell.text));
  if (isUnlabelled && amounts.length > 0 && first === undefined) {
    takeNet(rows, amounts);
    takeTotal(rows, amounts);
    rows.pending = '';
    return;
  }
  const joined = rows.pending !== '' && isContinued(rows.pending, label) ? `${rows.pending} ${label}` : label;
  const whole = joined === label ? [] : itemsOfRow(joined, { ...context, section: '' });
  const continued = rows.head === undefined ? undefined : continuedLabel(label, rows.head);
  const part = continued === undefined ? [] : itemsOfRow(continued, { ...context, section: '' });
  if (hasParts(label)) rows.head = label;
  const named =
    whole.length > 0
      ? { items: whole, label: joined, column: 0 }
      : part.length > 0
        ? { items: part, label, column: 0 }
        : (labelCell(cells, context) ?? taggedLabel(state, cells));
  rows.pending = '';
  if (joined !== label) rows.outline.entries.pop();
  const [own, totals] = innerAndOuter(rows, amounts);
  addRow(rows.outline, joined, byPeriod(own));
  const { gross } = rows;
  if (hasDeduction) rows.gross = { label: joined, amounts: byPeriod(own) };
  else if (gross !== undefined && gross.deducted === undefined) rows.gross = { ...gross, deducted: byPeriod(own) };
  else delete rows.gross;
  const unit = unitCell(rows, cells);
  if (named !== undefined && !hasDeduction && !rateUnit.test(unit)) {
    const items = named.items.filter(
      (item) =>
        itemsInScope[scope]?.has(item) !== false &&
        !(rows.isOfFlows && isChangeInBalance(item)) &&
        !(item === 'deferred_revenue' && isDeferredAsset(named.label, rows.seen)),
    );
    for (const item of items) rows.seen.add(item);
    if (items.includes('bank_loans')) state.hasBankLoans = true;
    if (items.length > 0) {
      rows.taken += 1;
      takeAmounts(
        state,
        items,
        unit === '' ? named.label : `${named.label} (${unit})`,
        named.column === 0 ? own : amountsOf(rows, cells, named.column + 1),
      );
    }
  }
  if (totals.length > 0) takeTotal(rows, totals);
}

/** "EUR m", "%" in a column next to the labels. */
function unitCell({ columns, state }: RowsReading, cells: Row['cells']): string {
  const cell = cells.find(
    (each, index) =>
      index > 0 &&
      each !== undefined &&
      columns[index]?.period === undefined &&
      isUnitText(each.text, state.decimalMark),
  );
  return cell?.text.trim() ?? '';
}

function isUnitText(text: string, decimalMark: ReadingState['decimalMark']): boolean {
  if (text.length > 24 || parseNumber(text.trim(), { decimalMark }) !== undefined) return false;
  return rateUnit.test(text) || readUnitNote(text) !== undefined;
}

const rateUnit =
  /^\s*\(?(?:(?:in )?%|percent|per cent|prozent|pourcentage|porcentaje|percentuale|percentagem|procent|proc\.?|x|times|ratio|fois|veces|volte|keer|pp|bps|basis points)\)?\s*$/iu;

/** "Sales, 2025 quarters", "Net earnings 2024": a label that names the year of its columns again. */
function datedLabel(label: string): { readonly label: string; readonly year?: number } {
  const match = /^(\D{3,80}?),? (20\d\d)(?: (?:quarters?|quarterly))?$/u.exec(label);
  return match === null ? { label } : { label: match[1]!, year: Number(match[2]) };
}

function isOfYear(column: Column | undefined, year: number): boolean {
  const { end, year: named } = column?.period ?? {};
  return (named ?? Number(end?.slice(0, 4))) === year;
}

/** The amount that remains of a gross row has its label. */
function takeNet(rows: RowsReading, amounts: readonly ColumnAmount[]) {
  const { gross } = rows;
  delete rows.gross;
  if (gross === undefined || rows.scope !== 'statement' || !isNetOf(gross, byPeriod(amounts))) return;
  const items = itemsOfRow(gross.label, rows.context);
  if (items.length === 0) return;
  rows.taken += 1;
  takeAmounts(rows.state, items, gross.label, amounts);
}

/** A total without a label belongs to the heading whose rows add up to it. */
function takeTotal(rows: RowsReading, amounts: readonly ColumnAmount[]) {
  const values = byPeriod(amounts);
  const heading = values.size === 0 || rows.scope !== 'statement' ? undefined : closeGroup(rows.outline, values);
  if (heading === undefined) return;
  const items =
    heading === '' ? wholeSide(rows) : itemsOfRow(heading, { section: '', maturity: rows.context.maturity });
  if (items.length === 0) return;
  rows.taken += 1;
  takeAmounts(rows.state, items, heading, amounts);
}

/** The sum of all rows of a table that is one side of a balance sheet. */
function wholeSide({ table, state }: RowsReading): LineItem[] {
  const corner = table.columns[0]?.headerCells.map(({ text }) => text) ?? [];
  const names = [...corner, state.captions.at(-1) ?? ''].map((text) =>
    normaliseName(text.replace(/(?<![\p{L}])(\p{L}) (?=\p{L}(?!\p{L}))/gu, '$1')),
  );
  if (
    names.some((name) =>
      /^(?:aktiva|aktivseite|activa|actif|activo|attivo|assets|bilan actif|tillgangar|aktiver|eiendeler|ativo|aktywa|vastaavaa)$/.test(
        name,
      ),
    )
  )
    return ['total_assets'];
  return names.some((name) =>
    /^(?:passiva|passivseite|passif|pasivo|passivo|bilan passif|equity and liabilities|liabilities and equity|eget kapital och skulder|passiver|egenkapital og gjeld|pasywa|vastattavaa)$/.test(
      name,
    ),
  )
    ? ['total_liabilities_and_equity']
    : [];
}

function amountsOf(
  { state, columns, hasPeriods, single }: RowsReading,
  cells: Row['cells'],
  from: number,
): ColumnAmount[] {
  return cells.slice(from).flatMap((cell, index): ColumnAmount[] => {
    const column = columns[from + index];
    const amount = cell === undefined ? undefined : amountCell(cell, state.decimalMark);
    if (amount?.value === undefined || column === undefined || column.isOther) return [];
    if (column.period === undefined && (isNote(amount.text) || isYear(amount.text))) return [];
    if (column.period === undefined && (hasPeriods || !single)) return [{ cell: amount, column: undefined }];
    return [{ cell: amount, column }];
  });
}

function periodKey(column: Column | undefined): string {
  return JSON.stringify(column?.period ?? null);
}

function byPeriod(amounts: readonly ColumnAmount[]): Map<string, Rational> {
  return new Map(amounts.map(({ cell, column }) => [periodKey(column), cell.value!]));
}

/** "Other liabilities   505   1,466   |   501   1,441": a row prints its own amount and, next to it, the total of its group. */
function innerAndOuter(
  { columns }: RowsReading,
  amounts: readonly ColumnAmount[],
): [own: readonly ColumnAmount[], totals: readonly ColumnAmount[]] {
  const keys = amounts.map(({ column }) => periodKey(column));
  const isPaired =
    amounts.length >= 2 &&
    amounts.length % 2 === 0 &&
    columns.length > 2 &&
    keys.every((key, index) => key !== 'null' && (index % 2 === 0 ? keys[index + 1] === key : true)) &&
    new Set(keys).size * 2 === amounts.length &&
    !amounts.some(({ cell }, index) => index % 2 === 0 && isNote(cell.text));
  if (!isPaired) return [amounts, []];
  return [amounts.filter((_, index) => index % 2 === 0), amounts.filter((_, index) => index % 2 === 1)];
}

const measures: readonly LineItem[] = [
  'ebitda',
  'adjusted_ebitda',
  'adjusted_operating_income',
  'adjusted_net_income',
  'adjusted_eps',
  'stated_free_cash_flow',
  'stated_net_debt',
];
/** The items of the company as a whole that a table can show. */
const itemsInScope: Readonly<Record<TableScope, ReadonlySet<LineItem> | undefined>> = {
  statement: undefined,
  parts: new Set(measures),
  reconciliation: new Set([
    ...measures,
    'net_income',
    'net_income_attributable',
    'income_tax',
    'pre_tax_income',
    'ebit',
    'depreciation',
    'revenue',
    'interest_expense',
    'operating_cash_flow',
    'investing_cash_flow',
    'financing_cash_flow',
    'capex',
  ] satisfies LineItem[]),
};

export function isLabelAlone(cells: readonly (Cell | undefined)[]): boolean {
  const filled = cells.filter((cell) => cell !== undefined);
  return filled.length === 1 && filled[0] === (cells[0] ?? cells[1]) && /\p{L}/u.test(filled[0]!.text);
}

/** Some tables have an enumerator or line number before the name, so the label is one of the next two cells. */
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

/** A label of unknown words, next to amounts of a concept that a taxonomy has. */
function taggedLabel(
  state: ReadingState,
  cells: readonly (Cell | undefined)[],
): { items: readonly LineItem[]; label: string; column: number } | undefined {
  const item = itemOfTags(state, cells.slice(1));
  return item === undefined ? undefined : { items: [item], label: cells[0]?.text ?? '', column: 0 };
}

export function holdsAmounts({ decimalMark }: ReadingState, { rows }: Table, column: number): boolean {
  return rows.some(
    ({ cells }) => cells[column] !== undefined && amountCell(cells[column], decimalMark).value !== undefined,
  );
}
