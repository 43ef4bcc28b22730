/** Copies all rows of one database to another. */
import { type Kysely, sql } from 'kysely';
import { AccountError } from '../base/errors.ts';
import type { Tables } from '../base/tables.ts';
import { type Database, databaseNow } from '../database/database.ts';
import type { OnProgress } from './progress.ts';
import {
  type AnyTables,
  clearTables,
  countRows,
  isAppendOnly,
  keyOf,
  type PortableRow,
  readRows,
  type TransferTable,
  transferTables,
  writeRows,
} from './rows.ts';
import type { Snapshot } from './snapshot.ts';
import { requireSame, type Summary, summarize } from './summary.ts';

/** Replaces all rows of the target in one transaction, and compares them before its commit. @throws {AccountError} ERR_STORE */
export async function copyTables(
  source: Snapshot,
  { db }: Database,
  { onProgress }: { onProgress: OnProgress | undefined },
): Promise<Summary> {
  const expected = await summarize(source.db, source.tables);
  const tables = await transferTables(db);
  await db.transaction().execute(async (transaction) => {
    await sql`set local statement_timeout = 0`.execute(transaction);
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
    await clearTables(transaction, tables);
    for (const table of source.tables) {
      await copyTable(table, source, { onProgress, write: (rows) => writeRows(transaction, table, rows) });
    }
    requireSame(expected, await summarize(transaction, source.tables));
  });
  return expected;
}

/** Where an interrupted copy goes on: the key of the last row of each append-only table. */
interface Bookmarks {
  read(table: string): Promise<PortableRow | undefined>;
  write(transaction: Kysely<Tables>, table: string, key: PortableRow): Promise<void>;
}

/**
 * Copies rows in many small transactions, each with a bookmark. After an interruption, append-only tables go on where they
 * ended; the others, which are small, start again.
 */
export async function copyResumably(
  source: Snapshot,
  { db }: Database,
  { bookmarks, onProgress }: { bookmarks: Bookmarks; onProgress: OnProgress | undefined },
): Promise<void> {
  const tables = await transferTables(db);
  await clearTables(
    db,
    tables.filter((table) => !isAppendOnly(table)),
  );
  for (const table of source.tables) {
    const write = (rows: readonly PortableRow[]) =>
      db.transaction().execute(async (transaction) => {
        await writeRows(transaction, table, rows);
        if (isAppendOnly(table)) await bookmarks.write(transaction, table.name, keyOf(table, rows.at(-1)!));
      });
    const after = isAppendOnly(table) ? await bookmarks.read(table.name) : undefined;
    const rowsDone = after === undefined ? 0 : await countRows(db, table);
    await copyTable(table, source, { onProgress, write, after, rowsDone });
  }
}

async function copyTable(
  table: TransferTable,
  source: Snapshot,
  {
    onProgress,
    write,
    after,
    rowsDone = 0,
  }: {
    onProgress: OnProgress | undefined;
    write: (rows: readonly PortableRow[]) => Promise<void>;
    after?: PortableRow | undefined;
    rowsDone?: number;
  },
): Promise<void> {
  const rowsTotal = await countRows(source.db, table);
  let done = rowsDone;
  for await (const rows of readRows(source.db, table, after)) {
    await write(rows);
    done += rows.length;
    onProgress?.({ table: table.name, rowsDone: done, rowsTotal });
  }
}

/** Bookmarks in a table of the target, which also names the source's state. */
export class TransferTableBookmarks implements Bookmarks {
  readonly #db: AnyTables;

  constructor(db: Kysely<Tables>) {
    this.#db = db as unknown as AnyTables;
  }

  /** Creates the table unless it exists. */
  async prepare(): Promise<void> {
    await this.#db.schema
      .createTable('account_transfer')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute();
  }

  /** Forgets all bookmarks. */
  async clear(): Promise<void> {
    await this.#db.deleteFrom('account_transfer').execute();
  }

  async read(name: string): Promise<PortableRow | undefined> {
    const row = await this.#db
      .selectFrom('account_transfer')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirst();
    return row === undefined ? undefined : (JSON.parse(String(row.value)) as PortableRow);
  }

  async write(transaction: Kysely<Tables>, name: string, key: PortableRow): Promise<void> {
    const value = JSON.stringify(key);
    await (transaction as unknown as AnyTables)
      .insertInto('account_transfer')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  }

  /** Drops the table. */
  static async remove(transaction: Kysely<Tables>): Promise<void> {
    await transaction.schema.dropTable('account_transfer').ifExists().execute();
  }
}

/** @throws {AccountError} ERR_STORE if a server that uses the database is alive */
export async function requireNoServer({ db, kind }: Pick<Database, 'db' | 'kind'>): Promise<void> {
  const alive = await db.selectFrom('instances').select('id').where('lease_until', '>=', databaseNow(kind)).execute();
  if (alive.length === 0) return;
  throw new AccountError(
    'ERR_STORE',
    `${alive.length} servers use the database: stop them first; one that was killed counts for 15 more seconds`,
  );
}
