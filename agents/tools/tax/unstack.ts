/** Tables whose cells were placed below each other by a conversion: each label is followed by its figures, one per line. */
import type { Layout, Line, Segment } from './layout.ts';

const figure = /^[(+−–-]{0,2}[€$£]?\s?\d[\d.,'’\u00a0\u202f ]*\)?\s?%?\)?$|^[-–—]$/;
const year = /^(?:19|20)\d\d(?:[/–-]\d{2,4})?$|^FY ?\d{2,4}$/i;
const unit =
  /^(?:%|in %|(?:US)?[€$£]\s?(?:000|m|k|million)?|(?:T|k|m)?(?:EUR|CHF|USD|GBP|NOK|SEK|DKK|PLN)m?|(?:EUR|CHF|USD|GBP|NOK|SEK|DKK|PLN) (?:000|m|million|thousand|Mio\.?)|Mio\. ?€|T€)$/i;

/** Maximum number of figures per label. */
const figuresMax = 8;
/** Fewer rows of one length are not a table. */
const rowsMin = 4;

/** The same layout if nothing is stacked; else one whose stacked rows are lines with columns. */
export function unstack(layout: Layout): Layout {
  const { lines } = layout;
  const kinds = lines.map(kindOf);
  const lengths = new Map<number, number>();
  for (const [index, kind] of kinds.entries()) {
    const length = kind === 'label' ? runLength(kinds, index + 1, 'figure') : 0;
    if (length > 0) lengths.set(length, (lengths.get(length) ?? 0) + 1);
  }
  if (![...lengths].some(([length, count]) => length >= 2 && length <= figuresMax && count >= rowsMin)) return layout;
  const merged: Line[] = [];
  for (let at = 0; at < lines.length; ) {
    const head =
      kinds[at] === 'head' || (kinds[at] === 'figure' && year.test(shown(lines[at]!))) ? headLength(lines, at) : 0;
    const length = kinds[at] === 'label' ? Math.min(figuresMax, runLength(kinds, at + 1, 'figure')) : 0;
    const count = head >= 2 ? head : length >= 1 ? length + 1 : 1;
    merged.push(joined(lines.slice(at, at + count), merged.length, head >= 2 ? 1 : 0));
    at += count;
  }
  return { ...layout, lines: merged };
}

function shown({ segments }: Line): string {
  return segments.length === 1 ? segments[0]!.text.trim() : '';
}

function kindOf(line: Line): 'label' | 'figure' | 'head' | 'other' {
  const text = shown(line);
  if (text === '' || text.length > 110) return 'other';
  if (unit.test(text)) return 'head';
  if (figure.test(text)) return 'figure';
  return /\p{L}{2}/u.test(text) ? 'label' : 'other';
}

function runLength(kinds: readonly string[], from: number, kind: string): number {
  let at = from;
  while (kinds[at] === kind && at - from <= figuresMax) at += 1;
  return at - from;
}

function headLength(lines: readonly Line[], from: number): number {
  let at = from;
  while (at < lines.length && at - from < 16 && (year.test(shown(lines[at]!)) || unit.test(shown(lines[at]!)))) at += 1;
  return at - from;
}

/** Assigns columns by order. @param first the column of the first segment */
function joined(lines: readonly Line[], index: number, first: number): Line {
  if (lines.length === 1) {
    return { ...lines[0]!, index, segments: lines[0]!.segments.map((segment) => ({ ...segment, line: index })) };
  }
  const segments = lines
    .flatMap((line) => line.segments)
    .map(
      (segment, place): Segment => ({ ...segment, line: index, from: first + place, to: first + place + 1, grid: -1 }),
    );
  return { index, segments, start: lines[0]!.start, end: lines.at(-1)!.end, follows: lines[0]!.follows };
}
