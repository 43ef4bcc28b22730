/** Searches in ordered lists of ranges. */
import type { Range } from './span.ts';

/** Index of the last range that begins at or before the position; undefined if none does. The ranges must be in order. */
export function indexAt(ranges: readonly Range[], position: number): number | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.start <= position) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : low - 1;
}

/** The range that contains the position. The ranges must be in order and must not overlap. */
export function rangeAt<Found extends Range>(ranges: readonly Found[], position: number): Found | undefined {
  const found = ranges[indexAt(ranges, position) ?? -1];
  return found !== undefined && position < found.end ? found : undefined;
}

/** Whether one of the ranges lies wholly within another. The ranges must be in order. */
export function someWithin(ranges: readonly Range[], { start, end }: Range): boolean {
  return firstWithin(ranges, { start, end }) !== undefined;
}

/** The first range that lies entirely within the given one. */
export function firstWithin<Found extends Range>(ranges: readonly Found[], { start, end }: Range): Found | undefined {
  const before = indexAt(ranges, start - 1);
  const found = ranges[before === undefined ? 0 : before + 1];
  return found !== undefined && found.end <= end ? found : undefined;
}

/** The ranges that begin within a range. */
export function allWithin<Found extends Range>(ranges: readonly Found[], { start, end }: Range): Found[] {
  const before = indexAt(ranges, start - 1);
  const found: Found[] = [];
  for (let index = before === undefined ? 0 : before + 1; index < ranges.length; index += 1) {
    if (ranges[index]!.start >= end) break;
    found.push(ranges[index]!);
  }
  return found;
}
