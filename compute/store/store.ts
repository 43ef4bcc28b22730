/** The compute service's access to the database: its tables, transactions, and the clock for all billing. */
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
  /** Milliseconds since 1970 by the database's clock (C-154). Pass the transaction if there is one. */
  readonly now: (queries?: Queries) => Promise<number>;
  /** Group commit on SQLite; undefined on PostgreSQL. */
  readonly group: GroupCommit | undefined;
}

/**
 * @param database an open database; on SQLite it must be the only connection of this process to the file, since a second one
 * would deadlock with it
 * @param clock replaces the database's clock in tests
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

/** @returns an unguessable id such as `pod-4be1…` */
export function newId(prefix: string): string {
  return `${prefix}-${randomBytes(12).toString('hex')}`;
}

/** Runs `work` in one transaction; retries it after a deadlock or serialization failure. */
export async function inTransaction<Result>(
  { db, group }: ComputeStore,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  if (group !== undefined) return await group.run(work);
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt >= transactionAttemptsMax || !isRetryable(error)) throw error;
    }
  }
}

const transactionAttemptsMax = 5;

/** SQLSTATE codes of a deadlock and a serialization failure. */
const retryableStates: ReadonlySet<string> = new Set(['40P01', '40001']);

function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && retryableStates.has(String(error.code));
}

async function readClock(queries: Queries, kind: DatabaseKind): Promise<number> {
  // SQLite runs in this process, so its clock is the machine's.
  if (kind === 'sqlite') return Date.now();
  const { rows } = await sql<{ now: number }>`select ${databaseNow(kind)} as now`.execute(queries);
  return rows[0]!.now;
}
