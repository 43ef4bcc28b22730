import { describe, expect, it } from 'vitest';
import { AttestationError } from '../../attestation/base/errors.ts';
import { CollateralCache } from '../../attestation/collateral/cache.ts';
import type { Collateral } from '../../attestation/collateral/collateral.ts';
import type { PlatformFamily } from '../../attestation/collateral/platform-family.ts';
import { createSimulatedPlatform, simulatedHardware } from '../../attestation/simulate/platform.ts';

const hour = 3_600_000;
const day = 24 * hour;
const platform = await createSimulatedPlatform(Date.UTC(2026, 10, 21));
const family: PlatformFamily = { fmspc: Buffer.from(simulatedHardware.fmspc).toString('hex'), ca: 'platform' };

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
  it('is fetched once for all concurrent callers', async () => {
    const { cache, calls } = openCache();
    const [one, two] = await Promise.all([cache.get(family), cache.get(family)]);
    expect(one).toBe(two);
    expect(calls).toEqual([family]);
  });

  it('is cached for up to sixteen platform families', async () => {
    const { cache, calls } = openCache();
    const families = Array.from({ length: 17 }, (_, index) => ({ ...family, fmspc: `${index}`.padStart(12, '0') }));
    for (const one of families) await cache.get(one);
    for (const one of families.slice(1)) await cache.get(one);
    expect(calls).toEqual(families);
    await cache.get(families[0]!);
    expect(calls).toHaveLength(18);
  });

  it('is cached for six hours', async () => {
    const { cache, calls, at } = openCache();
    const first = await cache.get(family);
    at(6 * hour - 1);
    expect(await cache.get(family)).toBe(first);
    at(6 * hour);
    expect(await cache.get(family)).not.toBe(first);
    expect(calls).toHaveLength(2);
  });

  it('is served stale for a week while Intel does not respond, with one attempt per minute', async () => {
    const { cache, calls, at, failing } = openCache();
    const first = await cache.get(family);
    failing(unavailable);
    at(6 * hour);
    expect(await cache.get(family)).toBe(first);
    at(6 * hour + 59_999);
    expect(await cache.get(family)).toBe(first);
    expect(calls).toHaveLength(2);
    at(6 * hour + 60_000);
    expect(await cache.get(family)).toBe(first);
    expect(calls).toHaveLength(3);
    at(7 * day);
    await expect(cache.get(family)).rejects.toBe(unavailable);
  });

  it('is served as soon as Intel responds again', async () => {
    const { cache, at, failing, working } = openCache();
    failing(unavailable);
    await expect(cache.get(family)).rejects.toBe(unavailable);
    working();
    await expect(cache.get(family)).rejects.toBe(unavailable);
    at(60_000);
    expect(await cache.get(family)).toEqual(platform.collateral);
  });

  it('fails with a code after an unexpected error', async () => {
    const { cache, failing } = openCache();
    failing(new TypeError('socket'));
    await expect(cache.get(family)).rejects.toMatchObject({ code: 'ERR_COLLATERAL_UNAVAILABLE' });
  });
});
