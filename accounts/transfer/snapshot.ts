/** One consistent view of a database for a transfer. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../base/tables.ts';
import type { Database } from '../database/database.ts';
import { type TransferTable, transferTables } from './rows.ts';

export interface Snapshot {
  readonly db: Kysely<Tables>;
  readonly tables: readonly TransferTable[];
  /** The last migration of each family of tables that exists. */
  readonly migrations: Readonly<Record<string, string>>;
}

/**
 * Runs `work` on a snapshot. Without `isLocked` others go on writing; with it, their writes wait and fail after the
 * database's timeout. What `work` writes is committed.
 */
export async function withSnapshot<Result>(
  { db, kind }: Database,
  { isLocked }: { isLocked: boolean },
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  return await db.connection().execute(async (connection) => {
    const tables = await transferTables(connection);
    const run = (statement: string) => sql.raw(statement).execute(connection);
    if (kind === 'sqlite') await run(isLocked ? 'begin immediate' : 'begin deferred');
    else {
      await run('begin isolation level repeatable read');
      // A large table takes longer than a statement of a server may.
      await run('set local statement_timeout = 0');
      await run('set local idle_in_transaction_session_timeout = 0');
      const names = tables.map(({ name }) => `"${name}"`).join(', ');
      if (isLocked && names !== '') await run(`lock table ${names} in share mode`);
    }
    try {
      const result = await work({ db: connection, tables, migrations: await lastMigrations(connection) });
      await run('commit');
      return result;
    } catch (error) {
      await run('rollback').catch(() => undefined);
      throw error;
    }
  });
}

/** The last executed migration by the name of its list; without the marks of transfers. */
export async function lastMigrations(db: Kysely<Tables>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const existing = await db.introspection.getTables({ withInternalKyselyTables: true });
  for (const table of ['kysely_migration', 'compute_migration']) {
    if (!existing.some(({ name }) => name === table)) continue;
    const { rows } = await sql<{ name: string | null }>`
      select max(name) as name from ${sql.table(table)} where name < '999'`.execute(db);
    if (rows[0]?.name != null) found[table] = rows[0].name;
  }
  return found;
}
