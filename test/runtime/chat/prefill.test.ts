/** How many prompt tokens a step takes beside decoding rows, and whose. */
import { describe, expect, it } from 'vitest';
import { PrefillPace } from '../../../runtime/chat/prefill-pace.ts';
import { dividePrefill } from '../../../runtime/chat/prefill-share.ts';

describe('the pace', () => {
  /** What it settles on where a prompt token costs so much. */
  function settled(microsPerToken: number, promptTileTokens = 1): number {
    const pace = new PrefillPace({ stepTokensMax: 512, promptTileTokens });
    for (let step = 0; step < 50; step++) {
      const prefillTokens = pace.chunkTokens;
      pace.observe({ decodeRows: 0, prefillTokens, micros: prefillTokens * microsPerToken });
    }
    return pace.chunkTokens;
  }

  it('begins with a quarter of a full step', () => {
    expect(new PrefillPace({ stepTokensMax: 512, promptTileTokens: 1 }).chunkTokens).toBe(128);
  });

  it('feeds what a quarter of a second computes, and no more than a step holds', () => {
    expect(settled(1000)).toBe(250);
    expect(settled(1)).toBe(512);
  });

  it('feeds two tiles, where attention has them, as long as they take no more than a second', () => {
    expect(settled(2500, 64)).toBe(128);
    expect(settled(7800, 64)).toBe(128);
    expect(settled(15_625, 64)).toBe(64);
    expect(settled(2500)).toBe(100);
  });

  it('feeds 32 tokens however slow the machine is', () => {
    expect(settled(1_000_000)).toBe(32);
  });

  it('learns nothing of prompts from steps without any, and takes what rows cost off', () => {
    const pace = new PrefillPace({ stepTokensMax: 512, promptTileTokens: 1 });
    for (let step = 0; step < 50; step++) pace.observe({ decodeRows: 10, prefillTokens: 0, micros: 100_000 });
    expect(pace.chunkTokens).toBe(128);
    for (let step = 0; step < 50; step++) pace.observe({ decodeRows: 10, prefillTokens: 100, micros: 300_000 });
    expect(pace.chunkTokens).toBe(125);
    for (let step = 0; step < 50; step++) pace.observe({ decodeRows: 10, prefillTokens: 100, micros: 200_000 });
    expect(pace.chunkTokens).toBe(249);
  });
});

describe('the shares', () => {
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

  it('feed as many whole prompts as there is room for, the shortest first', () => {
    expect(share([40, 60, 20], 100)).toEqual([40, 0, 20]);
    expect(share([40, 60, 20], 128)).toEqual([40, 60, 20]);
  });

  it('cut a prompt that is longer than the budget, and keep a quarter of it going beside short ones', () => {
    expect(share([400], 128)).toEqual([128]);
    expect(share([400, 90, 90], 128)).toEqual([38, 90, 0]);
  });

  it('stretch the budget by a quarter rather than leave a remainder of the oldest', () => {
    expect(share([160], 128)).toEqual([160]);
    expect(share([161], 128)).toEqual([128]);
    expect(share([160, 10], 128)).toEqual([160, 0]);
  });

  it('never exceed what a step holds', () => {
    expect(share([140], 128, 130)).toEqual([128]);
  });

  it('are none where nothing may be fed', () => {
    expect(share([10], 0)).toEqual([0]);
    expect(share([], 128)).toEqual([]);
  });
});
