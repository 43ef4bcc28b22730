/**
 * Quotes for whoever asks over the network: so many per client, and one that anybody may have without asking for a nonce.
 * The platform behind it makes one at a time and keeps its own line short; this keeps one client from filling it.
 */
import { AttestationError } from '../base/errors.ts';
import { ClientBudget, type ClientBudgetLimits } from './client-budget.ts';
import type { AttestedPlatform } from './platform.ts';

export interface QuoteQueueLimits extends ClientBudgetLimits {
  /** How long the quote without a nonce is handed out before another is made. */
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

  /** @param options.now milliseconds that never go back */
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
   * A fresh quote.
   * @param client who asks, as far as is known: an account, or an address
   * @param reportData 64 bytes
   * @throws {AttestationError} ERR_QUOTE_RATE_LIMITED, and as `AttestedPlatform.quote`
   */
  async fresh(client: string, reportData: Uint8Array, options: { signal?: AbortSignal } = {}): Promise<Uint8Array> {
    this.#take(client);
    return this.#platform.quote(reportData, options);
  }

  /**
   * A quote that may be up to `cacheLifetimeMs` old, for those who bring no nonce. Not counted against anybody.
   * @param reportData 64 bytes: the same each time, or a new quote is made
   * @throws {AttestationError} as `AttestedPlatform.quote`
   */
  async cached(reportData: Uint8Array): Promise<Uint8Array> {
    const key = reportData.toString();
    const now = this.#now();
    const found = this.#cached;
    if (found?.key === key && now - found.madeAtMs < this.#limits.cacheLifetimeMs) return (await found.quote).slice();
    // Not with the signal of whoever happens to be first: others wait for the same one.
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

  #take(client: string): void {
    const waitS = this.#budget.take(client);
    if (waitS === 0) return;
    throw new AttestationError('ERR_QUOTE_RATE_LIMITED', `too many quotes asked for: retry after ${waitS} s`);
  }
}
