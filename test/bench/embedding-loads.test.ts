import { describe, expect, it } from 'vitest';
import { bodiesOf, embeddingLoads, textsOf, tokensOf } from '../../bench/embedding-loads.ts';
import { benchTokenizer } from '../../bench/embedding-models.ts';
import { parseTokenizer } from '../../models/tokenizer/text-tokenizer.ts';

const tokenizer = parseTokenizer(JSON.stringify(benchTokenizer()));
const tokens = (texts: readonly string[]) => tokenizer.tokenize(texts).map((one) => one.length);

describe('loads of the embedding bench', () => {
  it.each([16, 128, 512])('have texts of exactly %d tokens', (length) => {
    expect(tokens(textsOf({ texts: 5, length }, 3))).toEqual([length, length, length, length, length]);
  });

  it('of mixed lengths are between 8 and 512 tokens, and counted right', () => {
    const load = { texts: 40, length: undefined, clients: 1 };
    const lengths = [...tokens(textsOf(load, 0)), ...tokens(textsOf(load, 1))];
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(8);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(512);
    expect(tokensOf(load, 2)).toBe(lengths.reduce((sum, one) => sum + one, 0));
    expect(lengths.filter((one) => one < 64).length).toBeGreaterThan(30);
  });

  it('give every client as many requests, all different', () => {
    for (const load of embeddingLoads({ quick: true })) {
      const bodies = bodiesOf(load, { quick: true });
      expect(bodies.length % load.clients).toBe(0);
      expect(new Set(bodies).size).toBe(bodies.length);
    }
  });
});
