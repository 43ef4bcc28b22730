/** Input and outcome of a metering round. Types only. */
import type { Counts } from '../base/money.ts';
import type { Plan, Surface } from '../plans/plans.ts';

export type MeteringWork = AdmitWork | SettleWork | ReleaseWork;

/** Admits a request and reserves its maximum price. */
export interface AdmitWork {
  readonly kind: 'admit';
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly requestId: string;
  readonly surface: Surface;
  readonly model: { readonly id: string; readonly plans: readonly string[] };
  /** The request's maximum price on this plan. @throws {AccountError} ERR_AMOUNT_INVALID */
  readonly priceOn: (plan: Plan) => number;
  /** Most tokens that the request can use. */
  readonly tokens: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly deadline: number;
}

/** Charges a request that has run, completely or not. */
export interface SettleWork {
  readonly kind: 'settle';
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly requestId: string;
  readonly model: string;
  /** Slug of the agent that answered. */
  readonly agent?: string | undefined;
  readonly counts: Counts;
  readonly price: number;
  readonly finishReason: string;
  /** The response was sent before the settlement, so no request waits for the flush. */
  readonly isInBackground?: boolean;
  readonly now: number;
}

/** Releases a request that was rejected before its first token, or perhaps never admitted, without a usage row. */
export interface ReleaseWork {
  readonly kind: 'release';
  readonly id: string;
  readonly accountId: string;
  readonly now: number;
}

/** The plan and the response headers of an admitted request. */
export interface Admitted {
  readonly plan: Plan;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Settled {
  /** Micro-dollars charged, at most the reserved amount. */
  readonly price: number;
}

export type MeteringOutcome =
  | { readonly kind: 'admitted'; readonly admitted: Admitted }
  | { readonly kind: 'settled'; readonly settled: Settled }
  | { readonly kind: 'refused'; readonly error: Error };

/** The result of a round. */
export interface CommittedRound {
  /** One for each work item, in order. */
  readonly outcomes: readonly MeteringOutcome[];
  /**
   * Fulfilled when the settlements survive a power failure; they may resolve only then. Undefined if the commit itself is
   * durable or nothing was settled. If it is rejected, the next round must settle them again.
   */
  readonly flushed: Promise<void> | undefined;
}
