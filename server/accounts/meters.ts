/** The meters of accounts: locked, read, changed and written in sums. Each row is the lock of all that moves in its account. */
import type { Transaction } from 'kysely';
import type { Meter } from './limits.ts';
import { type Plan, toPlan } from './plans.ts';
import type { DatabaseKind, Tables } from './tables.ts';

export interface LockedAccount {
  readonly meter: Meter;
  readonly plan: Plan;
  readonly isClosed: boolean;
}

export type Reservation = Tables['reservations'];

/** Locks and reads, in an order that no two processes can cross. */
export async function lockMeters(
  transaction: Transaction<Tables>,
  accountIds: readonly string[],
  { kind }: { kind: DatabaseKind },
): Promise<Map<string, LockedAccount>> {
  const rows = await transaction
    .selectFrom('meters')
    .innerJoin('accounts', 'accounts.id', 'meters.account_id')
    .innerJoin('plans', 'plans.id', 'accounts.plan_id')
    .selectAll('meters')
    .selectAll('plans')
    .select('accounts.closed_at')
    .where('meters.account_id', 'in', padded(accountIds))
    .orderBy('meters.account_id')
    // SQLite has locked the whole database already.
    .$if(kind === 'postgres', (query) => query.forUpdate('meters'))
    .execute();
  return new Map(
    rows.map((row) => [row.account_id, { meter: toMeter(row), plan: toPlan(row), isClosed: row.closed_at !== null }]),
  );
}

export async function writeMeters(transaction: Transaction<Tables>, rows: readonly Meter[]): Promise<void> {
  await transaction
    .insertInto('meters')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet(({ ref }) => ({
        funding: ref('excluded.funding'),
        available: ref('excluded.available'),
        held: ref('excluded.held'),
        spent: ref('excluded.spent'),
        running: ref('excluded.running'),
        tokens_held: ref('excluded.tokens_held'),
        bucket_full_at: ref('excluded.bucket_full_at'),
        day: ref('excluded.day'),
        day_requests: ref('excluded.day_requests'),
        month: ref('excluded.month'),
        month_tokens: ref('excluded.month_tokens'),
      })),
    )
    .execute();
}

/** Gives back all that a reservation holds. */
export function endReservation(meter: Meter, { price, tokens }: Reservation): void {
  meter.running -= 1;
  meter.tokens_held -= tokens;
  meter.held -= price;
  meter.available += price;
}

/** Of a new account. */
export function emptyMeter(accountId: string): Meter {
  return {
    account_id: accountId,
    funding: 0,
    available: 0,
    held: 0,
    spent: 0,
    running: 0,
    tokens_held: 0,
    bucket_full_at: 0,
    day: 0,
    day_requests: 0,
    month: 0,
    month_tokens: 0,
  };
}

/** Repeats the last id up to a power of two, so that few different statements need to be compiled. */
export function padded(ids: readonly string[]): string[] {
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, ids.length)));
  return Array.from({ length: size }, (_, index) => ids[Math.min(index, ids.length - 1)]!);
}

/** Calls `write` with powers of two of rows, for the same reason. */
export async function inPieces<Row>(
  rows: readonly Row[],
  write: (piece: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  let start = 0;
  while (start < rows.length) {
    const size = 2 ** Math.floor(Math.log2(rows.length - start));
    await write(rows.slice(start, start + size));
    start += size;
  }
}

function toMeter(row: Meter): Meter {
  return {
    account_id: row.account_id,
    funding: row.funding,
    available: row.available,
    held: row.held,
    spent: row.spent,
    running: row.running,
    tokens_held: row.tokens_held,
    bucket_full_at: row.bucket_full_at,
    day: row.day,
    day_requests: row.day_requests,
    month: row.month,
    month_tokens: row.month_tokens,
  };
}
