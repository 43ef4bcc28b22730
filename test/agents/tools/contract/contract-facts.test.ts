import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../../agents/document/document.ts';
import { findForums } from '../../../../agents/tools/contract/forum.ts';
import { findGoverningLaw } from '../../../../agents/tools/contract/law-and-forum.ts';
import { findLiabilityCaps } from '../../../../agents/tools/contract/liability-caps.ts';
import { findNoticePeriods, findRenewals } from '../../../../agents/tools/contract/notice-and-renewal.ts';
import { findPaymentTerms } from '../../../../agents/tools/contract/payment-terms.ts';
import { findReferenceProblems } from '../../../../agents/tools/contract/references.ts';
import { findWatchPoints } from '../../../../agents/tools/contract/watch-points.ts';

const read = (text: string) => readDocument({ message: 0, text });

describe('governing law and forum', () => {
  it.each([
    ['This Agreement is governed by the laws of England and Wales.', 'England and Wales'],
    [
      'It shall be governed by and construed in accordance with the laws of the State of New York, USA.',
      'State of New York',
    ],
    ['This contract is governed by German law.', 'German'],
    ['The contract is subject to Czech law.', 'Czech'],
    [
      'This Agreement is governed by the law of the Federal Republic of Germany excluding the CISG.',
      'Federal Republic of Germany',
    ],
  ])('reads "%s"', (text, law) => {
    expect(findGoverningLaw(read(text)).map((found) => found.law)).toEqual([law]);
  });

  it('are not found if the parties only promise to obey the laws of a place', () => {
    expect(
      findGoverningLaw(read('Each party shall comply with the laws of France. Taxes are due under applicable law.')),
    ).toEqual([]);
  });

  it('keeps a name short, regardless of the length of its sentence', () => {
    const [found] = findGoverningLaw(read(`It is governed by the laws of ${'A'.repeat(5_000)}.`));
    expect(found!.law).toHaveLength(80);
  });

  it('reports which rules are excluded', () => {
    const text =
      'This Agreement is governed by Austrian law, excluding its conflict of laws rules and the UN Convention on the International Sale of Goods.';
    expect(findGoverningLaw(read(text))).toMatchObject([
      { law: 'Austrian', conflictRulesExcluded: true, cisgExcluded: true },
    ]);
  });

  it('distinguishes courts from arbitration', () => {
    const courts = 'The courts of London have exclusive jurisdiction.';
    expect(findForums(read(courts))).toMatchObject([{ kind: 'courts', place: 'London', exclusive: true }]);
    const english = 'English courts have non-exclusive jurisdiction.';
    expect(findForums(read(english))).toMatchObject([{ kind: 'courts', place: 'English', exclusive: false }]);
    const text =
      'Disputes are finally settled by arbitration under the ICC rules. The seat of arbitration shall be Geneva.';
    expect(findForums(read(text))).toMatchObject([
      { kind: 'arbitration', place: 'Geneva', rules: 'ICC', exclusive: true },
    ]);
  });
});

describe('notice and renewal', () => {
  const periods = (text: string) => {
    const reading = read(text);
    return findNoticePeriods(reading, reading.durations).map(({ purpose, period, businessDays }) => [
      purpose,
      period,
      businessDays,
    ]);
  };

  it.each([
    ['Either party may terminate on three months written notice.', ['termination', 'P3M', false]],
    ['The breach must be remedied within 20 business days after notice.', ['cure of breach', 'P20D', true]],
    ['Fees may be increased on 60 days notice.', ['price change', 'P60D', false]],
  ])('reads "%s"', (text, expected) => {
    expect(periods(text)).toEqual([expected]);
  });

  it('does not report a payment term as a notice period', () => {
    expect(periods('Invoices are payable within 30 days. Notices are given in writing.')).toEqual([]);
  });

  it('finds automatic renewal with its period and its opt-out', () => {
    const reading = read(
      'It renews automatically for periods of twelve months unless notice is given 90 days before the end.',
    );
    expect(findRenewals(reading, reading.durations)).toMatchObject([
      { automatic: true, period: 'P12M', optOut: 'P90D' },
    ]);
  });

  it('finds none if renewal needs an agreement', () => {
    const reading = read('This Agreement does not renew automatically. It may be renewed in writing.');
    expect(findRenewals(reading, reading.durations)).toEqual([]);
  });
});

describe('payment terms', () => {
  it('include due dates and late interest', () => {
    const text =
      'Invoices are payable within thirty (30) days after receipt. Late amounts bear interest at 8 % per year. The audit takes 5 days.';
    expect(findPaymentTerms(read(text)).map(({ start, end, ...term }) => term)).toEqual([
      { kind: 'due', within: 'P30D', businessDays: false },
      { kind: 'late interest', percent: '8', per: 'year', base: 'fixed' },
    ]);
  });
});

describe('caps on liability', () => {
  const caps = (text: string) => {
    const reading = read(text);
    return findLiabilityCaps(reading).map(({ start, end, excerpt, ...cap }) => cap);
  };

  it('reads amounts, percentages of fees, and fees over a period', () => {
    expect(caps('Liability shall not exceed EUR 500,000.')).toEqual([
      { kind: 'amount', value: '500000', currency: 'EUR' },
    ]);
    expect(caps('The total liability is limited to 150 % of the annual fees.')).toEqual([
      { kind: 'percent of fees', percent: '150', period: 'P1Y' },
    ]);
    expect(caps('Its liability shall not exceed the fees paid in the last 12 months.')).toEqual([
      { kind: 'fees of a period', period: 'P12M' },
    ]);
  });

  it('reports unlimited liability', () => {
    expect(caps('The Supplier bears unlimited liability for intent.')).toEqual([{ kind: 'unlimited', of: 'Supplier' }]);
  });

  it('does not report a price limit as a cap', () => {
    expect(caps('The price shall not exceed EUR 5,000.')).toEqual([]);
  });
});

describe('references and watch points', () => {
  const numbered =
    '1. Scope\nAs in clause 9 and Schedule C.\n2. Fees\n2.1 One. See clause 2.1.\n2.2 Two.\n3. Law\nArticle 28 GDPR applies.\n4. End\nSee Section 3.\nSchedule A\nList\n';

  it('finds clauses and schedules that do not exist, but not articles of laws', () => {
    expect(findReferenceProblems(read(numbered)).map(({ what }) => what)).toEqual(['clause 9', 'Schedule C']);
  });

  it('finds terms that are defined twice or never used', () => {
    const text = '"Fees" means x. "Plan" means y. "Fees" means z. The Fees are due.';
    expect(findReferenceProblems(read(`${text}`)).map(({ kind, what }) => [kind, what])).toEqual([
      ['defined term not used', 'Plan'],
      // Two definitions of the same kind count as well; the second used to be skipped.
      ['term defined twice', 'Fees'],
    ]);
    const twice = 'The start (the "Start") and "Start" means it. Start.';
    expect(findReferenceProblems(read(twice)).map(({ kind }) => kind)).toEqual(['term defined twice']);
  });

  it('lists terms for manual review', () => {
    const text = 'The Supplier may at its sole discretion change the price. A contractual penalty of 5 % applies.';
    expect(findWatchPoints(read(text)).map(({ kind }) => kind)).toEqual([
      'unilateral change',
      'sole discretion',
      'liquidated damages or penalty',
    ]);
  });
});
