/** Account limits that several processes share through one PostgreSQL. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { defaultLimits } from '../../compute/http/admission.ts';
import { SharedWindows } from '../../compute/http/shared-windows.ts';
import { SlidingWindows } from '../../compute/http/sliding-window.ts';
import { sweep } from '../../compute/store/sweep.ts';
import { describePostgres, noon } from '../support/accounts/account-stores.ts';
import { computeApps } from '../support/compute/compute-app.ts';
import { worlds } from '../support/compute/compute-world.ts';
import { Random } from '../support/random.ts';

describePostgres('limits that processes share', (store) => {
  const open = worlds(store);
  let address: ReturnType<typeof store.address> | undefined;
  const openApp = computeApps({
    kind: store.kind,
    address: () => {
      address ??= store.address();
      return address;
    },
  });

  it('C-041 apply to all of them together', async () => {
    address = undefined;
    const limits = { ...defaultLimits, creations: { limit: 4, windowMs: 60_000 } };
    const [first, second] = [await openApp({ limits }), await openApp({ limits })];
    const { key } = await first.tenant('acme');
    const body = { provider: 'standard', name: 'pod', machine_id: 'm-1' };
    const statuses: number[] = [];
    for (const app of [first, second, first, second, first, second]) {
      app.world.engine.fateOf = (call) => (call === 'create' ? 'refused' : 'done');
      statuses.push((await app.call('POST', '/api/svc/pods', { key, body })).status);
    }
    expect(statuses).toEqual([502, 502, 502, 502, 429, 429]);
    const refused = await second.call('POST', '/api/svc/pods', { key, body });
    const told = { 'x-ratelimit-limit': '4', 'x-ratelimit-remaining': '0', 'retry-after': '60' };
    expect(refused.headers).toMatchObject(told);
  });

  it('C-040 count the requests of an account at any of them', async () => {
    address = undefined;
    const limits = { ...defaultLimits, perAccount: { limit: 5, windowMs: 3_600_000 } };
    const [first, second] = [await openApp({ limits }), await openApp({ limits })];
    const { key } = await first.tenant('acme', { sshKey: false });
    const left: unknown[] = [];
    for (const app of [first, second, second, first, second]) {
      left.push((await app.get('/api/svc/balance', { key })).headers['x-ratelimit-remaining']);
    }
    expect(left).toEqual(['4', '3', '2', '1', '0']);
    expect((await first.get('/api/svc/balance', { key })).status).toBe(429);
  });

  it('admit exactly one of many concurrent requests at the limit', async () => {
    const { store: its } = await open();
    const limit = { limit: 10, windowMs: 60_000 };
    const processes = [1, 2, 3].map(() => new SharedWindows(its.db, { name: 'creations', limit }));
    const asked = Array.from({ length: 60 }, (_, index) => processes[index % 3]!.take('acme', noon + index));
    const taken = (await Promise.all(asked)).filter(({ isRefused }) => !isRefused);
    expect(taken).toHaveLength(10);
    expect(taken.map(({ remaining }) => remaining).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('give the same result as in one process, event by event', async () => {
    const { store: its } = await open();
    const random = new Random(11);
    const limit = { limit: 5, windowMs: 1_000 };
    const [shared, alone] = [new SharedWindows(its.db, { name: 'account', limit }), new SlidingWindows(limit)];
    let now = noon;
    for (let event = 0; event < 300; event++) {
      now += random.below(300);
      const key = random.pick(['acme', 'other']);
      expect(await shared.take(key, now), `event ${event}`).toEqual(alone.take(key, now));
    }
  });

  it('are deleted once they have expired', async () => {
    const world = await open();
    const windows = new SharedWindows(world.store.db, { name: 'account', limit: { limit: 5, windowMs: 3_600_000 } });
    await windows.take('acme', world.now);
    world.sleep(3_600_001);
    await windows.take('other', world.now);
    await sweep(world.store);
    const { rows } = await sql`select id from compute_windows`.execute(world.store.db);
    expect(rows).toEqual([{ id: 'account:other' }]);
  });
});
