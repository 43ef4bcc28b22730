/**
 * Metering rounds on PostgreSQL in one round trip. The process remembers how it left the accounts that it served last,
 * decides on these rows, and sends one statement that applies the decision to the accounts for which it still holds: their rows
 * are the same, or have what the decision needs. A transaction with locks decides for every other account, for accounts that this
 * process does not know, and for requests that it did not admit. So each decision is as exact as under locks.
 */
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Tables } from '../base/tables.ts';
import { type SendStatement, transactPipelined } from '../database/pipelined.ts';
import { isDefect } from '../database/store-faults.ts';
import type { Meter } from '../plans/limits.ts';
import { accountIdsOf, endedIdsOf, findUsageQuery, type RoundOptions, usageIdsOf } from './metering-round.ts';
import type { CommittedRound, MeteringOutcome, MeteringWork } from './metering-work.ts';
import { deleteReservationsQuery, type LockedAccount, lockMetersQuery, type Reservation, toLocked } from './meters.ts';
import { Round, type RoundRows } from './round.ts';
import { type Room, roundStatement } from './round-statement.ts';

/** Most accounts that a process remembers; the oldest is forgotten first. */
const knownAccountsMax = 4_096;

interface KnownAccount extends LockedAccount {
  /**
   * Whether another process changed the account between the last two rounds. A decision that needs the same row is then made under
   * locks at once, which takes fewer trips.
   */
  readonly isShared: boolean;
}

/** A decision on an account as it is remembered, to be sent. */
interface SentAccount extends KnownAccount {
  readonly room: Room | undefined;
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
    return this.#known.has(accountId) && (kind === 'admit' || this.#open.has(id));
  }

  /** Adds the outcomes of the accounts to which the decision was applied. */
  async #runStatement(work: readonly MeteringWork[], outcomes: Map<MeteringWork, MeteringOutcome>): Promise<void> {
    if (work.length === 0) return;
    const before = new Map(work.map(({ accountId }) => [accountId, this.#known.get(accountId)!]));
    const reservations = work.filter(({ kind }) => kind !== 'admit').map(({ id }) => this.#open.get(id)!);
    const round = new Round(this.#options.instanceId, copiesOf(before), reservations);
    const decided = new Map(work.map((one) => [one, round.decide(one)]));
    const { rows } = round;
    const sent = sentAccounts(before, decided, rows);
    if (sent.length === 0) return;
    const applied = await this.#apply(sent, onlyOf(rows, new Set(sent.map(({ meter }) => meter.account_id))));
    const meters = [...applied.values()].filter((meter) => meter !== null);
    this.#remember({ ...onlyOf(rows, applied), meters });
    for (const { room: _, ...account } of sent) {
      if (!applied.has(account.meter.account_id)) this.#know({ ...account, isShared: true });
    }
    for (const [one, outcome] of decided) if (applied.has(one.accountId)) outcomes.set(one, outcome);
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

  /** @returns the accounts to which the rows were applied, with their meters after that; null if those were not changed */
  async #apply(accounts: readonly SentAccount[], rows: RoundRows): Promise<ReadonlyMap<string, Meter | null>> {
    try {
      const found = await this.#db.executeQuery(roundStatement(accounts, rows).compile(this.#db));
      return new Map(found.rows.map(({ account_id, meter }) => [account_id, meter]));
    } catch (error) {
      // Also if a reservation was gone. The database applied nothing, and the transaction with locks finds out why.
      if (isDefect(error)) return new Map();
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

/** Leaves out the accounts whose decisions need the same row and that other processes change. */
function sentAccounts(
  before: ReadonlyMap<string, KnownAccount>,
  decided: ReadonlyMap<MeteringWork, MeteringOutcome>,
  rows: RoundRows,
): SentAccount[] {
  const outcomes = Map.groupBy(decided.entries(), ([{ accountId }]) => accountId);
  const opened = Map.groupBy(rows.opened, ({ account_id }) => account_id);
  const after = new Map(rows.meters.map((meter) => [meter.account_id, meter]));
  return [...before].flatMap(([id, account]) => {
    const isRefused = outcomes.get(id)!.some(([, { kind }]) => kind === 'refused');
    const room = isRefused ? undefined : roomOf(account, after.get(id), opened.get(id) ?? []);
    return room === undefined && account.isShared ? [] : [{ ...account, room }];
  });
}

/**
 * What accepted requests need of an account, whichever its row is: settlements and releases need nothing, because the amounts are
 * reserved.
 * @param after the meter as the decision leaves it · @returns undefined if the decision depends on the whole row
 */
function roomOf(
  { plan, meter }: LockedAccount,
  after: Meter | undefined,
  opened: readonly Reservation[],
): Room | undefined {
  if (after?.day !== meter.day || after.month !== meter.month) return undefined;
  const { requestsPerMinute, requestsPerDay, tokensPerMonth } = plan;
  const isCounted = [requestsPerMinute, requestsPerDay, tokensPerMonth].some((limit) => limit !== undefined);
  if (opened.length > 0 && isCounted) return undefined;
  return { price: opened.reduce((sum, { price }) => sum + price, 0), places: opened.length };
}

function onlyOf(
  { meters, ended, opened, usage, movements }: RoundRows,
  ids: Pick<ReadonlySet<string>, 'has'>,
): RoundRows {
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
