/**
 * Finds many phrases in one pass over words, in linear time for any text: a phrase has at most 12 parts and two gaps, and a gap
 * is at most 12 words and never crosses the end of a sentence.
 */
import { lazily } from './lazily.ts';
import type { Range } from './span.ts';
import type { Word } from './words.ts';

/** One phrase of a list, compiled. Opaque. */
interface Phrase<Label> {
  readonly label: Label;
  readonly parts: readonly Part[];
}

type Part = { readonly gap: number } | { readonly choices: readonly string[] };

export interface PhraseMatch<Label> extends Range {
  readonly label: Label;
  /** Index of the first word, and of the word after the last. */
  readonly firstWord: number;
  readonly endWord: number;
}

/** A list that is compiled at its first use. */
export interface PhraseList<Label> {
  readonly exact: ReadonlyMap<string, readonly Phrase<Label>[]>;
  /** Indexed by the length of the prefix, then by the prefix. */
  readonly beginnings: ReadonlyMap<number, ReadonlyMap<string, readonly Phrase<Label>[]>>;
}

/**
 * @param entries each label with its phrases. A phrase is lower-case words separated by spaces: `a|b` matches either, `law*`
 *   any word with that prefix, `~4` up to four arbitrary words. Its first word is never a gap.
 * @returns a list whose first use throws a TypeError if a phrase breaks these rules, which is a programming error
 */
export function compilePhrases<Label>(entries: Iterable<readonly [Label, readonly string[]]>): PhraseList<Label> {
  const compiled = lazily(() => indexPhrases(entries));
  return {
    get exact() {
      return compiled().exact;
    },
    get beginnings() {
      return compiled().beginnings;
    },
  };
}

function indexPhrases<Label>(entries: Iterable<readonly [Label, readonly string[]]>): PhraseList<Label> {
  const exact = new Map<string, Phrase<Label>[]>();
  const beginnings = new Map<number, Map<string, Phrase<Label>[]>>();
  for (const [label, phrases] of entries) {
    for (const source of phrases) {
      const phrase = { label, parts: parseParts(source) };
      const [first] = phrase.parts;
      if (first === undefined || 'gap' in first) throw new TypeError(`phrase "${source}" must begin with a word`);
      for (const choice of first.choices) {
        if (choice.endsWith('*')) {
          const beginning = choice.slice(0, -1);
          const ofLength = beginnings.get(beginning.length) ?? new Map<string, Phrase<Label>[]>();
          beginnings.set(beginning.length, ofLength);
          ofLength.set(beginning, [...(ofLength.get(beginning) ?? []), phrase]);
        } else {
          exact.set(choice, [...(exact.get(choice) ?? []), phrase]);
        }
      }
    }
  }
  return { exact, beginnings };
}

/** Phrases in one text, separated by semicolons, so that long lists stay readable. */
export function phraseList(text: string): string[] {
  const phrases = text.replaceAll(/\s+/g, ' ').split(';');
  return phrases.map((phrase) => phrase.trim()).filter((phrase) => phrase !== '');
}

/** All matches in the order of their first words; if several phrases of one label begin at the same word, only the longest. */
export function findPhrases<Label>(words: readonly Word[], list: PhraseList<Label>): PhraseMatch<Label>[] {
  const matches: PhraseMatch<Label>[] = [];
  // A long text repeats its words, so that the phrases of each are looked up once.
  const known = words.length < repeatedWordsMin ? undefined : new Map<string, readonly Phrase<Label>[]>();
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]!.text;
    let phrases = known?.get(word);
    if (phrases === undefined) {
      phrases = beginningWith(list, word);
      known?.set(word, phrases);
    }
    if (phrases.length === 0) continue;
    const here: PhraseMatch<Label>[] = [];
    for (const phrase of phrases) keepLongest(here, words, index, phrase);
    matches.push(...here);
  }
  return matches;
}

const repeatedWordsMin = 256;

/** The phrases whose first word is the word or a prefix of it. */
function beginningWith<Label>({ exact, beginnings }: PhraseList<Label>, word: string): readonly Phrase<Label>[] {
  let found = exact.get(word) ?? none;
  for (const [length, ofLength] of beginnings) {
    const phrases = word.length >= length ? ofLength.get(word.slice(0, length)) : undefined;
    if (phrases !== undefined) found = found.length === 0 ? phrases : [...found, ...phrases];
  }
  return found;
}

const none: readonly never[] = [];

function keepLongest<Label>(here: PhraseMatch<Label>[], words: readonly Word[], index: number, phrase: Phrase<Label>) {
  const endWord = matchParts(words, index + 1, phrase.parts, 1);
  if (endWord === undefined) return;
  const found = {
    label: phrase.label,
    firstWord: index,
    endWord,
    start: words[index]!.start,
    end: words[endWord - 1]!.end,
  };
  const same = here.findIndex(({ label }) => label === phrase.label);
  if (same === -1) here.push(found);
  else if (here[same]!.endWord < endWord) here[same] = found;
}

/** @returns the index after the last word matched */
function matchParts(words: readonly Word[], index: number, parts: readonly Part[], at: number): number | undefined {
  const part = parts[at];
  if (part === undefined) return index;
  if ('gap' in part) {
    for (let skipped = 0; skipped <= part.gap; skipped += 1) {
      const end = matchParts(words, index + skipped, parts, at + 1);
      if (end !== undefined) return end;
      if (words[index + skipped]?.opens !== false) return undefined;
    }
    return undefined;
  }
  const word = words[index];
  if (word === undefined || word.opens || !part.choices.some((choice) => accepts(choice, word.text))) return undefined;
  return matchParts(words, index + 1, parts, at + 1);
}

function accepts(choice: string, word: string): boolean {
  return choice.endsWith('*') ? word.startsWith(choice.slice(0, -1)) : choice === word;
}

function parseParts(source: string): Part[] {
  const parts = source.split(' ').map((part): Part => {
    if (part === '') throw new TypeError(`phrase "${source}" must have single spaces`);
    return part.startsWith('~') ? { gap: Number(part.slice(1)) } : { choices: part.split('|') };
  });
  const gaps = parts.filter((part) => 'gap' in part);
  if (parts.length > 12 || gaps.length > 2 || gaps.some(({ gap }) => !Number.isInteger(gap) || gap < 1 || gap > 12)) {
    throw new TypeError(`phrase "${source}" must have at most 12 parts and two gaps of 1 to 12 words`);
  }
  return parts;
}
