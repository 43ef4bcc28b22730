import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CompiledQueries } from '../../accounts/database/compiled-queries.ts';
import { openDatabase } from '../../accounts/database/database.ts';
import { MeteringQueue } from '../../accounts/ledger/metering-queue.ts';
import { meteringRound } from '../../accounts/ledger/metering-round.ts';
import type { AdmitWork, CommittedRound, MeteringOutcome, MeteringWork } from '../../accounts/ledger/metering-work.ts';
import type { Accounts } from '../../accounts/store.ts';
import {
  describePostgres,
  describeStores,
  halfUsed,
  makeAccount,
  noon,
  requestOf,
  type TestAccount,
} from '../support/accounts/account-stores.ts';
import { mountSmallDisk } from '../support/accounts/small-disk.ts';

const unavailable = { code: 'ERR_STORE_UNAVAILABLE' };
const waiting = { timeout: 20_000, interval: 50 };

async function balanceOf(accounts: Accounts) {
  return (await accounts.findAccount('acme')).balance;
}

describePostgres('an outage of the database', (store) => {
  it('rejects new requests, settles those in flight afterwards, and recovers without a restart', async () => {
    let age = 0;
    const accounts = await store.open(undefined, { role: 'server', ageClock: () => age });
    const account = await makeAccount(accounts, { microDollars: 1_000 });
    await accounts.findCaller(account.secret);
    const running = [await account.admit(), await account.admit(), await account.admit()];

    store.postgres?.stop();
    await expect(account.admit()).rejects.toMatchObject(unavailable);
    // A cached key works until its entry expires; after that a look-up needs the database.
    expect(await accounts.findCaller(account.secret)).toBeDefined();
    age += 10_000;
    await expect(Promise.resolve(accounts.findCaller(account.secret))).rejects.toMatchObject(unavailable);
    await expect(accounts.findAccount('acme')).rejects.toMatchObject(unavailable);
    const settled = Promise.all(running.map((admission) => admission.settle(halfUsed)));

    store.postgres?.start();
    expect(await settled).toEqual([50, 50, 50]);
    await expect
      .poll(() => balanceOf(accounts), waiting)
      .toEqual({ paidIn: 1_000, available: 850, held: 0, spent: 150 });
    expect(await accounts.findCaller(account.secret)).toBeDefined();
    expect(await (await account.admit()).settle(halfUsed)).toBe(50);
    expect(await accounts.audit()).toMatchObject({ sum: 0, reservations: 0, faults: [] });
  });

  it('recovers after any number of rejected requests', async () => {
    const accounts = await store.open();
    const account = await makeAccount(accounts, { microDollars: 1_000 });
    const running = await account.admit();
    store.postgres?.stop();
    const settled = running.settle(halfUsed);
    const asked = await Promise.allSettled(Array.from({ length: 20_000 }, () => account.admit()));
    expect(asked.every((one) => one.status === 'rejected' && one.reason.code === unavailable.code)).toBe(true);
    store.postgres?.start();
    expect(await settled).toBe(50);
    const admitted = () =>
      account.admit().then(
        (admission) => admission.settle(halfUsed),
        () => undefined,
      );
    await expect.poll(admitted, waiting).toBe(50);
    expect(await accounts.audit()).toMatchObject({ sum: 0, reservations: 0, faults: [] });
  });

  it('does not leave a revoked key in the cache if its notification was lost', async () => {
    const address = await store.address();
    const [one, two] = [await store.open(address), await store.open(address)];
    const { secret, keyId } = await makeAccount(one);
    expect(await two.findCaller(secret)).toBeDefined();
    store.postgres?.stop();
    store.postgres?.start();
    await expect
      .poll(
        () =>
          one.revokeKey(keyId, { now: noon }).then(
            () => true,
            () => false,
          ),
        waiting,
      )
      .toBe(true);
    await expect.poll(() => two.findCaller(secret), waiting).toBeUndefined();
  });
});

const disk = mountSmallDisk();
if ('missing' in disk) console.warn(`accounts on a full disk are skipped: ${disk.missing}`);

describe.skipIf('missing' in disk)('a full disk (SQLite)', () => {
  const small = disk as Exclude<typeof disk, { missing: string }>;
  afterAll(() => small.remove());

  it('rejects new requests, settles those in flight afterwards, and recovers without a restart', async () => {
    const { openAccounts } = await import('../../accounts/store.ts');
    const path = join(small.folder, 'accounts.sqlite');
    const accounts = await openAccounts({ kind: 'sqlite', path }, { clock: () => noon });
    const account = await makeAccount(accounts, { microDollars: 1_000_000 });
    const running = [await account.admit(), await account.admit()];

    small.fill();
    const refused = await admitUntilRefused(account);
    expect(refused).toMatchObject(unavailable);
    // Reads still work: the caller is found and the balance is shown.
    expect(await accounts.findCaller(account.secret)).toBeDefined();
    const settled = Promise.all(running.map((admission) => admission.settle(halfUsed)));
    small.empty();
    expect(await settled).toEqual([50, 50]);
    await expect.poll(async () => (await balanceOf(accounts)).spent, waiting).toBe(100);
    expect(await (await account.admit()).settle(halfUsed)).toBe(50);
    expect(await accounts.audit()).toMatchObject({ sum: 0, faults: [] });
    await accounts.close();
  });
});

/** The pages that are already allocated allow a few more commits. */
async function admitUntilRefused(account: TestAccount): Promise<unknown> {
  for (let count = 0; count < 500; count++) {
    const error = await account.admit().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error !== undefined) return error;
  }
  return undefined;
}

describeStores('a lost response of the database', (store) => {
  /** Opens a database that commits and then fails as if the connection broke. */
  async function losingAnswers() {
    const address = await store.address();
    const accounts = await store.open(address);
    const account = await makeAccount(accounts, { microDollars: 1_000 });
    const database = await openDatabase(address);
    const queries = new CompiledQueries();
    const state = { loses: 0 };
    const queue = new MeteringQueue(async (work) => {
      const round = await meteringRound(database, work, { instanceId: 'test', queries });
      if (state.loses-- > 0) throw new Error('Connection terminated unexpectedly');
      return round;
    });
    const { surface, model, now, deadline } = requestOf({ ...account, scopes: [] });
    const work = { accountId: account.accountId, keyId: account.keyId, surface, model, now, deadline };
    const admit = (id: string): AdmitWork => ({
      ...work,
      kind: 'admit',
      id,
      requestId: id,
      tokens: 100,
      priceOn: () => 100,
    });
    return { accounts, account, queue, admit, state, close: () => database.db.destroy() };
  }

  it('does not charge twice: the settlement is retried until its commit is confirmed', async () => {
    const { accounts, account, queue, admit, state, close } = await losingAnswers();
    await queue.do(admit('a'));
    state.loses = 3;
    const outcome = await queue.do({
      kind: 'settle',
      id: 'a',
      accountId: account.accountId,
      keyId: account.keyId,
      requestId: 'a',
      model: 'fake-TEE',
      price: 50,
      ...halfUsed,
    });
    expect(outcome).toEqual({ kind: 'settled', settled: { price: 50 } });
    expect(await balanceOf(accounts)).toEqual({ paidIn: 1_000, available: 950, held: 0, spent: 50 });
    await queue.close({ timeoutMs: 1_000 });
    await close();
  });

  it('leaves no reservation of a request that it rejected', async () => {
    const { accounts, queue, admit, state, close } = await losingAnswers();
    state.loses = 2;
    await expect(queue.do(admit('a'))).rejects.toMatchObject(unavailable);
    expect(await queue.close({ timeoutMs: 10_000 })).toBe(0);
    expect(await balanceOf(accounts)).toEqual({ paidIn: 1_000, available: 1_000, held: 0, spent: 0 });
    expect(await accounts.audit()).toMatchObject({ sum: 0, reservations: 0, faults: [] });
    await close();
  });
});

describe('the queue', () => {
  const outcome: MeteringOutcome = { kind: 'settled', settled: { price: 0 } };
  const committed = (work: readonly MeteringWork[]): CommittedRound => ({
    outcomes: work.map(() => outcome),
    flushed: undefined,
  });
  const release = (id: string): MeteringWork => ({ kind: 'release', id, accountId: 'a', now: noon });
  const { surface, model, now, deadline } = requestOf({ keyId: 'k', accountId: 'a', scopes: [] });
  const request = { accountId: 'a', keyId: 'k', requestId: 'r', surface, model, now, deadline, tokens: 1 };
  const admission = (id: string): AdmitWork => ({ ...request, kind: 'admit', id, priceOn: () => 1 });

  it('commits work that arrives together in one round', async () => {
    const sizes: number[] = [];
    const queue = new MeteringQueue(async (work) => {
      sizes.push(work.length);
      return committed(work);
    });
    await Promise.all(Array.from({ length: 600 }, (_, index) => queue.do(release(String(index)))));
    expect(sizes).toEqual([512, 88]);
  });

  it('rejects admissions above its limit of owed work, and retries in bounded rounds', async () => {
    let isAway = true;
    const sizes: number[] = [];
    const queue = new MeteringQueue(async (work) => {
      if (isAway) throw new Error('ECONNREFUSED');
      sizes.push(work.length);
      return committed(work);
    });
    const admit = (id: string) => queue.do(admission(id));
    for (let turn = 0; turn < 20; turn++) {
      const asked = await Promise.allSettled(Array.from({ length: 500 }, (_, index) => admit(`${turn}.${index}`)));
      expect(asked.every((one) => one.status === 'rejected' && one.reason.code === unavailable.code)).toBe(true);
    }
    expect(queue.owed).toBeLessThan(5_000);
    isAway = false;
    await expect.poll(() => queue.owed, waiting).toBe(0);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_024);
    expect(await admit('late')).toEqual(outcome);
  });

  it('rejects an admission that has waited long for a round that fails, and lets a new one try', async () => {
    const running = Promise.withResolvers<CommittedRound>();
    const tried: string[][] = [];
    const queue = new MeteringQueue(async (work) => {
      tried.push(work.map(({ id }) => id));
      return tried.length === 1 ? await running.promise : committed(work);
    });
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => clock.mockRestore());
    const first = queue.do(admission('first'));
    await expect.poll(() => tried).toEqual([['first']]);
    const [early, owed] = [queue.do(admission('early')), queue.do(release('owed'))];
    clock.mockReturnValue(1_500);
    const late = queue.do(admission('late'));
    running.reject(new Error('Query read timeout'));
    await expect(first).rejects.toMatchObject(unavailable);
    await expect(early).rejects.toMatchObject(unavailable);
    expect(await Promise.all([owed, late])).toEqual([outcome, outcome]);
    // The first one may have been committed; the early one was never sent.
    expect(tried[1]).toEqual(['first', 'owed', 'late']);
  });

  it('commits other work despite work that can never be committed', async () => {
    const queue = new MeteringQueue(async (work) => {
      if (work.some(({ id }) => id === 'poison')) throw Object.assign(new Error(), { errcode: 19 });
      return committed(work);
    });
    const results = await Promise.allSettled(['a', 'poison', 'b'].map((id) => queue.do(release(id))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'ERR_STORE' } });
  });

  it('reports uncommitted settlements on close, and rejects new work', async () => {
    const queue = new MeteringQueue(() => Promise.reject(new Error('ECONNREFUSED')));
    void queue.do(release('a'));
    expect(await queue.close({ timeoutMs: 50 })).toBe(1);
    await expect(queue.do(release('b'))).rejects.toMatchObject(unavailable);
  });
});
