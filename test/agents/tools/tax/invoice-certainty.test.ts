/** Amounts of invoices are reported only where the invoice's own arithmetic supports who owns them. */
import { describe, expect, it } from 'vitest';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { findEstablishments } from '../../../../agents/tools/tax/establishments.ts';
import { findInvoices } from '../../../../agents/tools/tax/invoices.ts';
import { readLayout } from '../../../../agents/tools/tax/layout.ts';
import { proseTransactions } from '../../../../agents/tools/tax/related-prose.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

type Shown = { readonly value: Parameters<typeof toText>[0] } | undefined;
const show = (amount: Shown) => (amount === undefined ? '-' : toText(amount.value, 2));
const read = (text: string) => findInvoices(documentOf(text));
const totals = (text: string) =>
  read(text).map(({ amounts: { net, tax, gross } }) => `${show(net)} + ${show(tax)} = ${show(gross)}`);
const rates = (text: string) =>
  read(text).flatMap(({ amounts }) =>
    amounts.rates.map(({ rate, net, tax }) => `${toText(rate)}%: ${show(net)} ${show(tax)}`),
  );

describe('the totals of an invoice', () => {
  it('are the amounts that add up, where a subtotal includes the tax', () => {
    const text = `FACTUUR
Boekhandel Veldman B.V.
Kade 3, 3011 AA Rotterdam
Factuurnummer: 880012
Factuurdatum: 19 april 2024

Artikel               Aantal   Prijs   BTW   Prijs incl. BTW
Atlas                      1   121,00  21%            121,00

Exclusief BTW    € 100,00                Subtotaal   € 121,00
BTW 21%           € 21,00
Totaal           € 121,00
`;
    expect(totals(text)).toEqual(['100 + 21 = 121']);
    expect(rates(text)).toEqual(['21%: 100 21']);
  });

  it('are not the rows of the tax analysis above them, nor what is left to pay', () => {
    const text = `FACTURE N° F-311
Date : 18/06/2024
Vendeur : Menuiserie Daumont SARL, 12 rue des Lilas, 31000 Toulouse
Client : Mairie de Saint-Aubin, 26240 Saint-Aubin

Taux      Base HT      Montant TVA
10 %     2 500,00       250,00
20 %     1 000,00       200,00

Total HT        3 500,00 €
Total TVA         450,00 €
Total TTC       3 950,00 €
Acompte versé  -1 000,00 €
Net à payer     2 950,00 €
`;
    expect(totals(text)).toEqual(['3500 + 450 = 3950']);
    expect(rates(text)).toEqual(['10%: 2500 250', '20%: 1000 200']);
  });

  it('are in the row of totals below items with net, tax and gross columns', () => {
    const text = `Invoice 2024-55
Supplier: Harrow Catering Ltd, 3 Harrow Lane, Leeds LS1 2AB
Customer: Petersham Events Ltd, 9 Quay St, Hull
Date: 14 June 2024

| Item | Qty | Unit price | VAT rate | Net | VAT | Gross |
|---|---|---|---|---|---|---|
| Lunch | 40 | 12.50 | 20% | 500.00 | 100.00 | 600.00 |
| Water | 40 | 1.00 | 20% | 40.00 | 8.00 | 48.00 |
| Fruit | 4 | 25.00 | 0% | 100.00 | 0.00 | 100.00 |
| Total | | | | 640.00 | 108.00 | 748.00 |
`;
    expect(totals(text)).toEqual(['640 + 108 = 748']);
    expect(rates(text)).toEqual(['20%: 540 108', '0%: 100 0']);
  });

  it('are the gross amount alone, where no labelled amounts agree with it', () => {
    const text = `Invoice No. 77
Seller: Alder Ltd, 1 High St, Bristol BS1 1AA
Buyer: Orbis Ltd, Dock Road, Felixstowe
Date: 1 May 2024
Net amount 250.00
VAT 50.00
Invoice total 1,800.00
`;
    expect(totals(text)).toEqual(['- + - = 1800']);
  });

  it('are the only amount of money of an invoice without labels', () => {
    const text = `Rechnung Nr. 4711
Elektro Brandt, Lindenweg 3, 06108 Halle
Halle, den 3. Juni 2024
Pauschal für die Installation 640,00 EUR
Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.
`;
    expect(totals(text)).toEqual(['- + - = 640']);
  });
});

describe('the net amounts of rates', () => {
  it('are the sums of the items, where these give the printed taxes', () => {
    const text = `INVOICE
Invoice No: BJ-117
Seller: Brightwater Ltd, 14 Mill Lane, Totnes TQ9 5AA
Buyer: Halden LLP, Exeter EX1 1AA
Date: 5 March 2024

Qty   Description              Unit      VAT %     Net
2     Door                    410.00      20.0     820.00
1     Grab rails              150.00       5.0     150.00

Goods total         970.00
VAT @ 20%           164.00
VAT @ 5%              7.50
Invoice total     1,141.50
`;
    expect(rates(text)).toEqual(['20%: 820 164', '5%: 150 7.5']);
  });
});

describe('the parties of an invoice', () => {
  it('are no companies of a sentence', () => {
    const text = `Invoice No: N-4211
Northfield Inc.
500 Market St, San Francisco CA 94105
Issue date: March 3, 2024
Total USD 4.11
All services on this page are sold by Northfield Services, Inc. and not by its partners.
`;
    expect(read(text)[0]).toMatchObject({ seller: { name: 'Northfield Inc.' } });
    expect(read(text)[0]).not.toHaveProperty('buyer');
  });

  it('have an address without digits', () => {
    const text = `Credit Note CN-91 dated 3 May 2024
From: Tamarisk Ltd (VAT GB 980 7806 84), 1 High St, Bristol BS1 1AA
To: Orbis Freight Ltd, Dock Road, Felixstowe
VAT 20%                -250.00
Net                  -1,250.00
Total credit         -1,500.00
`;
    expect(read(text)[0]!.missing).toEqual([]);
  });
});

describe('a permanent establishment', () => {
  it.each([
    'A permanent establishment does not arise in Spain: the construction site in Valencia lasts nine months.',
    'In Norwegen entsteht nicht schon durch das Lager eine Betriebsstätte in Norwegen.',
  ])('is not found to exist in %s', (text) => {
    const found = findEstablishments(readLayout(documentOf(text)));
    expect(found.filter(({ conclusion }) => conclusion === 'exists')).toEqual([]);
  });
});

describe('a transaction with a related party in a sentence', () => {
  const transactions = (text: string) =>
    proseTransactions(readLayout(documentOf(text))).map(
      ({ counterparty, type, amount }) => `${type} ${toText(amount)} ${counterparty}`,
    );

  it('has the party and the amount of its own clause', () => {
    const text =
      'Related party transactions\n\nIn 2023 Alder Distribution GmbH purchased finished goods of EUR 18.4 million from ' +
      'Alder Parts Ltd and paid a management fee of EUR 620,000 to Alder Holding AG. Interest of EUR 91,500 was paid on ' +
      'the loan from Alder Finance B.V. In 2022 purchases from Alder Parts Ltd were EUR 16.9 million.\n';
    expect(transactions(text)).toEqual([
      'goods-purchase 18400000 Alder Parts Ltd',
      'service-expense 620000 Alder Holding AG',
      'interest-expense 91500 Alder Finance B.V.',
    ]);
  });

  it('is none where two companies deal with each other, or the direction is open', () => {
    const text =
      'Transfer pricing of Alder Distribution GmbH.\n\nIn 2023 Birch Parts Ltd sold goods of EUR 3 million to Elm Trade ' +
      'AG. Services of EUR 40,000 concern Alder Holding AG.\n';
    expect(transactions(text)).toEqual([]);
  });
});
