/** Text that no tool may read is replaced by blanks, so that all offsets stay. */
import type { Range } from './span.ts';

/** Blanks in place of everything but line breaks and tabs. */
export function blank(text: string): string {
  return text.replace(/[^\n\t]/g, ' ');
}

/** The text with blanks in place of some ranges. These may be in any order; of two that overlap, the later one is ignored. */
export function blankRanges(text: string, ranges: readonly Range[]): string {
  const parts: string[] = [];
  let kept = 0;
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    if (start < kept) continue;
    parts.push(text.slice(kept, start), blank(text.slice(start, end)));
    kept = end;
  }
  return kept === 0 ? text : parts.join('') + text.slice(kept);
}
