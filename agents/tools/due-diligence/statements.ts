/** Finds sentences that mention a subject, and whether they affirm or deny it. */

import { type Document, sentenceAt } from '../../document/document.ts';
import { scopeOf } from '../../document/scope.ts';
import { findPhrases, type PhraseList } from '../text/phrases.ts';
import { excerpt, type Range, type Span } from '../text/span.ts';

export interface Statement<Label> {
  readonly label: Label;
  /** Whether the sentence denies it: "no litigation is pending". */
  readonly denied: boolean;
  /** Whether it is only supposed ("if an event of default occurs"), or part of the name of a law. */
  readonly isSupposed: boolean;
  readonly span: Span;
  readonly excerpt: string;
  /** Ranges of the sentence and of the matched words in the plain text. */
  readonly sentence: Range;
  readonly match: Range;
}

/** Maximum number of findings per label and text. */
const statementsMax = 200;

/** Ordered by position in the text, one per label and sentence; questions, headings and list entries are omitted. */
export function findStatements<Label extends string>(
  reading: Document,
  phrases: PhraseList<Label>,
): Statement<Label>[] {
  const found: Statement<Label>[] = [];
  const counts = new Map<Label, number>();
  const lastSentence = new Map<Label, number>();
  for (const match of findPhrases(reading.words, phrases)) {
    const sentence = sentenceAt(reading, match.start);
    const count = counts.get(match.label) ?? 0;
    if (lastSentence.get(match.label) === sentence.start || count >= statementsMax) continue;
    if (reading.text[sentence.end - 1] === '?' || !isStatement(reading.text, sentence)) continue;
    counts.set(match.label, count + 1);
    lastSentence.set(match.label, sentence.start);
    const scope = scopeOf(reading, match);
    found.push({
      label: match.label,
      denied: scope.isNegated,
      isSupposed: scope.isSupposed || scope.isOfLaw,
      span: reading.spanOf(sentence),
      excerpt: excerpt(reading.text, sentence),
      sentence,
      match: { start: match.start, end: match.end },
    });
  }
  return found;
}

/** Headings and entries of an index have fewer than four words: they name a subject and state nothing. */
function isStatement(text: string, { start, end }: Range): boolean {
  const words = text.slice(start, Math.min(end, start + 120)).match(/\p{L}[\p{L}'’]{0,40}/gu) ?? [];
  return words.length >= 4;
}
