/** Hedging: the first candidate that is ready is used. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { firstReady } from '../../attestation/client/first-ready.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function race(count: number) {
  const started: PromiseWithResolvers<string>[] = [];
  const unused: string[] = [];
  const candidates = Array.from({ length: count }, (_, index) => index);
  const start = () => {
    const candidate = Promise.withResolvers<string>();
    started.push(candidate);
    return candidate.promise;
  };
  const result = firstReady(candidates, start, { hedgeAfterMs: 500, unused: (late) => unused.push(late) });
  return { result, started, unused };
}
const turn = () => vi.advanceTimersByTimeAsync(0);

describe('the candidates', () => {
  it('are started one after the other, each when the last one takes half a second', async () => {
    const { result, started, unused } = race(3);
    await vi.advanceTimersByTimeAsync(499);
    expect(started).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(started).toHaveLength(2);
    started[1]!.resolve('second');
    expect(await result).toBe('second');
    started[0]!.resolve('first');
    await vi.advanceTimersByTimeAsync(1_000);
    expect([unused, started.length]).toEqual([['first'], 2]);
  });

  it('are started at once after one that fails, but not after the first is ready', async () => {
    const { result, started } = race(3);
    started[0]!.reject(new Error());
    await turn();
    expect(started).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(500);
    started[1]!.resolve('second');
    await turn();
    started[2]!.reject(new Error());
    expect([await result, started.length]).toEqual(['second', 3]);
  });

  it.each([0, 2])('have no result if all of %i fail', async (count) => {
    const { result, started } = race(count);
    for (let index = 0; index < count; index++) {
      started[index]!.reject(new Error());
      await turn();
    }
    expect(await result).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });
});
