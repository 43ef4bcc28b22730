/** Node's own SQLite behind kysely, which expects better-sqlite3's interface. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

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
  // Write-ahead logging lets the server read while the command line writes; FULL makes each commit survive a power cut.
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = ${checkpointPages};`,
  );
  return database;
}

/** `database` as kysely wants it. */
export function kyselyDatabase(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare(sql) {
      // Takes the write lock at once: a transaction that reads first could no longer write if another process did.
      if (sql === 'begin') return kyselyStatement(database.prepare('begin immediate'));
      // SQLite ends a transaction by itself when the disk is full.
      if (sql === 'rollback' && !database.isTransaction) return nothingToDo;
      const known = statements.get(sql);
      if (known !== undefined) return known;
      const statement = kyselyStatement(database.prepare(sql));
      if (statements.size >= statementsMax) statements.clear();
      statements.set(sql, statement);
      return statement;
    },
    close: () => database.close(),
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
