/** Reads cap tables: who holds how many shares and rights to shares, and whether the table's own totals agree. */

import type { Document } from '../../document/document.ts';
import { type Cell, fullRows, type Table } from '../../document/table.ts';
import { formatDecimal } from '../text/decimal.ts';
import { parseNumber } from '../text/numbers.ts';
import { fraction, toDecimal } from './fraction.ts';

export type HoldingKind = 'shares' | 'options granted' | 'pool unissued' | 'warrants';

export interface Holding {
  readonly holder: string;
  /** The column's heading, where there are several: "Series A". */
  readonly shareClass: string;
  readonly kind: HoldingKind;
  readonly count: bigint;
  readonly start: number;
  readonly end: number;
}

export interface CapTable {
  readonly start: number;
  readonly end: number;
  readonly holdings: readonly Holding[];
  /** Where the table's own totals or percentages do not follow from its rows. */
  readonly disagreements: readonly string[];
}

/** Rows read per table. */
const holdersMax = 500;

/** Tables with a holder in the first column and at least one column of shares. */
export function findCapTables(document: Document): CapTable[] {
  return document.tables.flatMap((table) => {
    const read = readTable(table);
    return read === undefined ? [] : [read];
  });
}

/** "12.50", of a whole above zero. */
export function percentOf(part: bigint, whole: bigint): string {
  return whole === 0n ? '0.00' : formatDecimal(toDecimal(fraction(part * 100n, whole), 2));
}

interface Columns {
  readonly heading: readonly Cell[];
  readonly counts: readonly number[];
  readonly total?: number;
  readonly percent?: number;
}

const countHeading =
  /\b(?:shares?|stock|units?|ordinary|common|preferred|preference|seed|series|class|options?|warrants?|anteile|aktien|geschäftsanteile|number|anzahl|actions|parts|akcie|podíly)\b/i;
const totalHeading = /\b(?:total|fully[ -]diluted|sum|gesamt|celkem)\b/i;
const percentHeading = /%|\b(?:percent|per cent|ownership|quote|prozent|podíl)\b/i;

function columnsOf(heading: readonly Cell[]): Columns | undefined {
  const counts: number[] = [];
  let total: number | undefined;
  let percent: number | undefined;
  heading.forEach(({ text }, index) => {
    const title = text.slice(0, 60);
    if (index === 0 || /price|value|amount|paid|invest|€|\$|eur|usd/i.test(title)) return;
    if (percentHeading.test(title)) percent ??= index;
    else if (totalHeading.test(title)) total ??= index;
    else if (countHeading.test(title)) counts.push(index);
  });
  if (counts.length === 0 && total !== undefined)
    return { heading, counts: [total], ...(percent === undefined ? {} : { percent }) };
  if (counts.length === 0) return undefined;
  return { heading, counts, ...(total === undefined ? {} : { total }), ...(percent === undefined ? {} : { percent }) };
}

function readTable(table: Table): CapTable | undefined {
  const { start, end } = table;
  const rows = fullRows(table);
  const columns = columnsOf(rows[0] ?? []);
  if (columns === undefined) return undefined;
  const holdings: Holding[] = [];
  const disagreements: string[] = [];
  let totalRow: readonly Cell[] | undefined;
  const percentRows: { holder: string; stated: string; count: bigint }[] = [];
  for (const row of rows.slice(1, holdersMax + 1)) {
    const holder = row[0]?.text.slice(0, 80) ?? '';
    if (/^(?:sub)?-? ?(?:total|sum|gesamt|celkem|fully[ -]diluted)/i.test(holder)) {
      totalRow ??= row;
      continue;
    }
    const own = holdingsOf(row, holder, columns);
    holdings.push(...own);
    const count = own.reduce((sum, holding) => sum + holding.count, 0n);
    const stated = columns.percent === undefined ? undefined : row[columns.percent]?.text;
    if (stated !== undefined && own.length > 0) percentRows.push({ holder, stated, count });
    const rowTotal = columns.total === undefined ? undefined : countOf(row[columns.total]?.text);
    if (rowTotal !== undefined && own.length > 0 && rowTotal !== count) {
      disagreements.push(`${holder}: row adds up to ${count}, the table says ${rowTotal}`);
    }
  }
  if (holdings.length === 0) return undefined;
  disagreements.push(
    ...totalsThatDisagree(columns, holdings, totalRow),
    ...percentsThatDisagree(percentRows, holdings),
  );
  return { start, end, holdings, disagreements };
}

function holdingsOf(row: readonly Cell[], holder: string, { heading, counts }: Columns): Holding[] {
  if (holder === '' || countOf(holder) !== undefined) return [];
  return counts.flatMap((column): Holding[] => {
    const cell = row[column];
    const count = countOf(cell?.text);
    if (cell === undefined || count === undefined || count === 0n) return [];
    const shareClass = heading[column]!.text.slice(0, 40);
    return [
      { holder, shareClass, kind: kindOf(`${holder} ${shareClass}`), count, start: row[0]!.start, end: cell.end },
    ];
  });
}

function kindOf(title: string): HoldingKind {
  if (/warrant/i.test(title)) return 'warrants';
  if (
    /unissued|unallocated|available|ungranted|reserve|\bpool\b/i.test(title) &&
    !/granted options|options granted/i.test(title)
  )
    return 'pool unissued';
  return /option|esop|vsop|rsu|phantom|bsa|bspce/i.test(title) ? 'options granted' : 'shares';
}

/** Whole numbers only: a count of shares has no fraction. Points and commas before three digits separate thousands. */
function countOf(text: string | undefined): bigint | undefined {
  if (text === undefined || text.length > 40) return undefined;
  const value = parseNumber(text, { decimalMark: /,\d{3}(?!\d)/.test(text) ? '.' : ',' })?.value;
  return value === undefined || !/^\d{1,18}$/.test(value) ? undefined : BigInt(value);
}

function totalsThatDisagree(
  { counts, heading }: Columns,
  holdings: readonly Holding[],
  totalRow: readonly Cell[] | undefined,
): string[] {
  if (totalRow === undefined) return [];
  return counts.flatMap((column) => {
    const stated = countOf(totalRow[column]?.text);
    const title = heading[column]!.text.slice(0, 40);
    const sum = holdings
      .filter(({ shareClass }) => shareClass === title)
      .reduce((total, { count }) => total + count, 0n);
    return stated === undefined || stated === sum ? [] : [`${title}: rows add up to ${sum}, the table says ${stated}`];
  });
}

/** A stated percentage agrees where it is the computed one rounded to as many places as it has. */
function percentsThatDisagree(
  rows: readonly { holder: string; stated: string; count: bigint }[],
  holdings: readonly Holding[],
): string[] {
  const whole = holdings.reduce((sum, { count }) => sum + count, 0n);
  return rows.flatMap(({ holder, stated, count }) => {
    const value = parseNumber(stated.replace('%', ''), { decimalMark: stated.includes(',') ? ',' : '.' })?.value;
    if (value === undefined || whole === 0n) return [];
    const places = Math.min(6, value.split('.')[1]?.length ?? 0);
    const exact = fraction(count * 100n, whole);
    const computed = formatDecimal(toDecimal(exact, places));
    return computed === value ? [] : [`${holder}: holds ${percentOf(count, whole)} %, the table says ${value} %`];
  });
}
