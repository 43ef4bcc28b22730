/** A token bucket per client, for scarce resources that need no API key. Pure: the clock is an argument. */

export interface ClientBudgetLimits {
  /** Burst size, and tokens refilled per minute. */
  readonly burst: number;
  readonly perMinute: number;
  /** Maximum number of clients; beyond it, the least recent client is evicted and starts with a full budget. */
  readonly clientsMax: number;
}

interface Bucket {
  tokens: number;
  /** The time for which `tokens` is valid. */
  atMs: number;
}

export class ClientBudget {
  readonly #limits: ClientBudgetLimits;
  readonly #now: () => number;
  /** In the order of the last request. */
  readonly #buckets = new Map<string, Bucket>();

  /** @param now a monotonic clock in milliseconds */
  constructor(limits: ClientBudgetLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Takes one token. @returns 0, or the seconds until the next token */
  take(client: string): number {
    const { burst, perMinute, clientsMax } = this.#limits;
    const now = this.#now();
    const found = this.#buckets.get(client) ?? { tokens: burst, atMs: now };
    const tokens = Math.min(burst, found.tokens + ((now - found.atMs) * perMinute) / 60_000);
    this.#buckets.delete(client);
    this.#buckets.set(client, { tokens: tokens < 1 ? tokens : tokens - 1, atMs: now });
    if (this.#buckets.size > clientsMax) this.#buckets.delete(this.#buckets.keys().next().value!);
    return tokens >= 1 ? 0 : Math.ceil((1 - tokens) * (60 / perMinute));
  }
}
