/** Limits and money of one account on several nodes with one PostgreSQL. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import type { Accounts, Admission } from '../../accounts/store.ts';
import {
  describePostgres,
  halfUsed,
  makeAccount,
  noon,
  requestOf,
  type StoreUnderTest,
  type TestAccount,
} from '../support/accounts/account-stores.ts';
import type { TrafficNews, TrafficTask } from '../support/accounts/traffic-child.ts';

const nodes = 4;

/** Opens servers with pools of their own on one database. */
async function openNodes(store: StoreUnderTest): Promise<Accounts[]> {
  const address = await store.address();
  const opened: Accounts[] = [];
  for (let node = 0; node < nodes; node += 1) opened.push(await store.open(address, { role: 'server' }));
  return opened;
}

function codesOf(results: readonly PromiseSettledResult<unknown>[]): Record<string, number> {
  const codes: Record<string, number> = {};
  for (const result of results) {
    const code = result.status === 'fulfilled' ? 'admitted' : String(result.reason.code);
    codes[code] = (codes[code] ?? 0) + 1;
  }
  return codes;
}

describePostgres('200 simultaneous requests on four nodes', (store) => {
  it('get the ten places of the plan, and no more', async () => {
    const servers = await openNodes(store);
    const [first] = servers;
    await first!.createPlan({ id: 'ten', change: { concurrentRequestsMax: 10 }, now: noon });
    const { accountId, keyId } = await makeAccount(first!, { plan: 'ten' });
    const caller = { accountId, keyId, scopes: [] };
    for (let round = 0; round < 3; round += 1) {
      const asked = Array.from({ length: 200 }, (_, index) => servers[index % nodes]!.admit(requestOf(caller)));
      const results = await Promise.allSettled(asked);
      expect(codesOf(results)).toEqual({ admitted: 10, ERR_RATE_LIMIT: 190 });
      for (const result of results) if (result.status === 'fulfilled') await result.value.settle(halfUsed);
    }
    expect(await first!.audit()).toMatchObject({ sum: 0, reservations: 0, spent: 3 * 10 * 50, faults: [] });
  });

  it('get ten requests of a minute, of a day, and of a balance for ten', async () => {
    const servers = await openNodes(store);
    const [first] = servers;
    await first!.createPlan({ id: 'minute', change: { requestsPerMinute: 10 }, now: noon });
    await first!.createPlan({ id: 'day', change: { requestsPerDay: 10 }, now: noon });
    const edges = [
      { plan: 'minute', code: 'ERR_RATE_LIMIT', microDollars: 1_000_000 },
      { plan: 'day', code: 'ERR_RATE_LIMIT', microDollars: 1_000_000 },
      { plan: 'operator', code: 'ERR_BALANCE', microDollars: 1_099 },
    ];
    for (const { code, ...of } of edges) {
      const { accountId, keyId } = await makeAccount(first!, { name: of.plan, ...of });
      const caller = { accountId, keyId, scopes: [] };
      const asked = Array.from({ length: 200 }, (_, index) => servers[index % nodes]!.admit(requestOf(caller)));
      const results = await Promise.allSettled(asked);
      expect(codesOf(results)).toEqual({ admitted: 10, [code]: 190 });
      for (const result of results) if (result.status === 'fulfilled') await result.value.release({ now: noon });
    }
    expect(await first!.audit()).toMatchObject({ sum: 0, reservations: 0, held: 0, spent: 0, faults: [] });
  });
});

describePostgres('random traffic on four processes, one of which is killed', (store) => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  it('leaves exact books, and the dead node returns its holds when its lease is over', async () => {
    const address = await store.address();
    const accounts = await store.open(address, { clock: Date.now });
    const callers: TrafficTask['callers'][number][] = [];
    for (const name of ['hot', 'warm', 'poor']) {
      const microDollars = name === 'poor' ? 5_000 : 100_000_000;
      const { accountId, keyId } = await makeAccount(accounts, { name, microDollars });
      callers.push({ accountId, keyId, scopes: [] });
    }
    const leaseMs = 3_000;
    const charged = new Map<ChildProcess, number>();
    const stopped: Promise<TrafficNews>[] = [];
    const flowing = Promise.withResolvers<void>();
    for (let node = 0; node < nodes; node += 1) {
      const child = fork(join(import.meta.dirname, '../support/accounts/traffic-child.ts'));
      children.push(child);
      charged.set(child, 0);
      const end = Promise.withResolvers<TrafficNews>();
      stopped.push(end.promise);
      child.on('message', (news: TrafficNews) => {
        if (news.kind === 'stopped') end.resolve(news);
        else charged.set(child, charged.get(child)! + news.price);
        if ([...charged.values()].every((price) => price > 10_000)) flowing.resolve();
      });
      child.send({ address, callers, inFlight: 12, leaseMs } satisfies TrafficTask);
    }
    await flowing.promise;
    const [dead, ...alive] = children;
    const gone = once(dead!, 'exit');
    dead!.kill('SIGKILL');
    await gone;
    const killedAt = performance.now();
    await setTimeout(500);
    for (const child of alive.slice(1)) child.send('stop');
    for (const news of await Promise.all(stopped.slice(2)))
      expect(news).toEqual({ kind: 'stopped', owed: 0, faults: [] });

    // The last node alive sweeps; nothing of the dead one is left after its lease and a third of it.
    alive[0]!.send('stop');
    expect(await stopped[1]).toEqual({ kind: 'stopped', owed: 0, faults: [] });
    const books = await accounts.audit();
    expect(books).toMatchObject({ sum: 0, faults: [] });
    const last = await store.open(address, { role: 'server', clock: Date.now, leaseMs });
    const isSwept = async () => (await last.audit()).reservations === 0;
    await expect.poll(isSwept, { timeout: 10_000, interval: 100 }).toBe(true);
    expect(performance.now() - killedAt).toBeLessThan(leaseMs * (4 / 3) + 3_000);

    const after = await accounts.audit();
    expect(after).toMatchObject({ sum: 0, held: 0, faults: [] });
    // Every charge that a node reported is booked once; the dead node may have committed a few that it did not report.
    const reported = [...charged.values()].reduce((sum, price) => sum + price, 0);
    expect(after.spent).toBeGreaterThanOrEqual(reported);
    expect(after.spent - reported).toBeLessThanOrEqual(12 * 250);
  });
});

describePostgres('the database round trips of a request', (store) => {
  /** Counts round trips while `work` runs; statements that a connection sends together share one. */
  async function tripsOf(work: () => Promise<void>): Promise<number> {
    const waiting = new WeakMap<pg.Client, number>();
    let trips = 0;
    const send = pg.Client.prototype.query as (...given: unknown[]) => unknown;
    const query = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...given: unknown[]
    ) {
      const before = waiting.get(this) ?? 0;
      if (before === 0) trips += 1;
      waiting.set(this, before + 1);
      const answered = () => void waiting.set(this, waiting.get(this)! - 1);
      const answer = send.apply(this, given) as Promise<unknown>;
      answer.then(answered, answered);
      return answer as never;
    });
    await work();
    query.mockRestore();
    return trips;
  }

  /** Requests per connection of clients that send one after the other, each running up to `runsMs`. */
  async function tripsPerRequest(
    servers: readonly TestAccount['admit'][],
    { inFlight, runsMs = 0 }: { inFlight: number; runsMs?: number },
  ): Promise<number> {
    const each = Math.max(4, 64 / inFlight);
    const line = async (_: unknown, index: number) => {
      for (let count = 0; count < each; count += 1) {
        const admission = await servers[index % servers.length]!();
        if (runsMs > 0) await setTimeout(Math.random() * runsMs);
        await admission.settle(halfUsed);
      }
    };
    const trips = await tripsOf(async () => void (await Promise.all(Array.from({ length: inFlight }, line))));
    return trips / (each * inFlight);
  }

  it('are at most one to admit and one to settle, and shared by requests that arrive together', async () => {
    const accounts = await store.open(undefined, { role: 'service' });
    const { admit } = await makeAccount(accounts, { microDollars: 1_000_000_000 });
    await (await admit()).settle(halfUsed);
    for (const { most, ...load } of [
      { inFlight: 1, most: 2 },
      { inFlight: 32, most: 0.1 },
      { inFlight: 256, most: 0.02 },
      { inFlight: 32, runsMs: 200, most: 1.9 },
      { inFlight: 256, runsMs: 200, most: 0.9 },
    ]) {
      const trips = await tripsPerRequest([admit], load);
      expect(trips, JSON.stringify(load)).toBeLessThanOrEqual(most);
    }
    expect(await accounts.audit()).toMatchObject({ sum: 0, reservations: 0, faults: [] });
  });

  it('are few for an account that four nodes serve at once', async () => {
    const servers = await openNodes(store);
    const { accountId, keyId } = await makeAccount(servers[0]!, { microDollars: 1_000_000_000 });
    const caller = { accountId, keyId, scopes: [] };
    const admits = servers.map((server) => () => server.admit(requestOf(caller)));
    for (const { most, ...load } of [
      // One to admit and one to settle, although the other nodes change the account in between. A node locks it once to learn of it.
      { inFlight: 4, most: 2.2 },
      // 1.3 and 0.2 on a busy machine.
      { inFlight: 32, runsMs: 200, most: 2.2 },
      { inFlight: 256, runsMs: 200, most: 1 },
    ]) {
      const trips = await tripsPerRequest(admits, load);
      expect(trips, JSON.stringify(load)).toBeLessThanOrEqual(most);
    }
    expect(await servers[0]!.audit()).toMatchObject({ sum: 0, reservations: 0, faults: [] });
  });

  it('are three where the plan counts requests and other nodes change the count', async () => {
    const servers = await openNodes(store);
    await servers[0]!.createPlan({ id: 'many', change: { requestsPerMinute: 100_000 }, now: noon });
    const { accountId, keyId } = await makeAccount(servers[0]!, { plan: 'many' });
    const caller = { accountId, keyId, scopes: [] };
    const admits = servers.map((server) => () => server.admit(requestOf(caller)));
    // Two under locks to admit, one to settle, and attempts until a node knows that others change the account.
    expect(await tripsPerRequest(admits, { inFlight: 4 })).toBeLessThanOrEqual(3.7);
    expect(await servers[0]!.audit()).toMatchObject({ sum: 0, reservations: 0, faults: [] });
  });

  it('include one more when another process has changed the account', async () => {
    const address = await store.address();
    const [here, there] = [await store.open(address, { role: 'service' }), await store.open(address)];
    const { admit } = await makeAccount(here, { microDollars: 100 });
    await (await admit()).settle(halfUsed);
    await expect(admit()).rejects.toMatchObject({ code: 'ERR_BALANCE' });
    await there.credit({ account: 'acme', microDollars: 50, now: noon });
    // The process still remembers 50 micro-dollars, too few.
    const admissions: Admission[] = [];
    expect(await tripsOf(async () => void admissions.push(await admit()))).toBe(3);
    await there.createPlan({ id: 'none', change: { requestsPerDay: 0 }, now: noon });
    await there.moveToPlan({ account: 'acme', plan: 'none' });
    expect(await tripsOf(async () => void (await admissions[0]!.settle(halfUsed)))).toBeLessThanOrEqual(3);
    await expect(admit()).rejects.toMatchObject({ code: 'ERR_RATE_LIMIT' });
    await there.closeAccount({ account: 'acme', now: noon });
    await expect(admit()).rejects.toMatchObject({ code: 'ERR_ACCOUNT_CLOSED' });
    expect(await here.audit()).toMatchObject({ sum: 0, reservations: 0, spent: 100, faults: [] });
  });
});
