/** Terms of financings and sales. Texts are our own. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { capTable } from '../../../../agents/tools/due-diligence/cap-table.ts';
import { findTerms } from '../../../../agents/tools/due-diligence/terms.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const termsOf = (text: string) => findTerms(parseDocument(documentOf(text)));
const valuesOf = (text: string) =>
  termsOf(text).values.map(({ term, value, count, unit, date }) => [term, value ?? date ?? `${count} ${unit}`]);

describe('values', () => {
  it.each([
    [
      'The pre-money valuation is EUR 9 million and the post-money valuation EUR 12 million.',
      [
        ['pre-money', '9000000'],
        ['post-money', '12000000'],
      ],
    ],
    [
      'A SAFE for USD 400,000 with a post-money valuation cap of USD 6,000,000 was issued.',
      [['valuation-cap', '6000000']],
    ],
    ['Der Kaufpreis beträgt EUR 4.250.000,00.', [['purchase-price', '4250000']]],
    ['Le prix de cession est de 3.100.000 euros.', [['purchase-price', '3100000']]],
    ['De koopprijs bedraagt EUR 2.750.000.', [['purchase-price', '2750000']]],
    ['The "Discount Rate" is 80%.', [['discount', '20']]],
    ['Das Darlehen wird mit 6,5 % p.a. verzinst.', [['interest', '6.5']]],
    [
      'Founder shares vest over 48 months with a cliff of 12 months.',
      [
        ['cliff', '12 month'],
        ['vesting', '48 month'],
      ],
    ],
    ['The Seller grants exclusivity for a period of 60 days.', [['exclusivity', '60 day']]],
    ['The Note matures on 31 December 2027.', [['maturity', '2027-12-31']]],
    [
      'Round\tUp to £8m in two tranches: £5m at First Completion and £3m later\nSubscription price\t£4.10 per B Preferred Share.',
      [
        ['investment', '8000000'],
        ['price-per-share', '4.1'],
      ],
    ],
    [
      'Series C Preferred Stock has an Original Price of $3.1050 and receives dividends at $0.2174 per share.',
      [['price-per-share', '3.105']],
    ],
    [
      'On an Equity Financing that raises [●], and otherwise with total proceeds of at least US$ 2,000,000, the Safe converts.',
      [['qualified-financing', '2000000']],
    ],
    [
      'En cas de levée de fonds d’un montant au moins égal à 4 000 000 €, le porteur peut demander la conversion.',
      [['qualified-financing', '4000000']],
    ],
    [
      'L’émission de 2020, portant intérêt à 11 %, a été intégralement remboursée. Les obligations portent intérêt à 7 %.',
      [['interest', '7']],
    ],
    ['Uitgifteprijs: EUR 60,00 per aandeel (nominaal EUR 0,01).', [['price-per-share', '60']]],
  ])('are read from: %s', (text, expected) => {
    expect(valuesOf(text)).toEqual(expected);
  });

  it.each([
    'For example, an investment amount of EUR 500,000 would buy 5 %.',
    'Conversion follows a public offering at a price per share of at least USD 10.',
    'The par value is USD 0.001 per share.',
    'This Safe has no discount. References in older forms to a "Discount Rate" of 85% are for other Safes.',
  ])('are not read from: %s', (text) => {
    expect(valuesOf(text)).toEqual([]);
  });
});

describe('preferences and protection', () => {
  it('include multiple and participation', () => {
    const [capped] = termsOf(
      'Liquidation preference: 1x participating, capped at 3x the original issue price.',
    ).preferences;
    expect(capped).toMatchObject({ multiple: '1', participation: 'capped', cap_multiple: '3' });
    const [plain] = termsOf('Liquidation preference: 1.5x non-participating.').preferences;
    expect(plain).toMatchObject({ multiple: '1.5', participation: 'non-participating' });
  });

  it('follow from who is paid first and who shares the rest', () => {
    const [found] = termsOf(
      '(c) Liquidation. (i) Upon a Liquidation Event, holders of Series B Preferred Stock are paid, before the Common Stock, their Original Price. (ii) After that payment, the remaining assets are distributed to holders of the Common Stock only.',
    ).preferences;
    expect(found).toMatchObject({ multiple: '1', participation: 'non-participating' });
  });

  it('name the form of anti-dilution by its formula, and none that was refused', () => {
    const formOf = (text: string) => termsOf(text).antiDilution[0]?.form;
    expect(
      formOf(
        'The conversion price is reduced by the shares outstanding before the issue, counting as outstanding all shares issuable on exercise of options.',
      ),
    ).toBe('broad-based-weighted-average');
    expect(formOf('Anti-dilution: weighted average on a narrow base. The Investor had asked for a full ratchet.')).toBe(
      'narrow-based-weighted-average',
    );
    expect(formOf('Anti-dilution: a full ratchet was proposed by the Investor and rejected.')).toBeUndefined();
  });

  it('report the form of anti-dilution that the text affirms', () => {
    const [form] = termsOf(
      'Anti-dilution is on a broad-based weighted average basis; no full ratchet applies.',
    ).antiDilution;
    expect(form).toMatchObject({ form: 'broad-based-weighted-average' });
  });
});

describe('consents and seats', () => {
  it('are read from a list below its introductory line', () => {
    const text =
      'The Company shall not, without the consent of the Investors:\n(a) issue any senior shares;\n(b) incur debt above EUR 1;\n(c) change the size of the Board.\nThe Company may adopt the budget alone.\n';
    expect(termsOf(text).consents.map(({ action }) => action)).toEqual(['senior-shares', 'debt', 'board-size']);
  });

  it('count the seats of each group', () => {
    const text =
      'The Board shall consist of five members: two elected by the founders, two appointed by the Investors and one independent director.';
    expect(termsOf(text).seats.map(({ elected_by: by, seats }) => [by, seats])).toEqual([
      ['total', 5],
      ['common', 2],
      ['preferred', 2],
      ['independent', 1],
    ]);
  });
});

describe('limits of warranties', () => {
  it('have kinds and scopes', () => {
    const text =
      'The Seller is not liable under the Warranties unless a single claim exceeds EUR 5,000 and all claims together exceed EUR 50,000. ' +
      'The aggregate liability of the Seller is limited to EUR 900,000. ' +
      'Claims must be notified within 18 months of Completion or, under the Tax Warranties, within seven years.';
    expect(termsOf(text).limits.map(({ limit, scope, amount, count }) => [limit, scope, amount ?? count])).toEqual([
      ['de-minimis', 'general', '5000'],
      ['basket', 'general', '50000'],
      ['cap', 'general', '900000'],
      ['survival', 'general', '18'],
      ['survival', 'tax', '7'],
    ]);
  });
});

describe('valuations', () => {
  it('are reported if they do not add up', () => {
    const text = 'Pre-money valuation: EUR 8,000,000. New money: EUR 2,000,000. Post-money valuation: EUR 11,000,000.';
    const { result } = capTable.run([documentOf(text)]);
    expect(result).toMatchObject({ valuation_disagreements: [{ stated: '11000000', computed: '10000000' }] });
  });
});

describe('valuations that do not add up', () => {
  const disagreementsOf = (text: string) =>
    (capTable.run([documentOf(text)]).result as { valuation_disagreements?: { stated: string; computed: string }[] })
      .valuation_disagreements;

  it('name the figure that the document derives from the others', () => {
    const text =
      'Post-money waardering: EUR 9.000.000\nPre-money waardering: EUR 7.200.000 (post-money verminderd met de inbreng van EUR 2.000.000)';
    expect(disagreementsOf(text)).toMatchObject([{ stated: '7200000', computed: '7000000' }]);
  });
});
