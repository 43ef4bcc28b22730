import { describe, expect, it } from 'vitest';
import type { Vocabulary } from '../../../agents/agent/vocabulary.ts';
import { addParts } from '../../../agents/facts/add-parts.ts';
import { combineFacts } from '../../../agents/facts/combine.ts';
import type { ConfirmedFact } from '../../../agents/facts/confirm.ts';

const vocabulary: Vocabulary = {
  line_item: {
    means: 'a figure',
    fields: {
      item: { type: 'code', means: 'which', values: ['debt', 'cash'], inParts: ['debt'] },
      amount: { type: 'number', means: 'how much' },
      period: { type: 'date', means: 'when' },
    },
  },
};

const figure = (amount: number, start: number, { item = 'debt', period = '2024' } = {}): ConfirmedFact => ({
  kind: 'line_item',
  value: { item, amount, period },
  judged: [],
  at: { message: 0, start, end: start + 5 },
});
const amountsOf = (listed: readonly ConfirmedFact[]) => {
  const { facts, sums } = addParts(vocabulary, listed);
  return { facts: facts.map(({ value }) => value.amount), sums: sums.map(({ value }) => value.amount) };
};

describe('a line that is printed in parts', () => {
  it('is their sum, of each period', () => {
    const listed = [
      figure(9_967, 100),
      figure(5_985, 110, { period: '2023' }),
      figure(10_912, 200),
      figure(9_822, 210, { period: '2023' }),
      figure(29_943, 10, { item: 'cash' }),
    ];
    expect(amountsOf(listed)).toEqual({ facts: [29_943], sums: [20_879, 15_807] });
    const { facts } = combineFacts({ facts: vocabulary }, listed, [], { isWhole: true });
    expect(facts.map(({ by, value, at }) => [by, value.amount, at?.start])).toEqual([
      ['model', 29_943, 10],
      ['computed', 20_879, 100],
      ['computed', 15_807, 110],
    ]);
  });

  it('is the printed total if that is listed, too', () => {
    expect(amountsOf([figure(316, 100), figure(4_582, 200), figure(4_898, 300)])).toEqual({ facts: [4_898], sums: [] });
  });

  it.each([
    ['one amount', [figure(316, 100)]],
    ['the same amount, rounded in a sentence', [figure(9_967, 100), figure(10_000, 900)]],
    ['amounts far apart', [figure(316, 100), figure(4_582, 9_000)]],
    ['amounts of another line', [figure(316, 100, { item: 'cash' }), figure(4_582, 200, { item: 'cash' })]],
    ['more than three amounts', [1, 2, 3, 4].map((nth) => figure(100 * nth, 100 * nth))],
  ])('is not made of %s', (_what, listed) => {
    expect(amountsOf(listed)).toEqual({ facts: listed.map(({ value }) => value.amount), sums: [] });
  });
});
