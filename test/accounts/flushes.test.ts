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

/** One of SQLite's pages in its log, with the header before it. */
const frameBytes = 4096 + 24;

/** A disk whose flushes end when they are told to. */
class SlowDisk implements FlushCalls {
  readonly waiting: ((error: Error | null) => void)[] = [];
  onThread = 0;
  /** What the next flush on the thread says. */
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
  // From now on it is known how long a flush takes.
  await log.flush({ isAlone: true });
  return { database: { kind: 'sqlite', db, sqlite, log }, log };
}

async function openBooks(database: Database, path: string): Promise<Accounts> {
  return await openAccountsOn(database, { kind: 'sqlite', path }, { clock: () => noon });
}

/** Books on a slow disk, with an account that has one request under way. */
async function admitOne(folder: string) {
  const path = join(folder, 'accounts.sqlite');
  const disk = new SlowDisk();
  const accounts = await openBooks((await openOn(path, disk)).database, path);
  const account = await makeAccount(accounts, { microDollars: 1_000 });
  return { disk, accounts, account, admission: await account.admit() };
}

/** Whether it has been told by now, without waiting for it. */
async function isTold(promise: Promise<unknown>): Promise<boolean> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  return await Promise.race([promise.then(() => true), Promise.resolve(false)]);
}

/** Of charges that fail for good, which none does here. */
const onFailure = (error: unknown) => expect.unreachable(String(error));

const ioError = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });

describe('the log of SQLite', () => {
  it('is flushed once for all who ask while a flush is running', async () => {
    await using folder = await scratchFolder();
    const disk = new SlowDisk();
    const { database, log } = await openOn(join(folder.path, 'a.sqlite'), disk);
    const first = log.flush();
    await expect.poll(() => disk.waiting.length).toBe(1);
    const later = [log.flush(), log.flush()];
    await disk.end();
    await first;
    expect(await isTold(later[0]!)).toBe(false);
    await disk.end();
    await Promise.all(later);
    expect(disk.waiting).toEqual([]);
    await database.db.destroy();
  });

  it('is flushed where it is asked for one alone and the last one was quick, and else beside', async () => {
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

  it('is written over itself after a flush that failed, before anything else is committed', async () => {
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
    // Linux says it once: a second flush would be told that all is well.
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
  it('is told when it is on the disk; what begins meanwhile does not wait for that', async () => {
    await using folder = await scratchFolder();
    const { disk, accounts, account, admission } = await admitOne(folder.path);
    const settled = admission.settle(halfUsed);
    await expect.poll(() => disk.waiting.length).toBe(1);
    const next = await account.admit();
    expect(await isTold(settled)).toBe(false);
    await disk.end();
    expect(await settled).toBe(50);
    const released = next.release({ now: noon });
    await released;
    expect(disk.waiting).toEqual([]);
    await accounts.close();
  });

  it('that its answer does not wait for is made in the same turn of the event loop, and on the disk later', async () => {
    await using folder = await scratchFolder();
    const { disk, accounts, admission } = await admitOne(folder.path);
    expect(await admission.settleBehind(halfUsed, { onFailure })).toBe(50);
    await nextTurn();
    expect((await accounts.findAccount('acme')).balance).toMatchObject({ held: 0, spent: 50 });
    expect(disk.waiting).toHaveLength(1);
    const closing = accounts.close();
    expect(await isTold(closing)).toBe(false);
    await disk.end();
    await closing;
  });

  it('that its answer does not wait for is flushed beside the thread, however quick the disk is', async () => {
    await using folder = await scratchFolder();
    const { disk, accounts, account, admission } = await admitOne(folder.path);
    disk.flushMs = 0.2;
    const settled = admission.settle(halfUsed);
    await disk.end();
    await settled;
    const { onThread } = disk;
    const behind = await account.admit();
    await behind.settleBehind(halfUsed, { onFailure });
    await nextTurn();
    expect([disk.onThread, disk.waiting.length]).toEqual([onThread, 1]);
    await disk.end();
    await behind.settle(halfUsed);

    const awaited = await account.admit();
    await awaited.settle(halfUsed);
    expect([disk.onThread, disk.waiting.length]).toEqual([onThread + 1, 0]);
    await accounts.close();
  });

  it('that its answer did not wait for is made once, also where the disk cannot flush it at first', async () => {
    await using folder = await scratchFolder();
    const { disk, accounts, admission } = await admitOne(folder.path);
    await admission.settleBehind(halfUsed, { onFailure });
    await disk.end(ioError);
    // Settled again, with what had to be flushed before.
    await disk.end();
    expect(await admission.settle(halfUsed)).toBe(50);
    expect((await accounts.findAccount('acme')).balance).toEqual({ paidIn: 1_000, available: 950, held: 0, spent: 50 });
    expect(await accounts.audit()).toMatchObject({ sum: 0, reservations: 0, faults: [] });
    await accounts.close();
  });

  it('that meets a disk that cannot flush is settled once, when it can again; nothing new is let in before', async () => {
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

  it('that never reaches the disk is owed at the end', async () => {
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
  it('at every page of the log and in the middle of each leaves every end that was told, and books that are right', async () => {
    await using folder = await scratchFolder();
    const path = join(folder.path, 'accounts.sqlite');
    let flushed = 0;
    // What a flush has brought to the disk for certain is what was there when it began.
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
