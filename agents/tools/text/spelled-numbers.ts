/** Numbers in words, of one word or several: "one hundred and twenty", "vingt-et-un", "einundzwanzig", "quarantacinque". */
import { europeanNumbers } from './number-words.ts';
import type { Word } from './words.ts';

const listed = (words: string, from: number, step = 1): readonly (readonly [string, number])[] =>
  words.split(' ').map((word, index) => [word, from + index * step] as const);

/** "Einundzwanzig", "eenentwintig", "ventuno", "veintiséis": tens and units in one word. */
function compounds(): readonly (readonly [string, number])[] {
  const found: [string, number][] = [];
  const german = 'ein zwei drei vier fünf sechs sieben acht neun'.split(' ');
  const germanTens = 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' ');
  const dutch = 'een twee drie vier vijf zes zeven acht negen'.split(' ');
  const dutchTens = 'twintig dertig veertig vijftig zestig zeventig tachtig negentig'.split(' ');
  const italian = 'uno due tre quattro cinque sei sette otto nove'.split(' ');
  const italianTens = 'venti trenta quaranta cinquanta sessanta settanta ottanta novanta'.split(' ');
  for (let ten = 0; ten < 8; ten += 1) {
    for (let unit = 1; unit <= 9; unit += 1) {
      const value = (ten + 2) * 10 + unit;
      const ends = dutch[unit - 1]!;
      const tens = italianTens[ten]!;
      const elided = unit === 1 || unit === 8 ? tens.slice(0, -1) : tens;
      found.push([`${german[unit - 1]}und${germanTens[ten]}`, value]);
      found.push([`${ends}${ends.endsWith('e') ? 'ën' : 'en'}${dutchTens[ten]}`, value]);
      found.push([`${elided}${italian[unit - 1]}`, value]);
      if (unit === 1) found.push([`${elided}un`, value]);
      if (unit === 3) found.push([`${tens}tré`, value]);
    }
  }
  return found;
}

/** Values below a thousand by word, in lower case. */
const values: ReadonlyMap<string, number> = new Map([
  ...compounds(),
  ...listed(
    'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
    1,
  ),
  ...listed('twenty thirty forty fifty sixty seventy eighty ninety hundred', 20, 10),
  ...listed('ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf', 1),
  ...listed('un deux trois quatre cinq six sept huit neuf dix onze douze', 1),
  ...listed('veintiséis veintisiete veintiocho veintinueve', 26),
  ...listed('trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście dwadzieścia', 13),
  ...listed(
    'trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt sto',
    30,
    10,
  ),
  ...europeanNumbers,
  ...listed('jeden dva tři čtyři pět šest sedm osm devět deset jedenáct dvanáct', 1),
  ...listed('jednoho dvou tří čtyř pěti šesti sedmi osmi devíti deseti jedenácti dvanácti', 1),
  ...listed('dvaceti třiceti čtyřiceti padesáti šedesáti sedmdesáti osmdesáti devadesáti', 20, 10),
  ...listed('einen einem eines une jedné jednu', 1).map(([word]) => [word, 1] as const),
  ...([
    ['dvě', 2],
    ['čtrnáct', 14],
    ['čtrnácti', 14],
    ['patnáct', 15],
    ['patnácti', 15],
    ['vingts', 20],
    ['dvacet', 20],
    ['dreißig', 30],
    ['třicet', 30],
    ['šedesát', 60],
    ['devadesát', 90],
    ['hundert', 100],
    ['einhundert', 100],
    ['hundertzwanzig', 120],
    ['einhundertzwanzig', 120],
    ['hundertachtzig', 180],
    ['einhundertachtzig', 180],
    ['cent', 100],
    ['cents', 100],
    ['cien', 100],
    ['ciento', 100],
    ['cento', 100],
    ['centoventi', 120],
    ['centottanta', 180],
    ['honderd', 100],
    ['stu', 100],
  ] as const),
]);

/** The value of one word; the elided article before it counts as none: "d'un mois". */
export function numberOfWord(text: string): number | undefined {
  return values.get(text) ?? values.get(text.replace(/^(?:[dls]|dell|un|nell|all)'/, ''));
}

/** Words between hundreds and the rest, and between tens and units. */
const joints: ReadonlySet<string> = new Set(['and', 'et', 'y', 'e', 'i']);

/** No number of a period has more words. */
const wordsMax = 7;

/**
 * The number that ends with a word.
 * @param text of the words' offsets · @param at index of the last word · @returns undefined if the word is no number
 */
export function spelledNumberEndingAt(
  text: string,
  words: readonly Word[],
  at: number,
): { readonly value: number; readonly firstWord: number } | undefined {
  if (numberOfWord(words[at]!.text) === undefined) return undefined;
  let first = at;
  for (let index = at - 1; index >= 0 && at - index < wordsMax && isJoined(text, words, index); index -= 1) {
    if (numberOfWord(words[index]!.text) !== undefined) first = index;
    else if (!joints.has(words[index]!.text)) break;
  }
  let [value, start] = [0, first];
  for (let index = first; index <= at; index += 1) {
    const next = numberOfWord(words[index]!.text);
    if (next === undefined) continue;
    const joint = numberOfWord(words[index - 1]?.text ?? '') === undefined ? words[index - 1]?.text : undefined;
    const sum = index === first ? undefined : joinedValue(value, next, index - 1 > first ? joint : undefined);
    [value, start] = sum === undefined ? [next, index] : [sum, start];
  }
  return { value, firstWord: start };
}

/** Whether only a blank or a hyphen is between a word and the next. */
function isJoined(text: string, words: readonly Word[], index: number): boolean {
  const next = words[index + 1]!;
  return !next.opens && /^[ \u00a0\n-]{1,3}$/.test(text.slice(words[index]!.end, next.start));
}

/** "Hundred" and "twenty" make 120; "twenty" and "thirty" are two numbers. @returns undefined if they make no number */
function joinedValue(value: number, next: number, joint: string | undefined): number | undefined {
  const rest = value % 100;
  if (next === 100) return value > 0 && value < 10 && joint === undefined ? value * 100 : undefined;
  if (next > 100) return undefined;
  if (value >= 100 && rest === 0) return value + next;
  if (joint === 'and') return undefined;
  if (value === 4 && next === 20) return joint === undefined ? 80 : undefined;
  // "Dix-huit".
  if (rest === 10 && next >= 7 && next <= 9) return joint === undefined ? value + next : undefined;
  const isTens = rest >= 20 && rest % 10 === 0;
  if (isTens && next < 10) return value + next;
  // "Soixante-quinze", "quatre-vingt-dix".
  return (rest === 60 || rest === 80) && next < 20 ? value + next : undefined;
}
