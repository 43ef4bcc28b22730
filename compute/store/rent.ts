/** What a pod costs up to a moment, and when an account's money will be used up. Pure: money and time are arguments. */

export const hourMs = 3_600_000;

/** No pod is let to an account with less than this, micro-dollars (C-152). */
export const balanceFloor = 100_000;

export interface RentedPod {
  /** Micro-dollars per hour. */
  readonly price: number;
  /** When its hour began, milliseconds since 1970. */
  readonly runningAt: number;
  /** Micro-dollars that were taken for it. */
  readonly billed: number;
}

/** @returns micro-dollars for all started seconds from `runningAt` to `at`, rounded up once (C-143) */
export function rentUntil({ price, runningAt }: Pick<RentedPod, 'price' | 'runningAt'>, at: number): number {
  const seconds = Math.ceil(Math.max(0, at - runningAt) / 1000);
  return Number((BigInt(price) * BigInt(seconds) + 3599n) / 3600n);
}

/** What is owed beyond the prepaid hour and what was taken since, micro-dollars. */
export function owedAt(pod: RentedPod, at: number): number {
  if (at <= pod.runningAt + hourMs) return 0;
  return Math.max(0, rentUntil(pod, at) - Math.max(pod.billed, pod.price));
}

/**
 * @param available micro-dollars, after everything owed at `now` was taken
 * @returns the moment at which pods beyond their first hour have used it up, not before `now`; undefined without pods
 */
export function exhaustionTime(pods: readonly RentedPod[], { available, now }: { available: number; now: number }) {
  // Between two moments at which a pod's first hour ends, the money runs down evenly.
  const starts = pods.map(({ price, runningAt }) => ({ price, from: Math.max(now, runningAt + hourMs) }));
  starts.sort((a, b) => a.from - b.from);
  let left = available;
  let rate = 0;
  let time = now;
  for (const { price, from } of starts) {
    const until = rate === 0 ? undefined : time + (left * hourMs) / rate;
    if (until !== undefined && until <= from) return Math.ceil(until);
    left -= (rate * (from - time)) / hourMs;
    time = from;
    rate += price;
  }
  return rate === 0 ? undefined : Math.ceil(time + (left * hourMs) / rate);
}
