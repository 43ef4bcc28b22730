/**
 * Marks of what a text says: a comparison's deletions and insertions, and the boxes of a form. What is deleted or not ticked
 * is blanked, so that no tool reads it; all offsets stay.
 */

/** Characters of one deletion or insertion. */
const charactersMax = 2_000;
/** Fewer marks may be anything. */
const marksMin = 3;

/** wdiff's `[-old-] {+new+}`, the same with square brackets, and CriticMarkup's `{--old--} {++new++}`. */
const deletion = new RegExp(
  `\\[-(?=[^\\]])[^]{1,${charactersMax}}?-\\]|\\{--(?=[^}])[^]{1,${charactersMax}}?--\\}`,
  'g',
);
const insertion = new RegExp(`(\\[\\+|\\{\\+{1,2})(?=[^\\]}])([^]{1,${charactersMax}}?)(\\+\\]|\\+{1,2}\\})`, 'g');

/** The text of the later version of a comparison. */
export function acceptChanges(text: string): string {
  if (!/-\]|--\}/.test(text) || !/\+[\]}]/.test(text)) return text;
  const deletions = text.match(deletion)?.length ?? 0;
  const insertions = text.match(insertion)?.length ?? 0;
  if (deletions === 0 || insertions === 0 || deletions + insertions < marksMin) return text;
  return text
    .replace(deletion, blanked)
    .replace(insertion, (_, open: string, kept: string, close: string) => blanked(open) + kept + blanked(close));
}

const ticked = /\[[xX✓✔]\]|[☑☒]/u;
const box = /\[[ xX✓✔]?\]|[☐☑☒]/gu;
const unticked = /^(?:\[ ?\]|☐)/u;

/** A box that stands before its option: at the beginning of a line or column, "[ ] 13 weeks   [x] 26 weeks". */
const leading = /(?:^|[ \t]{2}|\t)$/u;

/** Of the options on one line of a form, only those that are ticked. */
export function keepTicked(text: string): string {
  if (!ticked.test(text)) return text;
  return text.replace(/[^\n]+/g, (line) => {
    if (!ticked.test(line)) return line;
    const marks = [...line.matchAll(box)];
    const areLeading = marks.every(({ index }) => leading.test(line.slice(0, index)));
    if (!areLeading || !marks.some(([mark]) => unticked.test(mark))) return line;
    return marks.reduce((kept, { 0: mark, index }) => {
      if (!unticked.test(mark)) return kept;
      const from = index + mark.length;
      const option = /^ ?[^ \t]+(?: [^ \t]+)*/.exec(line.slice(from))?.[0] ?? '';
      return kept.slice(0, from) + blanked(option) + kept.slice(from + option.length);
    }, line);
  });
}

function blanked(text: string): string {
  return text.replace(/[^\n\t]/g, ' ');
}
