/** Determines in which language a text is written, by its most frequent small words. */
import type { Word } from '../text/words.ts';

/** Languages that are read by way of English words. */
export type GlossLanguage = 'fr' | 'es' | 'it' | 'nl' | 'pl' | 'sv' | 'pt';

const smallWords: Readonly<Record<GlossLanguage | 'en' | 'de' | 'cs' | 'da', string>> = {
  en: 'the of and to or in by any shall for with be is this that as from on',
  de: 'der die das und den dem des ein eine einer ist nicht mit von zu für im auf bei durch',
  fr: 'le la les des du et une est par aux au sur dans pour ou qui que il ce cette',
  es: 'el la los las del y una por con para en que se al su o es lo de sin',
  it: 'il la gli le della del di che per con una è nel dei alla delle non dal al e',
  nl: 'de het een van en in op te voor met dat niet is door aan bij wordt zijn als tot',
  pl: 'w z na i do się nie oraz lub od o przez jest po dla za przy ze których niniejszej',
  sv: 'och att av som en ett är på för den det till med om inte ska har vid i får',
  pt: 'o os as do da dos das e é uma um por pelo pela com para em que se ao à não no nos',
  cs: 'a v na se je o s z do že nebo ze za po od pro byl jsou',
  da: 'og af at en et er på for den det til med om ikke skal har ved i der som',
};

const languagesOf: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  Object.entries(smallWords).flatMap(([language, words]) => words.split(' ').map((word) => ({ word, language }))),
  ({ word }) => word,
) as unknown as ReadonlyMap<string, readonly string[]>;

/** Letters and endings that only one of the languages has: lists and tables have few small words, and so has Polish. */
const marks: readonly (readonly [GlossLanguage, RegExp])[] = [
  ['pl', /[ąęłśźż]/u],
  ['pt', /[ãõ]/u],
  ['es', /ñ|(?:ción|ciones)$/u],
  ['it', /(?:zione|zioni|ità)$/u],
  ['fr', /ê|œ|(?:é|ée|ées|és)$/u],
  ['nl', /ij|(?:heid|aan|eel|oor)$/u],
];

const wordsExamined = 4_000;
/** In a shorter text the small words decide nothing. */
const wordsMin = 12;
/** Share of words that must be small words of the language; a list has few of them. */
const shareMin = 0.04;
const countMin = 6;
/** How much more frequent they must be than those of another language. */
const leadMin = 1.3;

/** @returns undefined if the text is in English, in German, in another language, or too short to say */
export function languageOfText(words: readonly Word[]): GlossLanguage | undefined {
  const counts = new Map<string, number>();
  const examined = words.slice(0, wordsExamined);
  for (const { text } of examined) {
    for (const { language } of (languagesOf.get(text) ?? []) as unknown as readonly { language: string }[])
      counts.set(language, (counts.get(language) ?? 0) + 1);
    for (const [language, mark] of marks) if (mark.test(text)) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const [best, next] = [...counts].sort(([, one], [, other]) => other - one);
  if (best === undefined || examined.length < wordsMin) return undefined;
  const isClear = next === undefined || best[1] >= next[1] * leadMin;
  if (!isClear || best[1] < Math.max(countMin, examined.length * shareMin)) return undefined;
  const [language] = best;
  return language === 'en' || language === 'de' || language === 'cs' || language === 'da'
    ? undefined
    : (language as GlossLanguage);
}
