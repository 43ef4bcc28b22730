/**
 * Quotes for network clients: rate-limited per client, plus one cached quote without a nonce for all. The platform's own queue is short; the
 * limit keeps one client from filling it.
 */
import { AttestationError } from '../base/errors.ts';
import { ClientBudget, type ClientBudgetLimits } from './client-budget.ts';
import type { AttestedPlatform } from './platform.ts';

export interface QuoteQueueLimits extends ClientBudgetLimits {
  /** How long the quote without a nonce is cached. */
  readonly cacheLifetimeMs: number;
}

export const quoteQueueLimits: QuoteQueueLimits = {
  burst: 4,
  perMinute: 12,
  clientsMax: 10_000,
  cacheLifetimeMs: 10 * 60_000,
};

export class QuoteQueue {
  readonly #platform: Pick<AttestedPlatform, 'quote'>;
  readonly #limits: QuoteQueueLimits;
  readonly #now: () => number;
  readonly #budget: ClientBudget;
  #cached: { key: string; quote: Promise<Uint8Array>; madeAtMs: number } | undefined;

  /** @param options.now a monotonic clock in milliseconds */
  constructor(
    platform: Pick<AttestedPlatform, 'quote'>,
    { now, limits = quoteQueueLimits }: { now: () => number; limits?: QuoteQueueLimits },
  ) {
    this.#platform = platform;
    this.#now = now;
    this.#limits = limits;
    this.#budget = new ClientBudget(limits, now);
  }

  /**
   * Makes a fresh quote.
   * @param client the account or address of the client, as far as known
   * @param reportData 64 bytes
   * @throws {AttestationError} ERR_QUOTE_RATE_LIMITED, and as `AttestedPlatform.quote`
   */
  async fresh(client: string, reportData: Uint8Array, options: { signal?: AbortSignal } = {}): Promise<Uint8Array> {
    this.#take(client);
    return this.#platform.quote(reportData, options);
  }

  /**
   * A quote up to `cacheLifetimeMs` old, for requests without a nonce. Not rate-limited.
   * @param reportData 64 bytes; a change causes a new quote
   * @throws {AttestationError} as `AttestedPlatform.quote`
   */
  async cached(reportData: Uint8Array): Promise<Uint8Array> {
    const key = reportData.toString();
    const now = this.#now();
    const found = this.#cached;
    if (found?.key === key && now - found.madeAtMs < this.#limits.cacheLifetimeMs) return (await found.quote).slice();
    // Without the first caller's signal, because other callers wait for the same quote.
    const quote = this.#platform.quote(reportData);
    const made = { key, quote, madeAtMs: now };
    this.#cached = made;
    try {
      return (await quote).slice();
    } catch (error) {
      if (this.#cached === made) this.#cached = undefined;
      throw error;
    }
  }

  /** Time since the cached quote was requested, milliseconds; undefined without one. */
  get cachedAgeMs(): number | undefined {
    return this.#cached === undefined ? undefined : this.#now() - this.#cached.madeAtMs;
  }

  #take(client: string): void {
    const waitS = this.#budget.take(client);
    if (waitS === 0) return;
    throw new AttestationError('ERR_QUOTE_RATE_LIMITED', `too many quote requests: retry after ${waitS} s`);
  }
}
