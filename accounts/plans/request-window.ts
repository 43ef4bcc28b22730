/**
 * The requests of the last minute, for a limit that holds in every stretch of 60 seconds. Pure: time is an argument and may go
 * back. Kept as the text of a JSON array, so that one column of one row holds it on either database: the first time, then the
 * distance of each further one; a negative number says how many more there are at the time before it.
 */

/** Length of the window, milliseconds. */
const windowMs = 60_000;

/** Times that are kept apart. A larger limit is counted in slots, each of which leaves the window as a whole, at its end. */
const slotsMax = 600;

export interface RequestWindow {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds since 1970: when one more request has a place, and when all have left the window. */
  readonly freeAt: number;
  readonly fullAt: number;
  /** What is kept if nothing is added; it differs from what was read only where a clock went back. */
  readonly text: string;
  /** What is kept with one more request. */
  withOneMore(): string;
}

/** Of the same length: times, none before the one that precedes it, and how many requests there were at each. */
interface Moments {
  readonly times: number[];
  readonly counts: number[];
}

/**
 * @param text as it was kept, empty for none
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

/** When so many requests have left the window; undefined where none has to. */
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
 * Those after `since`. After a clock went back, what lies ahead counts from now on, so that it shuts nobody out for longer than
 * a window.
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
