/** Opens the accounts database: a SQLite file, or PostgreSQL shared by several processes. */
import type { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect, type RawBuilder, SqliteDialect, sql, type Transaction } from 'kysely';
import type { Pool } from 'pg';
import { AccountError } from '../base/errors.ts';
import type { DatabaseKind, Tables } from '../base/tables.ts';
import { migrate } from './migrations.ts';
import { kyselyDatabase, openSqlite, unflushed } from './sqlite.ts';
import { SqliteLog } from './sqlite-log.ts';

export type DatabaseAddress =
  /** A file, or `:memory:`. */
  | { readonly kind: 'sqlite'; readonly path: string }
  /** `postgres://…` */
  | { readonly kind: 'postgres'; readonly url: string };

export interface Database {
  readonly kind: DatabaseKind;
  readonly db: Kysely<Tables>;
  /** The same connection without kysely, for the synchronous key look-up; undefined on PostgreSQL. */
  readonly sqlite: DatabaseSync | undefined;
  /** The connections to PostgreSQL, for statements that are sent together, which kysely cannot; undefined on SQLite. */
  readonly pool?: Pool | undefined;
  /** SQLite's write-ahead log; undefined on PostgreSQL and in memory. */
  readonly log?: Pick<SqliteLog, 'flush'> | undefined;
}

/** Opens the database as it is, without a migration. @throws {AccountError} ERR_STORE */
export async function openUnmigrated(address: DatabaseAddress): Promise<Database> {
  return address.kind === 'sqlite' ? openFile(address.path) : await openServer(address.url);
}

/** Opens the database and migrates it to the newest schema. @throws {AccountError} ERR_STORE */
export async function openDatabase(address: DatabaseAddress): Promise<Database> {
  const database = await openUnmigrated(address);
  try {
    await migrate(database.db, database.kind);
  } catch (error) {
    await database.db.destroy();
    throw error;
  }
  return database;
}

/**
 * Runs a transaction that does not wait for the disk. On SQLite its commit survives a crash of any process, but a power
 * failure loses it until a flush follows, by `log` or by another commit. On PostgreSQL it is flushed like any other
 * transaction, since the database server can crash while its clients keep running.
 */
export async function transactUnflushed<Result>(
  { db, sqlite }: Pick<Database, 'db' | 'sqlite'>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  if (sqlite === undefined) return await db.transaction().execute(work);
  // kysely has only this connection to SQLite, so no other transaction of this process commits meanwhile.
  return await db.connection().execute((connection) => unflushed(sqlite, () => connection.transaction().execute(work)));
}

/** SQL for the milliseconds since 1970 by the database's clock, which all its processes share. */
export function databaseNow(kind: DatabaseKind): RawBuilder<number> {
  return kind === 'sqlite'
    ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    : sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;
}

function openFile(path: string): Database {
  try {
    const sqlite = openSqlite(path);
    const log = path === ':memory:' ? undefined : new SqliteLog(path);
    const dialect = new SqliteDialect({ database: kyselyDatabase(sqlite, log) });
    return { kind: 'sqlite', db: new Kysely<Tables>({ dialect }), sqlite, log };
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new AccountError('ERR_STORE', `the account database ${path} cannot be opened: ${reason}`, { cause });
  }
}

/** Error messages leave out the URL, which may contain a password. */
async function openServer(url: string): Promise<Database> {
  // Imported on demand, so that a server on SQLite does not load the PostgreSQL client.
  const { openPool } = await import('./postgres.ts');
  const pool = openPool(url);
  const dialect = new PostgresDialect({ pool });
  return { kind: 'postgres', db: new Kysely<Tables>({ dialect }), sqlite: undefined, pool };
}
