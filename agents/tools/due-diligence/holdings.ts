/** Reads cap tables: the shares and rights to shares of each holder, and whether the table's own totals agree. */

import type { Document } from '../../document/document.ts';
import { type Cell, fullRows, type Table } from '../../document/table.ts';
import { formatDecimal } from '../text/decimal.ts';
import { parseNumber } from '../text/numbers.ts';
import { fraction, toDecimal } from './fraction.ts';

export type HoldingKind = 'shares' | 'options granted' | 'pool unissued' | 'warrants';

export interface Holding {
  readonly holder: string;
  /** The column's heading, if there are several: "Series A". */
  readonly shareClass: string;
  readonly kind: HoldingKind;
  /** Index of the column of the count. */
  readonly column: number;
  /** The text as printed. */
  readonly percent?: string;
  readonly count: bigint;
  readonly start: number;
  readonly end: number;
}

export interface CapTable {
  readonly start: number;
  readonly end: number;
  readonly holdings: readonly Holding[];
  /** Totals or percentages of the table that contradict its rows. */
  readonly disagreements: readonly string[];
}

/** Rows read per table. */
const holdersMax = 500;

/** Tables with the holder in the first column and at least one column of shares. */
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
  /** The column of the holders' names. */
  readonly holder: number;
  /** By column of counts: what a count is multiplied with, 1,000 in "Shares (000s)". */
  readonly factors: readonly bigint[];
  readonly heading: readonly Cell[];
  readonly counts: readonly number[];
  readonly total?: number;
  readonly percent?: number;
  /** A column that names the class of each row. */
  readonly share?: number;
}

const countHeading =
  /(?<!\p{L})(?:shares?|stock|units?|ordinary|common|preferred|preference|seed|series|class|options?|warrants?|securities|holding|anteile|aktien|geschäftsanteile|stammkapital|nennbetrag|stück|number|no\. of|anzahl|nombre|titres|actions|parts|bspce|bsa|número|acciones|participaciones|títulos|quantity|qty|menge|quantité|cantidad|quantità|quantidade|ilość|liczba|udziały|udziałów|quote|azioni|ações|quotas|aktier|andelar|antal|aantal|aandelen|certificaten|akcie|podíly)(?!\p{L})/iu;
const shareHeading =
  /^(?:share |security |equity )?(?:class|type|series|security|instrument|gattung|klasse|art|catégorie|clase|soort)(?: of shares?| of security)?$/i;
const totalHeading = /(?<!\p{L})(?:total|fully[ -]diluted|sum|summe|gesamt|insgesamt|totaal|celkem)(?!\p{L})/iu;
const percentHeading =
  /%|(?<!\p{L})(?:percent|percentage|per cent|ownership|stake|quote|beteiligung|anteil in|prozent|pourcentage|détention|porcentaje|participación|belang|percentage|podíl)(?!\p{L})/iu;

function columnsOf(heading: readonly Cell[]): Columns | undefined {
  const counts: number[] = [];
  let total: number | undefined;
  let percent: number | undefined;
  const named = heading.findIndex(({ text }) => holderHeading.test(text.trim()));
  const holder = Math.max(0, named);
  const share = heading.findIndex(({ text }, index) => index !== holder && shareHeading.test(text.trim()));
  const shared = { holder, ...(share < 0 ? {} : { share }) };
  heading.forEach(({ text }, index) => {
    const title = text.slice(0, 60);
    if (index === holder || index === share || noCount.test(title)) return;
    if (percentHeading.test(title)) percent ??= index;
    else if (totalHeading.test(title)) total ??= index;
    else if (countHeading.test(title)) counts.push(index);
  });
  if (counts.length === 0 && total !== undefined)
    return {
      heading,
      counts: [total],
      factors: factorsOf(heading),
      ...shared,
      ...(percent === undefined ? {} : { percent }),
    };
  if (counts.length === 0) return undefined;
  return {
    heading,
    counts,
    factors: factorsOf(heading),
    ...shared,
    ...(total === undefined ? {} : { total }),
    ...(percent === undefined ? {} : { percent }),
  };
}

/** Columns of money, and of the serial numbers of shares. */
const noCount =
  /price|value|amount|paid|invest|principal|discount|€|\$|eur|usd|(?<!\p{L})(?:lfd\.?|laufende|serial|certificate|security id)(?!\p{L})|numeraci|(?:share|anteils?) ?(?:numbers|nummern)/iu;

const holderHeading =
  /^(?:(?:name of )?(?:the )?(?:share|stock|stake|security |unit )?holders?(?: name)?|investors?|members?|owners?|names?|(?:gesell|anteils|aktien)\p{L}*(?:inhaber(?:in)?|er|eigner)|inhaber|aktionäre?|associés?|actionnaires?|titulaires?|porteurs?|soci[ao]s?|accionistas?|titular(?:es)?|aandeelhouders?|houders?|soci|azionist[ai]|wspólni(?:k|cy)|akcjonariusz\p{L}*|společní\p{L}*)$/iu;
const thousands =
  /\(?(?:000(?:['’]?s)?|in thousands|thousands|tsd\.?|in tausend|en milliers|en miles|x ?1[.,]?000)\)?/i;

function factorsOf(heading: readonly Cell[]): bigint[] {
  return heading.map(({ text }) => (thousands.test(text) ? 1_000n : 1n));
}

function readTable(table: Table): CapTable | undefined {
  const { start, end } = table;
  const rows = fullRows(table);
  // Lines with the company name and the date are above the headings.
  const head = rows
    .slice(0, 12)
    .findIndex(
      (row) =>
        row.filter(({ text }) => text !== '').length > 1 &&
        !row.some(({ text }) => countOf(text) !== undefined) &&
        columnsOf(row) !== undefined,
    );
  const below = head < 0 ? 0 : rows.slice(head + 1, head + 3).findIndex((row) => !isLowerHeading(row));
  const columns = head < 0 ? undefined : columnsOf(joinedHeading(rows.slice(head, head + 1 + Math.max(0, below))));
  if (columns === undefined) return readUntitled(table, rows);
  const status = columns.heading.findIndex(({ text }) => statusHeading.test(text.trim()));
  const holdings: Holding[] = [];
  const disagreements: string[] = [];
  let totalRow: readonly Cell[] | undefined;
  const percentRows: { holder: string; stated: string; count: bigint }[] = [];
  for (const row of rows.slice(head + 1 + Math.max(0, below), head + holdersMax + 1)) {
    if (cancelled.test(row[status]?.text.trim() ?? '')) continue;
    const holder = holderIn(row, columns.holder);
    // "TOTAL" may stand in the column of the class.
    const title = holder === '' ? (row.find(({ text }) => text !== '')?.text ?? '') : holder;
    if (totalName.test(title)) {
      if (!/^(?:sub|sous|zwischen|issued)/i.test(title)) totalRow = row;
      continue;
    }
    const printed = columns.percent === undefined ? undefined : percentValue(row[columns.percent]?.text ?? '');
    const own = holdingsOf(row, holder, columns).map((each, _index, all) =>
      printed === undefined || all.length > 1 ? each : { ...each, percent: printed },
    );
    holdings.push(...own);
    const count = own.reduce((sum, holding) => sum + holding.count, 0n);
    const stated = columns.percent === undefined ? undefined : row[columns.percent]?.text;
    if (stated !== undefined && own.length > 0) percentRows.push({ holder, stated, count });
    const rowTotal = columns.total === undefined ? undefined : scaledCount(row, columns.total, columns);
    if (rowTotal !== undefined && own.length > 0 && rowTotal !== count) {
      disagreements.push(`${holder}: row adds up to ${count}, the table says ${rowTotal}`);
    }
  }
  if (holdings.length === 0) return undefined;
  disagreements.push(
    ...totalsThatDisagree(columns, holdings, totalRow),
    ...percentsThatDisagree(percentRows, holdings),
    ...totalPercent(holdings, columns.percent === undefined ? undefined : totalRow?.[columns.percent]?.text),
  );
  return { start, end, holdings, disagreements };
}

/** "in % des Stammkapitals" below "Umfang der Beteiligung": a second row of headings. */
function isLowerHeading(row: readonly Cell[]): boolean {
  return (
    row[0]?.text === '' &&
    row.some(({ text }) => /\p{L}{3}/u.test(text)) &&
    row.every(({ text }) => countOf(text) === undefined)
  );
}

/** The lowest heading of each column. */
function joinedHeading(rows: readonly (readonly Cell[])[]): readonly Cell[] {
  const [first, ...others] = rows;
  return first!.map((cell, index) => others.findLast((row) => (row[index]?.text ?? '') !== '')?.[index] ?? cell);
}

const totalName =
  /^(?:(?:grand |sous-|zwischen)?(?:sub)?-? ?(?:total|sum(?:me)?|gesamt|insgesamt|totaal|subtotaal|celkem|razem|totale|fully[ -]diluted|issued (?:and outstanding|share))|ensemble)/i;
const statusHeading = /^(?:status|state|stand|état|estado|stan|stato)$/i;
/** A security that is no longer outstanding. */
const cancelled =
  /^(?:cancell?ed|repurchased|forfeited|void(?:ed)?|converted|redeemed|expired|terminated|eingezogen|storniert|gelöscht|annulée?s?|rachetée?s?|cancelad[oa]|amortizad[oa]|geannuleerd|ingetrokken|umorzon[ey]|annullat[aeo])/i;

/** The name without its entry in a register, address or date of birth, and "Options granted" without the number of holders. */
function holderIn(row: readonly Cell[], column: number): string {
  const shown = row[column]?.text ?? '';
  const cut = shown.search(
    /,\s(?:geb\.|geboren|born|née?\s|nat[oa]\s|ur\.\s|HR[AB]\s|RCS\s|KvK\s|KRS\s|NIPC\s|CIF\s|NIF\s|org\.?\s?n|reg(?:istered|\.)|company n|wohnhaft|residing|domicili)|\s\(\d{1,4}\s\p{L}+\)$/iu,
  );
  return (cut > 0 ? shown.slice(0, cut) : shown).slice(0, 80);
}

/** "Anna Berg | 24,000 | 48 %" without headings: a cap table if every percentage is the share of its count. */
function readUntitled({ start, end, columns }: Table, rows: readonly (readonly Cell[])[]): CapTable | undefined {
  if (columns.length < 3 || columns.length > 6 || rows.length < 3 || rows.length > holdersMax) return undefined;
  const read = rows.flatMap((row) => {
    const counted = row.findIndex(
      (cell, index) => index > 0 && !cell.text.includes('%') && countOf(cell.text) !== undefined,
    );
    const percent = row.find(({ text }) => /^\d{1,3}(?:[.,]\d{1,4})?\s?%$/.test(text.trim()));
    const count = counted < 0 ? undefined : countOf(row[counted]!.text);
    const printed = percent === undefined ? undefined : percentValue(percent.text);
    if (count === undefined || count === 0n || printed === undefined) return [];
    return [{ row, holder: holderIn(row, 0), column: counted, count, percent: printed }];
  });
  const lines = read.filter(({ holder }) => /\p{L}{2}/u.test(holder) && !totalName.test(holder));
  const whole = lines.reduce((sum, { count }) => sum + count, 0n);
  const agrees = ({ count, percent }: { count: bigint; percent: string }) =>
    Math.abs((Number(count) * 100) / Number(whole) - Number(percent)) <=
    0.51 * 10 ** -(percent.split('.')[1]?.length ?? 0);
  if (lines.length < 2 || lines.length < rows.length - 2 || !lines.every(agrees)) return undefined;
  const holdings = lines.map(
    ({ row, holder, column, count, percent }): Holding => ({
      holder,
      column,
      shareClass: '',
      kind: kindOf(holder),
      count,
      percent,
      start: row[0]!.start,
      end: row.at(-1)!.end,
    }),
  );
  return { start, end, holdings, disagreements: [] };
}

function holdingsOf(row: readonly Cell[], holder: string, columns: Columns): Holding[] {
  const { heading, counts, share } = columns;
  // A number names no holder.
  if (!/\p{L}{2}/u.test(holder)) return [];
  return counts.flatMap((column): Holding[] => {
    const cell = row[column];
    const count = scaledCount(row, column, columns);
    if (cell === undefined || count === undefined || count === 0n) return [];
    const columnTitle = heading[column]!.text.slice(0, 40);
    const shareClass = (share === undefined ? '' : (row[share]?.text ?? '')).slice(0, 40) || columnTitle;
    return [
      {
        holder,
        column,
        shareClass,
        kind: kindOf(`${holder} ${shareClass}`),
        count,
        start: row[0]!.start,
        end: cell.end,
      },
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

/** Whole numbers only, because a count of shares has no fraction. Points and commas before three digits separate thousands. */
function countOf(text: string | undefined): bigint | undefined {
  if (text === undefined || text.length > 40) return undefined;
  const value = parseNumber(text, { decimalMark: /,\d{3}(?!\d)/.test(text) ? '.' : ',' })?.value;
  return value === undefined || !/^\d{1,18}$/.test(value) ? undefined : BigInt(value);
}

function scaledCount(row: readonly Cell[], column: number, { factors }: Columns): bigint | undefined {
  const count = countOf(row[column]?.text);
  return count === undefined ? undefined : count * (factors[column] ?? 1n);
}

function totalsThatDisagree(
  columns: Columns,
  holdings: readonly Holding[],
  totalRow: readonly Cell[] | undefined,
): string[] {
  if (totalRow === undefined) return [];
  const { counts, heading } = columns;
  return counts.flatMap((column) => {
    const stated = scaledCount(totalRow, column, columns);
    const title = heading[column]!.text.slice(0, 40);
    const sum = holdings.filter((holding) => holding.column === column).reduce((total, { count }) => total + count, 0n);
    return stated === undefined || stated === sum || isMisread(stated, sum)
      ? []
      : [`${title}: rows add up to ${sum}, the table says ${stated}`];
  });
}

/** A gap of more than a quarter is more likely a row or column that was not read than an error of the table. */
function isMisread(stated: bigint, sum: bigint): boolean {
  const gap = stated > sum ? stated - sum : sum - stated;
  return gap * 4n > stated;
}

function percentValue(text: string): string | undefined {
  return parseNumber(text.replace('%', ''), { decimalMark: text.includes(',') ? ',' : '.' })?.value;
}

/** Compares the printed percentages with their printed total, and tolerates rounding. */
function totalPercent(holdings: readonly Holding[], stated: string | undefined): string[] {
  const parts = holdings.flatMap(({ percent }) => (percent === undefined ? [] : [Number(percent)]));
  const total = stated === undefined ? undefined : percentValue(stated);
  if (total === undefined || parts.length < 2 || parts.length < holdings.length) return [];
  const sum = parts.reduce((all, part) => all + part, 0);
  const places = Math.max(...holdings.map(({ percent }) => percent?.split('.')[1]?.length ?? 0));
  if (Math.abs(sum - Number(total)) <= parts.length * 10 ** -places) return [];
  return [`percentages add up to ${Number(sum.toFixed(places))} %, the table says ${Number(total)} %`];
}

/** A stated percentage agrees if it is the computed one, rounded to the same number of places. */
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
    const [own, printed] = [Number(computed), Number(value)];
    if (own > printed * 2 || own * 2 < printed) return [];
    return computed === value ? [] : [`${holder}: holds ${computed} %, the table says ${value} %`];
  });
}
