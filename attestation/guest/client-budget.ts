/** A token bucket per client, for what is scarce and asked for without a key. Pure: the clock is an argument. */

export interface ClientBudgetLimits {
  /** What a client may take at once, and how much comes back per minute. */
  readonly burst: number;
  readonly perMinute: number;
  /** Clients remembered; past it the one that asked longest ago is forgotten, and starts anew. */
  readonly clientsMax: number;
}

interface Bucket {
  tokens: number;
  /** When `tokens` was right. */
  atMs: number;
}

export class ClientBudget {
  readonly #limits: ClientBudgetLimits;
  readonly #now: () => number;
  /** Whoever asked last stands last. */
  readonly #buckets = new Map<string, Bucket>();

  /** @param now milliseconds that never go back */
  constructor(limits: ClientBudgetLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Takes one. @returns 0, or the seconds to wait where there is none left */
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
