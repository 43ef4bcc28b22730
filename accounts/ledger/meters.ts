/** Locks, reads and writes the meters of accounts. A meter's row is the lock of its account. */
import type { Kysely, Transaction } from 'kysely';
import type { DatabaseKind, Tables } from '../base/tables.ts';
import { CompiledQueries } from '../database/compiled-queries.ts';
import type { Meter } from '../plans/limits.ts';
import { type Plan, toPlan } from '../plans/plans.ts';

export interface LockedAccount {
  readonly meter: Meter;
  readonly plan: Plan;
  /** The row of `plan`. */
  readonly planRow: Tables['plans'];
  readonly isClosed: boolean;
}

export interface ReadAccount {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly closedAt: number | undefined;
  readonly meter: Meter;
  readonly plan: Plan;
}

export type Reservation = Tables['reservations'];

/** Locks and reads meters in order of their ids, which prevents deadlocks between processes. */
export async function lockMeters(
  transaction: Transaction<Tables>,
  accountIds: readonly string[],
  { kind, queries = new CompiledQueries() }: { kind: DatabaseKind; queries?: CompiledQueries },
): Promise<Map<string, LockedAccount>> {
  const build = (ids: readonly string[]) => meterQuery(transaction, ids, kind);
  return toLocked(await queries.byIds(transaction, { name: 'lock meters', ids: accountIds, build }));
}

/** Builds the query of `lockMeters` on PostgreSQL. */
export function lockMetersQuery(db: Kysely<Tables>, accountIds: readonly string[]) {
  return meterQuery(db, accountIds, 'postgres').compile();
}

/** Converts the rows of `lockMetersQuery`. */
export function toLocked(rows: readonly LockedRow[]): Map<string, LockedAccount> {
  return new Map(
    rows.map((row) => {
      const planRow = toPlanRow(row);
      return [row.account_id, { meter: toMeter(row), plan: toPlan(row), planRow, isClosed: row.closed_at !== null }];
    }),
  );
}

/** Reads an account's meter and plan without a lock; undefined if the account does not exist. */
export async function readMeter(
  db: Kysely<Tables>,
  { accountId, queries }: { accountId: string; queries: CompiledQueries },
): Promise<ReadAccount | undefined> {
  const build = (ids: readonly string[]) =>
    meterQuery(db, ids, 'sqlite').select(['accounts.name', 'accounts.created_at']);
  const [row] = await queries.byIds(db, { name: 'read meter', ids: [accountId], build });
  if (row === undefined) return undefined;
  const { name, created_at: createdAt, closed_at } = row;
  return { name, createdAt, closedAt: closed_at ?? undefined, meter: toMeter(row), plan: toPlan(row) };
}

export async function writeMeters(
  transaction: Transaction<Tables>,
  rows: readonly Meter[],
  queries = new CompiledQueries(),
): Promise<void> {
  const build = (piece: readonly Meter[]) =>
    transaction
      .insertInto('meters')
      .values(piece)
      .onConflict((conflict) =>
        conflict.column('account_id').doUpdateSet(({ ref }) => ({
          funding: ref('excluded.funding'),
          available: ref('excluded.available'),
          held: ref('excluded.held'),
          spent: ref('excluded.spent'),
          running: ref('excluded.running'),
          tokens_held: ref('excluded.tokens_held'),
          recent_requests: ref('excluded.recent_requests'),
          day: ref('excluded.day'),
          day_requests: ref('excluded.day_requests'),
          month: ref('excluded.month'),
          month_tokens: ref('excluded.month_tokens'),
        })),
      );
  await queries.byRows(transaction, { name: 'write meters', rows, build });
}

/** Deletes and returns the reservations with these ids. */
export async function deleteReservations(
  transaction: Transaction<Tables>,
  ids: readonly string[],
  queries: CompiledQueries,
): Promise<Reservation[]> {
  return await queries.byIds(transaction, {
    name: 'delete reservations',
    ids,
    build: (some) => deleteReservationsQuery(transaction, some),
  });
}

/** Builds the query of `deleteReservations`. */
export function deleteReservationsQuery(db: Kysely<Tables>, ids: readonly string[]) {
  return db.deleteFrom('reservations').where('id', 'in', ids).returningAll();
}

/** Releases the amount and tokens of a reservation. */
export function endReservation(meter: Meter, { price, tokens }: Reservation): void {
  meter.running -= 1;
  meter.tokens_held -= tokens;
  meter.held -= price;
  meter.available += price;
}

/** Builds the meter of a new account. */
export function emptyMeter(accountId: string): Meter {
  return {
    account_id: accountId,
    funding: 0,
    available: 0,
    held: 0,
    spent: 0,
    running: 0,
    tokens_held: 0,
    recent_requests: '',
    day: 0,
    day_requests: 0,
    month: 0,
    month_tokens: 0,
  };
}

function meterQuery(db: Kysely<Tables>, accountIds: readonly string[], kind: DatabaseKind) {
  return (
    db
      .selectFrom('meters')
      .innerJoin('accounts', 'accounts.id', 'meters.account_id')
      .innerJoin('plans', 'plans.id', 'accounts.plan_id')
      .selectAll('meters')
      .selectAll('plans')
      .select('accounts.closed_at')
      .where('meters.account_id', 'in', accountIds)
      .orderBy('meters.account_id')
      // SQLite has locked the whole database already.
      .$if(kind === 'postgres', (query) => query.forUpdate('meters'))
  );
}

type LockedRow = Awaited<ReturnType<ReturnType<typeof meterQuery>['execute']>>[number];

function toMeter(row: Meter): Meter {
  return {
    account_id: row.account_id,
    funding: row.funding,
    available: row.available,
    held: row.held,
    spent: row.spent,
    running: row.running,
    tokens_held: row.tokens_held,
    recent_requests: row.recent_requests,
    day: row.day,
    day_requests: row.day_requests,
    month: row.month,
    month_tokens: row.month_tokens,
  };
}

function toPlanRow(row: Tables['plans']): Tables['plans'] {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    models: row.models,
    context_tokens_max: row.context_tokens_max,
    requests_per_minute: row.requests_per_minute,
    requests_per_day: row.requests_per_day,
    tokens_per_month: row.tokens_per_month,
    concurrent_requests_max: row.concurrent_requests_max,
    price_percent: row.price_percent,
    monthly_price: row.monthly_price,
    priority: row.priority,
    updated_at: row.updated_at,
  };
}
