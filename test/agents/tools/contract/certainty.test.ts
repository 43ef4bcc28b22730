import { expect, it } from 'vitest';
import { doubtReasons, withholdDoubtful } from '../../../../agents/tools/contract/certainty.ts';
import { leftOut } from '../../../../agents/tools/left-out.ts';

const lists = { parties: [], dates: [], governing_law: [], payment_terms: [] };

it('leaves out two periods for payment, and keeps one', () => {
  const due = (within: string) => ({ kind: 'due', within });
  const interest = { kind: 'late-interest', percent: '8' };
  const two = withholdDoubtful({ ...lists, payment_terms: [due('P15D'), due('P60D'), interest] });
  expect([two.certain.payment_terms, leftOut(two.doubts, doubtReasons)]).toEqual([
    [interest],
    [{ because: 'the text gives several periods for payment', facts: 2 }],
  ]);
  expect(withholdDoubtful({ ...lists, payment_terms: [due('P15D'), due('P15D')] }).doubts).toEqual([]);
});

it('takes the role from two effective dates, counts neither as left out, and keeps two dates of signature', () => {
  const date = (role: string, iso: string): Record<string, string> => ({ role, iso });
  const both = (role: string) =>
    withholdDoubtful({ ...lists, dates: [date(role, '2026-09-01'), date(role, '2026-12-01')] });
  expect(both('effective').certain.dates.map(({ role }) => role)).toEqual(['other', 'other']);
  expect([both('effective').doubts, both('signature').doubts]).toEqual([[], []]);
  expect(both('effective').certain.dates[0]?.doubt).toBe('the text gives several dates of its kind');
});

it('leaves out two governing laws, and keeps one', () => {
  const law = (name: string) => ({ law: name });
  expect(
    withholdDoubtful({ ...lists, governing_law: [law('Scotland'), law('Delaware')] }).certain.governing_law,
  ).toEqual([]);
  expect(withholdDoubtful({ ...lists, governing_law: [law('Scotland')] }).doubts).toEqual([]);
});

it.each(['USD 400', '3 Availability. You may draw', 'Circulated 30 September 2026', 'Zandpoortstraat 71'])(
  'leaves out a party named %s',
  (name) => {
    expect(withholdDoubtful({ ...lists, parties: [{ name }] })).toMatchObject({
      certain: { parties: [] },
      doubts: ['name'],
    });
    expect(withholdDoubtful({ ...lists, parties: [{ name: 'Alder & Birch Ltd.' }] }).doubts).toEqual([]);
  },
);
