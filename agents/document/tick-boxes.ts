/**
 * Forms with boxes: "Hours   [ ] 24   [x] 36   [ ] 42" says 36. The boxes and the options that are not ticked become blanks, so that
 * a reader sees a label and its value.
 */
import { blankRanges } from '../tools/text/blanks.ts';
import { splitLines } from '../tools/text/lines.ts';

const box = /\[ {0,3}[xX✓✔]? {0,3}\]|\( ?[xX✓✔] ?\)|\( {1,3}\)|[☐☑☒]/gu;
/** A mark that is no tick. */
const code = /\[(?:[~!?/o–-]|n\/[adv])\]/giu;
const codesMin = 2;
const ticked = /[xX✓✔☑☒]/u;
/** "- [ ] Review the plan": a list of tasks. */
const task = /^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+\[/u;
/** Longer lines are prose. */
const lineCharactersMax = 240;

interface FormLine {
  readonly start: number;
  readonly end: number;
  readonly boxes: readonly { readonly at: number; readonly end: number; readonly isTicked: boolean }[];
}

/** @returns the text with blanks in place of boxes and of options that are not ticked; offsets stay */
export function blankUnticked(text: string): string {
  if (!/\[ ?[xX✓✔] ?\]|\( ?[xX✓✔] ?\)|[☑☒]/u.test(text)) return text;
  // "[x] uploaded  [~] draft  [!] expired": the boxes are codes.
  if ((text.match(code)?.length ?? 0) >= codesMin) return text;
  const lines = splitLines(text).map((line) => formLine(text, line));
  const blanked = lines.flatMap((line, index) => {
    if (line.boxes.length === 0 || !isDecided(lines, index)) return [];
    return line.boxes.map(({ at, end, isTicked }, nth) => {
      // The box of an item in a list of options stays as its mark.
      const isItem = line.boxes.length === 1 && text.slice(line.start, at).trim() === '';
      return { start: isItem ? end : at, end: isTicked ? end : (line.boxes[nth + 1]?.at ?? line.end) };
    });
  });
  return blankRanges(text, blanked);
}

function formLine(text: string, { start, end }: { readonly start: number; readonly end: number }): FormLine {
  const none = { start, end, boxes: [] };
  if (end - start > lineCharactersMax) return none;
  const shown = text.slice(start, end);
  if (!/[[(☐☑☒]/u.test(shown) || task.test(shown) || /[|\t]/u.test(shown)) return none;
  const boxes = [...shown.matchAll(box)].map(({ index, 0: mark }) => ({
    at: start + index,
    end: start + index + mark.length,
    isTicked: ticked.test(mark),
  }));
  // "Photo [x]  Passport [ ]" has each box behind its option, and "Smoker  [ ]  [x]" has them below headings.
  const isOther = boxes.some(({ end: from }, nth) => text.slice(from, boxes[nth + 1]?.at ?? end).trim() === '');
  return isOther ? none : { start, end, boxes };
}

/** Whether a box of the line, or of the lines with boxes directly above and below, is ticked. */
function isDecided(lines: readonly FormLine[], index: number): boolean {
  const hasTick = ({ boxes }: FormLine) => boxes.some(({ isTicked }) => isTicked);
  if (hasTick(lines[index]!)) return true;
  for (const step of [-1, 1]) {
    for (let at = index + step; lines[at] !== undefined && Math.abs(at - index) <= 12; at += step) {
      if (lines[at]!.boxes.length === 0) break;
      if (hasTick(lines[at]!)) return true;
    }
  }
  return false;
}
