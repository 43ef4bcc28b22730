/**
 * Admits and settles any number of requests in one transaction: locks the meters of their accounts, decides in order of
 * arrival and writes the sums. Every decision uses rows read under these locks, so it is exact with concurrent
 * processes. Settlements are flushed to disk before they resolve. Admissions are not: a reservation is only needed while
 * its process is alive.
 */
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../base/tables.ts';
import type { CompiledQueries } from '../database/compiled-queries.ts';
import { type Database, transactUnflushed } from '../database/database.ts';
import type { CommittedRound, MeteringWork } from './metering-work.ts';
import { deleteReservations, lockMeters, writeMeters } from './meters.ts';
import { Round, type RoundRows } from './round.ts';

export interface RoundOptions {
  readonly instanceId: string;
  /** Compiled queries, shared by all rounds. */
  readonly queries: CompiledQueries;
}

/** @throws the database's error; the transaction was then rolled back, or committed with its response lost */
export async function meteringRound(
  database: Pick<Database, 'kind' | 'db' | 'sqlite' | 'log'>,
  work: readonly MeteringWork[],
  { instanceId, queries }: RoundOptions,
): Promise<CommittedRound> {
  const { kind, log } = database;
  const outcomes = await transactUnflushed(database, async (transaction) => {
    const accounts = await lockMeters(transaction, accountIdsOf(work), { kind, queries });
    const round = new Round(instanceId, accounts, await deleteReservations(transaction, endedIdsOf(work), queries));
    const usage = await queries.byIds(transaction, {
      name: 'find usage',
      ids: usageIdsOf(work, round),
      build: (ids) => findUsageQuery(transaction, ids),
    });
    for (const { id } of usage) round.usageIds.add(id);
    const outcomes = work.map((one) => round.decide(one));
    await writeRows(transaction, round.rows, queries);
    return outcomes;
  });
  const settlements = work.filter((one) => one.kind === 'settle');
  // Do not block the thread for a settlement whose response is already sent.
  const isAlone = work.length === 1 && settlements[0]?.isInBackground !== true;
  return { outcomes, flushed: settlements.length > 0 ? log?.flush({ isAlone }) : undefined };
}

async function writeRows(
  transaction: Transaction<Tables>,
  { meters, opened, usage, movements }: RoundRows,
  queries: CompiledQueries,
): Promise<void> {
  await writeMeters(transaction, meters, queries);
  await queries.byRows(transaction, {
    name: 'open reservations',
    rows: opened,
    build: (rows) => transaction.insertInto('reservations').values(rows),
  });
  await queries.byRows(transaction, {
    name: 'write usage',
    rows: usage,
    build: (rows) => transaction.insertInto('usage').values(rows),
  });
  await queries.byRows(transaction, {
    name: 'write movements',
    rows: movements,
    build: (rows) => transaction.insertInto('movements').values(rows),
  });
}

/** The accounts of a round. */
export function accountIdsOf(work: readonly MeteringWork[]): string[] {
  return [...new Set(work.map(({ accountId }) => accountId))];
}

/** The reservations that a round ends. */
export function endedIdsOf(work: readonly MeteringWork[]): string[] {
  return work.filter((one) => one.kind !== 'admit').map(({ id }) => id);
}

/** The ids of usage rows that exist if a request without a reservation is already charged, in time or late. */
export function usageIdsOf(work: readonly MeteringWork[], { reservations }: Round): string[] {
  const unknown = endedIdsOf(work).filter((id) => !reservations.has(id));
  return unknown.flatMap((id) => [id, `${id}.late`]);
}

/** Builds the query for those of these usage rows that exist. */
export function findUsageQuery(db: Kysely<Tables>, ids: readonly string[]) {
  return db.selectFrom('usage').select('id').where('id', 'in', ids);
}
