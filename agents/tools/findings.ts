/** Converts findings of tools to the result and the digest that `agent.ts` defines. */
import type { Json, ToolFindings } from '../agent/agent.ts';
import type { Bounded, Span } from './text/span.ts';

/** Maximum number of lines that one tool adds to the model's context. */
export const digestLinesMax = 40;

/** @param result plain data; the type is not `Json` only because interfaces are not assignable to it */
export function toFindings(result: object, digest: readonly string[], linesMax: number = digestLinesMax): ToolFindings {
  const left = digest.length - linesMax;
  const lines = left > 0 ? [...digest.slice(0, linesMax), `(${left} more lines are in the result)`] : digest;
  return { result: result as Json, digest: lines };
}

/** Maximum size of the lists in a result: 64 KiB less braces and small fields. */
export const resultBytesMax = 60_000;

/** The first items of a list whose JSON fits into the given number of bytes, and the number of items left out. */
export function boundedBytes<Item>(list: readonly Item[], bytesMax: number): Bounded<Item> {
  let bytes = 0;
  let count = 0;
  for (; count < list.length; count += 1) {
    bytes += Buffer.byteLength(JSON.stringify(list[count])) + 1;
    if (bytes > bytesMax) break;
  }
  return { items: list.slice(0, count), more: list.length - count };
}

/** Several lists in one result: each that is not empty gets the same share of the bytes. */
export function sharedBytes<Lists extends Readonly<Record<string, readonly unknown[]>>>(
  lists: Lists,
  bytesMax: number = resultBytesMax,
): { readonly [Name in keyof Lists]: Bounded<Lists[Name][number]> } {
  const filled = Object.values(lists).filter((list) => list.length > 0).length;
  const share = Math.floor(bytesMax / Math.max(1, filled));
  const entries = Object.entries(lists).map(([name, list]) => [name, boundedBytes(list, share)]);
  return Object.fromEntries(entries) as { readonly [Name in keyof Lists]: Bounded<Lists[Name][number]> };
}

/** @returns for example `[m0:120-164]`: message 0, characters 120 to 164 */
export function place({ message, start, end }: Span): string {
  return `[m${message}:${start}-${end}]`;
}

/** Merges findings with the same key: keeps the first in text order, with the number of occurrences. */
export function countOnce<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string,
): (Item & { readonly count: number })[] {
  const counts = new Map<string, { readonly item: Item; count: number }>();
  for (const item of items) {
    const key = keyOf(item);
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { item, count: 1 });
    else known.count += 1;
  }
  return [...counts.values()].map(({ item, count }) => ({ ...item, count }));
}
