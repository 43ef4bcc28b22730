/** Forms in two columns of blanks: a label at the margin, and its text in a column of its own over several lines. */
import type { Range } from '../text/span.ts';

export interface HangingLabels {
  /** The label at the beginning of a line and the rest of the line. */
  readonly labelOf: (line: Range) => { readonly label: string; readonly line: Range } | undefined;
  /** Whether a line has text in the second column only. */
  readonly continues: (line: Range) => boolean;
}

const labelShape = /^ {0,6}(\p{Lu}[^\t\n:;.|]{2,30}?):? {3,}(?=\S)/u;
/** So many entries with a second line make a column. */
const entriesMin = 2;

export function hangingLabels(text: string, lines: readonly Range[]): HangingLabels {
  const shown = ({ start, end }: Range) => text.slice(start, Math.min(end, start + 80));
  const counts = new Map<number, number>();
  lines.forEach((line, index) => {
    const column = labelShape.exec(shown(line))?.[0].length;
    const below = lines[index + 1];
    if (column !== undefined && below !== undefined && indentOf(shown(below)) === column)
      counts.set(column, (counts.get(column) ?? 0) + 1);
  });
  const columns = new Set([...counts].flatMap(([column, count]) => (count >= entriesMin ? [column] : [])));
  return {
    labelOf: (line) => {
      const match = columns.size === 0 ? null : labelShape.exec(shown(line));
      return match === null || !columns.has(match[0].length)
        ? undefined
        : { label: match[1]!, line: { start: line.start + match[0].length, end: line.end } };
    },
    continues: (line) => columns.has(indentOf(shown(line))),
  };
}

function indentOf(line: string): number {
  return line.search(/\S/);
}
