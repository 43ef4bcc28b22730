/** Node's own SQLite behind kysely, which expects better-sqlite3's interface. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import type { SqliteLog } from './sqlite-log.ts';

/** How long a statement waits for another process's write. */
const busyTimeoutMs = 5_000;

/** Pages in the log before they are moved into the database: seldom, because the move takes its time in one go. */
const checkpointPages = 8_192;

/** Compiled statements that are kept; metering needs some dozens. */
const statementsMax = 500;

/** Opens or creates the file, readable by its owner alone, in a folder of the same kind. */
export function openSqlite(path: string): DatabaseSync {
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
  }
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  // Write-ahead logging lets the server read while the command line writes; FULL makes each commit survive a power cut,
  // but for those inside `unflushed`.
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = ${checkpointPages};`,
  );
  // The log is there once the file has been read.
  database.prepare('select count(*) from sqlite_schema').get();
  return database;
}

/**
 * Runs `work` in a transaction whose commit is written to the log but not flushed: it outlives every process, killed or
 * not, and only the end of the machine takes it back, the newest first. The next flush of anybody takes it along.
 * Nobody else may use the connection meanwhile.
 */
export async function unflushed<Result>(database: DatabaseSync, work: () => Promise<Result>): Promise<Result> {
  // Not as a kept statement: SQLite changes the level when it compiles the PRAGMA, not when it runs it.
  database.exec('PRAGMA synchronous = NORMAL');
  try {
    return await work();
  } finally {
    // The level cannot be changed inside a transaction, and nothing of anybody else may be committed at this one.
    if (database.isTransaction) database.exec('rollback');
    database.exec('PRAGMA synchronous = FULL');
  }
}

/** `database` as kysely wants it; `log` is mended before anything is committed after what was lost. */
export function kyselyDatabase(database: DatabaseSync, log: SqliteLog | undefined): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  const begin = beginning(database, log);
  return {
    prepare(wanted) {
      // SQLite ends a transaction by itself when the disk is full.
      if (wanted === 'rollback' && !database.isTransaction) return nothingToDo;
      if (wanted === 'begin') return begin;
      const known = statements.get(wanted);
      if (known !== undefined) return known;
      const statement = kyselyStatement(database.prepare(wanted));
      if (statements.size >= statementsMax) statements.clear();
      statements.set(wanted, statement);
      return statement;
    },
    close() {
      log?.close();
      database.close();
    },
  };
}

/** Takes the write lock at once: a transaction that reads first could no longer write if another process did. */
function beginning(database: DatabaseSync, log: SqliteLog | undefined): SqliteStatement {
  const statement = kyselyStatement(database.prepare('begin immediate'));
  return {
    ...statement,
    run(parameters) {
      const result = statement.run(parameters);
      try {
        if (log?.isBroken === true) log.mend();
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

const nothingToDo: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
};
