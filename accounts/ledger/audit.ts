/** Audits the ledger: compares every balance with the journal, the usage rows and the reservations. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../base/tables.ts';
import type { Database } from '../database/database.ts';

export interface Audit {
  readonly accounts: number;
  readonly movements: number;
  readonly reservations: number;
  /** Sum over all sides of all accounts, which must be zero (C-153). */
  readonly sum: number;
  /** Totals of all accounts in micro-dollars. */
  readonly paidIn: number;
  readonly available: number;
  readonly held: number;
  readonly spent: number;
  /** One line for each inconsistency, with the account's id. */
  readonly faults: readonly string[];
}

/**
 * Reads one consistent snapshot, in time proportional to the journal. Writers are not blocked, but on SQLite the audit
 * blocks the thread: run it from the command line.
 */
export async function audit({ db, kind }: Database): Promise<Audit> {
  return await db.connection().execute(async (connection) => {
    const begin = kind === 'sqlite' ? 'begin deferred' : 'begin isolation level repeatable read read only';
    await sql.raw(begin).execute(connection);
    try {
      return await compareBooks(connection);
    } finally {
      await sql`rollback`.execute(connection);
    }
  });
}

/** Audits the rows that `db` sees: run it in a transaction that reads one snapshot. */
export async function compareBooks(db: Kysely<Tables>): Promise<Audit> {
  const meters = await db.selectFrom('meters').selectAll().execute();
  const movements = await sumMovements(db);
  const charges = await sumCharges(db);
  const reservations = await sumReservations(db);
  const faults = meters.flatMap((meter) => {
    const moved = movements.get(meter.account_id) ?? noMovements();
    const running = reservations.get(meter.account_id) ?? { count: 0, price: 0, tokens: 0 };
    const checks: readonly (readonly [what: string, is: number, expected: number])[] = [
      ['funding', meter.funding, moved.funding],
      ['spent', meter.spent, moved.spent],
      // Reservations of requests in flight, and the prepaid hours of pods.
      ['held', meter.held, running.price + moved.held],
      ['running', meter.running, running.count],
      ['tokens held', meter.tokens_held, running.tokens],
      ['charges by usage row', moved.charge, charges.get(meter.account_id) ?? 0],
      ['sum', meter.funding + meter.available + meter.held + meter.spent, 0],
      ['negative balance', Math.min(0, meter.available), 0],
    ];
    return checks
      .filter(([, is, expected]) => is + 0 !== expected + 0)
      .map(([what, is, expected]) => `${meter.account_id}: ${what} is ${is}, expected ${expected}`);
  });
  const total = (value: (meter: Tables['meters']) => number) => meters.reduce((sum, meter) => sum + value(meter), 0);
  return {
    accounts: meters.length,
    movements: [...movements.values()].reduce((sum, { count }) => sum + count, 0),
    reservations: [...reservations.values()].reduce((sum, { count }) => sum + count, 0),
    sum: total(({ funding, available, held, spent }) => funding + available + held + spent),
    paidIn: total(({ funding }) => -funding),
    available: total(({ available }) => available),
    held: total(({ held }) => held),
    spent: total(({ spent }) => spent),
    faults,
  };
}

/** Sums of the journal: the balance of each side, the charges of requests, and the number of movements. */
function noMovements() {
  return { funding: 0, available: 0, held: 0, spent: 0, charge: 0, count: 0 };
}

async function sumMovements(db: Kysely<Tables>) {
  const rows = await db
    .selectFrom('movements')
    .select(['account_id', 'kind', 'from_side', 'to_side', sql<number>`sum(micro_dollars)`.as('sum')])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .groupBy(['account_id', 'kind', 'from_side', 'to_side'])
    .execute();
  const sums = new Map<string, ReturnType<typeof noMovements>>();
  for (const { account_id, kind, from_side, to_side, sum, count } of rows) {
    const entry = sums.get(account_id) ?? noMovements();
    entry[from_side] -= sum;
    entry[to_side] += sum;
    if (kind === 'charge') entry.charge += sum;
    entry.count += count;
    sums.set(account_id, entry);
  }
  return sums;
}

async function sumCharges(db: Kysely<Tables>): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('usage')
    .select(['account_id', sql<number>`sum(price)`.as('sum')])
    .groupBy('account_id')
    .execute();
  return new Map(rows.map(({ account_id, sum }) => [account_id, sum]));
}

async function sumReservations(db: Kysely<Tables>) {
  const rows = await db
    .selectFrom('reservations')
    .select(['account_id', sql<number>`sum(price)`.as('price'), sql<number>`sum(tokens)`.as('tokens')])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .groupBy('account_id')
    .execute();
  return new Map(rows.map(({ account_id, ...sums }) => [account_id, sums]));
}
