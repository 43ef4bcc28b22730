import { describe, expect, it } from 'vitest';
import { Sampler, type SamplingOptions } from '../../native/index.ts';
import { greedy } from '../support/runtime/chat-request.ts';

/** Reproducible numbers, 0…1. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Logits spread like a trained model's: normal, standard deviation `spread`. */
function randomLogits(count: number, { seed, spread }: { seed: number; spread: number }): Float32Array {
  const random = randomNumbers(seed);
  return Float32Array.from({ length: count }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    return spread * radius * Math.cos(2 * Math.PI * random());
  });
}

/** The distribution that the options ask for, computed plainly: temperature, min-p, top-k, top-p. */
function expectedDistribution(logits: Float32Array, options: SamplingOptions): Map<number, number> {
  const greatest = logits.reduce((a, b) => Math.max(a, b));
  let kept = Array.from(logits, (logit, token) => ({
    token,
    logit,
    weight: Math.exp((logit - greatest) / options.temperature),
  }))
    .filter(({ weight }) => weight >= options.minP)
    .sort((a, b) => b.logit - a.logit || a.token - b.token);
  if (options.topK > 0) kept = kept.slice(0, options.topK);
  const mass = kept.reduce((sum, { weight }) => sum + weight, 0) * options.topP;
  let sum = 0;
  const inNucleus = kept.map(({ weight }) => {
    sum += weight;
    return options.topP === 1 || sum - weight < mass;
  });
  const nucleus = kept.filter((_, rank) => inNucleus[rank]);
  const total = nucleus.reduce((all, { weight }) => all + weight, 0);
  return new Map(nucleus.map(({ token, weight }) => [token, weight / total]));
}

function draw(options: SamplingOptions, logits: Float32Array, count: number): number[] {
  const sampler = new Sampler(options, logits.length);
  return Array.from({ length: count }, () => sampler.next(logits).ints[5]!);
}

/** The distance of Pearson's statistic above its mean, in standard deviations. */
function chiSquareExcess(draws: number[], distribution: Map<number, number>): number {
  const counts = new Map<number, number>();
  for (const token of draws) counts.set(token, (counts.get(token) ?? 0) + 1);
  let statistic = 0;
  let cells = 0;
  let rareExpected = 0;
  let rareSeen = 0;
  for (const [token, probability] of distribution) {
    const expected = probability * draws.length;
    if (expected < 5) {
      rareExpected += expected;
      rareSeen += counts.get(token) ?? 0;
      continue;
    }
    statistic += ((counts.get(token) ?? 0) - expected) ** 2 / expected;
    cells += 1;
  }
  if (rareExpected > 5) {
    statistic += (rareSeen - rareExpected) ** 2 / rareExpected;
    cells += 1;
  }
  const freedom = Math.max(1, cells - 1);
  return (statistic - freedom) / Math.sqrt(2 * freedom);
}

describe('greedy', () => {
  it('returns the token with the greatest logit, and the lowest id among equals', () => {
    for (const count of [1, 2, 15, 16, 17, 127, 128, 129, 1000, 49_152]) {
      const logits = randomLogits(count, { seed: count, spread: 3 });
      const greatest = logits.indexOf(logits.reduce((a, b) => Math.max(a, b)));
      expect(draw(greedy, logits, 1)).toEqual([greatest]);
    }
    expect(draw(greedy, Float32Array.of(1, 5, 5, 2), 1)).toEqual([1]);
  });
});

describe('drawing', () => {
  const cases: readonly (readonly [string, number, number, Partial<SamplingOptions>])[] = [
    ['the plain distribution', 500, 2, {}],
    ['a low temperature', 500, 2, { temperature: 0.3 }],
    ['a high temperature', 300, 2, { temperature: 2 }],
    ['top-k', 1000, 2, { topK: 20 }],
    ['a top-k of more than there are blocks', 1000, 0.5, { topK: 400 }],
    ['top-p in few tokens', 1000, 4, { topP: 0.9 }],
    ['top-p over hundreds of tokens', 2000, 0.5, { topP: 0.6 }],
    ['min-p', 1000, 3, { minP: 0.1 }],
    ['everything at once', 2000, 3, { temperature: 0.8, topK: 50, topP: 0.9, minP: 0.02 }],
  ];
  it.each(cases)('follows %s', (_, count, spread, overrides) => {
    const logits = randomLogits(count, { seed: 7, spread });
    const options = { ...greedy, temperature: 1, seed: 2026, ...overrides };
    const distribution = expectedDistribution(logits, options);
    const draws = draw(options, logits, 20_000);
    for (const token of draws) expect(distribution.has(token)).toBe(true);
    expect(chiSquareExcess(draws, distribution)).toBeLessThan(3);
  });

  it('keeps exactly the nucleus, also one of thousands of tokens', () => {
    for (const [count, spread, topP] of [
      [5000, 0.5, 0.5],
      [3000, 3, 0.99],
      [40_000, 1, 0.3],
    ] as const) {
      const logits = randomLogits(count, { seed: count, spread });
      const options = { ...greedy, temperature: 1, topP };
      const nucleus = expectedDistribution(logits, options);
      const drawn = new Set(draw(options, logits, 2000));
      expect([...drawn].filter((token) => !nucleus.has(token))).toEqual([]);
    }
  });

  it('draws the same with the same seed, and depends on nothing else', () => {
    const logits = randomLogits(1000, { seed: 3, spread: 1 });
    const options = { ...greedy, temperature: 1, seed: 99 };
    const first = draw(options, logits, 50);
    expect(draw(options, logits, 50)).toEqual(first);
    expect(draw({ ...options, seed: 100 }, logits, 50)).not.toEqual(first);
  });

  it('treats top-k 1, top-p 0 and a vanishing temperature as greedy sampling', () => {
    const logits = randomLogits(1000, { seed: 5, spread: 1 });
    const [greatest] = draw(greedy, logits, 1);
    const drawing = { ...greedy, temperature: 1 };
    for (const options of [
      { ...drawing, topK: 1 },
      { ...drawing, topP: 0 },
      { ...drawing, minP: 1 },
      { ...greedy, temperature: 1e-30 },
    ]) {
      expect(new Set(draw(options, logits, 20))).toEqual(new Set([greatest]));
    }
  });

  it('never draws a token whose logit is −∞', () => {
    const logits = Float32Array.from({ length: 300 }, (_, token) => (token % 3 === 0 ? 1 : Number.NEGATIVE_INFINITY));
    for (const options of [{}, { topK: 200 }, { topP: 0.99 }]) {
      const drawn = draw({ ...greedy, temperature: 1, ...options }, logits, 500);
      expect(drawn.every((token) => token % 3 === 0)).toBe(true);
    }
  });
});

describe('penalties and bias', () => {
  it('subtracts the presence penalty once and the frequency penalty per occurrence', () => {
    const logits = Float32Array.of(3, 2, 1, 0);
    // 3 → 1.5 after once, so 1 follows; 2 → 0.5, then 0 again at 1.5 − … and so on.
    expect(draw({ ...greedy, presencePenalty: 1.5 }, logits, 4)).toEqual([0, 1, 0, 0]);
    expect(draw({ ...greedy, frequencyPenalty: 1.5 }, logits, 4)).toEqual([0, 1, 0, 2]);
  });

  it('encourages repetition if the penalty is negative', () => {
    expect(
      draw({ ...greedy, temperature: 1, frequencyPenalty: -50 }, Float32Array.of(0, 0, 0, 0), 20).slice(1),
    ).toSatisfy((tokens: number[]) => new Set(tokens).size === 1);
  });

  it('forbids or forces tokens by logit bias', () => {
    const logits = Float32Array.of(9, 1, 0, 8);
    expect(draw({ ...greedy, logitBias: [{ token: 0, bias: -100 }] }, logits, 1)).toEqual([3]);
    expect(draw({ ...greedy, logitBias: [{ token: 2, bias: 100 }] }, logits, 1)).toEqual([2]);
  });
});

describe('log probabilities', () => {
  it.each([1, 100, 5000, 150_000])('are those of the model, exactly, over %i tokens', (count) => {
    const logits = randomLogits(count, { seed: 11, spread: 3 });
    const sampler = new Sampler({ ...greedy, temperature: 0.7, logprobs: 20, topK: 5, presencePenalty: 1 }, count);
    const greatest = logits.reduce((a, b) => Math.max(a, b));
    const logSum = greatest + Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - greatest), 0));
    const order = Array.from(logits.keys()).sort((a, b) => logits[b]! - logits[a]! || a - b);
    const topCount = Math.min(20, count);
    for (let index = 0; index < 3; index++) {
      const { ints, logprobs } = sampler.next(logits);
      expect(ints[6]).toBe(topCount);
      expect(Array.from(ints.subarray(7))).toEqual(order.slice(0, topCount));
      expect(logprobs[0]).toBeCloseTo(logits[ints[5]!]! - logSum, 4);
      for (let rank = 0; rank < topCount; rank++) {
        expect(logprobs[1 + rank]).toBeCloseTo(logits[order[rank]!]! - logSum, 4);
      }
    }
  });

  it('are absent unless requested, and have no alternatives if 0 are requested', () => {
    expect(new Sampler(greedy, 4).next(Float32Array.of(1, 2, 3, 4))).toMatchObject({
      ints: Int32Array.of(0, 0, 0, 0, 0, 3, -1),
      logprobs: Float64Array.of(),
    });
    const { ints, logprobs } = new Sampler({ ...greedy, logprobs: 0 }, 4).next(Float32Array.of(1, 2, 3, 4));
    expect([ints[6], logprobs.length]).toEqual([0, 1]);
  });
});

describe('hostile input', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses logits with %d', (value) => {
    for (const [count, at] of [
      [10, 3],
      [1000, 999],
      [1024, 512],
    ] as const) {
      const logits = new Float32Array(count).fill(1);
      logits[at] = value;
      for (const options of [greedy, { ...greedy, temperature: 1 }, { ...greedy, logprobs: 2 }]) {
        expect(() => new Sampler(options, count).next(logits)).toThrow(
          expect.objectContaining({ code: 'ERR_LOGITS_INVALID' }),
        );
      }
    }
  });

  it('refuses logits that allow no token', () => {
    const logits = new Float32Array(100).fill(Number.NEGATIVE_INFINITY);
    expect(() => new Sampler(greedy, 100).next(logits)).toThrow(
      expect.objectContaining({ code: 'ERR_LOGITS_INVALID' }),
    );
  });

  it('refuses options outside their ranges', () => {
    for (const wrong of [
      { temperature: -1 },
      { temperature: Number.NaN },
      { topP: 1.1 },
      { topK: -1 },
      { topK: 1.5 },
      { minP: 2 },
      { seed: -1 },
      { logprobs: 21 },
      { logitBias: [{ token: 10, bias: 1 }] },
      { logitBias: [{ token: 0, bias: 101 }] },
    ]) {
      expect(() => new Sampler({ ...greedy, ...wrong }, 10)).toThrow(RangeError);
    }
    expect(() => new Sampler(greedy, 10).next(new Float32Array(9))).toThrow(RangeError);
  });
});
