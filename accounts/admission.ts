/** Admits a request by reserving its maximum cost, and settles or releases the reservation exactly once. */
import { randomBytes } from 'node:crypto';
import { type Counts, type Pricing, priceOf, tokensOf } from './base/money.ts';
import type { Caller } from './keys/key-store.ts';
import type { MeteringQueue } from './ledger/metering-queue.ts';
import type { MeteringOutcome, SettleWork } from './ledger/metering-work.ts';
import type { Plan, Surface } from './plans/plans.ts';

/** Longest time for which a settlement delays a response while the database is down; the queue then commits it later. */
const settleWaitMs = 1_000;

export interface AdmissionRequest {
  readonly caller: Caller;
  /** The response's `x-request-id`, which is stored in the usage row. */
  readonly requestId: string;
  readonly surface: Surface;
  /** `plans`: the plans that may use the model, as in its catalogue entry; `*` for all. */
  readonly model: { readonly id: string; readonly plans: readonly string[]; readonly pricing: Pricing };
  /** Slug of the agent that answers, for the usage row. */
  readonly agent?: string | undefined;
  /** Upper bound of the tokens, images and steps that the request can use. */
  readonly countsMax: Counts;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds since 1970 by which the request has ended. Only used if this process has no lease. */
  readonly deadline: number;
}

export interface RequestEnd {
  /** Tokens, images and steps used until the end. */
  readonly counts: Counts;
  /** `stop`, `length`, `tool_calls`, or the error code that cut it short. */
  readonly finishReason: string;
  readonly now: number;
}

export interface Admission {
  readonly plan: Plan;
  /** The `x-ratelimit-*` headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Micro-dollars reserved. */
  readonly reserved: number;
  /**
   * Charges the usage, up to the reserved amount, and releases the rest. Only the first call of `settle` or `release`
   * has an effect; later calls return its result.
   * @returns the price, when it is committed or after one second; in that case the queue commits it later
   */
  settle(end: RequestEnd): Promise<number>;
  /**
   * Like `settle`, for a response that is sent in one piece and need not wait for the commit. Anything that this process
   * reads after it sent the response sees the charge.
   * @param options.onFailure called if the charge fails after the response was sent
   * @returns the price, when the response may be sent; sent in the same turn of the event loop, it precedes the commit
   */
  settleInBackground(end: RequestEnd, options: { onFailure: (error: unknown) => void }): Promise<number>;
  /** Releases the reservation of a request that was rejected before its first token, without a trace in usage or limits. */
  release(end: { now: number }): Promise<void>;
}

export class Admissions {
  readonly #queue: MeteringQueue;
  readonly #prefix: string;
  readonly #commitsInTurn: boolean;
  #count = 0;

  /** @param options.commitsInTurn whether a round is committed before the event loop reads anything else, as on SQLite */
  constructor(queue: MeteringQueue, { instanceId, commitsInTurn }: { instanceId: string; commitsInTurn: boolean }) {
    this.#queue = queue;
    this.#prefix = `${instanceId}.`;
    this.#commitsInTurn = commitsInTurn;
  }

  /** @throws {AccountError} ERR_MODEL_NOT_IN_PLAN, ERR_RATE_LIMIT, ERR_QUOTA, ERR_BALANCE, ERR_STORE_UNAVAILABLE, … */
  async admit({
    caller,
    requestId,
    surface,
    model,
    agent,
    countsMax,
    now,
    deadline,
  }: AdmissionRequest): Promise<Admission> {
    // Ids increase, so that rows of about the same time are adjacent in the index.
    this.#count += 1;
    const id = this.#prefix + this.#count.toString(36).padStart(8, '0');
    const { accountId, keyId } = caller;
    const priceOn = (counts: Counts) => (plan: Plan) => priceOf(counts, model.pricing, { percent: plan.pricePercent });
    const priceMaxOn = priceOn(countsMax);
    const work = { id, accountId, keyId, requestId, surface, now, deadline, tokens: tokensOf(countsMax) };
    const { plan, headers } = expectAdmitted(
      await this.#queue.do({ ...work, kind: 'admit', model, priceOn: priceMaxOn }),
    );
    let ended: Promise<number> | undefined;
    const reserved = priceMaxOn(plan);
    const priceAt = ({ counts }: RequestEnd) => Math.min(priceOn(counts)(plan), reserved);
    const settleWork = (end: RequestEnd, price: number): SettleWork => {
      return { ...end, kind: 'settle', id, accountId, keyId, requestId, model: model.id, agent, price };
    };
    const settle = (end: RequestEnd) => {
      const price = priceAt(end);
      ended ??= inTime(this.#queue.do(settleWork(end, price)), price);
      return ended;
    };
    return {
      plan,
      headers,
      reserved,
      settle,
      settleInBackground: async (end, { onFailure }) => {
        if (!this.#commitsInTurn) return await settle(end);
        const price = priceAt(end);
        ended ??= this.#queue
          .do({ ...settleWork(end, price), isInBackground: true }, { inTurn: true })
          .then((outcome) => chargedPrice(outcome, price));
        ended.catch(onFailure);
        return price;
      },
      release: async (end) => {
        ended ??= inTime(this.#queue.do({ kind: 'release', id, accountId, now: end.now }), 0);
        await ended;
      },
    };
  }
}

/** Generates the id of a process run. */
export function newInstanceId(now: number): string {
  return `${now.toString(36)}-${randomBytes(9).toString('base64url')}`;
}

/** @returns the amount charged, or `price` after `settleWaitMs` */
async function inTime(outcome: Promise<MeteringOutcome>, price: number): Promise<number> {
  const timer = Promise.withResolvers<undefined>();
  const timeout = setTimeout(timer.resolve, settleWaitMs, undefined);
  try {
    return chargedPrice(await Promise.race([outcome, timer.promise]), price);
  } finally {
    clearTimeout(timeout);
    // After a timeout a later failure must not become an unhandled rejection.
    outcome.catch(() => undefined);
  }
}

function chargedPrice(outcome: MeteringOutcome | undefined, price: number): number {
  return outcome?.kind === 'settled' ? outcome.settled.price : price;
}

function expectAdmitted(outcome: MeteringOutcome) {
  if (outcome.kind === 'refused') throw outcome.error;
  if (outcome.kind !== 'admitted')
    throw new TypeError('expected the outcome of an admission, got that of a settlement');
  return outcome.admitted;
}
