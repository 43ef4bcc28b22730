/**
 * Moves the accounts to another database, SQLite or PostgreSQL. The source is locked meanwhile and marked as moved at the end, so
 * that no server serves from both. The target is marked as unfinished from the first row to the last check. An interrupted
 * move goes on when it is repeated.
 */

import { type Kysely, sql } from 'kysely';
import { AccountError } from '../base/errors.ts';
import type { Tables } from '../base/tables.ts';
import { type Database, type DatabaseAddress, openUnmigrated } from '../database/database.ts';
import { accountsFamily, holdMarks, type SchemaFamily } from '../database/migrations.ts';
import { isEmpty } from './backup.ts';
import { copyResumably, requireNoServer, TransferTableBookmarks } from './copy.ts';
import type { OnProgress } from './progress.ts';
import { clearTables, countRows, isAppendOnly, transferTables } from './rows.ts';
import { lastMigrations, type Snapshot, withSnapshot } from './snapshot.ts';
import { requireSame, type Summary, summarize } from './summary.ts';

export interface MoveOptions {
  readonly from: DatabaseAddress;
  readonly to: DatabaseAddress;
  readonly families: readonly SchemaFamily[];
  readonly onProgress?: OnProgress;
}

/**
 * No server may use the source.
 * @returns the sums of the moved rows; undefined if an earlier call has moved them
 * @throws {AccountError} ERR_STORE; then the source serves as before
 */
export async function moveAccounts({ from, to, families, onProgress }: MoveOptions): Promise<Summary | undefined> {
  const source = await openUnmigrated(from);
  try {
    const target = await openUnmigrated(to);
    try {
      const isMoved = await hasMark(source.db, 'moved');
      if (isMoved && !(await hasMark(target.db, 'filling'))) return undefined;
      if (!isMoved) await migrateSource(source, families);
      await requireNoServer(source);
      const migrations = await lastMigrations(source.db);
      await prepareTarget(
        target,
        families.filter(({ table }) => migrations[table] !== undefined),
      );
      const summary = await withSnapshot(source, { isLocked: true }, async (snapshot) => {
        const expected = await fill(target, snapshot, onProgress);
        if (!isMoved) await setMark(snapshot.db, 'moved');
        return expected;
      });
      await finish(target);
      return summary;
    } finally {
      await target.db.destroy();
    }
  } finally {
    await source.db.destroy();
  }
}

async function migrateSource({ db, kind }: Database, families: readonly SchemaFamily[]): Promise<void> {
  if ((await lastMigrations(db))[accountsFamily.table] === undefined) {
    throw new AccountError('ERR_STORE', 'the source has no accounts: nothing was moved');
  }
  const present = await lastMigrations(db);
  for (const family of families) if (present[family.table] !== undefined) await family.migrate(db, kind);
}

/** Creates the tables of an empty database and marks it as unfinished. */
async function prepareTarget(target: Database, families: readonly SchemaFamily[]): Promise<void> {
  const { db, kind } = target;
  if (await hasMark(db, 'filling')) return;
  for (const family of families) await family.migrate(db, kind);
  if (!(await isEmpty(target))) {
    throw new AccountError('ERR_STORE', 'the target has accounts already: name an empty database');
  }
  await requireNoServer(target);
  await setMark(db, 'filling');
}

async function fill(target: Database, source: Snapshot, onProgress: OnProgress | undefined): Promise<Summary> {
  const expected = await summarize(source.db, source.tables);
  const bookmarks = new TransferTableBookmarks(target.db);
  await bookmarks.prepare();
  const state = await stateOf(source);
  // After a server has used the source in between, its rows may lie before a bookmark.
  if ((await bookmarks.read('source'))?.[0] !== state) {
    await clearTables(target.db, await transferTables(target.db));
    await bookmarks.clear();
    await bookmarks.write(target.db, 'source', [state]);
  }
  await copyResumably(source, target, { bookmarks, onProgress });
  const found = await withSnapshot(target, { isLocked: false }, ({ db }) => summarize(db, source.tables));
  requireSame(expected, found);
  return expected;
}

/** The numbers of rows of the append-only tables, which tell whether a row was added. */
async function stateOf({ db, tables }: Snapshot): Promise<string> {
  const counts: string[] = [];
  for (const table of tables.filter(isAppendOnly)) counts.push(`${table.name} ${await countRows(db, table)}`);
  return counts.join(', ');
}

async function finish({ db }: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await TransferTableBookmarks.remove(transaction);
    await sql`delete from kysely_migration where name = ${holdMarks.filling}`.execute(transaction);
  });
}

async function setMark(db: Kysely<Tables>, mark: keyof typeof holdMarks): Promise<void> {
  const row = { name: holdMarks[mark], timestamp: new Date(0).toISOString() };
  await sql`insert into kysely_migration (name, timestamp) values (${row.name}, ${row.timestamp})`.execute(db);
}

async function hasMark(db: Kysely<Tables>, mark: keyof typeof holdMarks): Promise<boolean> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === accountsFamily.table)) return false;
  const { rows } = await sql`select name from kysely_migration where name = ${holdMarks[mark]}`.execute(db);
  return rows.length > 0;
}
