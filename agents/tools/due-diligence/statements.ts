/** Finds sentences that speak of a subject, and whether they say that it is so or that it is not. */
import { findPhrases, type PhraseList } from '../text/phrases.ts';
import { sentenceAt, type TextReading } from '../text/reading.ts';
import { excerpt, type Range, type Span, spanOf } from '../text/span.ts';

export interface Statement<Label> {
  readonly label: Label;
  /** The sentence says that it is not so: "no litigation is pending". */
  readonly denied: boolean;
  readonly span: Span;
  readonly excerpt: string;
  /** Of the words that were found, within the text. */
  readonly match: Range;
}

/** More of one label are not looked at in one text. */
const statementsMax = 200;

const denial = /\b(?:no|not|never|none|neither|nor|without|free of|free from|absence of|excluding|cannot|n['’]t)\b/i;

/** "not only", "not yet renewed" and "no later than" deny nothing that matters here. */
const harmless =
  /\b(?:not|no) (?:only|more than|less than|later than|longer|limited to|yet)\b|\bwithout (?:prejudice|limitation|consent|undue|delay|the (?:prior )?(?:written )?consent)/gi;

/** In the order of the text, one per label and sentence; questions, headings and entries of lists are left out. */
export function findStatements<Label extends string>(
  reading: TextReading,
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
    found.push({
      label: match.label,
      denied: isDenied(reading.text, sentence, match),
      span: spanOf(reading.message, sentence),
      excerpt: excerpt(reading.text, sentence),
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

/** Looks at most 80 characters back and 30 on, within the sentence; a denial inside the words found is part of them. */
function isDenied(text: string, sentence: Range, { start, end }: Range): boolean {
  const before = text.slice(Math.max(sentence.start, start - 80), start).replace(harmless, ' ');
  const after = text.slice(end, Math.min(sentence.end, end + 30)).replace(harmless, ' ');
  return denial.test(before) || /\b(?:not|none|never)\b/i.test(after);
}
