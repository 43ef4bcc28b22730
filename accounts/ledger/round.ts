/** Decides the work of one round on rows that were read before, and collects the rows to write. Does no I/O. */
import { AccountError } from '../base/errors.ts';
import { tokensOf } from '../base/money.ts';
import type { Tables } from '../base/tables.ts';
import { claim, limitHeaders, type Meter, openWindows } from '../plans/limits.ts';
import { planHasModel } from '../plans/plans.ts';
import type { AdmitWork, MeteringOutcome, MeteringWork, ReleaseWork, SettleWork } from './metering-work.ts';
import { endReservation, type LockedAccount, type Reservation } from './meters.ts';

/** What a round writes. */
export interface RoundRows {
  /** The changed meters. */
  readonly meters: readonly Tables['meters'][];
  /** Reservations to delete. */
  readonly ended: readonly Reservation[];
  readonly opened: readonly Reservation[];
  readonly usage: readonly Tables['usage'][];
  readonly movements: readonly Tables['movements'][];
}

/** The rows that one round has read, its decisions in order of arrival, and the rows to write. */
export class Round {
  readonly reservations: Map<string, Reservation>;
  /** Ids of usage rows that exist for settlements without a reservation. */
  readonly usageIds = new Set<string>();
  readonly #instanceId: string;
  readonly #accounts: Map<string, LockedAccount>;
  readonly #touched = new Set<string>();
  readonly #opened: Reservation[] = [];
  readonly #usage: Tables['usage'][] = [];
  readonly #movements: Tables['movements'][] = [];
  readonly #ended: Reservation[] = [];

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

  /** The rows to write after all decisions. */
  get rows(): RoundRows {
    return {
      meters: [...this.#touched].map((id) => this.#accounts.get(id)!.meter),
      ended: this.#ended,
      opened: this.#opened,
      usage: this.#usage,
      movements: this.#movements,
    };
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
    this.#ended.push(reservation);
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

/** Builds the usage row of a request. */
export function usageRow(
  { accountId, keyId, requestId, model, agent, counts, finishReason, now }: Omit<SettleWork, 'kind' | 'id' | 'price'>,
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
    agent: agent ?? null,
  };
}
