/** The tool that reports what invoices state and whether it adds up. */
import type { AgentTool, Json } from '../../agent/agent.ts';
import { readDocument } from '../../document/document.ts';
import { toText } from '../financial/rational.ts';
import { place, toFindings } from '../findings.ts';
import { bounded } from '../text/span.ts';
import { checkInvoice, findInvoice, type Invoice } from './invoices.ts';

const invoicesMax = 40;
const facts = ['number', 'date', 'net', 'rate', 'tax', 'gross'] as const;

export const invoiceTool: AgentTool = {
  name: 'invoice_facts',
  version: '1',
  purpose: 'Reads number, date, net, rate, tax and gross of an invoice and checks that they add up. Text: one invoice.',
  run(documents) {
    const found = documents.map(readDocument).flatMap((document) => {
      const invoice = findInvoice(document);
      return invoice === undefined ? [] : [{ document, invoice, checks: checkInvoice(invoice) }];
    });
    const { items, more } = bounded(found, invoicesMax);
    return toFindings(
      {
        invoices: items.map(({ document, invoice, checks }) => ({
          currency: invoice.currency ?? null,
          ...Object.fromEntries(
            facts.flatMap((name): [string, Json][] => {
              const fact = invoice[name];
              return fact === undefined ? [] : [[name, { value: shown(invoice, name)!, ...document.spanOf(fact) }]];
            }),
          ),
          missing: facts.filter((name) => invoice[name] === undefined),
          net_and_tax_make_gross: checks.addsUp ?? null,
          tax_is_rate_of_net: checks.rateFits ?? null,
        })),
        invoices_more: more,
      },
      items.flatMap(({ document, invoice, checks }) => {
        const name = `Invoice ${invoice.number?.value ?? 'without a number'}`;
        const stated = facts.flatMap((fact) =>
          invoice[fact] === undefined || fact === 'number' ? [] : [`${fact} ${shown(invoice, fact)}`],
        );
        const first = facts.map((fact) => invoice[fact]).find((fact) => fact !== undefined)!;
        return [
          ...(checks.addsUp === false ? [`${name}: net and tax do not make the gross`] : []),
          ...(checks.rateFits === false ? [`${name}: the tax is not the stated rate of the net amount`] : []),
          `${name}${invoice.currency === undefined ? '' : ` (${invoice.currency})`}: ${stated.join(', ')} ${place(document.spanOf(first))}`,
        ];
      }),
      20,
    );
  },
};

function shown(invoice: Invoice, name: (typeof facts)[number]): string | undefined {
  const value = invoice[name]?.value;
  if (value === undefined || typeof value === 'string') return value;
  return name === 'rate' ? `${toText(value)} %` : toText(value, 2);
}
