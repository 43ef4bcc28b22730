import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { scopes } from '../../accounts/base/scopes.ts';
import { demoAccount, ensureDemoAccount } from '../../accounts/demo-account.ts';
import { keyDigest, newKey } from '../../accounts/keys/keys.ts';
import { type AccountStore, openAccountStore } from '../../accounts/store.ts';
import { describeStores, halfUsed, makeAccount, noon, requestOf } from '../support/accounts/account-stores.ts';

/** The schema before version 0.1.0, in the format of `sqlite3 .dump`. */
const firstShape = `
CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
INSERT INTO kysely_migration VALUES('001-accounts-and-keys','2026-11-20T20:00:00.000Z');
CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
INSERT INTO kysely_migration_lock VALUES('migration_lock',0);
CREATE TABLE "accounts" ("id" text primary key, "name" text not null unique, "created_at" integer not null);
CREATE TABLE "keys" ("id" text primary key, "account_id" text not null references "accounts" ("id"), "name" text not null,
  "digest" blob not null unique check (length(digest) = 32), "preview" text not null, "created_at" integer not null,
  "revoked_at" integer);
CREATE INDEX "keys_by_account" on "keys" ("account_id", "created_at");
`;

const open: AccountStore[] = [];
afterEach(async () => {
  for (const accounts of open.splice(0)) await accounts.close();
});

async function openPath(path: string) {
  const accounts = await openAccountStore(path);
  open.push(accounts);
  return accounts;
}

/** Creates a database of version 0.1.0 with one account and one key. */
function oldDatabase(): { path: string; secret: string } {
  const path = join(mkdtempSync(join(tmpdir(), 'cloister-accounts-')), 'accounts.sqlite');
  const secret = newKey();
  const database = new DatabaseSync(path);
  database.exec(firstShape);
  database.exec(`INSERT INTO accounts VALUES ('a1', '${demoAccount}', 1)`);
  database.prepare("INSERT INTO keys VALUES ('k1', 'a1', 'start', ?, 'clst_ab…yz', 1, NULL)").run(keyDigest(secret));
  database.close();
  return { path, secret };
}

describe('a database of the first version', () => {
  it('is migrated, and its keys keep working with every scope', async () => {
    const { path, secret } = oldDatabase();
    const accounts = await openPath(path);
    expect(accounts.findCaller(secret)).toEqual({ keyId: 'k1', accountId: 'a1', scopes });
    expect(await accounts.findAccount(demoAccount)).toMatchObject({ plan: 'free', balance: { available: 0 } });
    expect(await accounts.audit()).toMatchObject({ accounts: 1, sum: 0, faults: [] });
    const caller = accounts.findCaller(secret)!;
    const admission = await accounts.admit(requestOf(caller));
    expect(
      await admission.settle({ counts: { promptTokens: 1, completionTokens: 1 }, finishReason: 'stop', now: noon }),
    ).toBe(0);
  });

  it('stores the rows of requests without rowid, with the same columns and checks', async () => {
    const { path } = oldDatabase();
    await openPath(path);
    const database = new DatabaseSync(path);
    const schema = database.prepare(
      "select name, type, sql from sqlite_schema where tbl_name in ('usage', 'movements')",
    );
    const rows = schema.all() as { name: string; type: string; sql: string | null }[];
    expect(rows.map(({ name }) => name).sort()).toEqual([
      ...['movements', 'movements_of_accounts'],
      ...['usage', 'usage_by_account', 'usage_by_request'],
    ]);
    for (const { sql } of rows.filter(({ type }) => type === 'table')) expect(sql).toMatch(/ without rowid$/);
    expect(() =>
      database.exec(`insert into movements values ('m', 'a', 'credit', 'funding', 'available', 0, 0)`),
    ).toThrow('CHECK constraint failed');
    database.close();
  });

  it('gets the plan and credit of the demo account at the first start', async () => {
    const { path, secret } = oldDatabase();
    const accounts = await openPath(path);
    expect(await ensureDemoAccount(accounts, { now: noon })).toBe(true);
    expect(await accounts.findAccount(demoAccount)).toMatchObject({
      plan: 'operator',
      balance: { available: 100_000_000 },
    });
    expect(accounts.findCaller(secret)).toBeDefined();
  });

  it('is opened again without migrating twice', async () => {
    const { path, secret } = oldDatabase();
    await (await openPath(path)).changePlan({ id: 'free', change: { requestsPerDay: 7 }, now: noon });
    const again = await openPath(path);
    expect(again.findCaller(secret)).toBeDefined();
    expect((await again.findPlan('free')).requestsPerDay).toBe(7);
  });
});

describe('a database with rowid tables', () => {
  it('has the same ledger, statements and reservations after the migration', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'cloister-accounts-')), 'accounts.sqlite');
    const accounts = await openAccountStore(path);
    const { admit, accountId } = await makeAccount(accounts);
    for (let count = 0; count < 20; count++) await (await admit()).settle(halfUsed);
    await admit();
    const look = async (at: AccountStore) => [
      await at.audit(),
      await at.readStatement({ accountId, day: '2030-06-15' }),
    ];
    const before = await look(accounts);
    await accounts.close();
    backToRowids(path);
    expect(await look(await openPath(path))).toEqual(before);
    expect(shapeOf(path)).toEqual(['reservations', 'usage', 'movements'].map((name) => ({ name, isPlain: 0 })));
  });
});

/** Reverts the migrations from the third on. */
function backToRowids(path: string): void {
  const database = new DatabaseSync(path);
  const tables = database.prepare("select name, sql from sqlite_schema where sql like '% without rowid'").all();
  for (const { name, sql } of tables as { name: string; sql: string }[]) {
    const indexes = database
      .prepare('select sql from sqlite_schema where tbl_name = ? and type = ?')
      .all(name, 'index');
    database.exec(`alter table ${name} rename to old; ${sql.replace(' without rowid', '')};`);
    database.exec(`insert into ${name} select * from old; drop table old;`);
    for (const index of indexes) if (index.sql !== null) database.exec(String(index.sql));
  }
  database.exec('create index movements_by_account on movements (account_id, at)');
  database.exec('alter table meters drop column recent_requests; alter table instances drop column node_id');
  database.exec('alter table meters add column bucket_full_at integer not null default 0');
  database.exec('alter table usage drop column agent; drop table sessions; drop table fleet_nodes');
  database.exec("delete from kysely_migration where name >= '003'");
  expect(shapeOf(path).map(({ isPlain }) => isPlain)).toEqual([1, 1, 1]);
  database.close();
}

function shapeOf(path: string) {
  const database = new DatabaseSync(path);
  const find = database.prepare('select name, wr = 0 as isPlain from pragma_table_list where name = ?');
  const shape = ['reservations', 'usage', 'movements'].map((name) => ({ ...find.get(name) }));
  database.close();
  return shape;
}

describe('a database of a later version', () => {
  it('is rejected and not modified', async () => {
    const { path } = oldDatabase();
    const database = new DatabaseSync(path);
    database.exec("INSERT INTO kysely_migration VALUES ('999-from-the-future', '2099-01-01T00:00:00.000Z')");
    database.close();
    await expect(openAccountStore(path)).rejects.toMatchObject({ code: 'ERR_STORE' });
  });
});

describeStores('the demo account', (store) => {
  it('is created once, with credit', async () => {
    const address = await store.address();
    const accounts = await store.open(address);
    expect(await ensureDemoAccount(accounts, { now: noon })).toBe(true);
    expect(await ensureDemoAccount(accounts, { now: noon })).toBe(false);
    expect(await ensureDemoAccount(await store.open(address), { now: noon })).toBe(false);
    expect(await accounts.findAccount(demoAccount)).toMatchObject({ balance: { paidIn: 100_000_000 } });
  });

  // Two handles on one SQLite file would deadlock in one thread; processes do not.
  it.runIf(store.kind === 'postgres')('is created once when two processes start concurrently', async () => {
    const address = await store.address();
    const [one, two] = [await store.open(address), await store.open(address)];
    await Promise.all([ensureDemoAccount(one, { now: noon }), ensureDemoAccount(two, { now: noon })]);
    expect(await one.findAccount(demoAccount)).toMatchObject({ plan: 'operator', balance: { paidIn: 100_000_000 } });
  });

  it('keeps the changes of the operator', async () => {
    const accounts = await store.open();
    await makeAccount(accounts, { name: demoAccount, plan: 'developer', microDollars: 5 });
    expect(await ensureDemoAccount(accounts, { now: noon })).toBe(false);
    expect(await accounts.findAccount(demoAccount)).toMatchObject({ plan: 'developer', balance: { paidIn: 5 } });
  });
});
