/** Sliding-window rate limits per key. Pure: time is an argument. Memory is bounded. */

export interface WindowLimit {
  readonly limit: number;
  readonly windowMs: number;
}

export interface WindowState {
  readonly limit: number;
  readonly remaining: number;
  /** When the oldest event leaves the window, so that another is allowed. */
  readonly resetAt: number;
  readonly isRefused: boolean;
}

/** Number of keys in memory; beyond it the least recently used key is evicted. */
const keysMax = 20_000;

export class SlidingWindows {
  readonly #limit: WindowLimit;
  /** Times of events, oldest first; keys in the order of their last use. */
  readonly #times = new Map<string, number[]>();

  constructor(limit: WindowLimit) {
    this.#limit = limit;
  }

  /** Counts an event if the limit allows it; refused events do not count. */
  take(key: string, now: number): WindowState {
    const { limit, windowMs } = this.#limit;
    const known = this.#times.get(key) ?? [];
    const firstInside = known.findIndex((time) => time > now - windowMs && time <= now);
    const times = firstInside === -1 ? [] : known.slice(firstInside);
    const isRefused = times.length >= limit;
    if (!isRefused) times.push(now);
    this.#times.delete(key);
    this.#times.set(key, times);
    if (this.#times.size > keysMax) this.#times.delete(this.#times.keys().next().value!);
    return { limit, remaining: Math.max(0, limit - times.length), resetAt: (times[0] ?? now) + windowMs, isRefused };
  }
}
