/** The words and phrases of one language with their English meaning, found by their first word. */
import { agreementWords } from './agreement-words.ts';
import { calendarWords } from './calendar-words.ts';
import { clauseWords } from './clause-words.ts';
import { dealWords } from './deal-words.ts';
import type { GlossLanguage } from './languages.ts';
import { problemWords } from './problem-words.ts';

interface Phrase {
  readonly words: readonly PhraseWord[];
  readonly english: string;
}

interface PhraseWord {
  readonly text: string;
  /** "resili*" matches each word that begins so. */
  readonly isStem: boolean;
}

export interface Lexicon {
  /** The phrases that begin with a word; those of more words come first. */
  startingWith(word: string): readonly Phrase[];
}

/** Stems are found by their first letters. */
const stemCharacters = 3;

/** In contracts, the words for the parties stay as they are; in deals, buyer, seller and company are translated too. */
export type GlossSubject = 'contract' | 'deal';

const tables: Readonly<Record<GlossSubject, readonly string[]>> = {
  contract: [clauseWords, agreementWords, calendarWords],
  // Of two phrases for the same words, the first wins.
  deal: [dealWords, problemWords, agreementWords, calendarWords],
};
const cache = new Map<string, Lexicon>();

export function lexiconOf(language: GlossLanguage, subject: GlossSubject): Lexicon {
  const key = `${language} ${subject}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const lexicon = buildLexicon(tables[subject].flatMap((table) => read(table, language)));
  cache.set(key, lexicon);
  return lexicon;
}

/** Lines such as "notice | fr préavis | es preaviso, aviso previo". */
function read(table: string, language: GlossLanguage): Phrase[] {
  return table.split('\n').flatMap((line) => {
    const [english = '', ...columns] = line.split('|').map((part) => part.trim());
    const own = columns.find((column) => column.startsWith(`${language} `));
    return (own ?? '')
      .slice(3)
      .split(',')
      .flatMap((phrase) => {
        const words = wordsOf(phrase);
        return words.length === 0 ? [] : [{ words, english }];
      });
  });
}

function wordsOf(phrase: string): PhraseWord[] {
  return (phrase.toLowerCase().match(/[\p{L}\p{M}]+(?:'|\*)?/gu) ?? []).map((word) => ({
    text: word.replace('*', ''),
    isStem: word.endsWith('*'),
  }));
}

function buildLexicon(phrases: readonly Phrase[]): Lexicon {
  const rank = ({ words }: Phrase) =>
    words.length * 100 + words.reduce((sum, { text, isStem }) => sum + text.length - (isStem ? 0.5 : 0), 0) / 10;
  const whole = Map.groupBy(
    phrases.filter(({ words }) => !words[0]!.isStem),
    ({ words }) => words[0]!.text,
  );
  const stems = Map.groupBy(
    phrases.filter(({ words }) => words[0]!.isStem),
    ({ words }) => words[0]!.text.slice(0, stemCharacters),
  );
  const found = new Map<string, readonly Phrase[]>();
  return {
    startingWith(word) {
      const before = found.get(word);
      if (before !== undefined) return before;
      const list = [
        ...(whole.get(word) ?? []),
        ...(stems.get(word.slice(0, stemCharacters)) ?? []).filter(({ words }) => word.startsWith(words[0]!.text)),
      ].sort((one, other) => rank(other) - rank(one));
      // The words of a text may all differ: only those of the table are kept.
      if (list.length > 0 && found.size < foundMax) found.set(word, list);
      return list;
    },
  };
}

const foundMax = 20_000;
