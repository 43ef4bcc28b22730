/** Adapts node:sqlite to kysely, which expects the interface of better-sqlite3. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import type { SqliteLog } from './sqlite-log.ts';

/** Longest time for which a statement waits for another process's write. */
const busyTimeoutMs = 5_000;

/** Log pages that trigger a checkpoint. Checkpoints are rare because each one blocks the thread. */
const checkpointPages = 8_192;

/** Size of the statement cache; metering needs a few dozen. */
const statementsMax = 500;

/** Opens or creates the file with mode 0600, in a folder with mode 0700. */
export function openSqlite(path: string): DatabaseSync {
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
  }
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  // Write-ahead logging lets the server read while the command line writes. FULL makes each commit survive a power
  // failure, except those inside `unflushed`.
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = ${checkpointPages};`,
  );
  // The first read creates the log.
  database.prepare('select count(*) from sqlite_schema').get();
  return database;
}

/**
 * Runs `work` with commits that are written to the log but not flushed: they survive a crash of any process, and a power
 * failure loses the newest first. The next flush by any connection makes them durable.
 * No other code may use the connection meanwhile.
 */
export async function unflushed<Result>(database: DatabaseSync, work: () => Promise<Result>): Promise<Result> {
  // Not a cached statement: SQLite changes the level when it compiles the PRAGMA, not when it runs it.
  database.exec('PRAGMA synchronous = NORMAL');
  try {
    return await work();
  } finally {
    // SQLite cannot change the level inside a transaction, and later commits must not run at this level.
    if (database.isTransaction) database.exec('rollback');
    database.exec('PRAGMA synchronous = FULL');
  }
}

/** Wraps `database` for kysely. Repairs a broken `log` before the next transaction, so that commits stay in order. */
export function kyselyDatabase(database: DatabaseSync, log: SqliteLog | undefined): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  const begin = beginStatement(database, log);
  return {
    prepare(text) {
      // SQLite rolls a transaction back by itself when the disk is full.
      if (text === 'rollback' && !database.isTransaction) return noOperation;
      if (text === 'begin') return begin;
      const cached = statements.get(text);
      if (cached !== undefined) return cached;
      const statement = kyselyStatement(database.prepare(text));
      if (statements.size >= statementsMax) statements.clear();
      statements.set(text, statement);
      return statement;
    },
    close() {
      log?.close();
      database.close();
    },
  };
}

/** Acquires the write lock immediately: a transaction that reads first fails to write if another process has written since. */
function beginStatement(database: DatabaseSync, log: SqliteLog | undefined): SqliteStatement {
  const statement = kyselyStatement(database.prepare('begin immediate'));
  return {
    ...statement,
    run(parameters) {
      const result = statement.run(parameters);
      try {
        if (log?.isBroken === true) log.repair();
      } catch (error) {
        database.exec('rollback');
        throw error;
      }
      return result;
    },
  };
}

function kyselyStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
  };
}

const noOperation: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
};
