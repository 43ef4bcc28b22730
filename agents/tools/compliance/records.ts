/** Records in text: a line that begins with an identifier that blanks set apart, and the lines up to the next. */
import { splitLines } from '../text/lines.ts';
import { oncePer } from '../text/once-per.ts';
import type { Range } from '../text/span.ts';
import { printed } from './flat-text.ts';
import type { Reading } from './reading.ts';

export interface TextRecord extends Range {
  readonly id: string;
  /** What stands apart in the first line, after the identifier. */
  readonly heads: readonly string[];
  /** All after the identifier, on one line. */
  readonly text: string;
  /** "Result: No exceptions noted." by its label in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  readonly isSingleLine: boolean;
}

const opening =
  /^[ \t]{0,16}((?:\p{Lu}[\p{L}\d]{0,7}[-./ ]?)?(?:\p{L}{1,4}[-.])?\d[\d\p{L}.()/-]{0,20})(?:\t| {2,})(?=\S)/u;
const field = /^(\p{L}[\p{L} .'’-]{1,30}?)\s?:[ \t]{1,8}(.{0,600})$/u;
const recordLinesMax = 40;

/** In the order of the text. A record ends at an empty line that no further field follows, a rule or a line without indentation. */
export const findRecords = oncePer(({ document, flat }: Reading): readonly TextRecord[] => {
  const lines = splitLines(document.text);
  const records: TextRecord[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const first = lines[index]!;
    const match = opening.exec(document.text.slice(first.start, Math.min(first.end, first.start + 80)));
    if (match === null) continue;
    let last = index;
    for (let at = index + 1; at < lines.length && at - index < recordLinesMax; at += 1) {
      const { start, end } = lines[at]!;
      const shown = document.text.slice(start, Math.min(end, start + 80));
      if (shown.trim() === '' || opening.test(shown) || /^[-=─═_+|]{4,}/.test(shown)) break;
      if (!/^[ \t]/.test(shown) && !field.test(shown.trim())) break;
      last = at;
    }
    records.push(recordOf(document.text, flat, lines.slice(index, last + 1), match[1]!, match[0].length));
    index = last;
  }
  return records;
});

function recordOf(text: string, flat: string, lines: readonly Range[], id: string, idLength: number): TextRecord {
  const start = lines[0]!.start;
  const end = lines.at(-1)!.end;
  const fields = new Map<string, string>();
  let open: string | undefined;
  for (const [nth, line] of lines.entries()) {
    const parts = text.slice(nth === 0 ? line.start + idLength : line.start, line.end).split(/\t|(?<!:) {3,}/);
    for (const part of parts.map((each) => each.trim()).filter((each) => each !== '')) {
      const match = field.exec(part);
      if (match !== null) {
        open = match[1]!.toLowerCase();
        fields.set(open, match[2]!);
      } else if (open !== undefined && nth > 0) fields.set(open, `${fields.get(open)} ${part}`);
    }
  }
  const heads = text
    .slice(start + idLength, lines[0]!.end)
    .split(/\t| {2,}/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
  return {
    start,
    end,
    id,
    heads,
    text: printed(flat.slice(start + idLength, end)),
    fields,
    isSingleLine: lines.length === 1,
  };
}
