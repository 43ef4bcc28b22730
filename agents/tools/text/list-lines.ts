/** Lists for the model's context, in lines that are short enough to be taken one by one. */

/** A line takes no more, unless a single item does. */
const lineCharactersMax = 280;

/** @returns "Title: a; b; c." once or, where it grows too long, several times with the rest; nothing for no items */
export function listLines(title: string, items: readonly string[]): string[] {
  const lines: string[] = [];
  let line = '';
  for (const item of items) {
    if (line !== '' && title.length + line.length + item.length + 4 > lineCharactersMax) {
      lines.push(`${title}: ${line}.`);
      line = '';
    }
    line = line === '' ? item : `${line}; ${item}`;
  }
  if (line !== '') lines.push(`${title}: ${line}.`);
  return lines;
}
