/** The rent of a pod up to a given time, and the time at which a balance is exhausted. Pure: money and time are arguments. */

export const hourMs = 3_600_000;

/** Minimum balance for a deploy, in micro-dollars (C-152). */
export const balanceFloor = 100_000;

export interface RentedPod {
  /** Micro-dollars per hour. */
  readonly price: number;
  /** Start of the paid hour, milliseconds since 1970. */
  readonly runningAt: number;
  /** Micro-dollars billed so far. */
  readonly billed: number;
}

/** @returns micro-dollars for all started seconds from `runningAt` to `at`, rounded up once (C-143) */
export function rentUntil({ price, runningAt }: Pick<RentedPod, 'price' | 'runningAt'>, at: number): number {
  const seconds = Math.ceil(Math.max(0, at - runningAt) / 1000);
  return Number((BigInt(price) * BigInt(seconds) + 3599n) / 3600n);
}

/** @returns the micro-dollars owed for the time after the prepaid hour, less what was billed for it */
export function owedAt(pod: RentedPod, at: number): number {
  if (at <= pod.runningAt + hourMs) return 0;
  return Math.max(0, rentUntil(pod, at) - Math.max(pod.billed, pod.price));
}

/**
 * @param available micro-dollars, after everything owed at `now` was charged
 * @returns the time at which the rent of the pods exhausts it, not before `now`; undefined without pods
 */
export function exhaustionTime(pods: readonly RentedPod[], { available, now }: { available: number; now: number }) {
  // The balance falls linearly between the times at which the first hour of a pod ends.
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
