/** How memoranda state deadlines, withheld taxes, permanent establishments, hallmarks, top-up taxes and tests of prices. */
import { describe, expect, it } from 'vitest';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { findEstablishments } from '../../../../agents/tools/tax/establishments.ts';
import { findDeadlines } from '../../../../agents/tools/tax/filings.ts';
import { findHallmarkFindings } from '../../../../agents/tools/tax/hallmark-findings.ts';
import { readLayout } from '../../../../agents/tools/tax/layout.ts';
import { findStatedTopUps } from '../../../../agents/tools/tax/pillar-statements.ts';
import { findAppliedMethods, findStatedTests } from '../../../../agents/tools/tax/pricing-statements.ts';
import { transactionType } from '../../../../agents/tools/tax/related-parties.ts';
import { correctTax, findWithholdings } from '../../../../agents/tools/tax/withholding.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const layout = (text: string) => readLayout(documentOf(text));

describe('deadlines', () => {
  it.each([
    ['The VAT return for May must be filed by 10 June 2026.', ['vat-return 2026-06-10']],
    ['Die Körperschaftsteuererklärung 2025 ist bis zum 31.07.2026 abzugeben.', ['corporate-tax-return 2026-07-31']],
    ['The master file is due on 31 December 2026.', ['master-file 2026-12-31']],
    ['The objection must be lodged within one month of receipt of the assessment.', ['other-filing 1 month']],
    [
      'The country-by-country report must be filed within 12 months after the end of the year.',
      ['country-by-country-report 12 month'],
    ],
    [
      '| Filing | Due |\n|---|---|\n| Intrastat May | 12.06.2026 |\n| EC sales list May | 25.06.2026 |\n',
      ['intrastat 2026-06-12', 'ec-sales-list 2026-06-25'],
    ],
    [
      '# Fristenkalender\n\n10.02.2026 – Umsatzsteuer-Voranmeldung Dezember\n10.03.2026 – Körperschaftsteuer-Vorauszahlung\n',
      ['vat-return 2026-02-10', 'corporate-tax-payment 2026-03-10'],
    ],
    [
      '- VIES statement, August 2026: 23 September 2026\n- VAT3 return: filed on 20 September 2026\n- CbC report: 31 December 2026 (open)\n',
      ['ec-sales-list 2026-09-23', 'country-by-country-report 2026-12-31'],
    ],
    [
      'DAC6 arrangements\n\n| No | Hallmark | Next step |\n|---|---|---|\n| 1 | B1 | report by 30 September 2026 |\n| 2 | E2 | report within 30 days of signing |\n',
      ['dac6-report 2026-09-30', 'dac6-report 30 day'],
    ],
    [
      'The master file and the local file must be available by 30 September 2026.',
      ['master-file 2026-09-30', 'local-file 2026-09-30'],
    ],
    ['Déclaration n° 2257-SD : dans les six mois qui suivent le dépôt.', ['other-filing 6 month']],
    ['The VAT return for April was filed on 10 May 2026.', []],
    ['The board meets on 18 June 2026 to approve the tax return.', []],
    ['The local file is dated 30 June 2026.', []],
  ])('%s', (text, expected) => {
    expect(
      findDeadlines(layout(text)).map(
        ({ kind, date, period }) => `${kind} ${date ?? `${period?.count} ${period?.unit}`}`,
      ),
    ).toEqual(expected);
  });
});

describe('taxes withheld', () => {
  it.each([
    [
      'On the dividend of EUR 100,000 German tax of 15% (EUR 15,000) was withheld under Article 10(2)(b) of the treaty.',
      ['dividend de 15 15000 10(2)(b)'],
    ],
    ['Spanish withholding tax of 10% was deducted from the royalty.', ['royalty es 10  ']],
    ['No tax is withheld on the interest, although the domestic rate is 25%.', []],
    ['Poland withheld 20 % on a gross service fee of EUR 50,000.', ['service-fee pl 20  ']],
    ['Italy levies withholding tax of 26 % under domestic law on interest.', []],
    [
      'Interest of USD 240,000 was paid; Spain withheld 10 % on it. The certificate states USD 22,000 of Spanish tax.',
      ['interest es 10 22000  24000'],
    ],
    [
      '## Withholding tax\n\n| Payee | Type | Gross (EUR) | WHT rate | WHT (EUR) | Article |\n|---|---|--:|--:|--:|---|\n| Alder AG | Royalty | 120,000 | 5 % | 6,000 | Art. 12(2) |\n| Birch Ltd | Management fee | 40,000 | 15 % | 6,500 | – |\n| Total | | 160,000 | | 12,500 | |\n',
      ['royalty  5 6000 12(2)', 'service-fee  15 6500  6000'],
    ],
    [
      'Gross dividend            CHF 1,000.00\nRate of tax               35 %\nVerrechnungssteuer        CHF   350.00\nNet dividend              CHF   650.00\n',
      ['dividend ch 35 350 '],
    ],
    ['Without the certificate, withholding tax of 20% would apply to the royalty.', []],
  ])('%s', (text, expected) => {
    expect(
      findWithholdings(layout(text)).map((tax) => {
        const { income, country, rate, amount, article = '' } = tax;
        const correct = correctTax(tax);
        const shown = [income, country, rate, amount === undefined ? '' : toText(amount), article].join(' ');
        return correct === undefined ? shown : `${shown} ${toText(correct)}`;
      }),
    ).toEqual(expected);
  });
});

describe('permanent establishments', () => {
  it.each([
    ['We conclude that the office constitutes a permanent establishment in Norway.', ['no fixed-place exists']],
    ['The home office does not create a permanent establishment in Austria.', ['at home-office none']],
    ['Es liegt keine Betriebsstätte in Österreich vor, da die Baustelle kürzer dauert.', ['at construction-site none']],
    [
      'Whether the agent creates a permanent establishment in France remains to be clarified.',
      ['fr dependent-agent undecided'],
    ],
    ['If the lease were signed, a permanent establishment in Spain could arise.', []],
    ['A building site constitutes a permanent establishment only if it lasts more than twelve months.', []],
  ])('%s', (text, expected) => {
    expect(
      findEstablishments(layout(text)).map(({ country, form, conclusion }) => `${country} ${form} ${conclusion}`),
    ).toEqual(expected);
  });
});

describe('hallmarks', () => {
  it.each([
    ['DAC6: hallmark E3 is met. Hallmark C1(b)(i) is not met.', ['E3 met', 'C1(b)(i) not-met']],
    ['DAC6 hallmarks A1 to A3 are not met.', ['A1 not-met', 'A2 not-met', 'A3 not-met']],
    ['DAC6: E2 concerns hard-to-value intangibles.', []],
    ['The price is met by E3 of the drawing.', []],
  ])('%s', (text, expected) => {
    expect(findHallmarkFindings(layout(text)).map(({ id, status }) => `${id} ${status}`)).toEqual(expected);
  });
});

describe('stated top-up taxes', () => {
  it.each([
    ['Pillar Two. No top-up tax is due in Switzerland.', ['ch - 0']],
    [
      'Pillar Two (EUR million)\n\n| Jurisdiction | GloBE ETR | Top-up tax |\n|---|--:|--:|\n| Ireland | 12.5% | 1.2 |\n| Malta | 5.0% | 0.4 |\n',
      ['ie 12.5 1200000', 'mt 5 400000'],
    ],
    ['Peers report GloBE rates of 11% for Singapore.', []],
  ])('%s', (text, expected) => {
    const show = (value: Parameters<typeof toText>[0] | undefined) => (value === undefined ? '-' : toText(value));
    expect(
      findStatedTopUps(layout(text)).map(({ country, rate, tax }) => `${country} ${show(rate)} ${show(tax)}`),
    ).toEqual(expected);
  });
});

describe('tests of transfer prices', () => {
  it('name the method that was applied, and its tested party', () => {
    const text =
      'The resale price method was rejected. The TNMM is the most appropriate method. Alder Vertriebs GmbH is the tested party.';
    expect(findAppliedMethods(layout(text))).toMatchObject([{ method: 'tnmm', testedParty: 'Alder Vertriebs GmbH' }]);
  });

  it('state a range and the position of the result', () => {
    const text =
      'The interquartile range is 2.1% to 5.3% with a median of 3.4%. The operating margin of 1.5% lies outside this range.';
    expect(findStatedTests(layout(text)).map(({ result, position }) => [toText(result!), position])).toEqual([
      ['1.5', 'outside'],
    ]);
  });
});

describe('transactions with related parties', () => {
  it.each([
    ['purchase of raw materials', 'goods-purchase'],
    ['sale of finished goods', 'goods-sale'],
    ['management services received', 'service-expense'],
    ['it services rendered', 'service-income'],
    ['licence fees paid', 'royalty-expense'],
    ['interest on loan received', 'interest-expense'],
    ['interest income on loan granted', 'interest-income'],
    ['bezogene dienstleistungen', 'service-expense'],
    ['guarantee fee', 'guarantee-fee'],
  ])('%s is %s', (words, type) => {
    expect(transactionType(words)).toBe(type);
  });
});
