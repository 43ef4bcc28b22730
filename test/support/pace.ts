/** How slow this machine is at the moment, for limits of time. */

/** Milliseconds of the computation below on the CPU that the limits were chosen on: an Intel Xeon of the fourth generation. */
const referenceMs = 8;
const words = Array.from({ length: 20_000 }, (_, index) => `clause ${index} of ${(index * 7919) % 9973} euros`).join(
  '; ',
);

/** Text is searched as the agents search it. */
function searchMs(): number {
  const { user, system } = process.threadCpuUsage();
  const counts = new Map<string, number>();
  for (const [, word, number] of words.matchAll(/\b(clause|of) (\d+)\b/giu)) {
    counts.set(`${word}${Number(number) % 100}`, (counts.get(`${word}${Number(number) % 100}`) ?? 0) + 1);
  }
  const after = process.threadCpuUsage();
  return (after.user + after.system - user - system) / 1_000;
}

/** @returns 1 on the CPU that the limits were chosen on or a faster one, 2 on one that takes twice the processor time */
export function slowness(): number {
  return Math.max(1, Math.min(...Array.from({ length: 5 }, searchMs)) / referenceMs);
}
