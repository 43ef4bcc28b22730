/** Invoices in common layouts; texts and figures are our own. */
import { describe, expect, it } from 'vitest';
import { invoiceTool } from '../../../../agents/tools/tax/invoice-tool.ts';
import { vatIdTool } from '../../../../agents/tools/tax/tools.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

// biome-ignore lint/suspicious/noExplicitAny: results are plain JSON
const read = (text: string): any => JSON.parse(JSON.stringify(invoiceTool.run([documentOf(text)]).result)).invoices[0];
const values = (text: string) => {
  const invoice = read(text);
  return ['number', 'date', 'net', 'rate', 'tax', 'gross'].map((name) => invoice?.[name]?.value);
};

const head =
  'INVOICE\nAlder Consulting GmbH, VAT ID DE136695976\nInvoice No.: 2026-0117\nInvoice date: 14 March 2026\nDue date: 13 April 2026\n\n';

describe('invoices', () => {
  it.each([
    ['labelled lines', `${head}Net amount: EUR 1,000.00\nVAT 19%: EUR 190.00\nTotal due: EUR 1,190.00\n`],
    [
      'aligned totals below items',
      `${head}Description            Qty    Price      Amount\nAudit of accounts        2   500.00    1,000.00\n\nSubtotal                                 1,000.00\nVAT (19%)                                  190.00\nTotal                                    1,190.00\n`,
    ],
    [
      'bars',
      `${head}| Item | Amount |\n|---|---|\n| Subtotal | 1,000.00 € |\n| VAT 19 % | 190.00 € |\n| **Total incl. VAT** | **1,190.00 €** |\n`,
    ],
    [
      'a summary by column',
      `${head}| | Net | VAT rate | VAT | Gross |\n|---|---|---|---|---|\n| Total | 1,000.00 | 19% | 190.00 | 1,190.00 |\n\nAll amounts in EUR.\n`,
    ],
    [
      'HTML',
      `<html><body><h1>Invoice</h1><table><tr><td>Invoice No.</td><td>2026-0117</td></tr><tr><td>Invoice date</td><td>14 March 2026</td></tr></table><table><tr><td>Net</td><td>1,000.00</td></tr><tr><td>VAT 19%</td><td>190.00</td></tr><tr><td>Amount due</td><td>1,190.00</td></tr></table></body></html>`,
    ],
    [
      'German',
      'Rechnung\nRechnungsnummer: 2026-0117\nRechnungsdatum: 14.03.2026\n\nNettobetrag        1.000,00 EUR\nzzgl. 19 % MwSt.     190,00 EUR\nGesamtbetrag       1.190,00 EUR\n',
    ],
    [
      'Czech',
      'Faktura č. 2026-0117\nDatum vystavení: 14. 3. 2026\n\nZáklad daně: 1 000,00 Kč\nDPH 19 %: 190,00 Kč\nCelkem k úhradě: 1 190,00 Kč\n',
    ],
  ])('are read from %s', (_, text) => {
    expect(values(text)).toEqual(['2026-0117', '2026-03-14', '1000', '19 %', '190', '1190']);
    expect(read(text)).toMatchObject({ net_and_tax_make_gross: true, tax_is_rate_of_net: true });
  });

  it('are reported if they do not add up', () => {
    const text = `${head}Net amount: EUR 1,000.00\nVAT 19%: EUR 210.00\nTotal due: EUR 1,190.00\n`;
    expect(invoiceTool.run([documentOf(text)]).digest.slice(0, 2)).toEqual([
      'Invoice 2026-0117: the tax of a rate is 210; the other figures give 190 [m0:164-170]',
      'Invoice 2026-0117: the gross total is 1190; the other figures give 1210 [m0:186-194]',
    ]);
  });

  it('are not found in texts that only mention invoices', () => {
    expect(read('Invoices are payable within 30 days. VAT is added at the statutory rate.')).toBeUndefined();
  });

  it('pass their VAT numbers to the VAT tool', () => {
    expect(vatIdTool.run([documentOf(head)]).result).toMatchObject({ ids: [{ number: 'DE136695976' }] });
  });
});
