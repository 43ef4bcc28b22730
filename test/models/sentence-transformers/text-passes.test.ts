import { expect, it } from 'vitest';
import { textPasses } from '../../../models/sentence-transformers/text-passes.ts';

const text = (length: number, token: number) => new Int32Array(length).fill(token);
const passes = (texts: readonly Int32Array[], limits: Parameters<typeof textPasses>[1]) =>
  Array.from(textPasses(texts, limits), ({ first, tokens, lengths }) => [first, [...tokens], [...lengths]]);

it('fills passes with texts in their order, end to end', () => {
  expect(passes([text(2, 1), text(1, 2), text(2, 3)], { tokensMax: 3 })).toEqual([
    [0, [1, 1, 2], [2, 1]],
    [2, [3, 3], [2]],
  ]);
});

it('gives a text that is longer than a pass one of its own', () => {
  expect(passes([text(1, 1), text(5, 2), text(1, 3)], { tokensMax: 3 })).toEqual([
    [0, [1], [1]],
    [1, [2, 2, 2, 2, 2], [5]],
    [2, [3], [1]],
  ]);
});

it('has so many texts in a pass at most', () => {
  expect(passes([text(1, 1), text(1, 2), text(1, 3)], { tokensMax: 9, textsMax: 2 })).toEqual([
    [0, [1, 2], [1, 1]],
    [2, [3], [1]],
  ]);
});

it('has no pass where there are no texts', () => {
  expect(passes([], { tokensMax: 9 })).toEqual([]);
});
