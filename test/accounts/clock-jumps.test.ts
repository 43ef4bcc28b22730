import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Admission } from '../../accounts/store.ts';
import { describeStores, halfUsed, makeAccount, noon } from '../support/accounts/account-stores.ts';

const dayMs = 86_400_000;
const yearMs = 365 * dayMs;

/** Times of a clock that is set repeatedly. */
const times = fc.array(fc.oneof(fc.integer({ min: -yearMs, max: yearMs }), fc.integer({ min: -60_000, max: 60_000 })), {
  minLength: 2,
  maxLength: 16,
});

let runs = 0;

describeStores('a clock that jumps', (store) => {
  it('keeps the ledger consistent, releases every reservation and blocks no account for longer than a minute', async () => {
    const accounts = await store.open();
    await accounts.changePlan({ id: 'team', change: { requestsPerMinute: 3, concurrentRequestsMax: 20 }, now: noon });
    const property = fc.asyncProperty(times, async (jumps) => {
      const name = `run${runs++}`;
      const { admit, accountId } = await makeAccount(accounts, { name, plan: 'team', microDollars: 1_000_000 });
      const running: Admission[] = [];
      for (const [index, jump] of jumps.entries()) {
        const now = noon + jump;
        const admission = await admit({ now, deadline: now + 600_000 }).catch(({ code, details }) => {
          expect(code).toBe('ERR_RATE_LIMIT');
          expect(details.retryAfterSeconds).toBeLessThanOrEqual(60);
        });
        if (admission !== undefined) running.push(admission);
        // The end may precede the beginning.
        const ended = index % 2 === 1 ? running.pop() : undefined;
        await (index % 4 === 1 ? ended?.release({ now }) : ended?.settle({ ...halfUsed, now }));
      }
      for (const one of running) await one.settle({ ...halfUsed, now: noon });
      const standing = await accounts.readStanding({ accountId, now: noon });
      expect([standing.running, standing.tokensHeld, standing.balance.held]).toEqual([0, 0, 0]);
      expect(standing.requestsToday).toBeGreaterThanOrEqual(0);
      expect(await accounts.audit()).toMatchObject({ sum: 0, reservations: 0, faults: [] });
      // A minute after the clock's last time, every account is admitted again.
      const later = noon + (jumps.at(-1) ?? 0) + 60_000;
      await (await admit({ now: later })).release({ now: later });
    });
    await fc.assert(property, { numRuns: store.kind === 'sqlite' ? 30 : 12 });
  });

  it('expires a key only while it is ahead, and resets the daily limit only once', async () => {
    let now = noon;
    const accounts = await store.open(undefined, { clock: () => now });
    const { admit } = await makeAccount(accounts, { plan: 'free' });
    const { secret } = await accounts.createKey({ account: 'acme', name: 'short', expiresAt: noon + dayMs, now });
    await accounts.changePlan({ id: 'free', change: { requestsPerDay: 1 }, now });
    await (await admit({ now })).settle({ ...halfUsed, now });
    now = noon + yearMs;
    expect(await accounts.findCaller(secret)).toBeUndefined();
    await (await admit({ now })).settle({ ...halfUsed, now });
    now = noon;
    expect(await accounts.findCaller(secret)).toBeDefined();
    await (await admit({ now })).settle({ ...halfUsed, now });
    await expect(admit({ now })).rejects.toMatchObject({ code: 'ERR_RATE_LIMIT' });
  });
});
