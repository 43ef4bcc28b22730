/** How many prompt tokens a step feeds alongside decoding rows, and from which prompts. */
import { describe, expect, it } from 'vitest';
import { PrefillPace } from '../../../runtime/chat/prefill-pace.ts';
import { dividePrefill } from '../../../runtime/chat/prefill-share.ts';

describe('PrefillPace', () => {
  /** The chunk size after many steps with this cost per prompt token, between steps of one decoding row. */
  function settled(microsPerToken: number, { promptTileTokens = 1, decodeMs = 200 } = {}): number {
    const pace = new PrefillPace({ stepTokensMax: 512, promptTileTokens });
    for (let step = 0; step < 50; step++) {
      const prefillTokens = pace.chunkTokens;
      pace.observe({ decodeRows: 0, prefillTokens, micros: prefillTokens * microsPerToken });
      pace.observe({ decodeRows: 1, prefillTokens: 0, micros: decodeMs * 1000 });
    }
    return pace.chunkTokens;
  }

  it('starts with a quarter of a full step', () => {
    expect(new PrefillPace({ stepTokensMax: 512, promptTileTokens: 1 }).chunkTokens).toBe(128);
  });

  it('feeds the tokens that take one and a half times as long as a step without them, at most a full step', () => {
    expect(settled(1000, { decodeMs: 50 })).toBe(75);
    expect(settled(1, { decodeMs: 50 })).toBe(512);
  });

  it('feeds the tokens that take at least 20 ms and at most a quarter of a second', () => {
    expect(settled(500, { decodeMs: 1 })).toBe(40);
    expect(settled(1000, { decodeMs: 1000 })).toBe(250);
  });

  it('feeds two attention tiles if they take at most a second', () => {
    expect(settled(2500, { promptTileTokens: 64 })).toBe(128);
    expect(settled(7800, { promptTileTokens: 64 })).toBe(128);
    expect(settled(15_625, { promptTileTokens: 64 })).toBe(64);
    expect(settled(2500)).toBe(100);
  });

  it('feeds at least 32 tokens on a slow machine', () => {
    expect(settled(1_000_000)).toBe(32);
  });

  it('does not update the prefill cost from steps without prompt tokens, and subtracts the cost of decoding rows', () => {
    const pace = new PrefillPace({ stepTokensMax: 512, promptTileTokens: 1 });
    for (let step = 0; step < 50; step++) pace.observe({ decodeRows: 10, prefillTokens: 0, micros: 100_000 });
    expect(pace.chunkTokens).toBe(128);
    for (let step = 0; step < 50; step++) pace.observe({ decodeRows: 10, prefillTokens: 100, micros: 300_000 });
    expect(pace.chunkTokens).toBe(75);
    for (let step = 0; step < 50; step++) pace.observe({ decodeRows: 10, prefillTokens: 100, micros: 200_000 });
    expect(pace.chunkTokens).toBe(149);
  });
});

describe('dividePrefill', () => {
  const share = (lengths: readonly number[], budget: number, budgetMax = 512) => {
    const prompts = lengths.map((left, index) => ({ left, index }));
    const shares = new Map(
      dividePrefill(prompts, { left: ({ left }) => left, budget, budgetMax }).map(({ item, tokens }) => [
        item.index,
        tokens,
      ]),
    );
    return lengths.map((_, index) => shares.get(index) ?? 0);
  };

  it('feeds as many whole prompts as fit, the shortest first', () => {
    expect(share([40, 60, 20], 100)).toEqual([40, 0, 20]);
    expect(share([40, 60, 20], 128)).toEqual([40, 60, 20]);
  });

  it('splits a prompt that exceeds the budget, and gives it a quarter alongside short prompts', () => {
    expect(share([400], 128)).toEqual([128]);
    expect(share([400, 90, 90], 128)).toEqual([38, 90, 0]);
  });

  it('exceeds the budget by up to a quarter to avoid a remainder of the oldest prompt', () => {
    expect(share([160], 128)).toEqual([160]);
    expect(share([161], 128)).toEqual([128]);
    expect(share([160, 10], 128)).toEqual([160, 0]);
  });

  it('never exceeds the maximum of a step', () => {
    expect(share([140], 128, 130)).toEqual([128]);
  });

  it('is empty for a budget of 0', () => {
    expect(share([10], 0)).toEqual([0]);
    expect(share([], 128)).toEqual([]);
  });
});
