/**
 * Numbers of a statement as digits, so that each reader has to know one form only: "thirty-five (35) hours", "treinta y nueve
 * horas", "37½ hours", "forty percent" and "einer 14-tägigen Frist".
 */
import { findDurations } from '../text/durations.ts';
import { numberOfWord, spelledNumberEndingAt } from '../text/spelled-numbers.ts';
import { splitWords, type Word } from '../text/words.ts';

/** @returns the statement with other words, and so with other offsets */
export function withDigits(text: string): string {
  const plain = text
    .replace(/(\d) ?½/gu, '$1.5')
    .replace(/(?<![\d/])(\d{1,2}) 1\/2(?= (?:hours?|days?|weeks?)\b)/gu, '$1.5')
    .replace(germanAdjective, (whole, count: string, unit: string) => germanLength(whole, count, unit))
    .replace(repeated, withoutRepetition)
    .replace(dashedCents, '$1')
    .replace(thousands, (_, mark: string, count: string) => `${mark}${Math.round(Number(count) * 1_000)}`)
    .replace(/(?<!\p{L})an? (?=(?:week|month)['’]s (?:\p{L}+ )?notice)/giu, '1 ')
    .replace(
      /(\p{L}+|\d+) (premiers|premières|primeros|primeras) (?=mois|jours|semaines|meses|días|semanas)/giu,
      '$2 $1 ',
    );
  return spelledPercents(spelledLengths(plain)).replace(
    /(\d) (horas y media|heures et demie|ore e mezza)(?!\p{L})/giu,
    (_, count: string, unit: string) => `${count}.5 ${unit.split(' ')[0]}`,
  );
}

/** "Zweiwöchige", "14-tägigen", "einmonatiger". */
const germanAdjective =
  /(?<!\p{L})(\d{1,3}[- ]?|ein|zwei|drei|vier|fünf|sechs|acht|zehn|zwölf|vierzehn)(tägig|wöchig|wöchentlich|monatig)e[nmrs]?(?!\p{L})/giu;
const germanUnits: Readonly<Record<string, string>> = { tägig: 'Tage', wöchig: 'Wochen', monatig: 'Monate' };

function germanLength(whole: string, count: string, unit: string): string {
  const value = /^\d/.test(count) ? Number.parseInt(count, 10) : numberOfWord(count.toLowerCase());
  const name = germanUnits[unit.toLowerCase()];
  return value === undefined || name === undefined ? whole : `${value} ${name}`;
}

/** "Two hundred seventy-five thousand dollars ($275,000)", "twelve (12)": the words repeat the figure in parentheses. */
const repeated = /((?:\p{L}{2,20}[- ]){0,12}\p{L}{2,20}) ?\((\p{Sc}?\d[\d.,]*\d|\d)( ?%)?\)/gu;
const inNumbers =
  /^(?:and|y|e|et|und|one|half|hundred|thousand|million|per|cent|percent|prozent|por|ciento|dollars?|pounds?|euros?|mil|mille|cientos|\p{L}*cientas|\p{L}*tausend)$/iu;

function withoutRepetition(whole: string, words: string, figure: string, percent = ''): string {
  const all = [...words.matchAll(/\p{L}+/gu)].map(({ 0: word, index }) => ({ word: word.toLowerCase(), index }));
  let from = all.length;
  while (from > 0 && (numberOfWord(all[from - 1]!.word) !== undefined || inNumbers.test(all[from - 1]!.word)))
    from -= 1;
  while (from < all.length && numberOfWord(all[from]!.word) === undefined) from += 1;
  const first = all[from];
  return first === undefined ? whole : `${words.slice(0, first.index)}${figure}${percent.trim()}`;
}

/** "One hour" remains: it is the name of a break as well. */
function spelledLengths(text: string): string {
  const words = splitWords(text);
  let result = '';
  let at = 0;
  for (const { start, count, firstWord, unit } of findDurations(text, words)) {
    const end = spelledEnd(words, firstWord);
    if (end === undefined || Number(count) < 2 || unit === 'minute') continue;
    result += `${text.slice(at, start)}${count}`;
    at = end;
  }
  return result + text.slice(at);
}

/** The end of the number that begins with a word; undefined for a number in digits. */
function spelledEnd(words: readonly Word[], first: number): number | undefined {
  let last = first;
  for (let index = first; index < words.length && index < first + 6; index += 1) {
    if (numberOfWord(words[index]!.text) !== undefined) last = index;
    else if (!/^(?:and|et|y|e)$/u.test(words[index]!.text)) break;
  }
  return numberOfWord(words[first]!.text) === undefined ? undefined : words[last]!.end;
}

/** "£42k", "€ 52.5k". */
const thousands = /(?<![\p{L}\d])((?:[€£$]|EUR|GBP|USD|CHF) ?)(\d{1,3}(?:\.\d{1,2})?) ?[kK](?![\p{L}\d])/gu;

/** "Euro 2.850,-", "2160,-- €": no cents. */
const dashedCents = /(\d),[-–—]{1,2}(?=$|[\s,.;)])/gu;

function spelledPercents(text: string): string {
  if (!percentWord.test(text)) return text;
  const words = splitWords(text);
  let result = '';
  let at = 0;
  for (const match of text.matchAll(new RegExp(percentWord.source, 'giu'))) {
    const before = words.findLastIndex(({ end }) => end <= match.index);
    const number = before === -1 ? undefined : spelledNumberEndingAt(text, words, before);
    if (number === undefined || text.slice(words[before]!.end, match.index).trim() !== '') continue;
    result += `${text.slice(at, words[number.firstWord]!.start)}${number.value}%`;
    at = match.index + match[0].length;
  }
  return result + text.slice(at);
}

/** "Twenty percent", "zwanzig Prozent"; not "percentage". */
const percentWord = /(?<= )(?:per ?cent|prozent|pour cent|por ciento|per cento|procent)(?!\p{L})/iu;
