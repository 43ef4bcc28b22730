import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../accounts/database/database.ts';
import { renewLease } from '../../accounts/ledger/instances.ts';
import type { Accounts, DatabaseAddress } from '../../accounts/store.ts';
import { describeStores, halfUsed, makeAccount, noon, type TestAccount } from '../support/accounts/account-stores.ts';
import type { ChildNews, ChildTask } from '../support/accounts/metering-child.ts';

const deadline = noon + 600_000;
const day = '2030-06-15';

interface Killed {
  /** Ids of the requests whose settlement the process reported as committed. */
  readonly settled: readonly string[];
}

/** Runs a process that admits `requests` and kills it once it has settled some of them. */
async function killInTheMiddle({
  address,
  account,
  requests,
  settledMin,
  ...lease
}: {
  /** Lease of the process; after 1 ms it has expired by the next check. */
  leaseMs: number;
  node?: string;
  address: DatabaseAddress;
  account: TestAccount;
  requests: number;
  /** Settlements before the kill; with 0 the process ends by itself after all admissions. */
  settledMin: number;
}): Promise<Killed> {
  const child: ChildProcess = fork(join(import.meta.dirname, '../support/accounts/metering-child.ts'));
  const settled: string[] = [];
  const enough = Promise.withResolvers<void>();
  child.on('message', (news: ChildNews) => {
    if (news.kind === 'settled') settled.push(news.requestId);
    if (settled.length >= settledMin && child.connected) enough.resolve();
  });
  child.once('exit', () => enough.resolve());
  const { accountId, keyId } = account;
  const caller = { accountId, keyId, scopes: [] } as const;
  const task: ChildTask = { address, caller, requests, now: noon, deadline, ...lease, diesAdmitted: settledMin === 0 };
  const gone = once(child, 'exit');
  child.send(task);
  await enough.promise;
  child.kill('SIGKILL');
  const [, signal] = await gone;
  expect(signal).toBe('SIGKILL');
  return { settled };
}

async function usageOf(accounts: Accounts, accountId: string) {
  const [sum] = await accounts.sumUsage({ accountId, from: day, to: day, groups: [] });
  return { requests: sum?.requests ?? 0, price: sum?.price ?? 0 };
}

describeStores('a process that is killed', (store) => {
  it('keeps the ledger exact if it is killed in the middle of 100 requests', async () => {
    const address = await store.address();
    const accounts = await store.open(address);
    const account = await makeAccount(accounts, { microDollars: 10_000 });
    const killed = { address, account, requests: 100, settledMin: 30, leaseMs: 600_000, node: 'node-1' };
    const { settled } = await killInTheMiddle(killed);

    // During the lease, neither a sweep nor a start on another node releases the reservations.
    expect(await accounts.maintain({ now: noon })).toEqual({ lost: 0 });
    await store.open(address, { role: 'server', node: 'node-2' });
    const before = await usageOf(accounts, account.accountId);
    expect(before.requests).toBeGreaterThanOrEqual(settled.length);
    const held = (100 - before.requests) * 100;
    expect((await accounts.findAccount('acme')).balance).toEqual({
      paidIn: 10_000,
      available: 10_000 - before.requests * 50 - held,
      held,
      spent: before.requests * 50,
    });
    expect(await accounts.audit()).toMatchObject({ sum: 0, faults: [] });

    // The next start on the same node releases the reservations in full and once, long before the deadline.
    const next = await store.open(address, { role: 'server', node: 'node-1' });
    expect((await next.findAccount('acme')).balance.held).toBe(0);
    expect(await next.maintain({ now: noon })).toEqual({ lost: 0 });
    const spent = before.requests * 50;
    expect((await next.findAccount('acme')).balance).toEqual({
      paidIn: 10_000,
      available: 10_000 - spent,
      held: 0,
      spent,
    });
    expect(await usageOf(next, account.accountId)).toEqual({ requests: 100, price: spent });
    expect(await next.audit()).toMatchObject({ sum: 0, reservations: 0, faults: [] });
    for (const requestId of settled) {
      const proof = await next.proveUsage({ accountId: account.accountId, requestId });
      expect(proof?.row).toMatchObject({ finishReason: 'stop', price: 50 });
    }
  });
});

describeStores('a process that is killed as soon as its requests are admitted', (store) => {
  it('keeps its reservations until its lease is over', async () => {
    const address = await store.address();
    const accounts = await store.open(address, { clock: () => noon });
    const account = await makeAccount(accounts, { microDollars: 10_000 });
    await killInTheMiddle({ address, account, requests: 100, settledMin: 0, leaseMs: 1 });

    expect(await accounts.audit()).toMatchObject({ reservations: 100, sum: 0, faults: [] });
    expect((await accounts.findAccount('acme')).balance).toMatchObject({ available: 0, held: 10_000 });
    await expect(account.admit()).rejects.toMatchObject({ code: 'ERR_BALANCE' });
    expect(await accounts.maintain({ now: noon })).toEqual({ lost: 100 });
    expect((await accounts.findAccount('acme')).balance).toMatchObject({ available: 10_000, held: 0, spent: 0 });
    expect(await accounts.audit()).toMatchObject({ reservations: 0, sum: 0, faults: [] });
  });
});

describeStores('a request whose process is swept as dead', (store) => {
  it('is charged once from the available balance when it ends late', async () => {
    const accounts = await store.open();
    const { admit, accountId } = await makeAccount(accounts, { microDollars: 100 });
    const admission = await admit({ requestId: 'slow' });
    expect(await accounts.maintain({ now: deadline })).toEqual({ lost: 1 });
    expect((await accounts.findAccount('acme')).balance).toMatchObject({ available: 100, held: 0 });
    expect(await admission.settle({ ...halfUsed, now: deadline + 1 })).toBe(50);
    expect((await accounts.findAccount('acme')).balance).toMatchObject({ available: 50, held: 0, spent: 50 });
    expect(await usageOf(accounts, accountId)).toEqual({ requests: 2, price: 50 });
    expect((await accounts.proveUsage({ accountId, requestId: 'slow' }))?.row.finishReason).toBe('stop');
    expect(await accounts.audit()).toMatchObject({ sum: 0, faults: [] });
  });

  it('is not swept while its process has a lease, whatever the clocks of other processes', async () => {
    const address = await store.address();
    const serving = await store.open(address, { role: 'server' });
    const { admit } = await makeAccount(serving, { microDollars: 100 });
    const admission = await admit();
    const other = await store.open(address, { role: 'server', clock: () => deadline + 86_400_000 });
    expect(await other.maintain({ now: deadline + 86_400_000 })).toEqual({ lost: 0 });
    expect(await admission.settle(halfUsed)).toBe(50);
    expect(await serving.audit()).toMatchObject({ sum: 0, faults: [] });
  });
});

describeStores('a lease', (store) => {
  const leaseOf = { instanceId: 'i1', node: 'n1' };

  it('reports on renewal whether it had expired', async () => {
    const database = await openDatabase(await store.address());
    try {
      expect(await renewLease(database, { ...leaseOf, leaseMs: 600_000 })).toBe(false);
      expect(await renewLease(database, { ...leaseOf, leaseMs: -1 })).toBe(true);
      expect(await renewLease(database, { ...leaseOf, leaseMs: 600_000 })).toBe(false);
    } finally {
      await database.db.destroy();
    }
  });

  it('expires and is swept within 30 seconds after its server ends', async () => {
    const address = await store.address();
    await store.open(address, { role: 'server', clock: Date.now });
    const database = await openDatabase(address);
    try {
      const [instance] = await database.db.selectFrom('instances').select('lease_until').execute();
      const leaseMs = instance!.lease_until - Date.now();
      // The next sweep of another server follows within a third of a lease.
      expect((leaseMs * 4) / 3).toBeLessThanOrEqual(30_000);
      expect(leaseMs).toBeGreaterThan(5_000);
    } finally {
      await database.db.destroy();
    }
  });
});
