import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountError } from '../../accounts/base/errors.ts';
import { emptyMeter } from '../../accounts/ledger/meters.ts';
import { claim, limitHeaders, type Meter } from '../../accounts/plans/limits.ts';
import { type Plan, shippedPlans } from '../../accounts/plans/plans.ts';

const noon = Date.UTC(2030, 5, 15, 12);
const hour = 3_600_000;
const unlimited = shippedPlans.find(({ id }) => id === 'operator')!;

function planOf(changes: Partial<Plan>): Plan {
  return { ...unlimited, ...changes };
}

/** @returns the error of a free request, or undefined if it is admitted */
function ask(meter: Meter, plan: Plan, now: number, { price = 0, tokens = 0 } = {}): AccountError | undefined {
  const before = { ...meter };
  try {
    claim(meter, plan, { price, tokens, now });
    return undefined;
  } catch (error) {
    const money = ({ available, held, running, tokens_held }: Meter) => [available, held, running, tokens_held];
    expect(money(meter)).toEqual(money(before));
    return error as AccountError;
  }
}

function admitted(meter: Meter, plan: Plan, now: number, times: number): number {
  return Array.from({ length: times }, () => ask(meter, plan, now)).filter((error) => error === undefined).length;
}

describe('requests per minute', () => {
  const plan = planOf({ requestsPerMinute: 60 });

  it('do not exceed the limit in any 60 seconds, in a burst or spread', () => {
    const meter = emptyMeter('a');
    expect(admitted(meter, plan, noon, 100)).toBe(60);
    expect(admitted(meter, plan, noon + 1_000, 5)).toBe(0);
    // A token bucket would have admitted one more for each second: 109 within 49.6 seconds.
    expect(admitted(meter, plan, noon + 49_600, 100)).toBe(0);
    expect(admitted(meter, plan, noon + 59_999, 100)).toBe(0);
    expect(admitted(meter, plan, noon + 60_000, 100)).toBe(60);
  });

  it('are admitted again after the reported retry time', () => {
    const meter = emptyMeter('a');
    for (let index = 0; index < 60; index++) ask(meter, plan, noon + index * 500);
    const error = ask(meter, plan, noon + 30_200);
    expect(error).toMatchObject({ code: 'ERR_RATE_LIMIT', details: { retryAfterSeconds: 30 } });
    expect(ask(meter, plan, noon + 30_200 + 30_000)).toBeUndefined();
  });

  it.each([1, 2, 60, 300, 601, 5_000])('never exceed %i in a window at random times', (limit) => {
    const steps = fc.array(fc.oneof(fc.nat({ max: 5_000 }), fc.constant(0)), { minLength: 1, maxLength: 300 });
    const bursts = fc.integer({ min: 1, max: Math.max(1, Math.ceil(limit / 20)) });
    fc.assert(
      fc.property(steps, bursts, (gaps, burst) => {
        const [meter, own] = [emptyMeter('a'), planOf({ requestsPerMinute: limit })];
        const times: number[] = [];
        let now = noon;
        for (const gap of gaps) {
          now += gap;
          for (let count = 0; count < burst; count++) if (ask(meter, own, now) === undefined) times.push(now);
        }
        for (const [index, time] of times.entries()) {
          const after = times[index + limit];
          if (after !== undefined) expect(after - time).toBeGreaterThanOrEqual(60_000);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('are all admitted within the limit', () => {
    const steps = fc.array(fc.nat({ max: 5_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), steps, (limit, gaps) => {
        const [meter, own] = [emptyMeter('a'), planOf({ requestsPerMinute: limit })];
        const times: number[] = [];
        let now = noon;
        for (const gap of gaps) {
          now += gap;
          const recent = times.filter((time) => time > now - 60_000).length;
          const isAdmitted = ask(meter, own, now) === undefined;
          expect(isAdmitted).toBe(recent < limit);
          if (isAdmitted) times.push(now);
        }
      }),
    );
  });

  it('are stored in a bounded number of characters', () => {
    for (const limit of [60, 300, 1_000_000]) {
      const meter = emptyMeter('a');
      const own = planOf({ requestsPerMinute: limit });
      for (let index = 0; index < 20_000; index++) ask(meter, own, noon + index * 3);
      expect(meter.recent_requests.length).toBeLessThan(6_000);
    }
    const meter = emptyMeter('a');
    ask(meter, planOf({}), noon);
    expect(meter.recent_requests).toBe('');
  });

  it('are blocked for at most a minute after the clock goes back', () => {
    const meter = emptyMeter('a');
    admitted(meter, plan, noon, 60);
    expect(ask(meter, plan, noon - hour)).toMatchObject({ details: { retryAfterSeconds: 60 } });
    expect(admitted(meter, plan, noon - hour + 60_000, 100)).toBe(60);
  });

  it('follow a plan that changes', () => {
    const meter = emptyMeter('a');
    admitted(meter, plan, noon, 60);
    expect(admitted(meter, planOf({ requestsPerMinute: 6_000 }), noon, 10_000)).toBeLessThanOrEqual(6_000);
    expect(admitted(meter, planOf({}), noon, 10)).toBe(10);
    expect(ask(meter, planOf({ requestsPerMinute: 0 }), noon)).toMatchObject({ code: 'ERR_RATE_LIMIT' });
  });
});

describe('requests per day', () => {
  const plan = planOf({ requestsPerDay: 100 });

  it('are reset at midnight UTC (I-078)', () => {
    const meter = emptyMeter('a');
    expect(admitted(meter, plan, noon, 150)).toBe(100);
    expect(ask(meter, plan, noon)).toMatchObject({ details: { retryAfterSeconds: 12 * 3600 } });
    expect(admitted(meter, plan, noon + 12 * hour - 1, 1)).toBe(0);
    expect(admitted(meter, plan, noon + 12 * hour, 150)).toBe(100);
  });

  it('are not reset twice if the clock goes back over midnight', () => {
    const meter = emptyMeter('a');
    expect(admitted(meter, plan, noon + 12 * hour, 150)).toBe(100);
    expect(admitted(meter, plan, noon + 12 * hour - 1, 150)).toBe(0);
    expect(admitted(meter, plan, noon + 12 * hour + 1, 150)).toBe(0);
  });

  it('recover after the clock was years ahead', () => {
    const meter = emptyMeter('a');
    admitted(meter, plan, noon + 10 * 365 * 24 * hour, 100);
    expect(admitted(meter, plan, noon, 150)).toBe(100);
  });
});

describe('tokens per month', () => {
  const plan = planOf({ tokensPerMonth: 1_000 });

  it('include the tokens reserved by requests in flight, and are in the error (I-071)', () => {
    const meter = emptyMeter('a');
    expect(ask(meter, plan, noon, { tokens: 600 })).toBeUndefined();
    expect(ask(meter, plan, noon, { tokens: 401 })).toMatchObject({
      code: 'ERR_QUOTA',
      details: { usage: { tokens_used: 0, tokens_limit: 1_000 } },
      headers: { 'x-ratelimit-remaining-tokens': '400' },
    });
    expect(ask(meter, plan, noon, { tokens: 400 })).toBeUndefined();
  });

  it('are reset at the start of a month', () => {
    const meter = emptyMeter('a');
    ask(meter, plan, noon);
    meter.month_tokens = 1_000;
    expect(ask(meter, plan, Date.UTC(2030, 5, 30, 23, 59), { tokens: 1 })).toMatchObject({ code: 'ERR_QUOTA' });
    expect(ask(meter, plan, Date.UTC(2030, 6, 1), { tokens: 1_000 })).toBeUndefined();
  });
});

describe('money and concurrency', () => {
  it('reject a request that exceeds the balance', () => {
    const meter = { ...emptyMeter('a'), funding: -100, available: 100 };
    expect(ask(meter, unlimited, noon, { price: 101 })).toMatchObject({
      code: 'ERR_BALANCE',
      details: { balance_micro_dollars: 100, needed_micro_dollars: 101 },
    });
    expect(ask(meter, unlimited, noon, { price: 100 })).toBeUndefined();
    expect([meter.available, meter.held]).toEqual([0, 100]);
  });

  it("reject a request above the plan's concurrency limit", () => {
    const meter = emptyMeter('a');
    const plan = planOf({ concurrentRequestsMax: 3 });
    expect(admitted(meter, plan, noon, 5)).toBe(3);
    meter.running -= 1;
    expect(admitted(meter, plan, noon, 5)).toBe(1);
  });
});

describe('the headers', () => {
  it('describe the tightest limit, in the names of C-042 and of OpenAI (I-081)', () => {
    const meter = emptyMeter('a');
    const plan = planOf({ requestsPerMinute: 60, requestsPerDay: 50, tokensPerMonth: 1_000 });
    claim(meter, plan, { price: 0, tokens: 100, now: noon });
    const midnight = (noon + 12 * hour) / 1000;
    expect(limitHeaders(meter, plan, noon)).toEqual({
      'x-ratelimit-limit': '50',
      'x-ratelimit-remaining': '49',
      'x-ratelimit-reset': String(midnight),
      'x-ratelimit-limit-requests': '50',
      'x-ratelimit-remaining-requests': '49',
      'x-ratelimit-reset-requests': '12h0m0s',
      'x-ratelimit-limit-tokens': '1000',
      'x-ratelimit-remaining-tokens': '900',
      'x-ratelimit-reset-tokens': '372h0m0s',
    });
  });

  it('have the time at which the limit is fully available again', () => {
    const meter = emptyMeter('a');
    const plan = planOf({ requestsPerMinute: 60 });
    claim(meter, plan, { price: 0, tokens: 0, now: noon });
    expect(limitHeaders(meter, plan, noon)).toMatchObject({
      'x-ratelimit-remaining': '59',
      'x-ratelimit-reset-requests': '1m0s',
    });
  });

  it('are absent without limits', () => {
    expect(limitHeaders(emptyMeter('a'), unlimited, noon)).toEqual({});
  });
});

describe('the shipped plans', () => {
  it('have the figures of the contract (I-010, I-077, I-078)', () => {
    const figures = shippedPlans.map((plan) => [
      plan.title,
      plan.contextTokensMax,
      plan.requestsPerMinute,
      plan.requestsPerDay,
    ]);
    expect(figures).toEqual([
      ['Free', 40_960, undefined, 100],
      ['Plus', 262_144, undefined, undefined],
      ['Team Starter', 262_144, undefined, undefined],
      ['Pro', 262_144, undefined, undefined],
      ['Enterprise', undefined, undefined, undefined],
      ['Developer', undefined, 60, undefined],
      ['Team', undefined, 300, undefined],
      ['Operator', undefined, undefined, undefined],
    ]);
  });
});
