/** Opens the one database behind all accounts: a SQLite file, or PostgreSQL for many processes that share it. */
import type { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect, type RawBuilder, SqliteDialect, sql, type Transaction } from 'kysely';
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
  /** The same connection without kysely, for the one look-up that must not wait; undefined on PostgreSQL. */
  readonly sqlite: DatabaseSync | undefined;
  /** What SQLite has committed and not yet moved into the file; undefined on PostgreSQL and in memory. */
  readonly log?: Pick<SqliteLog, 'flush'> | undefined;
}

/** Opened and of the newest shape. @throws {AccountError} ERR_STORE */
export async function openDatabase(address: DatabaseAddress): Promise<Database> {
  const database = address.kind === 'sqlite' ? openFile(address.path) : await openServer(address.url);
  try {
    await migrate(database.db, database.kind);
  } catch (error) {
    await database.db.destroy();
    throw error;
  }
  return database;
}

/**
 * A transaction that does not wait for the disk. On SQLite its commit outlives all processes, killed or not, but the end of the
 * machine takes it back unless a flush has followed, by `log` or by a commit of anybody else. PostgreSQL can end while
 * processes that rely on it go on, so there it is flushed like any other.
 */
export async function transactUnflushed<Result>(
  { db, sqlite }: Pick<Database, 'db' | 'sqlite'>,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  if (sqlite === undefined) return await db.transaction().execute(work);
  // The only connection there is, so nobody else commits meanwhile.
  return await db.connection().execute((own) => unflushed(sqlite, () => own.transaction().execute(work)));
}

/** Milliseconds since 1970 by the clock that all processes on this database share. */
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

/** The URL is not in messages: it may hold a password. */
async function openServer(url: string): Promise<Database> {
  // Whose library a server on SQLite need not hold in memory.
  const { openPool } = await import('./postgres.ts');
  const dialect = new PostgresDialect({ pool: openPool(url) });
  return { kind: 'postgres', db: new Kysely<Tables>({ dialect }), sqlite: undefined };
}
