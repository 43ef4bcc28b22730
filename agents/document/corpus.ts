/** Determines which of the caller's texts are documents, which of them a question is about, and whether it is English. */
import type { Word } from '../tools/text/words.ts';
import { readDocument } from './document.ts';

/**
 * Removes short texts that only ask about a long one: if one text has at least 1,500 characters, texts below 400 are questions. A
 * question often contains the very words that a tool searches documents for.
 */
export function documentsOnly<Document extends { readonly text: string }>(documents: readonly Document[]): Document[] {
  const hasLong = documents.some(({ text }) => text.length >= 1_500);
  return hasLong ? documents.filter(({ text }) => text.length >= 400) : [...documents];
}

/** The document that a question is about; an empty text if there is none. */
export function longestOf<Document extends { readonly message: number; readonly text: string }>(
  documents: readonly Document[],
): { readonly message: number; readonly text: string } {
  return documents.reduce<{ readonly message: number; readonly text: string }>(
    (best, each) => (each.text.length > best.text.length ? each : best),
    { message: 0, text: '' },
  );
}

/** Language of the longest text. Tools that read English only use it to warn that "absent" may mean "not in English". */
export function languageOf(
  documents: readonly { readonly message: number; readonly text: string }[],
): 'english' | 'other' | 'too short to say' {
  const share = englishShare(readDocument(longestOf(documents)).words);
  return share === undefined ? 'too short to say' : share >= 0.18 ? 'english' : 'other';
}

/** Share (0…1) of the first words that are among the most common English words; undefined below 40 words. */
export function englishShare(words: readonly Word[]): number | undefined {
  const sample = words.slice(0, 2_000).filter(({ text }) => /\p{L}/u.test(text));
  if (sample.length < 40) return undefined;
  return sample.filter(({ text }) => commonEnglish.has(text)).length / sample.length;
}

const commonEnglish = new Set(
  'the of to and in a is be or that for by any this with shall such as its it on not from under which are may all other'.split(
    ' ',
  ),
);
