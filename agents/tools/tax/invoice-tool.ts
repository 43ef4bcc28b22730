/**
 * The tool that reports the contents of invoices, checks their arithmetic, and lists the particulars of Article 226 that they
 * lack.
 */
import type { AgentTool, Json } from '../../agent/agent.ts';
import { type Document, readDocument } from '../../document/document.ts';
import { type Rational, toText } from '../financial/rational.ts';
import { boundedBytes, place, resultBytesMax, toFindings } from '../findings.ts';
import { leftOut, leftOutLines } from '../left-out.ts';
import type { Range } from '../text/span.ts';
import { certainInvoice, doubtReasons } from './certainty.ts';
import type { Invoice } from './invoice.ts';
import type { ArithmeticError } from './invoice-checks.ts';
import type { InvoiceParty } from './invoice-parties.ts';
import { findInvoices } from './invoices.ts';
import type { Amount } from './money.ts';

const invoicesMax = 200;
const ratesMax = 12;
const nameCharactersMax = 120;

export const invoiceTool: AgentTool = {
  name: 'invoice_facts',
  version: '2',
  purpose:
    'Reads invoices, credit notes and registers of invoices: number, type, parties, dates, amounts in total and by rate, treatment; checks the arithmetic and Article 226. Text: invoices or a register.',
  run(documents) {
    const found = documents.flatMap((source) => {
      const document = readDocument(source);
      return findInvoices(source).map((invoice) => ({ document, ...certainInvoice(invoice) }));
    });
    const omitted = leftOut(
      found.flatMap(({ doubts }) => doubts),
      doubtReasons,
    );
    const { items, more } = boundedBytes(
      found.slice(0, invoicesMax).map(({ document, invoice }) => toJson(document, invoice)),
      resultBytesMax,
    );
    return toFindings(
      {
        particulars: 'Article 226 of Directive 2006/112/EC; only what the text certainly lacks',
        invoices: items,
        invoices_more: more + Math.max(0, found.length - invoicesMax),
        left_out: omitted,
      },
      [...found.flatMap(({ document, invoice }) => digestOf(document, invoice)), ...leftOutLines(omitted)],
      20,
    );
  },
};

function toJson(document: Document, invoice: Invoice): { readonly [key: string]: Json } {
  const { amounts, dates, notes, errors } = invoice;
  const issue = dates.find(({ role }) => role === 'invoice-issue');
  const amount = (value: Amount | undefined) => value && { value: toText(value.value, 2), ...document.spanOf(value) };
  const only = amounts.rates.length === 1 ? amounts.rates[0] : undefined;
  return given({
    type: invoice.type,
    number: invoice.number && { value: shortened(invoice.number.value), ...document.spanOf(invoice.number) },
    seller: partyJson(document, invoice.seller),
    buyer: partyJson(document, invoice.buyer),
    date: issue && { value: issue.iso, ...document.spanOf(issue) },
    dates: dates.map(({ role, iso, ...range }) => ({ what: role, date: iso, ...document.spanOf(range) })),
    currency: amounts.currency ?? null,
    net: amount(amounts.net),
    rate: only && { value: `${toText(only.rate)} %` },
    tax: amount(amounts.tax),
    gross: amount(amounts.gross),
    by_rate: amounts.rates
      .slice(0, ratesMax)
      .map(({ rate, net, tax, gross }) =>
        given({ rate_percent: toText(rate), net: amount(net), tax: amount(tax), gross: amount(gross) }),
      ),
    notes: notes.map(({ note, ...range }) => ({ note, ...document.spanOf(range) })),
    errors: errors.slice(0, ratesMax).map((error) => errorJson(document, error)),
    missing: invoice.missing.map((particular) => ({ particular, severity: 'medium' })),
    net_and_tax_make_gross: sumsUp(invoice),
    tax_is_rate_of_net: only === undefined ? null : !errors.some((error) => error.of === 'tax'),
  });
}

function given(fields: { readonly [key: string]: Json | undefined }): { readonly [key: string]: Json } {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

function sumsUp({ amounts: { net, tax, gross }, errors }: Invoice): boolean | null {
  if (net === undefined || tax === undefined || gross === undefined) return null;
  return !errors.some((error) => error.of === 'gross-total');
}

function partyJson(document: Document, party: InvoiceParty | undefined): Json | undefined {
  return party && { value: shortened(party.name), ...document.spanOf(party) };
}

function shortened(text: string): string {
  return text.slice(0, nameCharactersMax).toWellFormed();
}

function errorJson(document: Document, { of, stated, correct, ...range }: ArithmeticError): Json {
  return { of, stated: toText(stated, 2), correct: toText(correct, 2), severity: 'high', ...document.spanOf(range) };
}

const errorNames = {
  'line-amount': 'the amount of a line',
  'net-total': 'the net total',
  tax: 'the tax of a rate',
  'tax-total': 'the total tax',
  'gross-total': 'the gross total',
} as const;

function digestOf(document: Document, invoice: Invoice): string[] {
  const { amounts, errors, missing, notes, dates } = invoice;
  const name = `${invoice.type === 'invoice' ? 'Invoice' : invoice.type} ${shortened(invoice.number?.value ?? 'without a number')}`;
  const money = (label: string, value: Rational | undefined) =>
    value === undefined ? [] : [`${label} ${toText(value, 2)}`];
  const stated = [
    ...dates.map(({ role, iso }) => `${role} ${iso}`),
    ...money('net', amounts.net?.value),
    ...amounts.rates
      .slice(0, 4)
      .map(({ rate, tax }) => `${toText(rate)} %${tax === undefined ? '' : ` tax ${toText(tax.value, 2)}`}`),
    ...money('tax', amounts.tax?.value),
    ...money('gross', amounts.gross?.value),
    ...notes.map(({ note }) => note),
  ];
  const parties = [invoice.seller, invoice.buyer]
    .map((party) => (party === undefined ? '?' : party.name.slice(0, 40).toWellFormed()))
    .join(' to ');
  const anchor: Range = invoice.number ?? amounts.gross ?? amounts.net ?? invoice;
  return [
    ...errors
      .slice(0, 3)
      .map(
        (error) =>
          `${name}: ${errorNames[error.of]} is ${toText(error.stated, 2)}; the other figures give ${toText(error.correct, 2)} ${place(document.spanOf(error))}`,
      ),
    ...missing.map((particular) => `${name}: lacks ${particular.replaceAll('-', ' ')} (Article 226)`),
    `${name}${amounts.currency === undefined ? '' : ` (${amounts.currency})`}, ${parties}: ${stated.join(', ')} ${place(document.spanOf(anchor))}`,
  ];
}
