/** The compute service's hold on the one database: its tables beside the accounts', and the clock that all money goes by. */
import { randomBytes } from 'node:crypto';
import type { DatabaseKind } from '@cloister/accounts/base/tables';
import { type Database, databaseNow } from '@cloister/accounts/database/database';
import { sql } from 'kysely';
import { GroupCommit } from './group-commit.ts';
import { migrateCompute } from './migration.ts';
import type { Queries, Tx } from './queries.ts';

export type { Queries, Tx } from './queries.ts';

export interface ComputeStore {
  readonly kind: DatabaseKind;
  readonly db: Queries;
  /** Milliseconds since 1970 by the database's clock (C-154). Within a transaction, pass it. */
  readonly now: (queries?: Queries) => Promise<number>;
  /** Runs transactions together where the database has room for one at a time. */
  readonly group: GroupCommit | undefined;
}

/**
 * @param database opened; on SQLite nobody else in this process may have a connection of its own to the same file, since
 * one would wait for the other's lock without letting it go on
 * @param clock stands for the database's, in tests
 * @throws {AccountError} ERR_STORE
 */
export async function openComputeStore(
  database: Database,
  { clock }: { clock?: (() => number) | undefined } = {},
): Promise<ComputeStore> {
  const { kind } = database;
  const db = database.db as unknown as Queries;
  await migrateCompute(db, kind);
  const group = kind === 'sqlite' ? new GroupCommit(db) : undefined;
  return { kind, db, group, now: async (queries = db) => clock?.() ?? (await readClock(queries, kind)) };
}

/** A new id that nobody can guess, such as `pod-4be1…`. */
export function newId(prefix: string): string {
  return `${prefix}-${randomBytes(12).toString('hex')}`;
}

/** Runs `work` in one transaction, again if the database had to undo it to untangle two of them. */
export async function inTransaction<Result>(
  { db, group }: ComputeStore,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  if (group !== undefined) return await group.run(work);
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt >= transactionAttemptsMax || !isUntangled(error)) throw error;
    }
  }
}

const transactionAttemptsMax = 5;

/** SQLSTATE of a deadlock, and of a serialisation failure. */
const untangled: ReadonlySet<string> = new Set(['40P01', '40001']);

function isUntangled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && untangled.has(String(error.code));
}

async function readClock(queries: Queries, kind: DatabaseKind): Promise<number> {
  // SQLite's clock is this machine's, with nothing between.
  if (kind === 'sqlite') return Date.now();
  const { rows } = await sql<{ now: number }>`select ${databaseNow(kind)} as now`.execute(queries);
  return rows[0]!.now;
}
