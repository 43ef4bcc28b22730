/**
 * Sliding window over the requests of the last minute: the limit applies to every interval of 60 seconds. Pure: the time is
 * an argument and may go back. Stored as a JSON array in one column: the first time, then the difference to each further
 * time; a negative number counts further requests at the preceding time.
 */

/** Length of the window, milliseconds. */
const windowMs = 60_000;

/** Most distinct times. A larger limit is counted in slots; all requests of a slot leave the window together, at its end. */
const slotsMax = 600;

export interface RequestWindow {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds since 1970 at which the next request is admitted (`freeAt`) and the window is empty (`fullAt`). */
  readonly freeAt: number;
  readonly fullAt: number;
  /** The value to store without a further request; differs from the stored value only after a clock went back. */
  readonly text: string;
  /** The value to store with one more request. */
  withOneMore(): string;
}

/** Arrays of the same length: times in ascending order, and the number of requests at each. */
interface Moments {
  readonly times: number[];
  readonly counts: number[];
}

/**
 * @param text the stored value; empty without requests
 * @param limit requests in any 60 seconds
 */
export function readWindow(text: string, { limit, now }: { limit: number; now: number }): RequestWindow {
  const slotMs = limit <= slotsMax ? 1 : windowMs / slotsMax;
  const heldMs = windowMs + slotMs - 1;
  const { moments, isAhead } = parse(text, { since: now - heldMs, now });
  const { times, counts } = moments;
  const taken = counts.reduce((sum, count) => sum + count, 0);
  const emptyAt = limit === 0 ? now + windowMs : undefined;
  return {
    limit,
    remaining: Math.max(0, limit - taken),
    freeAt: emptyAt ?? leavesAt(moments, taken - limit + 1, heldMs) ?? now,
    fullAt: emptyAt ?? (times.length === 0 ? now : times.at(-1)! + heldMs),
    text: isAhead ? format(moments) : text,
    withOneMore() {
      const time = Math.max(Math.floor(now / slotMs) * slotMs, times.at(-1) ?? 0);
      return format({ times: [...times, time], counts: [...counts, 1] });
    },
  };
}

/** The time at which `leaving` requests have left the window; undefined if `leaving` is not positive. */
function leavesAt({ times, counts }: Moments, leaving: number, heldMs: number): number | undefined {
  if (leaving <= 0) return undefined;
  let left = 0;
  const last = counts.findIndex((count) => {
    left += count;
    return left >= leaving;
  });
  return times[last]! + heldMs;
}

/**
 * Parses the requests after `since`. After a clock went back, times in the future are set to `now`, so that they block
 * requests for one window at most.
 */
function parse(text: string, { since, now }: { since: number; now: number }) {
  const moments: Moments = { times: [], counts: [] };
  let [kept, isAhead] = [0, false];
  for (const number of text === '' ? [] : (JSON.parse(text) as number[])) {
    const count = number < 0 ? -number : 1;
    if (number > 0) kept += number;
    if (kept > now) isAhead = true;
    if (kept > since) add(moments, Math.min(kept, now), count);
  }
  return { moments, isAhead };
}

function add({ times, counts }: Moments, time: number, count: number): void {
  const last = times.length - 1;
  if (times[last] === time) counts[last]! += count;
  else {
    times.push(time);
    counts.push(count);
  }
}

function format({ times, counts }: Moments): string {
  const numbers: number[] = [];
  let [before, repeats] = [0, 0];
  const endTime = () => {
    if (repeats > 0) numbers.push(-repeats);
    repeats = 0;
  };
  for (const [index, time] of times.entries()) {
    if (time > before) {
      endTime();
      numbers.push(time - before);
      repeats = counts[index]! - 1;
      before = time;
    } else repeats += counts[index]!;
  }
  endTime();
  return JSON.stringify(numbers);
}
