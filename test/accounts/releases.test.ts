/** Databases of released versions: forward to this version, and back. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../accounts/database/database.ts';
import { accountsFamily, type SchemaFamily } from '../../accounts/database/migrations.ts';
import { type DatabaseAddress, openAccounts } from '../../accounts/store.ts';
import { downgradeAccounts } from '../../accounts/transfer/downgrade.ts';
import { moveAccounts } from '../../accounts/transfer/move.ts';
import { migrateCompute } from '../../compute/store/migration.ts';
import { describePostgres } from '../support/accounts/account-stores.ts';

const families: readonly SchemaFamily[] = [
  accountsFamily,
  { table: 'compute_migration', migrate: (db, kind, to) => migrateCompute(db as never, kind, to) },
];

/** What version 0.1.0 printed of its database. */
const secret = 'clst_D2Y8BNe93oIrjk0BB6l1yBLiTyxv2JM1GM07XYEx5H8';
const accountId = '6f5ad682-456f-4751-bc08-27d1dbdc4d54';
const books = {
  accounts: 2,
  movements: 5,
  sum: 0,
  paidIn: 1_000_000,
  available: 999_800,
  held: 100,
  spent: 100,
  faults: [],
};
const statement = { rows: 3, price: 150, root: 'b5ceec3b6a46b9dbafceef090fe03781c45a337cf824392738c08df324fab085' };

function released(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'cloister-released-')), 'accounts.sqlite');
  const database = new DatabaseSync(path);
  database.exec(readFileSync(join(import.meta.dirname, '../support/accounts/state-0.1.0.sql'), 'utf8'));
  database.close();
  return path;
}

/** Migrates every table to this version. */
async function upgrade(address: DatabaseAddress): Promise<void> {
  const database = await openDatabase(address);
  await migrateCompute(database.db as never, database.kind);
  await database.db.destroy();
}

async function expectBooks(address: DatabaseAddress): Promise<void> {
  const accounts = await openAccounts(address, { clock: () => Date.UTC(2026, 10, 21, 12) });
  try {
    expect(await accounts.audit()).toEqual({ ...books, reservations: 1 });
    expect(await accounts.readStatement({ accountId, day: '2026-11-21' })).toMatchObject(statement);
    expect(await accounts.findCaller(secret)).toMatchObject({ accountId });
  } finally {
    await accounts.close();
  }
}

/** Columns with types, indexes and executed migrations; without invoices, which stay. */
function schemaOf(path: string) {
  const database = new DatabaseSync(path);
  const all = (text: string, ...given: string[]) => database.prepare(text).all(...given);
  const tables = all(
    "select name, wr from pragma_table_list where schema = 'main' and name not like 'sqlite_%' and name <> 'invoices' order by name",
  );
  const schema = tables.map(({ name, wr }) => ({
    name,
    wr,
    columns: all('select name, type, "notnull", pk from pragma_table_info(?) order by name', String(name)),
    indexes: all('select name, "unique", partial from pragma_index_list(?) order by name', String(name)),
  }));
  const migrations = all('select name from kysely_migration union all select name from compute_migration');
  database.close();
  return { schema, migrations };
}

describe('a database of version 0.1.0', () => {
  it('keeps its money, keys and statements in this version, and the request in flight is returned', async () => {
    const address = { kind: 'sqlite', path: released() } as const;
    await upgrade(address);
    await expectBooks(address);
    const accounts = await openAccounts(address);
    expect(await accounts.maintain({ now: Date.UTC(2026, 10, 21, 13) })).toEqual({ lost: 1 });
    expect(await accounts.audit()).toMatchObject({ available: 999_900, held: 0, spent: 100, faults: [] });
    await accounts.close();
  });

  it('goes back to its schema with what this version has charged', async () => {
    const path = released();
    const before = schemaOf(path);
    const address = { kind: 'sqlite', path } as const;
    await upgrade(address);
    const accounts = await openAccounts(address);
    await accounts.credit({ account: 'small', microDollars: 7, now: Date.now() });
    await accounts.makeLoginLink({ accountId, now: Date.now() });
    await accounts.close();
    const after = await downgradeAccounts(address, { release: '0.1.0', families });
    expect(after).toMatchObject({ movements: 6, paidIn: 1_000_007, faults: [] });
    expect(schemaOf(path)).toEqual(before);
    await upgrade(address);
    expect(await downgradeAccounts(address, { release: '0.1.0', families })).toEqual(after);
  });

  it('goes back to no version that is unknown', async () => {
    const address = { kind: 'sqlite', path: released() } as const;
    await expect(downgradeAccounts(address, { release: '0.0.1', families })).rejects.toThrow(
      'can go back to 0.1.0 only',
    );
  });
});

describePostgres('a database of version 0.1.0 that is moved', (store) => {
  it('has the same books on PostgreSQL, and goes back there too', async () => {
    const from = { kind: 'sqlite', path: released() } as const;
    const to = await store.address();
    await moveAccounts({ from, to, families });
    await expectBooks(to);
    expect(await downgradeAccounts(to, { release: '0.1.0', families })).toMatchObject(books);
    await upgrade(to);
    await expectBooks(to);
  });
});
