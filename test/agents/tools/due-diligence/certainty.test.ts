import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../../agents/document/document.ts';
import {
  certainControlTerms,
  certainDisputes,
  certainLimits,
  certainMentions,
  certainTables,
  doubtReasons,
  findCertainTerms,
} from '../../../../agents/tools/due-diligence/certainty.ts';
import { flowOf } from '../../../../agents/tools/due-diligence/flow.ts';
import { checkFlags } from '../../../../agents/tools/due-diligence/red-flags.ts';
import { dealTerms } from '../../../../agents/tools/due-diligence/terms.ts';
import { leftOut } from '../../../../agents/tools/left-out.ts';

const termsOf = (text: string) => {
  const { facts, doubts } = findCertainTerms(flowOf(readDocument({ message: 0, text })));
  return [facts.map(({ term, value }) => `${term} ${value}`), doubts];
};

describe('terms', () => {
  const valuation = 'The pre-money valuation is EUR 12,000,000.\n\n';

  it('are left out if the document gives two values', () => {
    expect(termsOf(valuation)).toEqual([['pre-money 12000000'], []]);
    const two = `${valuation}The pre-money valuation is EUR 9,500,000.\n`;
    expect(termsOf(two)).toEqual([[], ['values']]);
    const { result, digest } = dealTerms.run([{ message: 0, text: two }]);
    expect(result).toMatchObject({
      left_out: [{ because: 'the document gives another value of the same term', facts: 1 }],
    });
    expect(digest[0]).toBe('1 fact was left out, because the document gives another value of the same term');
  });

  it('are left out if their sentence contains a second percentage', () => {
    expect(termsOf('The Loan bears interest at 6 % per annum.\n')).toEqual([['interest 6'], []]);
    expect(termsOf('The Loan bears interest at 6 % per annum, and at 9 % after 31 March 2027.\n')).toEqual([
      [],
      ['percentages'],
    ]);
  });

  it('are left out if their value is outside the range', () => {
    expect(termsOf('The Loan bears interest at 80 % per annum.\n')).toEqual([[], ['range']]);
  });
});

describe('limits of liability', () => {
  const place = { start: 0, end: 1, scope: 'general' } as const;
  const basket = { ...place, limit: 'basket', amount: '50000' } as const;
  const single = { ...place, limit: 'de-minimis', amount: '5000' } as const;
  const cap = (amount: string) => ({ ...place, limit: 'cap', amount }) as const;

  it('have no basket without a limit for a single claim', () => {
    expect(certainLimits([basket, cap('90000')])).toEqual({ facts: [cap('90000')], doubts: ['threshold'] });
    expect(certainLimits([basket, single]).doubts).toEqual([]);
  });

  it('have no threshold that reaches the cap', () => {
    expect(certainLimits([cap('5000'), single])).toEqual({ facts: [cap('5000')], doubts: ['cap'] });
    expect(certainLimits([cap('90000'), single]).doubts).toEqual([]);
  });
});

it('holders of a cap table have names', () => {
  const table = (...holders: string[]) => ({
    holdings: holders.map((holder) => ({
      holder,
      shareClass: 'Common',
      kind: 'shares' as const,
      count: 10n,
      column: 1,
      start: 0,
      end: 1,
    })),
  });
  expect(certainTables([table('Ida Holm', 'Alder Fund')]).doubts).toEqual([]);
  expect(certainTables([table('31.03', '20.69')])).toEqual({ facts: [], doubts: ['name'] });
});

it('disputes have no nominal amount', () => {
  const dispute = (amount: string) => ({ claimant: 'Alder Ltd', amount, start: 0, end: 1 });
  expect(certainDisputes([dispute('1'), dispute('120000')])).toEqual({
    facts: [dispute('120000')],
    doubts: ['nominal'],
  });
});

it('no agreement both has and lacks a clause on a change of control', () => {
  const term = (consequence: 'termination' | 'none', counterparty: string) => ({
    counterparty,
    consequence,
    start: 0,
    end: 1,
  });
  const alder = term('termination', 'Alder Ltd');
  expect(certainControlTerms([alder, term('none', 'Alder Ltd')])).toEqual({
    facts: [alder],
    doubts: ['contradiction'],
  });
  expect(certainControlTerms([alder, term('none', 'Birch Ltd')]).doubts).toEqual([]);
});

describe('mentions of flags', () => {
  const mention = (id: string, excerpt: string, isCritical = false) => ({
    id,
    excerpt,
    isCritical,
    span: { message: 0, start: 0, end: excerpt.length },
  });
  const doubtsOf = (...mentions: ReturnType<typeof mention>[]) => certainMentions(mentions).doubts;

  it('are left out if their sentence raises three flags', () => {
    const list = 'Matters to be reported: breaches of covenants, data breaches, disputes over title.';
    expect(doubtsOf(mention('a', list), mention('b', list), mention('c', list))).toEqual(['list', 'list', 'list']);
    expect(doubtsOf(mention('a', list), mention('b', list))).toEqual([]);
  });

  it('are left out if their sentence quotes words', () => {
    expect(doubtsOf(mention('a', 'The notes ("a breach of covenants is a red flag") were deleted.'))).toEqual([
      'quotation',
    ]);
  });

  it('are left out if they are critical and their sentence denies something', () => {
    const denial = 'Ein Hinweis auf bestandsgefährdende Risiken ist nicht enthalten.';
    expect(doubtsOf(mention('a', denial, true))).toEqual(['negation']);
    expect(doubtsOf(mention('a', denial))).toEqual([]);
    expect(doubtsOf(mention('a', 'A material uncertainty exists.', true))).toEqual([]);
  });

  it('are counted by reason in the report', () => {
    const text =
      'For information, these matters are reported: breaches of loan covenants, data breaches, disputes over title to shares and reliance on a single supplier.';
    const { raised, left_out } = checkFlags([{ message: 0, text }]);
    expect(raised).toEqual([]);
    expect(left_out.every(({ because }) => because === 'their sentence lists several subjects')).toBe(true);
    expect(leftOut(['list', 'list', 'values'], doubtReasons)).toEqual([
      { because: 'the document gives another value of the same term', facts: 1 },
      { because: 'their sentence lists several subjects', facts: 2 },
    ]);
  });
});
