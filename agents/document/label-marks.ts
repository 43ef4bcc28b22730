/** Emphasis of the label at the beginning of a line: "**Date:** 3 May" has the layout of "Date: 3 May". */
import { PlainText } from './plain-text.ts';

const marked = /^([ \t]{0,24})\*\*([^*:|\n]{1,60})(?::\*\*|\*\*:)(?=[ \t]{1,80}[^ \t\r\n])/gmu;

/** @returns the text without the marks, which maps its offsets to those of the source; undefined if there are no marks */
export function withoutLabelMarks(text: string): PlainText | undefined {
  if (!text.includes('**')) return undefined;
  const plain = new PlainText(text);
  let at = 0;
  for (const { index, 0: shown, 1: indent, 2: label } of text.matchAll(marked)) {
    const start = index + indent!.length + 2;
    const end = start + label!.length;
    const colon = shown.endsWith(':') ? end + 2 : end;
    plain.append([
      { start: at, end: start - 2 },
      { start, end },
      { start: colon, end: colon + 1 },
    ]);
    at = index + shown.length;
  }
  if (at === 0) return undefined;
  plain.append([{ start: at, end: text.length }]);
  return plain;
}
