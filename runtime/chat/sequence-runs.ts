/**
 * Chooses sequences by number. llama.cpp computes sequences in one forward pass only if their numbers are consecutive: a
 * gap between busy sequences costs another pass over all weights in every step. Pure.
 */

/** [sequences] Whether each sequence is busy. */
export type Busy = readonly boolean[];

interface Run {
  readonly first: number;
  readonly last: number;
}

/** @returns the idle sequences with which the busy ones form the fewest runs of consecutive numbers */
export function idleNextToBusy(busy: Busy): number[] {
  const idle = [...busy.keys()].filter((index) => !busy[index]);
  return mostOf(idle, (index) => busyNeighbours(busy, index));
}

/**
 * Chooses a move towards a single run of busy sequences: from an end of the shortest run to a place next to another run.
 * @param isMovable whether a busy sequence may be moved
 * @returns undefined if no move helps; the sequences in `to` are idle and equally good
 */
export function closeGap(
  busy: Busy,
  isMovable: (sequence: number) => boolean,
): { from: number; to: readonly number[] } | undefined {
  const runs = runsOf(busy);
  if (runs.length < 2) return undefined;
  const shortest = runs.reduce((least, run) => (lengthOf(run) < lengthOf(least) ? run : least));
  const from = [shortest.last, shortest.first].find(isMovable);
  if (from === undefined) return undefined;
  const others = runs.filter((run) => run !== shortest);
  const adjacent = new Set(others.flatMap(({ first, last }) => [first - 1, last + 1]));
  const after = busy.with(from, false);
  const to = [...adjacent].filter((index) => busy[index] === false);
  return to.length === 0 ? undefined : { from, to: mostOf(to, (index) => busyNeighbours(after, index)) };
}

function runsOf(busy: Busy): Run[] {
  const runs: Run[] = [];
  for (const [index, isBusy] of busy.entries()) {
    if (!isBusy) continue;
    const before = runs.at(-1);
    if (before?.last === index - 1) runs[runs.length - 1] = { first: before.first, last: index };
    else runs.push({ first: index, last: index });
  }
  return runs;
}

function lengthOf({ first, last }: Run): number {
  return last - first + 1;
}

function busyNeighbours(busy: Busy, index: number): number {
  return Number(busy[index - 1] ?? false) + Number(busy[index + 1] ?? false);
}

function mostOf(indexes: readonly number[], score: (index: number) => number): number[] {
  const most = Math.max(...indexes.map(score));
  return indexes.filter((index) => score(index) === most);
}
