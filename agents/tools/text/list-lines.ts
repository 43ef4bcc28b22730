/** Formats lists for the model's context, in lines that are short enough to be selected one by one. */

/** Maximum length of a line, unless a single item is longer. */
const lineCharactersMax = 280;

/** @returns "Title: a; b; c." once or, if it is too long, several times with the remaining items; nothing for an empty list */
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
