/** Reads invoices: number, date, VAT numbers, net, rate, tax and gross, each from its own label, row or column. */
import type { Document } from '../../document/document.ts';
import { fullRows, type Table } from '../../document/table.ts';
import {
  absolute,
  compare,
  divide,
  multiply,
  parseRational,
  type Rational,
  rational,
  subtract,
  sum,
} from '../financial/rational.ts';
import { findNumbers } from '../text/numbers.ts';
import { findPercents } from '../text/percents.ts';
import type { Range } from '../text/span.ts';

export interface Placed<Value> extends Range {
  readonly value: Value;
}

type AmountName = 'net' | 'tax' | 'gross';

export interface Invoice {
  readonly number?: Placed<string>;
  /** ISO. */
  readonly date?: Placed<string>;
  /** In percent. */
  readonly rate?: Placed<Rational>;
  readonly net?: Placed<Rational>;
  readonly tax?: Placed<Rational>;
  readonly gross?: Placed<Rational>;
  readonly currency?: string;
}

const invoiceWord = /\b(?:invoice|credit note|rechnung|gutschrift|facture|faktura|daňový doklad|fattura|factura)\b/iu;

/** Labels of totals, the more special first: "total excl. VAT" is no gross. */
const amountLabels: readonly (readonly [AmountName, RegExp])[] = [
  [
    'net',
    /\b(?:net(?: amount| total| value)?|sub-?total|taxable (?:amount|value|base)|(?:total|amount)[^:]{0,12}\b(?:excl\w*\.?|excluding|before|without|ex)\s{1,2}(?:vat|tax|gst)|nettobetrag|netto|zwischensumme|total ht|montant ht|základ(?: daně)?|cena bez dph|bez dph|imponibile)(?!\p{L})/iu,
  ],
  [
    'gross',
    /\b(?:gross(?: amount| total)?|grand total|total (?:amount )?(?:due|payable)|amount due|balance due|(?:total|amount)[^:]{0,12}\b(?:incl\w*\.?|including|with)\s{1,2}(?:vat|tax|gst)|bruttobetrag|brutto|gesamtbetrag|rechnungsbetrag|total ttc|montant ttc|net à payer|celkem k úhradě|celkem s dph|k úhradě|totale fattura|invoice total|total)(?!\p{L})/iu,
  ],
  [
    'tax',
    /\b(?:vat|v\.a\.t\.|gst|sales tax|value[- ]added tax|tax(?: amount)?|mwst\.?|ust\.?|umsatzsteuer|mehrwertsteuer|tva|dph|iva|btw)(?!\p{L})/iu,
  ],
];
const rateLabel = /\b(?:rate|satz|sazba|taux|aliquota|%)(?!\p{L})|%/iu;
const registration =
  /\b(?:vat|tax|ust|dph|tva|btw|iva)[- .]{0,2}(?:id|no|nr|number|reg\w*|identification)\b|\b(?:ust-?id|dič|uid)\b/iu;
const numberLabel =
  /\b(?:(?:tax )?invoice(?: number| no\.?| nr\.?| #| id)|rechnungs(?:nummer|-?nr\.?)|facture (?:n°|no\.?|numéro)|faktura (?:č\.?|číslo|nr\.?)|číslo faktury|inv\.? no\.?|document (?:no\.?|number))[ \t]{0,3}[:#.]?[ \t]{0,4}((?=[^\s]{0,30}\d)[\p{L}\d][\p{L}\d/._-]{0,30})/iu;
const dateLabel =
  /\b(?:invoice date|date of (?:issue|invoice)|issue date|issued(?: on)?|rechnungsdatum|datum|date de facture|date|datum vystavení|data fattura)\b[^\n\d]{0,24}$/iu;
const otherDate = /\b(?:due|delivery|supply|payment|fällig|leistung\w*|splatnost\w*|échéance|order)\b[^\n\d]{0,24}$/iu;

/** @returns undefined where the text calls itself no invoice or states no amount of one */
export function findInvoice(document: Document): Invoice | undefined {
  const { text } = document;
  if (!invoiceWord.test(text.slice(0, 2_000))) return undefined;
  const amounts = new Map<AmountName, Placed<Rational>>();
  let rate: Placed<Rational> | undefined;
  for (const table of document.tables) {
    const byColumn = amountsByColumn(document, table);
    for (const [name, found] of byColumn.amounts) if (!amounts.has(name)) amounts.set(name, found);
    rate ??= byColumn.rate;
  }
  for (const line of linesOf(document)) {
    rate ??= rateIn(document, line);
    const found = amountIn(document, line);
    // A total further down sums up what stands above it.
    if (found !== undefined) amounts.set(found.name, found);
  }
  const [net, tax, gross] = [amounts.get('net'), amounts.get('tax'), amounts.get('gross')];
  const number = numberIn(text);
  if ((gross === undefined && tax === undefined) || (number === undefined && net === undefined)) return undefined;
  const date = dateIn(document);
  const currency = document.amounts.find((amount) => amount.currency !== undefined)?.currency;
  return {
    ...(number === undefined ? {} : { number }),
    ...(date === undefined ? {} : { date }),
    ...(rate === undefined ? {} : { rate }),
    ...(net === undefined ? {} : { net }),
    ...(tax === undefined ? {} : { tax }),
    ...(gross === undefined ? {} : { gross }),
    ...(currency === undefined ? {} : { currency }),
  };
}

/** Lines, fields and rows: what one label stands in. */
function linesOf({ blocks, text }: Document): Range[] {
  return blocks.flatMap((block): Range[] => {
    if (block.kind === 'table') return [...block.table.rows];
    const lines: Range[] = [];
    for (let at = block.start; at < block.end; ) {
      const next = text.indexOf('\n', at);
      const end = next === -1 || next > block.end ? block.end : next;
      lines.push({ start: at, end });
      at = end + 1;
    }
    return lines;
  });
}

/** The last number of a line whose label names a total; percentages are rates. */
function amountIn(
  { text, decimalMark }: Document,
  { start, end }: Range,
): (Placed<Rational> & { name: AmountName }) | undefined {
  if (end - start > 240) return undefined;
  const line = text.slice(start, end);
  if (registration.test(line)) return undefined;
  const percents = findPercents(line, { decimalMark });
  const numbers = findNumbers(line, { decimalMark }).filter(
    (number) => !percents.some((percent) => percent.start <= number.start && number.start < percent.end),
  );
  const last = numbers.at(-1);
  const first = numbers[0];
  if (last === undefined || first === undefined) return undefined;
  const label = line.slice(0, first.start);
  const name = amountLabels.find(([, shape]) => shape.test(label))?.[0];
  const value = toAmount(last);
  return name === undefined || value === undefined
    ? undefined
    : { name, value, start: start + last.start, end: start + last.end };
}

/** Money: a single mark before three digits separates thousands. */
function toAmount({ value, ambiguous }: { readonly value: string; readonly ambiguous: boolean }): Rational | undefined {
  return parseRational(ambiguous ? value.replace('.', '') : value);
}

function rateIn({ text, decimalMark }: Document, { start, end }: Range): Placed<Rational> | undefined {
  if (end - start > 240) return undefined;
  const line = text.slice(start, end);
  const [percent] = findPercents(line, { decimalMark });
  const isTax = amountLabels[2]![1].test(line) || rateLabel.test(line.slice(0, percent?.start ?? 0));
  if (percent === undefined || !isTax || /\b(?:discount|skonto|rabatt|sleva|interest|late)\b/i.test(line))
    return undefined;
  const value = parseRational(percent.value);
  return value === undefined ? undefined : { value, start: start + percent.start, end: start + percent.end };
}

/** A summary with net, tax and gross as columns: the row of totals, else the only row. */
function amountsByColumn({ decimalMark }: Document, table: Table): SummaryRow {
  const amounts = new Map<AmountName, Placed<Rational>>();
  const titles = table.columns.map(({ headerCells }) => headerCells.map(({ text }) => text).join(' '));
  const names = titles.map((title) => {
    return /rate|satz|sazba|%|unit|qty|quantity|price per/i.test(title)
      ? undefined
      : amountLabels.find(([, shape]) => shape.test(title))?.[0];
  });
  if (new Set(names.filter((name) => name !== undefined)).size < 2) return { amounts };
  const rows = fullRows(table).slice(table.headerRows.length);
  const row =
    rows.findLast(([label]) => /^(?:total|sum|gesamt|celkem|summe)/i.test(label?.text ?? '')) ??
    (rows.length === 1 ? rows[0] : undefined);
  let rate: Placed<Rational> | undefined;
  row?.forEach((cell, column) => {
    const name = names[column];
    const number = findNumbers(cell.text, { decimalMark })[0];
    if (number === undefined) return;
    const value = name === undefined ? parseRational(number.value) : toAmount(number);
    if (value === undefined) return;
    const placed = { value, start: cell.start, end: cell.end };
    if (name !== undefined) amounts.set(name, placed);
    else if (rateLabel.test(titles[column]!)) rate ??= placed;
  });
  return { amounts, ...(rate === undefined ? {} : { rate }) };
}

interface SummaryRow {
  readonly amounts: ReadonlyMap<AmountName, Placed<Rational>>;
  readonly rate?: Placed<Rational>;
}

function numberIn(text: string): Placed<string> | undefined {
  // In a table the label and the number are divided by a tab.
  const match = numberLabel.exec(text);
  if (match === null) return undefined;
  const end = match.index + match[0].length;
  return { value: match[1]!.replace(/[.,]$/, ''), start: end - match[1]!.length, end };
}

function dateIn({ text, dates, sentences }: Document): Placed<string> | undefined {
  const days = dates.filter(({ iso }) => iso.length === 10);
  const before = (start: number) => text.slice(Math.max(0, start - 40), start);
  const labelled = days.find(({ start }) => dateLabel.test(before(start)) && !otherDate.test(before(start)));
  const day = labelled ?? days.find(({ start }) => !otherDate.test(before(start)));
  return day === undefined || sentences.length === 0 ? undefined : { value: day.iso, start: day.start, end: day.end };
}

const cents = rational(2n, 100n);

/** Whether net and tax make the gross, and whether the tax is the rate of the net; undefined where a figure is missing. */
export function checkInvoice({ net, tax, gross, rate }: Invoice): {
  readonly addsUp?: boolean;
  readonly rateFits?: boolean;
} {
  const isNear = (one: Rational, other: Rational) => compare(absolute(subtract(one, other)), cents) <= 0;
  return {
    ...(net && tax && gross ? { addsUp: isNear(sum([net.value, tax.value]), gross.value) } : {}),
    ...(net && tax && rate
      ? { rateFits: isNear(divide(multiply(net.value, rate.value), rational(100n)), tax.value) }
      : {}),
  };
}
