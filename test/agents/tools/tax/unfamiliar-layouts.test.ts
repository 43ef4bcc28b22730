/** Layouts and word orders of tax documents that come from other authors than the readers' own; names and numbers are invented. */
import { describe, expect, it } from 'vitest';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { findDeadlines } from '../../../../agents/tools/tax/filings.ts';
import { findInvoices } from '../../../../agents/tools/tax/invoices.ts';
import { readLayout } from '../../../../agents/tools/tax/layout.ts';
import { findReconciliations } from '../../../../agents/tools/tax/reconciliation.ts';
import { proseTransactions } from '../../../../agents/tools/tax/related-prose.ts';
import { findStatedRanges } from '../../../../agents/tools/tax/stated-range.ts';
import { findWithholdings } from '../../../../agents/tools/tax/withholding.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const layout = (text: string) => readLayout(documentOf(text));
const bridges = (text: string) =>
  findReconciliations(layout(text)).map(({ period, unit, statutory: { rate }, items }) =>
    [
      `${period} ${rate === undefined ? '-' : toText(rate)}% ${unit.currency ?? '-'} ${unit.zeros}`,
      ...items.map(({ label, amount, points }) => {
        const value = amount ?? points;
        return `${label} ${value === undefined ? '-' : toText(value)}`;
      }),
    ].join('; '),
  );
const deadlines = (text: string) =>
  findDeadlines(layout(text)).map(({ kind, date, period }) => `${kind} ${date ?? `${period?.count} ${period?.unit}`}`);
const withheld = (text: string) =>
  findWithholdings(layout(text)).map(
    ({ income, country, rate, amount }) =>
      `${income} ${country} ${rate} ${amount === undefined ? '-' : toText(amount)}`,
  );
const invoices = (text: string) =>
  findInvoices(documentOf(text)).map(({ number, seller, buyer, dates, amounts }) =>
    [
      `${number?.value}`,
      `${seller?.name} > ${buyer?.name}`,
      ...dates.map(({ role, iso }) => `${role} ${iso}`).sort(),
      ...[amounts.net, amounts.tax, amounts.gross].map((each) => (each === undefined ? '-' : toText(each.value, 2))),
    ].join('; '),
  );

describe('reconciliations', () => {
  it('take the rate from the caption, and figures behind signs of the currency', () => {
    expect(
      bridges(
        'A reconciliation of the federal statutory income tax rate of 21% to the income tax expense is as follows (dollars in millions):\n\n                              2025      2024\nIncome before taxes           $ 400     $ 300\nTax at federal statutory rate $ 84      $ 63\nState taxes                   9         (4)\nResearch credits              (6)       (5)\nIncome tax expense            $ 87      $ 54\n',
      ),
    ).toEqual([
      '2025 21% USD 6; State taxes 9; Research credits -6',
      '2024 21% USD 6; State taxes -4; Research credits -5',
    ]);
  });
  it('take a rate for each year from the caption', () => {
    expect(
      bridges(
        'The tax differs from the standard rate of corporation tax of 25% (2023: 23.5%).\n\n                              2024      2023\nProfit before tax             200       100\nTax at the standard rate       50        23.5\nExpenses not deductible         4         2\nTax charge                     54        25.5\n',
      ),
    ).toEqual(['2024 25% - 0; Expenses not deductible 4', '2023 23.5% - 0; Expenses not deductible 2']);
  });
  it('take years on lines below each other', () => {
    expect(
      bridges(
        'Reconciliation of the effective tax rate\n\n2025\n2024\n\nProfit before tax 500 400\nTax at the rate of 20% 100 80\nNon-deductible costs 117 103\nTax-exempt income (15) (2)\nIncome tax expense 202 181\n',
      ),
    ).toEqual([
      '2025 20% - 0; Non-deductible costs 117; Tax-exempt income -15',
      '2024 20% - 0; Non-deductible costs 103; Tax-exempt income -2',
    ]);
  });
});

describe('invoices', () => {
  it('abbreviate totals, and date the title', () => {
    expect(
      invoices(
        'Fattura nr. 218 del 02/11/2024\n\nMittente: Vetreria Alba S.r.l.\nCliente: Osteria del Molo S.n.c.\nBanca: Cassa Rurale S.p.A.\n\nServizio di manutenzione   1   300,00   300,00\n\nTot. imponibile   300,00 €\nTot. Iva 22%   66,00 €\nTot. documento   366,00 €\n',
      ),
    ).toEqual(['218; Vetreria Alba S.r.l. > Osteria del Molo S.n.c.; invoice-issue 2024-11-02; 300; 66; 366']);
  });
  it('head the parties with their information', () => {
    expect(
      invoices(
        'INVOICE\nInvoice No: 77-B\nDate: 5 March 2026\n\nCompany Information\nHeron Print Ltd\n3 Dock Road, Leeds\n\nClient Information\nOtter Books Ltd\n9 High Street, York\n\nSubtotal £100.00\nVAT 20% £20.00\nTotal £120.00\n',
      ),
    ).toEqual(['77-B; Heron Print Ltd > Otter Books Ltd; invoice-issue 2026-03-05; 100; 20; 120']);
  });
});

describe('ranges', () => {
  it('are the interquartile ones, next to the full ones', () => {
    expect(
      findStatedRanges(
        'The full range of the margins is 0.6% to 8.8%, the interquartile range 1.9% to 4.7% with a median of 3.1%.',
      ).map(({ lower, upper }) => [lower, upper].map((each) => (each === undefined ? '-' : toText(each)))),
    ).toEqual([['1.9', '4.7']]);
  });
});

describe('transactions with related parties', () => {
  const transactions = (text: string) =>
    proseTransactions(layout(`Transfer pricing documentation of Bobr Meble sp. z o.o.\n\n${text}`)).map(
      ({ counterparty, type, amount }) => `${type} ${toText(amount)} ${counterparty}`,
    );
  it.each([
    [
      'In 2025 Bobr Meble sp. z o.o. paid a royalty of PLN 310,000 to Bobr Brands AG.',
      ['royalty-expense 310000 Bobr Brands AG'],
    ],
    ['Goods of EUR 14,344 thousand were purchased from Bobr Holz GmbH.', ['goods-purchase 14344000 Bobr Holz GmbH']],
    [
      'A loan of EUR 900,000 with a 4.5% interest rate was granted by Bobr Finance B.V.',
      ['loan 900000 Bobr Finance B.V.'],
    ],
    ['Bobr Finance B.V. may grant a loan of up to EUR 2,000,000.', []],
  ])('%s', (text, expected) => expect(transactions(text)).toEqual(expected));
});

describe('deadlines', () => {
  it('go on below a date of a calendar', () => {
    expect(
      deadlines(
        '# Tax calendar\n\n20 January 2026: Periodic VAT return for December\nIntra-community listing for December\nIntrastat for November: filed\n\n31 January 2026: Withholding tax on professional income: return and payment\n',
      ),
    ).toEqual(['vat-return 2026-01-20', 'ec-sales-list 2026-01-20', 'withholding-tax-return 2026-01-31']);
  });
  it('are those of the notification on reports by country', () => {
    expect(deadlines('The CbC notification is due on 31 December 2026.')).toEqual([
      'country-by-country-report 2026-12-31',
    ]);
  });
});

describe('taxes withheld', () => {
  it.each([
    [
      'Royalties of EUR 80,000 were paid to the US licensor; German tax of 5% (EUR 4,000) was withheld.',
      ['royalty de 5 4000'],
    ],
    [
      'Dutch dividend withholding tax\n\nOn the dividend of EUR 60,000, tax of 15% was withheld: EUR 9,000.',
      ['dividend nl 15 9000'],
    ],
  ])('%s', (text, expected) => expect(withheld(text)).toEqual(expected));
});
