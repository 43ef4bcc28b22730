import { expect, it } from 'vitest';
import { textPasses } from '../../../models/sentence-transformers/text-passes.ts';

const text = (length: number, token: number) => new Int32Array(length).fill(token);
const passes = (texts: readonly Int32Array[], limits: Parameters<typeof textPasses>[1]) =>
  Array.from(textPasses(texts, limits), ({ first, tokens, lengths }) => [first, [...tokens], [...lengths]]);

it('fills passes with concatenated texts in order', () => {
  expect(passes([text(2, 1), text(1, 2), text(2, 3)], { tokensMax: 3 })).toEqual([
    [0, [1, 1, 2], [2, 1]],
    [2, [3, 3], [2]],
  ]);
});

it('puts a text longer than a pass in its own pass', () => {
  expect(passes([text(1, 1), text(5, 2), text(1, 3)], { tokensMax: 3 })).toEqual([
    [0, [1], [1]],
    [1, [2, 2, 2, 2, 2], [5]],
    [2, [3], [1]],
  ]);
});

it('limits the number of texts in a pass', () => {
  expect(passes([text(1, 1), text(1, 2), text(1, 3)], { tokensMax: 9, textsMax: 2 })).toEqual([
    [0, [1, 2], [1, 1]],
    [2, [3], [1]],
  ]);
});

it('yields no pass without texts', () => {
  expect(passes([], { tokensMax: 9 })).toEqual([]);
});
