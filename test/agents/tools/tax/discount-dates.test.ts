/** Terms of payment with two dates: the earlier one is that of the discount, and the later one that of the payment. */
import { describe, expect, it } from 'vitest';
import { findInvoices } from '../../../../agents/tools/tax/invoices.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const german = 'Rechnung Nr. 12\nDatum: 30.04.2026\nMuster GmbH\n\nNetto 100,00\nUSt 19 % 19,00\nBrutto 119,00\n\n';
const english = 'Invoice No. 12\nInvoice date: 30 April 2026\nAcme Ltd\n\nNet 100.00\nVAT 20% 20.00\nTotal 120.00\n\n';
const french = 'Facture n° 12\nDate : 30/04/2026\nExemple SARL\n\nHT 100,00\nTVA 20 % 20,00\nTTC 120,00\n\n';

const dueIn = (text: string) =>
  findInvoices(documentOf(text))
    .flatMap(({ dates }) => dates)
    .filter(({ role }) => role === 'payment-due')
    .map(({ iso }) => iso);

describe('the due date', () => {
  it.each([
    ['Zahlbar bis 14.05.2026 mit 2 % Skonto, bis 30.05.2026 netto Kasse.', german],
    ['Bei Zahlung bis 14.05.2026 gewähren wir 2 % Skonto, danach bis 30.05.2026 ohne Abzug.', german],
    ['Zahlbar bis 14.05.2026 abzüglich 2 % Skonto oder bis 30.05.2026 ohne Abzug.', german],
    ['Zahlbar rein netto bis 30.05.2026, 2 % Skonto bis 14.05.2026.', german],
    ['Zahlbar bis 30.05.2026 ohne Abzug von Skonto.', german],
    ['Payable by 14 May 2026 with 2% discount, by 30 May 2026 net.', english],
    ['2% discount if paid by 14 May 2026, otherwise net by 30 May 2026.', english],
    ['Payment due 30 May 2026 without discount.', english],
    ["Payable au 14/05/2026 avec 2 % d'escompte, au 30/05/2026 net sans escompte.", french],
  ])('is that without the discount: %s', (terms, invoice) => {
    expect(dueIn(`${invoice}${terms}\n`)).toEqual(['2026-05-30']);
  });

  it('is left out where the only date is that of the discount', () => {
    expect(dueIn(`${german}Zahlbar bis 14.05.2026 mit 2 % Skonto.\n`)).toEqual([]);
  });
});
