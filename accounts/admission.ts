/** One request's way through the accounts: admitted with its worst case set aside, then settled once, however it ends. */
import { randomBytes } from 'node:crypto';
import { type Counts, type Pricing, priceOf, tokensOf } from './base/money.ts';
import type { Caller } from './keys/key-store.ts';
import type { MeteringQueue } from './ledger/metering-queue.ts';
import type { MeteringOutcome, SettleWork } from './ledger/metering-work.ts';
import type { Plan, Surface } from './plans/plans.ts';

/** How long a settlement may keep an answer from ending while the database is away; it is committed later all the same. */
const settleWaitMs = 1_000;

export interface AdmissionRequest {
  readonly caller: Caller;
  /** As the answer's `x-request-id`; ties it to its usage row. */
  readonly requestId: string;
  readonly surface: Surface;
  /** `plans`: those whose accounts may call it, `*` for all, as its catalogue entry says. */
  readonly model: { readonly id: string; readonly plans: readonly string[]; readonly pricing: Pricing };
  /** The worst case. */
  readonly countsMax: Counts;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** When the request will have ended for certain; only counts where this process has no lease. */
  readonly deadline: number;
}

export interface RequestEnd {
  /** What was used, as far as it came. */
  readonly counts: Counts;
  /** `stop`, `length`, `tool_calls`, or the error code that cut it short. */
  readonly finishReason: string;
  readonly now: number;
}

export interface Admission {
  readonly plan: Plan;
  /** `x-ratelimit-*`, for every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Micro-dollars set aside. */
  readonly reserved: number;
  /**
   * Charges what was used, at most what was set aside, and frees the rest. The first call of `settle` or `release`
   * counts, later ones return its result.
   * @returns the price, once committed, or at the latest after a second: then it is committed as soon as the database answers
   */
  settle(end: RequestEnd): Promise<number>;
  /**
   * As `settle`, for an answer that is told whole and need not wait for the disk: whatever this process reads after the answer
   * was sent finds it charged.
   * @param options.onFailure hears of a charge that failed once the answer was let go
   * @returns the price, when the answer may be sent: written in the same turn of the event loop, it leaves before the commit
   */
  settleBehind(end: RequestEnd, options: { onFailure: (error: unknown) => void }): Promise<number>;
  /** For a request that was refused before its first token: as if it had never been. */
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
  async admit({ caller, requestId, surface, model, countsMax, now, deadline }: AdmissionRequest): Promise<Admission> {
    // Rising, so that rows of one time lie together.
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
      return { ...end, kind: 'settle', id, accountId, keyId, requestId, model: model.id, price };
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
      settleBehind: async (end, { onFailure }) => {
        if (!this.#commitsInTurn) return await settle(end);
        const price = priceAt(end);
        ended ??= this.#queue
          .do({ ...settleWork(end, price), isBehind: true }, { inTurn: true })
          .then((outcome) => priceTaken(outcome, price));
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

/** Names one run of one process. */
export function newInstanceId(now: number): string {
  return `${now.toString(36)}-${randomBytes(9).toString('base64url')}`;
}

/** @returns what was taken, or `price` where it takes longer than a request should */
async function inTime(outcome: Promise<MeteringOutcome>, price: number): Promise<number> {
  const timer = Promise.withResolvers<undefined>();
  const timeout = setTimeout(timer.resolve, settleWaitMs, undefined);
  try {
    return priceTaken(await Promise.race([outcome, timer.promise]), price);
  } finally {
    clearTimeout(timeout);
    // Who no longer waits must not hear of it as an unhandled rejection.
    outcome.catch(() => undefined);
  }
}

function priceTaken(outcome: MeteringOutcome | undefined, price: number): number {
  return outcome?.kind === 'settled' ? outcome.settled.price : price;
}

function expectAdmitted(outcome: MeteringOutcome) {
  if (outcome.kind === 'refused') throw outcome.error;
  if (outcome.kind !== 'admitted') throw new TypeError('an admission was answered as a settlement');
  return outcome.admitted;
}
