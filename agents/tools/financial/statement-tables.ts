/** Reads financial statements from a document's tables: headings determine the periods, captions the units, labels the items. */
import type { Document } from '../../document/document.ts';
import type { Table } from '../../document/table.ts';
import { restatedColumns, titledPeriod } from './caption-periods.ts';
import type { FiscalCalendar } from './fiscal-year.ts';
import { itemOfLabel } from './labels.ts';
import { readLongTable } from './long-facts.ts';
import { isSuperseded, takeBlock } from './statement-lines.ts';
import { holdsAmounts, isLabelAlone, takeItemRows } from './statement-rows.ts';
import { pushValue, takePeriodRows } from './table-amounts.ts';
import {
  captionsOfSection,
  takeSharedUnit,
  takeUnits,
  takeUnitsOfFields,
  trailingCaptions,
  trailingDays,
} from './table-captions.ts';
import { type Column, readColumns } from './table-columns.ts';
import { amountCell, amountWithUnit } from './table-rows.ts';
import { type ReadingState, type TableReading, vote } from './table-state.ts';
import { withTaggedScales } from './tagged-figures.ts';
import { readUnitNote } from './units.ts';

export function readTables(document: Document, calendar: FiscalCalendar): TableReading {
  const state: ReadingState = {
    tagged: document.taggedNumbers,
    quotations: document.quotations,
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
    table: undefined,
    hasBankLoans: false,
  };
  for (const [index, block] of document.blocks.entries()) {
    if (block.kind === 'table') {
      const below = document.blocks[index + 1];
      takeTable(
        state,
        block.table,
        below === undefined || below.kind === 'table' ? '' : document.text.slice(below.start, below.end),
      );
    } else takeBlock(state, document.text, block);
  }
  const { figures, itemLines, tables, unassigned } = state;
  return { figures, itemLines, tables, unassigned, currencyVotes: state.currencies, zeros: [...state.scales] };
}

/** Tables of segments and pro forma figures repeat statement items with other amounts. */
const otherTable =
  /\bsegment|gesch[äa]ftsfeld|secteurs?\b|segmento|settori?\b|geograph|nach region|by region|par zone|pro forma|proforma|disaggregat|parent company only|peer|competitor|wettbewerb/iu;
/** Reconciliations begin and go on with lines of the statements; their other rows may have the names of statement items. */
const reconciliation =
  /\breconcil|[üu]berleitung|non-gaap|non-ifrs|rapprochement|conciliaci[óo]n|riconciliazione|alternative performance|avst[äa]mning|afstemning/iu;

/** @param below the text after the table */
function takeTable(state: ReadingState, table: Table, below: string) {
  if (takeFacts(state, table)) return;
  state.table = table.start;
  const corner = table.columns[0]?.headerCells.map(({ text }) => text) ?? [];
  const headings = [...new Set(table.columns.flatMap(({ headerCells }) => headerCells.map(({ text }) => text)))];
  for (const text of corner) takeUnits(state, text);
  const captions = [...state.captions, ...corner];
  const columns = withTaggedScales(state, table, columnsOf(state, table)).map((column, index) =>
    index > 0 && holdsNotesOnly(state, table, index) ? { ...column, mayBeNotes: true } : column,
  );
  for (const { currency } of columns) if (currency !== undefined) vote(state, currency);
  const sign = currencySign(table);
  if (sign !== undefined) vote(state, sign);
  if (headings.length > 0 && !state.hasOwnUnit) takeSharedUnit(state, columns);
  if (state.scales.size === 0) takeUnitsBelow(state, table, below);
  if (!table.columns.some((_, column) => holdsAmounts(state, table, column)))
    for (const { text } of [
      ...table.headerRows.flat(),
      ...table.rows.flatMap(({ cells }) => cells.filter((cell) => cell !== undefined)),
    ])
      takeUnits(state, text);
  takeUnitsOfFields(state, table);
  const items = table.columns.map(({ headerCells }) =>
    headerCells.map(({ text }) => itemOfLabel(text)).findLast((item) => item !== undefined),
  );
  const own = captionsOfSection([state.topic, ...captions]);
  const scope = own.some((line) => otherTable.test(line))
    ? 'parts'
    : own.some((line) => reconciliation.test(line))
      ? 'reconciliation'
      : 'statement';
  let taken = 0;
  const hasOwnUnits = columns.every(({ period }) => period === undefined) && printsUnits(table);
  if (items.filter((item) => item !== undefined).length > 1) taken = takePeriodRows(state, table, items, columns);
  if (taken === 0 && !hasOwnUnits && !isSuperseded(state, table)) taken = takeItemRows(state, table, columns, scope);
  if (taken > 0) state.itemLines.push({ start: table.start, end: table.end });
  state.tables.push({ table, columns, captions: [state.topic, ...captions], zeros: state.zeros, taken });
  state.table = undefined;
  state.days = trailingDays(table.rows);
  state.captions = trailingCaptions(table.rows);
  state.hasOwnUnit = false;
}

/** The currency of "$ 18,442": the sign in front of the first amount that has one. */
function currencySign({ rows }: Table): string | undefined {
  for (const { cells } of rows)
    for (const cell of cells) {
      const sign = cell === undefined ? undefined : /^\(?((?:US|C|A)?\$|[€£])\s{0,20}[-–(]?\d/u.exec(cell.text)?.[1];
      if (sign !== undefined) return readUnitNote(sign)?.currency;
    }
  return undefined;
}

/** A table with one fact per row. @returns whether it is one */
function takeFacts(state: ReadingState, table: Table): boolean {
  const { calendar, decimalMark, zeros } = state;
  const read = readLongTable(table, { calendar, decimalMark, zeros });
  if (read === undefined) return false;
  for (const { item, label, value, zeros: own, currency, start, end } of read.facts) {
    if (currency !== undefined) vote(state, currency);
    state.scales.add(own);
    pushValue(state, item, { period: label, value, zeros: own, start, end });
  }
  state.itemLines.push({ start: table.start, end: table.end });
  const columns = table.columns.map(() => ({ isOther: true }));
  const captions = [state.topic, ...state.captions];
  state.tables.push({ table, columns, captions, zeros, taken: read.facts.length, long: read });
  state.captions = [];
  return true;
}

/** "Revenue | £612.4m | +4.2%": rows that are read like sentences, because each amount has its unit and no column a period. */
function printsUnits({ rows }: Table): boolean {
  const united = rows.filter(({ cells }) => cells.some((cell) => cell !== undefined && amountWithUnit.test(cell.text)));
  return united.length > 1 && united.length * 3 > rows.length;
}

/** "Importi in migliaia di euro" in the last row of the first table, "Amounts in CHF million." directly below it. */
function takeUnitsBelow(state: ReadingState, { rows }: Table, below: string) {
  const note = below.trim().split('\n', 1)[0]!;
  if (unitRemark.test(note) && note.length < 120) takeUnits(state, note.replace(/[.;:]+$/, ''));
  const cells = rows.at(-1)?.cells;
  if (cells !== undefined && isLabelAlone(cells)) takeUnits(state, cells.find((cell) => cell !== undefined)!.text);
}

const unitRemark =
  /^[(*]?(?:all |alle |tous les |tutti gli |todos los )?(?:amounts|figures|numbers|values|betr[äa]ge|angaben|zahlen|werte|montants|chiffres|importes|cifras|importi|valori|bedragen|belopp|bel[øo]b|kwoty|valores)(?!\p{L})/iu;

/** From its own headings and captions; else from the previous table, if it has the same number of columns. */
function columnsOf(state: ReadingState, table: Table): readonly Column[] {
  const isHeadingOnly = !table.columns.some((_, column) => holdsAmounts(state, table, column));
  const own = readColumns(table, { lines: state.captions, days: state.days }, state.calendar, isHeadingOnly);
  if (own.some(({ period }) => period !== undefined)) {
    const usable = own.filter(({ period, isOther }) => period !== undefined || isOther);
    if (usable.some(({ isOther }) => !isOther)) state.columns = usable;
    return own;
  }
  const restated = restatedColumns(table, own, state.captions, state.calendar);
  if (restated !== undefined) return restated;
  const filled = table.columns.flatMap((_, column) =>
    column > 0 && holdsAmounts(state, table, column) && !own[column]!.isOther ? [column] : [],
  );
  // Note numbers precede the amounts and have no period.
  const isNoted = filled.length > 1 && holdsNotesOnly(state, table, filled[0]!);
  const numeric = isNoted ? filled.slice(1) : filled;
  const titled =
    numeric.length === 1 && !own.some(({ isOther }) => isOther)
      ? titledPeriod(state.captions, state.calendar)
      : undefined;
  if (titled !== undefined)
    return own.map((column, index) => (index === numeric[0] ? { ...column, period: titled } : column));
  const before = state.columns;
  const reported = before.filter(({ isOther }) => !isOther);
  const distinct = reported.filter(
    ({ period }, index) => reported.findIndex((other) => isSameColumn(other.period, period)) === index,
  );
  const carried = [before, reported, distinct].find(({ length }) => length === numeric.length);
  if (carried !== undefined && !own.some(({ isOther }) => isOther))
    return own.map((column, index) => carried[numeric.indexOf(index)] ?? column);
  return own;
}

function isSameColumn(one: Column['period'], other: Column['period']): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function holdsNotesOnly({ decimalMark }: ReadingState, { rows }: Table, column: number): boolean {
  const texts = rows.flatMap(({ cells }) => {
    const cell = cells[column];
    return cell === undefined || amountCell(cell, decimalMark).value === undefined ? [] : [cell.text];
  });
  return texts.length > 0 && texts.every((text) => /^\d{1,2}(?:\.\d{1,2})?$/.test(text));
}
