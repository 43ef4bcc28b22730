/** Reads the invoices of a text, one result per document and per row of a register. */
import type { DocumentSource } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { foldText } from './fold.ts';
import type { Amounts, Invoice } from './invoice.ts';
import { findAmountsOf } from './invoice-amounts.ts';
import { findErrors, findMissing } from './invoice-checks.ts';
import { findInvoiceDates } from './invoice-dates.ts';
import { findNotes } from './invoice-notes.ts';
import { findParties, type InvoiceParties } from './invoice-parties.ts';
import { findParts, type InvoicePart } from './invoice-parts.ts';
import { findRegister, type RegisterRow } from './invoice-register.ts';
import { stackedItems } from './invoice-stacked.ts';
import { findInvoiceTables } from './invoice-tables.ts';
import { type Layout, readLayout } from './layout.ts';
import { type FoundVatId, findVatIds } from './vat-ids.ts';
import { withheld } from './withholding-words.ts';

/** In text order; a text that only mentions invoices contains none. */
export function findInvoices(source: DocumentSource): Invoice[] {
  const layout = readLayout(source);
  const register = findRegister(layout);
  if (register.rows.length > 0) return register.rows.map(invoiceOfRow);
  const parts = findParts(layout);
  if (parts.length === 0) return [];
  const ids = findVatIds(layout);
  return sharedParties(parts.flatMap((part) => invoiceOfPart(layout, part, ids, parts) ?? []));
}

function invoiceOfPart(
  layout: Layout,
  part: InvoicePart,
  ids: readonly FoundVatId[],
  parts: readonly InvoicePart[],
): Invoice | undefined {
  const first = layout.lines[part.from];
  const last = layout.lines[part.to - 1];
  if (first === undefined || last === undefined) return undefined;
  const range: Range = { start: first.start, end: last.end };
  const tables = findInvoiceTables(layout, part.from, part.to);
  const amounts = findAmountsOf(layout, part.from, part.to, tables);
  if (!isInvoice(part, amounts)) return undefined;
  const parties = findParties(layout, part);
  const dates = findInvoiceDates(layout, part);
  const others = parts.flatMap(({ number }) =>
    number === undefined || number === part.number || number.value.length < 4 ? [] : [number.value],
  );
  const notes = findNotes(layout, [range], others);
  const vatNumbers = ids.filter(({ start }) => start >= range.start && start < range.end);
  const text = layout.document.text.slice(range.start, range.end);
  const items = tables.items.length > 0 ? tables.items : stackedItems(layout, part.from, part.to);
  const facts = { type: part.type, parties, dates, notes, amounts, tables, vatNumbers, text };
  return {
    ...range,
    type: part.type,
    ...(part.number === undefined ? {} : { number: part.number }),
    ...parties,
    dates,
    notes,
    amounts: { ...amounts, rates: withZeroRate(amounts, notes.length > 0 && !isMixed(amounts, text)) },
    errors: errorsOf(amounts, items, text),
    missing: findMissing(facts),
  };
}

/** A total alone says nothing of an exemption if the invoice charges a rate as well. */
function isMixed({ net }: Amounts, text: string): boolean {
  return net === undefined && /(?<![\d.,])(?:[1-9]|1\d|2[0-7])(?:[.,]\d{1,2})? ?%/.test(text);
}

/** What the buyer withholds (IRPF, ritenuta d'acconto) makes the total smaller than net and tax: no error. */
function errorsOf(
  amounts: Amounts,
  items: Parameters<typeof findErrors>[1],
  text: string,
): ReturnType<typeof findErrors> {
  const errors = findErrors(amounts, items);
  return withheld.test(foldText(text)) ? errors.filter(({ of }) => of !== 'gross-total') : errors;
}

/** A total and a number, or two related amounts below a title. */
function isInvoice({ number }: InvoicePart, { net, tax, gross, rates }: Amounts): boolean {
  const count = [net, tax, gross].filter((amount) => amount !== undefined).length;
  return number === undefined ? count >= 2 && (tax !== undefined || rates.length > 0) : count >= 1;
}

/** Exempt amounts and reverse charges are lines of rate 0 if the invoice includes them in the total. */
function withZeroRate({ net, gross, rates, tax }: Amounts, hasNote: boolean): Amounts['rates'] {
  if (rates.length > 0 || !hasNote || tax !== undefined) return rates;
  const base = net ?? gross;
  return base === undefined ? rates : [{ rate: { numerator: 0n, denominator: 1n }, net: base, hasOwnNet: false }];
}

function invoiceOfRow(row: RegisterRow): Invoice {
  const { net, tax, gross, currency, rates, seller, buyer } = row;
  const amounts: Amounts = {
    rates,
    isInclusive: false,
    ...(net === undefined ? {} : { net }),
    ...(tax === undefined ? {} : { tax }),
    ...(gross === undefined ? {} : { gross }),
    ...(currency === undefined ? {} : { currency }),
  };
  const party = (name: string) => ({ name, start: row.start, end: row.end, hasAddress: true, isLabelled: true });
  return {
    start: row.start,
    end: row.end,
    type: row.type,
    number: row.number,
    ...(seller === undefined ? {} : { seller: party(seller) }),
    ...(buyer === undefined ? {} : { buyer: party(buyer) }),
    dates: row.dates,
    notes: row.notes,
    amounts,
    errors: findErrors(amounts, []),
    missing: [],
  };
}

/** Several invoices of one seller to one buyer: particulars missing in one are taken from the others. */
function sharedParties(invoices: readonly Invoice[]): Invoice[] {
  const one = (side: keyof InvoiceParties) => {
    const names = invoices.flatMap((invoice) => invoice[side] ?? []);
    const [first] = names;
    return invoices.length > 1 && first !== undefined && names.every(({ name }) => name === first.name)
      ? first
      : undefined;
  };
  const [seller, buyer] = [one('seller'), one('buyer')];
  return invoices.map((invoice) => {
    const sameBuyer = buyer === undefined || invoice.buyer === undefined || invoice.buyer.name === buyer.name;
    return {
      ...invoice,
      ...(invoice.seller === undefined && seller !== undefined && sameBuyer ? { seller } : {}),
      ...(invoice.buyer === undefined && buyer !== undefined ? { buyer } : {}),
    };
  });
}
