/**
 * Metering rounds on PostgreSQL in one round trip. The process remembers how it left the accounts that it served last,
 * decides on these rows, and sends one statement that applies the decision to the accounts whose rows are still the same.
 * Every other account goes through a transaction with locks: one that another node has changed, that this process does not
 * know, or a request that it did not admit. So each decision is as exact as under locks.
 */
import { type Kysely, sql } from 'kysely';
import type { Pool } from 'pg';
import type { Tables } from '../base/tables.ts';
import { type SendStatement, transactPipelined } from '../database/pipelined.ts';
import { isDefect } from '../database/store-faults.ts';
import type { Meter } from '../plans/limits.ts';
import { accountIdsOf, endedIdsOf, findUsageQuery, type RoundOptions, usageIdsOf } from './metering-round.ts';
import type { CommittedRound, MeteringOutcome, MeteringWork } from './metering-work.ts';
import { deleteReservationsQuery, type LockedAccount, lockMetersQuery, type Reservation, toLocked } from './meters.ts';
import { Round, type RoundRows } from './round.ts';

/** Most accounts that a process remembers; the oldest is forgotten first. */
const knownAccountsMax = 4_096;

interface KnownAccount extends LockedAccount {
  /** Whether another process changed the account between the last two rounds. Locking it first then takes fewer trips. */
  readonly isShared: boolean;
}

/** Decisions on locked rows. */
interface LockedRound {
  /** One for each work item, in order. */
  readonly outcomes: readonly MeteringOutcome[];
  /** The accounts as they were read. */
  readonly accounts: ReadonlyMap<string, LockedAccount>;
  readonly rows: RoundRows;
}

/** The rounds of one process. */
export class StatementRounds {
  readonly #db: Kysely<Tables>;
  readonly #pool: Pool;
  readonly #options: Pick<RoundOptions, 'instanceId'>;
  readonly #known = new Map<string, KnownAccount>();
  /** Requests in flight that this process admitted. */
  readonly #open = new Map<string, Reservation>();

  constructor({ db, pool }: { db: Kysely<Tables>; pool: Pool }, options: Pick<RoundOptions, 'instanceId'>) {
    this.#db = db;
    this.#pool = pool;
    this.#options = options;
  }

  /** @throws the database's error; then any part of the work may have been committed */
  async run(work: readonly MeteringWork[]): Promise<CommittedRound> {
    try {
      const outcomes = new Map<MeteringWork, MeteringOutcome>();
      await this.#runStatement(
        work.filter((one) => this.#isKnown(one)),
        outcomes,
      );
      await this.#runLocked(
        work.filter((one) => !outcomes.has(one)),
        outcomes,
      );
      return { outcomes: work.map((one) => outcomes.get(one)!), flushed: undefined };
    } catch (error) {
      for (const { accountId } of work) this.#known.delete(accountId);
      throw error;
    }
  }

  #isKnown({ accountId, kind, id }: MeteringWork): boolean {
    const known = this.#known.get(accountId);
    return known?.isShared === false && (kind === 'admit' || this.#open.has(id));
  }

  /** Adds the outcomes of the accounts that had not changed. */
  async #runStatement(work: readonly MeteringWork[], outcomes: Map<MeteringWork, MeteringOutcome>): Promise<void> {
    if (work.length === 0) return;
    const before = new Map(work.map(({ accountId }) => [accountId, this.#known.get(accountId)!]));
    const reservations = work.filter(({ kind }) => kind !== 'admit').map(({ id }) => this.#open.get(id)!);
    const round = new Round(this.#options.instanceId, copiesOf(before), reservations);
    const decided = work.map((one) => round.decide(one));
    const { rows } = round;
    const applied = await this.#apply([...before.values()], rows);
    this.#remember(onlyOf(rows, applied));
    for (const [id, account] of before) if (!applied.has(id)) this.#know({ ...account, isShared: true });
    for (const [index, one] of work.entries()) if (applied.has(one.accountId)) outcomes.set(one, decided[index]!);
  }

  async #runLocked(work: readonly MeteringWork[], outcomes: Map<MeteringWork, MeteringOutcome>): Promise<void> {
    if (work.length === 0) return;
    const round = await transactPipelined(this.#pool, async (send) => {
      const result = await this.#decideLocked(send, work);
      // The ended reservations are deleted already.
      const rows = { ...result.rows, ended: [] };
      return { result, last: roundStatement([...result.accounts.values()], rows).compile(this.#db) };
    });
    for (const account of round.accounts.values()) {
      const known = this.#known.get(account.meter.account_id);
      this.#know({ ...account, isShared: known !== undefined && !isSame(known.meter, account.meter) });
    }
    this.#remember(round.rows);
    for (const [index, one] of work.entries()) outcomes.set(one, round.outcomes[index]!);
  }

  async #decideLocked(send: SendStatement, work: readonly MeteringWork[]): Promise<LockedRound> {
    const ended = endedIdsOf(work);
    // Sent together; the database locks before it deletes.
    const [locked, reservations] = await Promise.all([
      send(lockMetersQuery(this.#db, accountIdsOf(work))),
      ended.length === 0 ? [] : send(deleteReservationsQuery(this.#db, ended).compile()),
    ]);
    const accounts = toLocked(locked);
    const round = new Round(this.#options.instanceId, copiesOf(accounts), reservations);
    const usageIds = usageIdsOf(work, round);
    const charged = usageIds.length === 0 ? [] : await send(findUsageQuery(this.#db, usageIds).compile());
    for (const { id } of charged) round.usageIds.add(id);
    const outcomes = work.map((one) => round.decide(one));
    return { outcomes, accounts, rows: round.rows };
  }

  /** @returns the ids of the accounts that had not changed, whose rows are now written */
  async #apply(accounts: readonly KnownAccount[], rows: RoundRows): Promise<ReadonlySet<string>> {
    try {
      const found = await this.#db.executeQuery(roundStatement(accounts, rows).compile(this.#db));
      return new Set(found.rows.map(({ account_id }) => account_id));
    } catch (error) {
      // Also if a reservation was gone. The database applied nothing, and the transaction with locks finds out why.
      if (isDefect(error)) return new Set();
      throw error;
    }
  }

  #remember({ meters, ended, opened }: RoundRows): void {
    for (const meter of meters) this.#know({ ...this.#known.get(meter.account_id)!, meter });
    for (const { id } of ended) this.#open.delete(id);
    for (const reservation of opened) this.#open.set(reservation.id, reservation);
  }

  #know(account: KnownAccount): void {
    const { account_id } = account.meter;
    this.#known.delete(account_id);
    if (this.#known.size >= knownAccountsMax) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(account_id, account);
  }
}

/** Copies that a round may change. */
function copiesOf(accounts: ReadonlyMap<string, LockedAccount>): Map<string, LockedAccount> {
  return new Map([...accounts].map(([id, account]) => [id, { ...account, meter: { ...account.meter } }]));
}

function onlyOf({ meters, ended, opened, usage, movements }: RoundRows, ids: ReadonlySet<string>): RoundRows {
  const isOf = ({ account_id }: { account_id: string }) => ids.has(account_id);
  return {
    meters: meters.filter(isOf),
    ended: ended.filter(isOf),
    opened: opened.filter(isOf),
    usage: usage.filter(isOf),
    movements: movements.filter(isOf),
  };
}

function isSame(one: Meter, other: Meter): boolean {
  return (Object.keys(one) as (keyof Meter)[]).every((column) => one[column] === other[column]);
}

/**
 * The statement locks, in order of their ids, the accounts whose meter, plan and state are as in `accounts`, and writes the rows
 * of these accounts only. A reservation that is gone ends it with a division by zero, which undoes everything.
 */
function roundStatement(accounts: readonly LockedAccount[], { meters, ended, opened, usage, movements }: RoundRows) {
  const given = accounts.map(({ meter, planRow, isClosed }) => {
    return { account_id: meter.account_id, meter, plan: planRow, is_closed: isClosed };
  });
  const json = (rows: readonly unknown[]) => sql`${JSON.stringify(rows)}::jsonb`;
  return sql<{ account_id: string }>`
    with given as materialized (
      select * from jsonb_to_recordset(${json(given)})
        as g(account_id text, meter jsonb, plan jsonb, is_closed boolean)
    ), same as materialized (
      select meters.account_id from given
        join meters on meters.account_id = given.account_id
        join accounts on accounts.id = meters.account_id
        join plans on plans.id = accounts.plan_id
      where to_jsonb(meters) = given.meter and to_jsonb(plans) = given.plan
        and (accounts.closed_at is not null) = given.is_closed
      order by meters.account_id
      for update of meters
    ), ending as materialized (
      select r.id from jsonb_to_recordset(${json(ended)}) as r(id text, account_id text)
      where r.account_id in (select account_id from same)
    ), ended as (
      delete from reservations where id in (select id from ending) returning id
    ), written as (
      update meters set funding = m.funding, available = m.available, held = m.held, spent = m.spent,
        running = m.running, tokens_held = m.tokens_held, recent_requests = m.recent_requests, day = m.day,
        day_requests = m.day_requests, month = m.month, month_tokens = m.month_tokens
      from jsonb_populate_recordset(null::meters, ${json(meters)}) as m
      where meters.account_id = m.account_id and m.account_id in (select account_id from same)
    ), opened as (
      insert into reservations select r.* from jsonb_populate_recordset(null::reservations, ${json(opened)}) as r
      where r.account_id in (select account_id from same)
    ), used as (
      insert into usage select r.* from jsonb_populate_recordset(null::usage, ${json(usage)}) as r
      where r.account_id in (select account_id from same)
    ), moved as (
      insert into movements select r.* from jsonb_populate_recordset(null::movements, ${json(movements)}) as r
      where r.account_id in (select account_id from same)
    )
    select account_id, 1 / (case when (select count(*) from ended) = (select count(*) from ending) then 1 else 0 end)
    from same`;
}
