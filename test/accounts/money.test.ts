import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDollars, microDollarsMax, parseDollars, priceOf, requireAmount } from '../../accounts/base/money.ts';

const none = { promptTokens: 0, completionTokens: 0 };

describe('a price', () => {
  it('is exact in whole micro-dollars and rounded up once, at the end', () => {
    const pricing = { promptPerMillion: 150_000, completionPerMillion: 600_000 };
    expect(priceOf({ promptTokens: 1_000_000, completionTokens: 0 }, pricing)).toBe(150_000);
    expect(priceOf({ promptTokens: 1, completionTokens: 0 }, pricing)).toBe(1);
    // 0.15 + 0.6 = 0.75 micro-dollars: rounding each would make it two.
    expect(priceOf({ promptTokens: 1, completionTokens: 1 }, pricing)).toBe(1);
    expect(priceOf(none, pricing)).toBe(0);
  });

  it("includes images and steps, and applies the plan's percentage", () => {
    const pricing = { promptPerMillion: 0, completionPerMillion: 0, perImage: 20_000, perStep: 100 };
    expect(priceOf({ ...none, images: 2, steps: 40 }, pricing)).toBe(44_000);
    expect(priceOf({ ...none, images: 2, steps: 40 }, pricing, { percent: 50 })).toBe(22_000);
    expect(priceOf({ ...none, images: 2, steps: 40 }, pricing, { percent: 0 })).toBe(0);
  });

  it('never decreases when a count increases, so the maximum bounds the actual price', () => {
    const count = fc.nat({ max: 1_000_000 });
    fc.assert(
      fc.property(count, count, count, count, count, count, (a, b, more, prompt, completion, percent) => {
        const pricing = { promptPerMillion: prompt, completionPerMillion: completion };
        const price = (promptTokens: number) =>
          priceOf({ promptTokens, completionTokens: b }, pricing, { percent: percent % 1000 });
        return price(a) <= price(a + more);
      }),
    );
  });

  it('is exact above the precision of floating point', () => {
    const pricing = { promptPerMillion: 999_999_999, completionPerMillion: 1 };
    // 9,007,199 × 999,999,999 is above 2^53.
    expect(priceOf({ promptTokens: 9_007_199, completionTokens: 0 }, pricing)).toBe(9_007_198_991);
  });

  it.each([[-1], [0.5], [Number.NaN], [2 ** 53]])('rejects a count of %d', (promptTokens) => {
    const pricing = { promptPerMillion: 1, completionPerMillion: 1 };
    expect(() => priceOf({ promptTokens, completionTokens: 0 }, pricing)).toThrow(
      expect.objectContaining({ code: 'ERR_AMOUNT_INVALID' }),
    );
  });

  it('above the maximum is rejected', () => {
    const pricing = { promptPerMillion: 1e15, completionPerMillion: 0 };
    expect(() => priceOf({ promptTokens: 1e9, completionTokens: 0 }, pricing)).toThrow('the price exceeds the maximum');
  });
});

describe('dollars', () => {
  it('are parsed and formatted exactly, with six decimals', () => {
    expect(parseDollars('12.5')).toBe(12_500_000);
    expect(parseDollars('0.000001')).toBe(1);
    expect(formatDollars(12_345_678)).toBe('12.345678');
    expect(formatDollars(0)).toBe('0.000000');
    expect(formatDollars(-1)).toBe('-0.000001');
    fc.assert(fc.property(fc.integer({ min: 1, max: microDollarsMax }), (n) => parseDollars(formatDollars(n)) === n));
  });

  it.each(['', '0', '-1', '1.0000001', '1e3', ' 1', '1000000001', '1,5'])('reject %j as an amount', (text) => {
    expect(() => parseDollars(text)).toThrow(expect.objectContaining({ code: 'ERR_AMOUNT_INVALID' }));
  });

  it('are limited to a billion per account, so that sums of nine accounts are exact', () => {
    expect(Number.isSafeInteger(microDollarsMax * 9)).toBe(true);
    expect(() => requireAmount(microDollarsMax)).not.toThrow();
    expect(() => requireAmount(microDollarsMax + 1)).toThrow();
  });
});
