/** Deletions and insertions of a comparison. Deleted text becomes blanks, so that no tool reads it; all offsets stay. */
import { blank } from '../tools/text/blanks.ts';

/** Characters of one deletion or insertion. */
const charactersMax = 2_000;
/** Fewer marks may be anything. */
const marksMin = 3;

/** wdiff's `[-old-] {+new+}`, the same with square brackets, and CriticMarkup's `{--old--} {++new++}`. */
const deletion = new RegExp(`\\[-(?=[^\\]])${inside('\\[-')}-\\]|\\{--(?=[^}])${inside('\\{--')}--\\}`, 'g');
const insertion = new RegExp(`(\\[\\+|\\{\\+{1,2})(?=[^\\]}])(${inside('[[{]\\+')})(\\+\\]|\\+{1,2}\\})`, 'g');

/** CriticMarkup's `{~~old~>new~~}`, comment `{>>…<<}` and highlight `{==…==}`. */
const substitution = new RegExp(`(\\{~~${inside('\\{~~')}~>)(${inside('\\{~~')})(~~\\})`, 'g');
const comment = new RegExp(`\\{>>${inside('\\{>>')}<<\\}`, 'g');
const highlight = new RegExp(`(\\{==)(${inside('\\{==')})(==\\})`, 'g');

/** What a mark encloses. It contains no other opening mark, so that many of them do not make the search slow. */
function inside(opening: string): string {
  return `(?:(?!${opening})[^]){1,${charactersMax}}?`;
}

/** The text of the later version of a comparison. */
export function acceptChanges(text: string): string {
  return acceptMarks(acceptSubstitutions(text));
}

/** One substitution suffices to recognise edited text. */
function acceptSubstitutions(text: string): string {
  if (!text.includes('~>') || text.search(substitution) === -1) return text;
  const keep = (_: string, open: string, kept: string, close: string) => blank(open) + kept + blank(close);
  return text
    .replace(substitution, keep)
    .replace(comment, blank)
    .replace(highlight, keep)
    .replace(deletion, blank)
    .replace(insertion, keep);
}

function acceptMarks(text: string): string {
  if (!/-\]|--\}/.test(text) || !/\+[\]}]/.test(text)) return text;
  const deletions = text.match(deletion)?.length ?? 0;
  const insertions = text.match(insertion)?.length ?? 0;
  if (deletions === 0 || insertions === 0 || deletions + insertions < marksMin) return text;
  return text
    .replace(deletion, blank)
    .replace(insertion, (_, open: string, kept: string, close: string) => blank(open) + kept + blank(close));
}
