import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CompiledQueries } from '../../accounts/database/compiled-queries.ts';
import { openDatabase, transactUnflushed } from '../../accounts/database/database.ts';
import { openSqlite, unflushed } from '../../accounts/database/sqlite.ts';
import { meteringRound } from '../../accounts/ledger/metering-round.ts';
import type { AdmitWork, MeteringWork } from '../../accounts/ledger/metering-work.ts';
import { type Accounts, type Admission, openAccounts } from '../../accounts/store.ts';
import { halfUsed, makeAccount, noon, requestOf, type TestAccount } from '../support/accounts/account-stores.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const deadline = noon + 600_000;
const [normal, full] = [1, 2];

/** Size of SQLite's log, all of which is on the disk after a flushed commit. */
function logBytes(path: string): number {
  return statSync(`${path}-wal`).size;
}

/** Copies the database as after a power failure: the first bytes of the log, followed by zeros. */
function cutPower(path: string, { kept, zeros = 0 }: { kept: number; zeros?: number }): string {
  const after = `${path}.after`;
  copyFileSync(path, after);
  const log = readFileSync(`${path}-wal`).subarray(0, kept);
  writeFileSync(`${after}-wal`, Buffer.concat([log, Buffer.alloc(zeros)]));
  return after;
}

async function openBooks(path: string): Promise<Accounts & AsyncDisposable> {
  const accounts = await openAccounts({ kind: 'sqlite', path }, { clock: () => noon });
  return { ...accounts, [Symbol.asyncDispose]: async () => void (await accounts.close()) };
}

describe('a power cut (SQLite)', () => {
  it('loses only reservations: balances, keys and plans are as last reported', async () => {
    await using folder = await scratchFolder();
    const path = join(folder.path, 'accounts.sqlite');
    await using accounts = await openBooks(path);
    const account = await makeAccount(accounts, { microDollars: 1_000 });
    const ended = await account.admit({ requestId: 'ended' });
    await account.admit();
    expect(await ended.settle(halfUsed)).toBe(50);
    const flushed = logBytes(path);
    await account.admit();
    await account.admit();

    const least = await openBooks(cutPower(path, { kept: flushed }));
    expect(await least.audit()).toMatchObject({ reservations: 1, spent: 50, held: 100, sum: 0, faults: [] });
    expect(await least.findCaller(account.secret)).toMatchObject({ accountId: account.accountId });
    // The next start releases the reservations without a charge.
    expect(await least.maintain({ now: deadline })).toEqual({ lost: 1 });
    expect((await least.findAccount('acme')).balance).toEqual({ paidIn: 1_000, available: 950, held: 0, spent: 50 });
    await least.close();

    const most = await openBooks(cutPower(path, { kept: logBytes(path) }));
    expect(await most.audit()).toMatchObject({ reservations: 3, spent: 50, held: 300, sum: 0, faults: [] });
    await most.close();
  });

  it('keeps a confirmed revocation and payment', async () => {
    await using folder = await scratchFolder();
    const path = join(folder.path, 'accounts.sqlite');
    await using accounts = await openBooks(path);
    const account = await makeAccount(accounts, { microDollars: 0 });
    await accounts.credit({ account: 'acme', microDollars: 70, now: noon });
    await accounts.revokeKey(account.keyId, { now: noon });
    await using after = await openBooks(cutPower(path, { kept: logBytes(path) }));
    expect(await after.findCaller(account.secret)).toBeUndefined();
    expect((await after.findAccount('acme')).balance.paidIn).toBe(70);
  });

  it('at any byte keeps a consistent ledger with every resolved settlement', async () => {
    const property = fc.asyncProperty(steps, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(20_000), cutAnywhere);
    await fc.assert(property, { numRuns: 25 });
  });
});

type Step =
  | { readonly kind: 'admit'; readonly tokens: number }
  | { readonly kind: 'settle' | 'release'; readonly pick: number }
  | { readonly kind: 'credit'; readonly microDollars: number }
  | { readonly kind: 'maintain' };

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('admit' as const), tokens: fc.nat(300) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('settle' as const), pick: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('release' as const), pick: fc.nat() }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('credit' as const), microDollars: fc.integer({ min: 1, max: 400 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('maintain' as const) }) },
  ),
  { minLength: 1, maxLength: 25 },
);

/** The confirmed results, and the flushed size of the log at that time. */
interface Told {
  flushed: number;
  paidIn: number;
  /** Request id → price. */
  readonly ends: Map<string, number>;
}

async function cutAnywhere(list: readonly Step[], position: number, zeros: number): Promise<void> {
  await using folder = await scratchFolder();
  const path = join(folder.path, 'accounts.sqlite');
  await using accounts = await openBooks(path);
  const account = await makeAccount(accounts, { microDollars: 500 });
  const told: Told = { flushed: logBytes(path), paidIn: 500, ends: new Map() };
  const running: { readonly requestId: string; readonly admission: Admission }[] = [];
  for (const step of list) await take(step, { accounts, account, running, told, path });

  const kept = told.flushed + Math.floor(position * (logBytes(path) - told.flushed));
  await using after = await openBooks(cutPower(path, { kept, zeros }));
  const spent = [...told.ends.values()].reduce((sum, price) => sum + price, 0);
  expect(await after.audit()).toMatchObject({ sum: 0, faults: [], paidIn: told.paidIn, spent });
  for (const [requestId, price] of told.ends) {
    const proof = await after.proveUsage({ accountId: account.accountId, requestId });
    expect(proof?.row).toMatchObject({ price, finishReason: 'stop' });
  }
  await after.maintain({ now: deadline });
  const { paidIn } = told;
  expect((await after.findAccount('acme')).balance).toEqual({ paidIn, available: paidIn - spent, held: 0, spent });
  expect(await after.audit()).toMatchObject({ sum: 0, faults: [], reservations: 0 });
}

async function take(
  step: Step,
  world: {
    accounts: Accounts;
    account: TestAccount;
    running: { readonly requestId: string; readonly admission: Admission }[];
    told: Told;
    path: string;
  },
): Promise<void> {
  const { accounts, account, running, told, path } = world;
  switch (step.kind) {
    case 'admit': {
      const requestId = `request-${Math.random()}`;
      const countsMax = { promptTokens: step.tokens, completionTokens: 0 };
      // Rejected if the balance is already reserved.
      const admission = await account.admit({ requestId, countsMax }).catch(() => undefined);
      if (admission !== undefined) running.push({ requestId, admission });
      return;
    }
    case 'settle': {
      const one = running.splice(step.pick % Math.max(1, running.length), 1)[0];
      if (one === undefined) return;
      told.ends.set(one.requestId, await one.admission.settle(halfUsed));
      break;
    }
    case 'release':
      return await running.splice(step.pick % Math.max(1, running.length), 1)[0]?.admission.release({ now: noon });
    case 'credit':
      told.paidIn += step.microDollars;
      await accounts.credit({ account: 'acme', microDollars: step.microDollars, now: noon });
      break;
    case 'maintain':
      // A sweep without lost requests writes and flushes nothing.
      await accounts.maintain({ now: noon });
      return;
  }
  told.flushed = logBytes(path);
}

describe('flushing (SQLite)', () => {
  it('happens in every round with a settlement, and in none with only admissions and rejections', async () => {
    await using folder = await scratchFolder();
    const path = join(folder.path, 'accounts.sqlite');
    await using accounts = await openBooks(path);
    const { accountId, keyId } = await makeAccount(accounts);
    const database = await openDatabase({ kind: 'sqlite', path });
    const queries = new CompiledQueries();
    const levels: unknown[] = [];
    const level = () => database.sqlite!.prepare('PRAGMA synchronous').get()!.synchronous;
    const { surface, model, now } = requestOf({ accountId, keyId, scopes: [] });
    const request = { accountId, keyId, surface, model, now, deadline, tokens: 100 };
    const admit = (id: string): AdmitWork => ({
      ...request,
      kind: 'admit',
      id,
      requestId: id,
      // Read inside the transaction.
      priceOn: () => {
        levels.push(level());
        return 100;
      },
    });
    const settle = (id: string): MeteringWork => ({
      ...{ kind: 'settle', id, requestId: id, accountId, keyId, model: model.id, price: 50 },
      ...halfUsed,
    });
    const isFlushed = async (...work: MeteringWork[]) => {
      const { flushed } = await meteringRound(database, work, { instanceId: 'test', queries });
      await flushed;
      return flushed !== undefined;
    };
    expect([
      await isFlushed(admit('a')),
      await isFlushed(admit('b'), { kind: 'release', id: 'a', accountId, now }),
      await isFlushed(admit('c'), settle('b')),
      await isFlushed(admit('d')),
    ]).toEqual([false, false, true, false]);
    // The serving thread never flushes.
    expect(levels).toEqual([normal, normal, normal, normal]);
    expect(level()).toBe(full);
    await database.db.destroy();
  });

  it('happens in every other transaction, also after a failed unflushed one', async () => {
    await using folder = await scratchFolder();
    const database = openSqlite(join(folder.path, 'some.sqlite'));
    const level = () => database.prepare('PRAGMA synchronous').get()!.synchronous;
    const failed = unflushed(database, async () => {
      database.exec('begin immediate');
      expect(level()).toBe(normal);
      throw new Error('in the middle');
    });
    await expect(failed).rejects.toThrow('in the middle');
    expect([level(), database.isTransaction]).toEqual([full, false]);
    // Repeat: SQLite ignores a PRAGMA statement that was compiled before.
    expect(await unflushed(database, async () => level())).toBe(normal);
    expect(level()).toBe(full);
    database.close();
  });

  it("includes other connections' concurrent commits", async () => {
    await using folder = await scratchFolder();
    const path = join(folder.path, 'accounts.sqlite');
    await using accounts = await openBooks(path);
    await makeAccount(accounts);
    const database = await openDatabase({ kind: 'sqlite', path });
    const level = () => database.sqlite!.prepare('PRAGMA synchronous').get()!.synchronous;
    const look = async () => level();
    const seen = await Promise.all([
      transactUnflushed(database, look),
      database.db.transaction().execute(look),
      transactUnflushed(database, look),
      database.db.transaction().execute(look),
    ]);
    expect(seen).toEqual([normal, full, normal, full]);
    await database.db.destroy();
  });
});
