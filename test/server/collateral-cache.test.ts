import { describe, expect, it } from 'vitest';
import type { Collateral } from '../../attestation/collateral/collateral.ts';
import { AttestationError } from '../../attestation/errors.ts';
import { createSimulatedPlatform, simulatedHardware } from '../../attestation/simulate/platform.ts';
import { CollateralCache } from '../../server/enclave/collateral-cache.ts';

const hour = 3_600_000;
const day = 24 * hour;
const platform = await createSimulatedPlatform(Date.UTC(2026, 10, 21));
const quote = await platform.quote(new Uint8Array(64));

function openCache() {
  const calls: unknown[] = [];
  let time = 0;
  let answer = (): Promise<Collateral> => Promise.resolve({ ...platform.collateral });
  const cache = new CollateralCache({
    fetchCollateral: (family) => {
      calls.push(family);
      return answer();
    },
    now: () => time,
  });
  return {
    cache,
    calls,
    at(ms: number) {
      time = ms;
    },
    failing(error: Error) {
      answer = () => Promise.reject(error);
    },
    working() {
      answer = () => Promise.resolve({ ...platform.collateral });
    },
  };
}

const unavailable = new AttestationError('ERR_COLLATERAL_UNAVAILABLE', 'no answer');

describe('the collateral of this machine', () => {
  it('is asked for by the family that its quote names, once for all who wait', async () => {
    const { cache, calls } = openCache();
    const [one, two] = await Promise.all([cache.get(quote), cache.get(quote)]);
    expect(one).toBe(two);
    expect(calls).toEqual([{ fmspc: Buffer.from(simulatedHardware.fmspc).toString('hex'), ca: 'platform' }]);
  });

  it('is kept for six hours', async () => {
    const { cache, calls, at } = openCache();
    const first = await cache.get(quote);
    at(6 * hour - 1);
    expect(await cache.get(quote)).toBe(first);
    at(6 * hour);
    expect(await cache.get(quote)).not.toBe(first);
    expect(calls).toHaveLength(2);
  });

  it('is served stale for a week while Intel is away, and asked for once a minute', async () => {
    const { cache, calls, at, failing } = openCache();
    const first = await cache.get(quote);
    failing(unavailable);
    at(6 * hour);
    expect(await cache.get(quote)).toBe(first);
    at(6 * hour + 59_999);
    expect(await cache.get(quote)).toBe(first);
    expect(calls).toHaveLength(2);
    at(6 * hour + 60_000);
    expect(await cache.get(quote)).toBe(first);
    expect(calls).toHaveLength(3);
    at(7 * day);
    await expect(cache.get(quote)).rejects.toBe(unavailable);
  });

  it('is there as soon as Intel is back', async () => {
    const { cache, at, failing, working } = openCache();
    failing(unavailable);
    await expect(cache.get(quote)).rejects.toBe(unavailable);
    working();
    await expect(cache.get(quote)).rejects.toBe(unavailable);
    at(60_000);
    expect(await cache.get(quote)).toEqual(platform.collateral);
  });

  it('that fails for a reason nobody foresaw has a code all the same', async () => {
    const { cache, failing } = openCache();
    failing(new TypeError('socket'));
    await expect(cache.get(quote)).rejects.toMatchObject({ code: 'ERR_COLLATERAL_UNAVAILABLE' });
  });
});
