import { copyFileSync, fdatasync, fdatasyncSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Kysely, SqliteDialect } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Tables } from '../../accounts/base/tables.ts';
import { type Database, openDatabase } from '../../accounts/database/database.ts';
import { migrate } from '../../accounts/database/migrations.ts';
import { kyselyDatabase, openSqlite } from '../../accounts/database/sqlite.ts';
import { type FlushCalls, SqliteLog } from '../../accounts/database/sqlite-log.ts';
import { MeteringQueue } from '../../accounts/ledger/metering-queue.ts';
import type { MeteringOutcome, MeteringWork } from '../../accounts/ledger/metering-work.ts';
import { type Accounts, openAccountsOn } from '../../accounts/store.ts';
import { halfUsed, makeAccount, noon } from '../support/accounts/account-stores.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

/** A page in SQLite's log with its frame header. */
const frameBytes = 4096 + 24;

/** A disk whose flushes end on command. */
class SlowDisk implements FlushCalls {
  readonly waiting: ((error: Error | null) => void)[] = [];
  onThread = 0;
  /** Error of the next flush on the calling thread. */
  fault: Error | undefined;
  /** How long a flush takes by this disk's clock. */
  flushMs = 5;
  #now = 0;

  now(): number {
    this.#now += this.flushMs;
    return this.#now;
  }

  fdatasync(_: number, done: (error: Error | null) => void): void {
    this.waiting.push(done);
  }

  fdatasyncSync(): void {
    this.onThread += 1;
    if (this.fault !== undefined) throw this.fault;
  }

  async end(error: Error | null = null): Promise<void> {
    await expect.poll(() => this.waiting.length).toBeGreaterThan(0);
    this.waiting.shift()!(error);
  }
}

async function openOn(path: string, calls: FlushCalls): Promise<{ database: Database; log: SqliteLog }> {
  const sqlite = openSqlite(path);
  const log = new SqliteLog(path, calls);
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: kyselyDatabase(sqlite, log) }) });
  await migrate(db, 'sqlite');
  // The first flush measures the duration that the next decision uses.
  await log.flush({ isAlone: true });
  return { database: { kind: 'sqlite', db, sqlite, log }, log };
}

async function openBooks(database: Database, path: string): Promise<Accounts> {
  return await openAccountsOn(database, { kind: 'sqlite', path }, { clock: () => noon });
}

/** Opens accounts on a slow disk and admits one request. */
async function admitOne(folder: string) {
  const path = join(folder, 'accounts.sqlite');
  const disk = new SlowDisk();
  const accounts = await openBooks((await openOn(path, disk)).database, path);
  const account = await makeAccount(accounts, { microDollars: 1_000 });
  return { disk, accounts, account, admission: await account.admit() };
}

/** Whether the promise is already settled. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  return await Promise.race([promise.then(() => true), Promise.resolve(false)]);
}

/** Handler of failed charges, which these tests do not expect. */
const onFailure = (error: unknown) => expect.unreachable(String(error));

const ioError = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });

describe('the log of SQLite', () => {
  it('is flushed once for all calls that arrive during a flush', async () => {
    await using folder = await scratchFolder();
    const disk = new SlowDisk();
    const { database, log } = await openOn(join(folder.path, 'a.sqlite'), disk);
    const first = log.flush();
    await expect.poll(() => disk.waiting.length).toBe(1);
    const later = [log.flush(), log.flush()];
    await disk.end();
    await first;
    expect(await isSettled(later[0]!)).toBe(false);
    await disk.end();
    await Promise.all(later);
    expect(disk.waiting).toEqual([]);
    await database.db.destroy();
  });

  it('is flushed on the calling thread for a single request after a fast flush, otherwise on another thread', async () => {
    await using folder = await scratchFolder();
    const disk = new SlowDisk();
    const { database, log } = await openOn(join(folder.path, 'a.sqlite'), disk);
    expect(disk.onThread).toBe(1);
    disk.flushMs = 0.2;
    const afterSlow = log.flush({ isAlone: true });
    await disk.end();
    await afterSlow;
    await log.flush({ isAlone: true });
    expect(disk.onThread).toBe(2);
    const withOthers = log.flush();
    await expect.poll(() => disk.waiting.length).toBe(1);
    const behind = log.flush({ isAlone: true });
    await disk.end();
    await withOthers;
    await disk.end();
    await behind;
    expect(disk.onThread).toBe(2);
    await database.db.destroy();
  });

  it('is rewritten after a failed flush, before the next commit', async () => {
    await using folder = await scratchFolder();
    const path = join(folder.path, 'a.sqlite');
    const disk = new SlowDisk();
    const { database, log } = await openOn(path, disk);
    const before = readFileSync(`${path}-wal`);
    const first = log.flush();
    await expect.poll(() => disk.waiting.length).toBe(1);
    const second = log.flush();
    await disk.end(ioError);
    await expect(first).rejects.toThrow('EIO');
    // Linux reports the error only once: a second fdatasync would succeed.
    await expect(second).rejects.toThrow('broken');
    await expect(log.flush()).rejects.toThrow('broken');

    disk.fault = ioError;
    const commit = () => database.db.transaction().execute(async () => undefined);
    await expect(commit()).rejects.toThrow('EIO');
    expect([log.isBroken, database.sqlite!.isTransaction]).toEqual([true, false]);
    disk.fault = undefined;
    await commit();
    expect([log.isBroken, disk.onThread]).toEqual([false, 3]);
    expect(readFileSync(`${path}-wal`).equals(before)).toBe(true);
    await database.db.destroy();
  });
});

describe('a settlement', () => {
  it('resolves when it is on the disk, without delaying later admissions', async () => {
    await using folder = await scratchFolder();
    const { disk, accounts, account, admission } = await admitOne(folder.path);
    const settled = admission.settle(halfUsed);
    await expect.poll(() => disk.waiting.length).toBe(1);
    const next = await account.admit();
    expect(await isSettled(settled)).toBe(false);
    await disk.end();
    expect(await settled).toBe(50);
    const released = next.release({ now: noon });
    await released;
    expect(disk.waiting).toEqual([]);
    await accounts.close();
  });

  it('in the background is committed in the same turn of the event loop and flushed later', async () => {
    await using folder = await scratchFolder();
    const { disk, accounts, admission } = await admitOne(folder.path);
    expect(await admission.settleInBackground(halfUsed, { onFailure })).toBe(50);
    await nextTurn();
    expect((await accounts.findAccount('acme')).balance).toMatchObject({ held: 0, spent: 50 });
    expect(disk.waiting).toHaveLength(1);
    const closing = accounts.close();
    expect(await isSettled(closing)).toBe(false);
    await disk.end();
    await closing;
  });

  it('in the background is flushed on another thread, even on a fast disk', async () => {
    await using folder = await scratchFolder();
    const { disk, accounts, account, admission } = await admitOne(folder.path);
    disk.flushMs = 0.2;
    const settled = admission.settle(halfUsed);
    await disk.end();
    await settled;
    const { onThread } = disk;
    const behind = await account.admit();
    await behind.settleInBackground(halfUsed, { onFailure });
    await nextTurn();
    expect([disk.onThread, disk.waiting.length]).toEqual([onThread, 1]);
    await disk.end();
    await behind.settle(halfUsed);

    const awaited = await account.admit();
    await awaited.settle(halfUsed);
    expect([disk.onThread, disk.waiting.length]).toEqual([onThread + 1, 0]);
    await accounts.close();
  });

  it('in the background is charged once even if its first flush fails', async () => {
    await using folder = await scratchFolder();
    const { disk, accounts, admission } = await admitOne(folder.path);
    await admission.settleInBackground(halfUsed, { onFailure });
    await disk.end(ioError);
    // The retry includes the unflushed settlement.
    await disk.end();
    expect(await admission.settle(halfUsed)).toBe(50);
    expect((await accounts.findAccount('acme')).balance).toEqual({ paidIn: 1_000, available: 950, held: 0, spent: 50 });
    expect(await accounts.audit()).toMatchObject({ sum: 0, reservations: 0, faults: [] });
    await accounts.close();
  });

  it('is charged once after a failed disk recovers, and admissions are rejected until then', async () => {
    await using folder = await scratchFolder();
    const { disk, accounts, account, admission } = await admitOne(folder.path);
    disk.fault = ioError;
    const settled = admission.settle(halfUsed);
    await disk.end(ioError);
    await expect(account.admit()).rejects.toMatchObject({ code: 'ERR_STORE_UNAVAILABLE' });
    const payment = { account: 'acme', microDollars: 5, now: noon };
    await expect(accounts.credit(payment)).rejects.toMatchObject({ code: 'ERR_STORE_UNAVAILABLE' });
    disk.fault = undefined;
    await disk.end();
    expect(await settled).toBe(50);
    expect((await accounts.findAccount('acme')).balance).toEqual({ paidIn: 1_000, available: 950, held: 0, spent: 50 });
    expect(await accounts.audit()).toMatchObject({ sum: 0, reservations: 0, faults: [] });
    await accounts.close();
  });

  it('that never reaches the disk is reported as owed on close', async () => {
    const outcome: MeteringOutcome = { kind: 'settled', settled: { price: 50 } };
    const never = Promise.withResolvers<void>();
    const queue = new MeteringQueue(async (work) => ({ outcomes: work.map(() => outcome), flushed: never.promise }));
    const { counts, finishReason } = halfUsed;
    const work = { accountId: 'a', keyId: 'k', requestId: 'r', model: 'm', price: 50, counts, finishReason, now: noon };
    void queue.do({ ...work, kind: 'settle', id: 's' } satisfies MeteringWork).catch(() => undefined);
    expect(await queue.close({ timeoutMs: 50 })).toBe(1);
  });
});

describe('a power cut (SQLite)', () => {
  it('at every page of the log, and within each, keeps every resolved settlement and a consistent ledger', async () => {
    await using folder = await scratchFolder();
    const path = join(folder.path, 'accounts.sqlite');
    let flushed = 0;
    // A flush only guarantees the bytes that were written before it began.
    const noting: FlushCalls = {
      fdatasync(file, done) {
        const bytes = statSync(`${path}-wal`).size;
        fdatasync(file, (error) => {
          flushed = Math.max(flushed, bytes);
          done(error);
        });
      },
      fdatasyncSync(file) {
        const bytes = statSync(`${path}-wal`).size;
        fdatasyncSync(file);
        flushed = Math.max(flushed, bytes);
      },
      now: () => performance.now(),
    };
    const accounts = await openBooks((await openOn(path, noting)).database, path);
    const account = await makeAccount(accounts, { microDollars: 2_000 });
    const first = statSync(`${path}-wal`).size;
    copyFileSync(path, `${path}.base`);
    const told: { readonly requestId: string; readonly bytes: number }[] = [];
    const one = async (requestId: string) => {
      const admission = await account.admit({ requestId });
      await admission.settle(halfUsed);
      told.push({ requestId, bytes: flushed });
    };
    await one('alone');
    await Promise.all(['a', 'b', 'c'].map(one));
    await account.admit({ requestId: 'running' });
    await one('last');

    const log = readFileSync(`${path}-wal`);
    const cuts: number[] = [];
    for (let at = first; at <= log.length; at += frameBytes) cuts.push(at, Math.min(at + frameBytes / 2, log.length));
    for (const cut of cuts) {
      copyFileSync(`${path}.base`, `${path}.after`);
      writeFileSync(`${path}.after-wal`, log.subarray(0, cut));
      const database = await openDatabase({ kind: 'sqlite', path: `${path}.after` });
      const after = await openBooks(database, `${path}.after`);
      expect(await after.audit(), `cut at ${cut}`).toMatchObject({ sum: 0, faults: [], paidIn: 2_000 });
      const rows = await database.db.selectFrom('usage').select('request_id').execute();
      const there = new Set(rows.map(({ request_id }) => request_id));
      const due = told.filter(({ bytes }) => bytes <= cut).map(({ requestId }) => requestId);
      expect(
        due.filter((id) => !there.has(id)),
        `cut at ${cut}`,
      ).toEqual([]);
      await after.close();
    }
    expect(cuts.length).toBeGreaterThan(40);
    expect(told.at(-1)!.bytes).toBe(log.length);
    await accounts.close();
  });
});
