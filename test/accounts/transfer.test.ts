/** Backups, restores and moves between SQLite and PostgreSQL. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { openDatabase } from '../../accounts/database/database.ts';
import { accountsFamily, type SchemaFamily } from '../../accounts/database/migrations.ts';
import { issueInvoice, listInvoices } from '../../accounts/ledger/invoices.ts';
import { type DatabaseAddress, openAccounts } from '../../accounts/store.ts';
import { backupAccounts } from '../../accounts/transfer/backup.ts';
import { moveAccounts } from '../../accounts/transfer/move.ts';
import { restoreAccounts } from '../../accounts/transfer/restore.ts';
import { migrateCompute } from '../../compute/store/migration.ts';
import { describePostgres, describeStores, halfUsed, makeAccount, noon } from '../support/accounts/account-stores.ts';
import { addMovements } from '../support/accounts/many-movements.ts';
import type { MoveTask } from '../support/accounts/move-child.ts';

const families: readonly SchemaFamily[] = [
  accountsFamily,
  { table: 'compute_migration', migrate: (db, kind, to) => migrateCompute(db as never, kind, to) },
];

const folders: string[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-transfer-'));
  folders.push(folder);
  return folder;
}

/** Makes accounts with keys, charges of two days, a request in flight and the tables of the compute service. */
async function fillAccounts(address: DatabaseAddress) {
  const database = await openDatabase(address);
  await migrateCompute(database.db as never, database.kind);
  await database.db.destroy();
  const accounts = await openAccounts(address, { clock: () => noon });
  const made = await makeAccount(accounts, { name: 'acme "the first" ü' });
  await makeAccount(accounts, { name: 'zero', microDollars: 0 });
  for (let count = 0; count < 7; count += 1) await (await made.admit()).settle(halfUsed);
  await (await made.admit({ now: noon + 86_400_000 })).settle({ ...halfUsed, now: noon + 86_400_000 });
  await made.admit();
  await accounts.close();
  const again = await openDatabase(address);
  await issueInvoice(again, { account: 'zero', month: '2020-01', issuer: 'us', customer: '', now: noon });
  await again.db.destroy();
  return made;
}

async function invoicesOf(address: DatabaseAddress) {
  const { db } = await openDatabase(address);
  const found = await listInvoices(db);
  await db.destroy();
  expect(found).toHaveLength(1);
  return found;
}

async function booksOf(address: DatabaseAddress, { accountId, secret }: { accountId: string; secret: string }) {
  const accounts = await openAccounts(address, { clock: () => noon });
  try {
    return {
      audit: await accounts.audit(),
      caller: await accounts.findCaller(secret),
      list: await accounts.listAccounts(),
      statement: await accounts.readStatement({ accountId, day: '2030-06-15' }),
      invoices: await invoicesOf(address),
    };
  } finally {
    await accounts.close();
  }
}

async function backup(address: DatabaseAddress, path: string) {
  const database = await openDatabase(address);
  try {
    return await backupAccounts(database, { path, now: noon });
  } finally {
    await database.db.destroy();
  }
}

const restore = (path: string, target: DatabaseAddress, replace = false) =>
  restoreAccounts({ path, target, folder: dirname(path), families, replace });

describeStores('a backup', (store) => {
  it('is restored on either database with the same books, keys and statements', async () => {
    const from = await store.address();
    const made = await fillAccounts(from);
    const path = join(newFolder(), 'backup');
    const expected = await booksOf(from, made);
    expect(expected.audit).toMatchObject({ accounts: 2, reservations: 1, spent: 400, faults: [] });
    expect(await backup(from, path)).toMatchObject({
      tables: { accounts: { rows: 2 }, usage: { rows: 8 }, compute_pods: { rows: 0 } },
      money: { spent: 400 },
      statements: { count: 2 },
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const targets: DatabaseAddress[] = [{ kind: 'sqlite', path: join(newFolder(), 'accounts.sqlite') }];
    if (store.postgres !== undefined) targets.push({ kind: 'postgres', url: await store.postgres.emptyDatabase() });
    for (const target of targets) {
      await restore(path, target);
      expect(await booksOf(target, made)).toEqual(expected);
    }
  });

  it('does not replace accounts without being told, and replaces all of them when told', async () => {
    const from = await store.address();
    const made = await fillAccounts(from);
    const path = join(newFolder(), 'backup');
    const expected = await booksOf(from, made);
    await backup(from, path);
    const accounts = await openAccounts(from, { clock: () => noon });
    await makeAccount(accounts, { name: 'later' });
    await accounts.close();
    await expect(restore(path, from)).rejects.toThrow('--replace');
    expect((await booksOf(from, made)).list).toHaveLength(3);
    await restore(path, from, true);
    expect(await booksOf(from, made)).toEqual(expected);
    if (from.kind === 'sqlite') expect(existsSync(`${from.path}.replaced`)).toBe(true);
  });

  it('is refused if it is cut, changed, or no backup, and the database stays as it was', async () => {
    const from = await store.address();
    const made = await fillAccounts(from);
    const folder = newFolder();
    const path = join(folder, 'backup');
    await backup(from, path);
    const bytes = readFileSync(path);
    const text = gunzipSync(bytes).toString();
    const files: Record<string, Buffer> = {
      cut: bytes.subarray(0, bytes.length - 20),
      flipped: Buffer.from(bytes.map((byte, index) => (index === bytes.length >> 1 ? byte ^ 1 : byte))),
      changed: gzipSync(text.replace('"free"', '"tree"')),
      lacksItsEnd: gzipSync(text.slice(0, text.lastIndexOf('{"sha256"'))),
      longer: gzipSync(`${text}[]\n`),
      empty: gzipSync(''),
      text: Buffer.from('no backup'),
    };
    for (const [name, content] of Object.entries(files)) {
      const file = join(folder, name);
      writeFileSync(file, content);
      await expect(restore(file, from, true), name).rejects.toMatchObject({ code: 'ERR_STORE' });
    }
    await expect(backup(from, path)).rejects.toMatchObject({ code: 'ERR_STORE' });
    expect((await booksOf(from, made)).list).toHaveLength(2);
  });

  it('is refused if its rows do not balance, even with a digest that matches', async () => {
    const from = await store.address();
    const made = await fillAccounts(from);
    const path = join(newFolder(), 'backup');
    await backup(from, path);
    const { createHash } = await import('node:crypto');
    const text = gunzipSync(readFileSync(path)).toString();
    const body = text.slice(0, text.lastIndexOf('{"sha256"')).replace('"charge",50,', '"charge",51,');
    expect(body).toContain('"charge",51,');
    const end = JSON.parse(text.slice(text.lastIndexOf('{"sha256"')));
    end.sha256 = createHash('sha256').update(body).digest('hex');
    writeFileSync(path, gzipSync(`${body}${JSON.stringify(end)}\n`));
    await expect(restore(path, from, true)).rejects.toThrow('the books are not consistent');
    expect((await booksOf(from, made)).audit.spent).toBe(400);
  });
});

describePostgres('a move', (store) => {
  it('carries 100,000 movements from SQLite to PostgreSQL and back, and the left database is refused', async () => {
    const from: DatabaseAddress = { kind: 'sqlite', path: join(newFolder(), 'accounts.sqlite') };
    const made = await fillAccounts(from);
    await addMovements(from, { accountId: made.accountId, count: 100_000 });
    const expected = await booksOf(from, made);
    expect(expected.audit).toMatchObject({ movements: 100_009, faults: [] });
    const to = await store.address();
    const heap = process.memoryUsage().heapUsed;
    expect(await moveAccounts({ from, to, families })).toMatchObject({ tables: { movements: { rows: 100_009 } } });
    expect(process.memoryUsage().heapUsed - heap).toBeLessThan(300e6);
    expect(await booksOf(to, made)).toEqual(expected);
    await expect(openAccounts(from)).rejects.toThrow('were moved to another');
    expect(await moveAccounts({ from, to, families })).toBeUndefined();
    const back: DatabaseAddress = { kind: 'sqlite', path: join(newFolder(), 'accounts.sqlite') };
    await moveAccounts({ from: to, to: back, families });
    expect(await booksOf(back, made)).toEqual(expected);
    await expect(openAccounts(to)).rejects.toThrow('were moved to another');
  }, 120_000);

  it('goes on where it ended when it is killed, and nobody serves from its target before', async () => {
    const from: DatabaseAddress = { kind: 'sqlite', path: join(newFolder(), 'accounts.sqlite') };
    const made = await fillAccounts(from);
    await addMovements(from, { accountId: made.accountId, count: 10_000 });
    const expected = await booksOf(from, made);
    const to = await store.address();
    const child = fork(join(import.meta.dirname, '../support/accounts/move-child.ts'));
    children.push(child);
    const half = Promise.withResolvers<void>();
    child.on('message', ({ table, rowsDone }: { table: string; rowsDone: number }) => {
      if (table === 'movements' && rowsDone >= 4_000) half.resolve();
    });
    const gone = once(child, 'exit');
    child.send({ from, to } satisfies MoveTask);
    await half.promise;
    child.kill('SIGKILL');
    expect((await gone)[1]).toBe('SIGKILL');

    await expect(openAccounts(to)).rejects.toThrow('has not ended');
    expect(await booksOf(from, made)).toEqual(expected);
    const starts: number[] = [];
    const onProgress = ({ table, rowsDone }: { table: string; rowsDone: number }) => {
      if (table === 'movements') starts.push(rowsDone);
    };
    await moveAccounts({ from, to, families, onProgress });
    expect(starts[0]).toBeGreaterThan(4_000);
    expect(await booksOf(to, made)).toEqual(expected);
  }, 60_000);

  it('starts again if a server used the source after the interruption', async () => {
    const from: DatabaseAddress = { kind: 'sqlite', path: join(newFolder(), 'accounts.sqlite') };
    const made = await fillAccounts(from);
    const to = await store.address();
    const stop = () => {
      throw new Error('interrupted');
    };
    await expect(moveAccounts({ from, to, families, onProgress: stop })).rejects.toThrow('interrupted');
    const accounts = await openAccounts(from, { clock: () => noon });
    await accounts.credit({ account: 'zero', microDollars: 5, reference: 'a', now: noon });
    await accounts.close();
    const expected = await booksOf(from, made);
    await moveAccounts({ from, to, families });
    expect(await booksOf(to, made)).toEqual(expected);
  });

  it('is refused while a server uses the source, and into a database with accounts', async () => {
    const from: DatabaseAddress = { kind: 'sqlite', path: join(newFolder(), 'accounts.sqlite') };
    await fillAccounts(from);
    const to = await store.address();
    const server = await openAccounts(from, { role: 'server' });
    await expect(moveAccounts({ from, to, families })).rejects.toThrow('1 servers use the database');
    await server.close();
    await fillAccounts(to);
    await expect(moveAccounts({ from, to, families })).rejects.toThrow('has accounts already');
  });

  it('locks its source: nobody pays in meanwhile', async () => {
    const from = await store.address();
    await fillAccounts(from);
    const other = await openAccounts(from, { clock: () => noon });
    const to: DatabaseAddress = { kind: 'sqlite', path: join(newFolder(), 'accounts.sqlite') };
    let credit: Promise<unknown> | undefined;
    const onProgress = () => {
      credit ??= other
        .credit({ account: 'zero', microDollars: 5, reference: 'late', now: noon })
        .catch((error) => error);
    };
    await moveAccounts({ from, to, families, onProgress });
    await credit;
    const moved = await openAccounts(to, { clock: () => noon });
    expect((await moved.findAccount('zero')).balance.paidIn).toBe(0);
    expect(await moved.audit()).toMatchObject({ sum: 0, faults: [] });
    await moved.close();
    await other.close();
  });
});
