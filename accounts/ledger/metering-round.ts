/**
 * Admits and settles any number of requests in one transaction: locks the meters of their accounts, decides in order of
 * arrival and writes the sums. Every decision uses rows read under these locks, so it is exact with concurrent
 * processes. Settlements are flushed to disk before they resolve. Admissions are not: a reservation is only needed while
 * its process is alive.
 */
import type { Transaction } from 'kysely';
import { AccountError } from '../base/errors.ts';
import { tokensOf } from '../base/money.ts';
import type { Tables } from '../base/tables.ts';
import type { CompiledQueries } from '../database/compiled-queries.ts';
import { type Database, transactUnflushed } from '../database/database.ts';
import { claim, limitHeaders, type Meter, openWindows } from '../plans/limits.ts';
import { planHasModel } from '../plans/plans.ts';
import type {
  AdmitWork,
  CommittedRound,
  MeteringOutcome,
  MeteringWork,
  ReleaseWork,
  SettleWork,
} from './metering-work.ts';
import {
  deleteReservations,
  endReservation,
  type LockedAccount,
  lockMeters,
  type Reservation,
  writeMeters,
} from './meters.ts';

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
  const run = async (transaction: Transaction<Tables>) => {
    const accounts = await lockMeters(transaction, [...new Set(work.map(({ accountId }) => accountId))], {
      kind,
      queries,
    });
    const ended = work.filter((one) => one.kind !== 'admit').map(({ id }) => id);
    const round = new Round(instanceId, accounts, await deleteReservations(transaction, ended, queries));
    const unknown = ended.filter((id) => !round.reservations.has(id));
    for (const id of await findUsage(transaction, unknown, queries)) round.usageIds.add(id);
    const outcomes = work.map((one) => round.decide(one));
    await round.write(transaction, queries);
    return outcomes;
  };
  const outcomes = await transactUnflushed(database, run);
  const settlements = work.filter((one) => one.kind === 'settle');
  // Do not block the thread for a settlement whose response is already sent.
  const isAlone = work.length === 1 && settlements[0]?.isInBackground !== true;
  return { outcomes, flushed: settlements.length > 0 ? log?.flush({ isAlone }) : undefined };
}

/** The rows that one round has read, and the rows to write. */
class Round {
  readonly reservations: Map<string, Reservation>;
  /** Ids of usage rows that exist for settlements without a reservation. */
  readonly usageIds = new Set<string>();
  readonly #instanceId: string;
  readonly #accounts: Map<string, LockedAccount>;
  readonly #touched = new Set<string>();
  readonly #opened: Reservation[] = [];
  readonly #usage: Tables['usage'][] = [];
  readonly #movements: Tables['movements'][] = [];

  constructor(instanceId: string, accounts: Map<string, LockedAccount>, reservations: readonly Reservation[]) {
    this.#instanceId = instanceId;
    this.#accounts = accounts;
    this.reservations = new Map(reservations.map((reservation) => [reservation.id, reservation]));
  }

  decide(work: MeteringWork): MeteringOutcome {
    try {
      const account = this.#accounts.get(work.accountId);
      if (account === undefined) throw new AccountError('ERR_ACCOUNT_UNKNOWN', "the key's account does not exist");
      switch (work.kind) {
        case 'admit':
          return this.#admit(work, account);
        case 'settle':
          return this.#settle(work, account);
        case 'release':
          return this.#release(work, account);
      }
    } catch (error) {
      if (error instanceof AccountError) return { kind: 'refused', error };
      throw error;
    }
  }

  async write(transaction: Transaction<Tables>, queries: CompiledQueries): Promise<void> {
    const meters = [...this.#touched].map((id) => this.#accounts.get(id)!.meter);
    await writeMeters(transaction, meters, queries);
    await queries.byRows(transaction, {
      name: 'open reservations',
      rows: this.#opened,
      build: (rows) => transaction.insertInto('reservations').values(rows),
    });
    await queries.byRows(transaction, {
      name: 'write usage',
      rows: this.#usage,
      build: (rows) => transaction.insertInto('usage').values(rows),
    });
    await queries.byRows(transaction, {
      name: 'write movements',
      rows: this.#movements,
      build: (rows) => transaction.insertInto('movements').values(rows),
    });
  }

  #admit(work: AdmitWork, { meter, plan, isClosed }: LockedAccount): MeteringOutcome {
    const { id, accountId, keyId, requestId, model, tokens, now, deadline } = work;
    if (isClosed) throw new AccountError('ERR_ACCOUNT_CLOSED', "the key's account is closed");
    if (!planHasModel(plan, { ...model, surface: work.surface })) {
      throw new AccountError('ERR_MODEL_NOT_IN_PLAN', `the plan ${plan.id} does not have this model`, {
        details: { plan: plan.id },
      });
    }
    const price = work.priceOn(plan);
    const { recent_requests } = meter;
    try {
      claim(meter, plan, { price, tokens, now });
    } finally {
      // After a rejection, write the meter only if the claim corrected times from a wrong clock.
      if (meter.recent_requests !== recent_requests) this.#touched.add(accountId);
    }
    this.#touched.add(accountId);
    this.#opened.push({
      id,
      account_id: accountId,
      key_id: keyId,
      request_id: requestId,
      model: model.id,
      instance_id: this.#instanceId,
      price,
      tokens,
      created_at: now,
      deadline,
    });
    return { kind: 'admitted', admitted: { plan, headers: limitHeaders(meter, plan, now) } };
  }

  #settle(work: SettleWork, { meter }: LockedAccount): MeteringOutcome {
    const reservation = this.#take(work.id, meter);
    if (reservation !== undefined) {
      return {
        kind: 'settled',
        settled: { price: this.#charge(work, meter, { id: work.id, most: reservation.price }) },
      };
    }
    // Either the response of an earlier commit was lost, or a sweep released the request as lost.
    const lateId = `${work.id}.late`;
    if (this.usageIds.has(work.id) || this.usageIds.has(lateId)) {
      return { kind: 'settled', settled: { price: work.price } };
    }
    this.usageIds.add(lateId);
    return { kind: 'settled', settled: { price: this.#charge(work, meter, { id: lateId, most: meter.available }) } };
  }

  #release(work: ReleaseWork, { meter }: LockedAccount): MeteringOutcome {
    const reservation = this.#take(work.id, meter);
    openWindows(meter, work.now);
    // A released request does not count against the daily limit.
    if (reservation !== undefined) meter.day_requests = Math.max(0, meter.day_requests - 1);
    return { kind: 'settled', settled: { price: 0 } };
  }

  /** Ends a reservation and makes its amount available again. */
  #take(id: string, meter: Meter): Reservation | undefined {
    const reservation = this.reservations.get(id);
    if (reservation === undefined) return undefined;
    this.reservations.delete(id);
    this.usageIds.add(id);
    this.#touched.add(meter.account_id);
    endReservation(meter, reservation);
    return reservation;
  }

  /** @returns micro-dollars charged */
  #charge(work: SettleWork, meter: Meter, { id, most }: { id: string; most: number }): number {
    const price = Math.min(work.price, most, meter.available);
    openWindows(meter, work.now);
    meter.month_tokens += tokensOf(work.counts);
    meter.available -= price;
    meter.spent += price;
    this.#touched.add(meter.account_id);
    this.#usage.push(usageRow(work, { id, price }));
    if (price > 0) {
      this.#movements.push({
        id: `charge:${id}`,
        account_id: meter.account_id,
        kind: 'charge',
        from_side: 'available',
        to_side: 'spent',
        micro_dollars: price,
        at: work.now,
      });
    }
    return price;
  }
}

/** Finds which of these requests are already charged, in time or late. */
async function findUsage(
  transaction: Transaction<Tables>,
  ids: readonly string[],
  queries: CompiledQueries,
): Promise<string[]> {
  const rows = await queries.byIds(transaction, {
    name: 'find usage',
    ids: ids.flatMap((id) => [id, `${id}.late`]),
    build: (some) => transaction.selectFrom('usage').select('id').where('id', 'in', some),
  });
  return rows.map(({ id }) => id);
}

export function usageRow(
  { accountId, keyId, requestId, model, counts, finishReason, now }: Omit<SettleWork, 'kind' | 'id' | 'price'>,
  { id, price }: { id: string; price: number },
): Tables['usage'] {
  return {
    id,
    account_id: accountId,
    key_id: keyId,
    request_id: requestId,
    model,
    at: Math.floor(now / 1000),
    prompt_tokens: counts.promptTokens,
    completion_tokens: counts.completionTokens,
    images: counts.images ?? 0,
    steps: counts.steps ?? 0,
    price,
    finish_reason: finishReason,
  };
}
