/** Proposals, exclusions, denials and ended agreements, which state nothing; and lists of documents in reports. */
import { expect, it } from 'vitest';
import { readingOf } from '../../../../bench/agents-quality/evaluate.ts';

function facts(text: string, kind: string) {
  const { facts: found } = readingOf('due-diligence', text);
  return found.filter((fact) => fact.kind === kind).map(({ value }) => value);
}

it('takes no limit from a proposal', () => {
  const text = `The draft SPA limits the sellers' liability for the warranties to GBP 3m.
We recommend asking for a cap of 40% of the price and a basket of GBP 60,000 (not agreed).`;
  expect(facts(text, 'warranty_limit')).toEqual([
    { limit: 'cap', scope: 'general', amount: 3_000_000, currency: 'gbp' },
  ]);
});

it('takes a threshold far above the de minimis for no basket', () => {
  const text = `Warranties. No claim below EUR 1,000 counts. A claim may be made only once all claims exceed EUR 900,000.`;
  expect(facts(text, 'warranty_limit').map(({ limit }) => limit)).not.toContain('basket');
});

it('raises no flag from exclusions or from what nobody alleges', () => {
  const text = `Proposed exclusions from cover: transfer pricing; asbestos; underfunded pension.
Nobody has alleged that the target infringes a patent. The accounts for 2025 are unaudited.`;
  expect(facts(text, 'red_flag').map(({ category }) => category)).toEqual(['unaudited']);
});

it('reads no term of an agreement that has ended', () => {
  const text = `Consent tracker
Counterparty;Agreement;Change of control;Remark
Orbit Steel Ltd;Supply;Supplier may terminate on a change of control;Expired 31.12.2024
Harbour Bank plc;Facility;Change of control is an event of default;
Mill Lane Estates Ltd;Lease;[Intentionally omitted];`;
  expect(facts(text, 'change_of_control')).toEqual([
    { counterparty: 'Harbour Bank plc', consequence: 'repayment' },
    { counterparty: 'Mill Lane Estates Ltd', consequence: 'none' },
  ]);
});

it('reads a list of documents within a report in another language', () => {
  const text = `Memorandum over de due diligence. Wij hebben het volgende opgevraagd.

| Nr | Document | Status |
|--|--|--|
| 1 | Statuten | ontvangen |
| 2 | Pachtcontract | ontbreekt |
| 3 | Jaarrekening 2025 | concept |
| 4 | Brandveiligheidsattest | verlopen |
`;
  expect(facts(text, 'data_room_item').map(({ status }) => status)).toEqual([
    'present',
    'missing',
    'partial',
    'expired',
  ]);
});

it('names the claimant of a claim by or of somebody connected with the company', () => {
  const text = `Target: Quarry Foods Ltd

1. The Company's claim against Dalton Mills Ltd for GBP 55,000 was settled in May 2026.
2. A claim by the Company's neighbour Brook Sales Ltd for GBP 18,000 is pending in the County Court. Nobody has threatened other proceedings.`;
  const disputes = facts(text, 'litigation');
  expect(disputes).toContainEqual(
    expect.objectContaining({ claimant: 'Quarry Foods Ltd', respondent: 'Dalton Mills Ltd', status: 'settled' }),
  );
  expect(disputes).toContainEqual(expect.objectContaining({ claimant: 'Brook Sales Ltd', status: 'pending' }));
});

it('ends a list of consents with letters at a numbered clause', () => {
  const text = `6. Without the prior written consent of the Investor the Company shall not:
(a) amend its articles;
(b) incur debt above EUR 50,000.
7. Sale
1. On a sale of the company the Investor shall first receive its investment.`;
  expect(facts(text, 'protective_provision').map(({ action }) => action)).toEqual(['charter-change', 'debt']);
});

it('reads an agreement in Polish, which has few small words', () => {
  const text = `Umowa inwestycyjna. Strony przyjmują wycenę Spółki przed inwestycją na kwotę 9.000.000 EUR.
Inwestor obejmie 10.000 nowych akcji po cenie emisyjnej 150 EUR za akcję, za łączną kwotę 1.500.000 EUR.`;
  expect(facts(text, 'money_term').map(({ term, amount }) => [term, amount])).toEqual([
    ['pre-money', 9_000_000],
    ['price-per-share', 150],
    ['investment', 1_500_000],
  ]);
});
