/** What is brought to a metering round, and what comes of it. Types only. */
import type { Counts } from '../base/money.ts';
import type { Plan, Surface } from '../plans/plans.ts';

export type MeteringWork = AdmitWork | SettleWork | ReleaseWork;

/** Wants to run. */
export interface AdmitWork {
  readonly kind: 'admit';
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly requestId: string;
  readonly surface: Surface;
  readonly model: { readonly id: string; readonly plans: readonly string[] };
  /** The worst case's price on this plan. @throws {AccountError} ERR_AMOUNT_INVALID */
  readonly priceOn: (plan: Plan) => number;
  /** Worst case. */
  readonly tokens: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly deadline: number;
}

/** Has run, to its end or not. */
export interface SettleWork {
  readonly kind: 'settle';
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly requestId: string;
  readonly model: string;
  readonly counts: Counts;
  readonly price: number;
  readonly finishReason: string;
  /** Its answer left before it: nobody waits for the disk. */
  readonly isBehind?: boolean;
  readonly now: number;
}

/** Was refused before its first token, or may never have been admitted: leaves no trace. */
export interface ReleaseWork {
  readonly kind: 'release';
  readonly id: string;
  readonly accountId: string;
  readonly now: number;
}

/** What an admitted request is told. */
export interface Admitted {
  readonly plan: Plan;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Settled {
  /** Micro-dollars taken; never more than was reserved. */
  readonly price: number;
}

export type MeteringOutcome =
  | { readonly kind: 'admitted'; readonly admitted: Admitted }
  | { readonly kind: 'settled'; readonly settled: Settled }
  | { readonly kind: 'refused'; readonly error: Error };

/** What a round leaves behind. */
export interface CommittedRound {
  /** One per work, in its order. */
  readonly outcomes: readonly MeteringOutcome[];
  /**
   * Settlements may only be told once it is fulfilled: the end of the machine no longer takes them back. Undefined where the
   * commit was enough, or nothing was settled. When it is rejected, the next round must settle them again.
   */
  readonly flushed: Promise<void> | undefined;
}
