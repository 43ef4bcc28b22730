/** The words that name a value on a form: before it in its segment, left of it, above it, or on the previous line. */
import type { Range } from '../text/span.ts';
import { type Layout, leftOf, type Segment, verticalOf } from './layout.ts';

export interface Label {
  readonly folded: string;
  readonly place: 'own' | 'left' | 'above' | 'stacked';
}

/** Maximum distance of a label before its value within one segment. */
const ownCharactersMax = 240;

/** Nearest first. @param since the end of the previous value in the segment */
export function labelsOf(layout: Layout, segment: Segment, value: Range, since = segment.start): Label[] {
  const own = segment.folded.slice(
    Math.max(since, value.start - ownCharactersMax) - segment.start,
    value.start - segment.start,
  );
  const labels: Label[] = [];
  const stacked = layout.lines[segment.line - 1];
  const isFirst = layout.lines[segment.line]!.segments[0] === segment;
  if (/[a-z]/.test(own)) {
    // "Date of supply\
    // or completion: 1.1.": the label began on the previous line.
    const before =
      stacked?.segments.length === 1 &&
      isFirst &&
      /^[a-z]/.test(segment.text) &&
      !/[.:;\d]$/.test(stacked.segments[0]!.text);
    labels.push({ folded: before ? `${stacked.segments[0]!.folded} ${own}` : own, place: 'own' });
    return labels;
  }
  const left = leftOf(layout, segment);
  if (left !== undefined && /[a-z]/.test(left.folded)) labels.push({ folded: left.folded, place: 'left' });
  const above = headerOver(layout, segment);
  if (above !== undefined) labels.push({ folded: above.folded, place: 'above' });
  if (
    left === undefined &&
    stacked?.segments.length === 1 &&
    /[a-z]/.test(stacked.segments[0]!.folded) &&
    !/\d/.test(stacked.segments[0]!.folded)
  )
    labels.push({ folded: stacked.segments[0]!.folded, place: 'stacked' });
  return labels;
}

/** Maximum number of lines above in which header cells are searched. */
const headerLinesMax = 60;

/** The nearest segment above it without digits, in the same columns, with a value on each line between them. */
export function headerOver(layout: Layout, segment: Segment, linesMax = headerLinesMax): Segment | undefined {
  for (let by = 1; by <= linesMax; by += 1) {
    const line = layout.lines[segment.line - by];
    if (line === undefined || layout.lines[segment.line - by + 1]!.follows === 'gap') return undefined;
    const above = verticalOf(layout, segment, -by);
    if (above === undefined) {
      // A cell of a grid may be empty; blanks that align nothing end a column.
      if (line.segments.length === 1 || (segment.grid !== 0 && line.segments[0]!.grid === segment.grid)) continue;
      return undefined;
    }
    if (!/\d/.test(above.text) && /\p{L}/u.test(above.text)) return above;
  }
  return undefined;
}
