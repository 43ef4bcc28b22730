/** Answers of forms with a box for "yes" and one for "no" behind each question. */

/** The boxes behind the question: "Diabetes    [ ]   [x]   mother type 2". */
const boxes = /^[^\n[\]☐☑☒]{0,60}?(\[[ ]?\]|☐|\[[xX✓]\]|[☑☒])[ \t]{0,12}(\[[ ]?\]|☐|\[[xX✓]\]|[☑☒])(?=[ \t]|\n|$)/u;
/** Headings of the boxes, in both orders. */
const yesFirst = /(?<!\p{L})(?:yes|ja|oui|sí|sì|si|sim|tak|y|j)[ \t/]{1,12}(?:no|nein|non|nee|não|nie|n)(?!\p{L})/giu;
const noFirst = /(?<!\p{L})(?:no|nein|non|nee|não|nie|n)[ \t/]{1,12}(?:yes|ja|oui|sí|sì|si|sim|tak|y|j)(?!\p{L})/giu;
/** The headings stand at the top of their block. */
const headingMax = 3_000;

/** @returns undefined without such boxes, or where nothing above tells which one means yes */
export function tickedAnswer(text: string, end: number): 'affirmed' | 'negated' | 'unanswered' | undefined {
  const match = boxes.exec(text.slice(end, end + 160));
  if (match === null) return undefined;
  const above = text.slice(Math.max(0, end - headingMax), end);
  const [yes, no] = [lastIndex(above, yesFirst), lastIndex(above, noFirst)];
  if (yes === no) return undefined;
  const ticks = [match[1]!, match[2]!].map((box) => /[xX✓☑☒]/.test(box));
  if (ticks[0] === ticks[1]) return 'unanswered';
  return ticks[yes > no ? 0 : 1] ? 'affirmed' : 'negated';
}

function lastIndex(text: string, shape: RegExp): number {
  let last = -1;
  for (const match of text.matchAll(shape)) last = match.index;
  return last;
}
