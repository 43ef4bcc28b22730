/** The numbers that a line states, with every value that each may have: in words, with its scale, as a share, in another unit. */
import type { AlsoWritten } from '../agent/vocabulary.ts';
import { multiplierBehind } from '../tools/text/amounts.ts';
import { findNumbers, type NumberHint } from '../tools/text/numbers.ts';
import type { Range } from '../tools/text/span.ts';
import { spelledNumberEndingAt } from '../tools/text/spelled-numbers.ts';
import { splitWords } from '../tools/text/words.ts';

/**
 * `plain` is for every field, and the forms of `AlsoWritten` for fields that name them. `open`: a value that the text allows and does not
 * decide, such as a number of a table without the table's scale.
 */
export type NumberForm = 'plain' | 'open' | AlsoWritten;

export interface StatedValue extends Range {
  readonly keys: readonly string[];
}

/** Amounts in thousands or millions are exact, but doubles are not. */
export function numberKey(form: NumberForm, value: number): string {
  return `${form} ${Number(value.toPrecision(15))}`;
}

export interface NumberContext {
  readonly hint: NumberHint;
  /** The line below, because a multiplier may begin it. */
  readonly next: string;
  /** Powers of ten that captions and headings above state. */
  readonly scales: readonly number[];
  /** Those of the whole document. */
  readonly allScales: readonly number[];
}

export function statedNumbers(text: string, context: NumberContext): StatedValue[] {
  const { hint, next } = context;
  const continued = `${text}\n${next}`;
  const numbers = findNumbers(text, hint).map((number) => ({
    start: number.start,
    end: number.end,
    keys: valuesOf(continued, number, readingsOf(text, number, hint), context),
  }));
  return [
    ...numbers,
    ...spelledNumbers(continued, text.length),
    ...clockTimes(text),
    ...shares(text),
    ...bodyUnits(text),
  ];
}

/** "1.234" is a thousand or one, unless the other numbers of the document decide. */
function readingsOf(
  text: string,
  { start, end, value, ambiguous }: Range & { value: string; ambiguous: boolean },
  { decimalMark }: NumberHint,
): Readings {
  const magnitude = Math.abs(Number(value));
  const [, whole = '', rest = ''] = /^\D*([1-9]\d{0,2})[.,](\d{3})\D*$/.exec(text.slice(start, end)) ?? [];
  if (rest === '') return { certain: [magnitude], open: [] };
  const both = [Number(whole + rest), Number(`${whole}.${rest}`)];
  if (decimalMark === undefined || ambiguous) return { certain: both, open: [] };
  return { certain: [magnitude], open: both.filter((one) => one !== magnitude) };
}

interface Readings {
  readonly certain: readonly number[];
  readonly open: readonly number[];
}

function valuesOf(
  text: string,
  { start, end }: Range,
  { certain, open }: Readings,
  { scales, allScales }: NumberContext,
): string[] {
  const behind = text.slice(end, end + 24);
  const keys = (form: NumberForm, powers: readonly number[], readings = certain) =>
    powers.flatMap((power) => readings.map((one) => numberKey(form, one * 10 ** power)));
  if (percent.test(behind)) {
    // "A surcharge of 50 %" is a rate of 150 %.
    return [...keys('plain', [0]), ...keys('multiple', [-2]), ...certain.map((one) => numberKey('share', 100 + one))];
  }
  if (cents.test(behind)) return keys('plain', [0, -2]);
  if (times.test(behind)) return [...keys('plain', [0]), ...keys('share', [2])];
  const powers = powersBehind(text, end);
  if (powers !== undefined) return keys('plain', powers);
  const undecided = [...keys('open', [0], open), ...keys('open', allScales, certain.slice(0, 1))];
  // "1,943" is no year.
  if (/^(?:19|20|21)\d\d$/.test(text.slice(start, end))) return keys('plain', [0]);
  if (scales.length === 0) return [...keys('plain', [0]), ...undecided];
  // In tables with a scale, a mark before three digits separates thousands.
  return [...keys('plain', scales, certain.slice(0, 1)), ...keys('open', [0]), ...undecided];
}

const percent = /^[ \u00a0\u202f]{0,2}(?:%|per ?cent|prozent|procent)/iu;
const cents = /^[ \u00a0\u202f]{0,2}cents?(?!\p{L})/iu;
const times = /^[ \u00a0\u202f]{0,2}(?:x|×|times|fold|-fach|mal|fois|volte|veces)(?!\p{L})/iu;

/** Of "1.2 million"; a single letter may be a unit, and "mil" is a thousand in Spanish and a million in Norwegian. */
function powersBehind(text: string, end: number): readonly number[] | undefined {
  const isBroken = text[end] === '\n';
  const multiplier = multiplierBehind(text, isBroken ? end + 1 : end);
  if (multiplier === undefined) return undefined;
  const { word, zeros } = multiplier;
  if (word === 'mil') return [3, 6];
  if (word.length > 1) return [zeros];
  return isBroken ? undefined : [0, zeros];
}

/** Words for one that are articles, and words for other numbers that are common words of another language. */
const undecidedWords = new Set(
  'a an un une uno una um uma ein eine einen einem einer eines een en et ett jeden jedna jedno sei cent once mil'.split(
    ' ',
  ),
);

/** @param end where the line ends: the text continues with the next one */
function spelledNumbers(text: string, end: number): StatedValue[] {
  const words = splitWords(text.slice(0, end));
  return words.flatMap((word, at) => {
    const number = spelledNumberEndingAt(text, words, at);
    if (number === undefined) return [];
    const isUndecided = number.firstWord === at && undecidedWords.has(word.text);
    // "Two hundred" in "two hundred and fifty".
    const isPart = [at + 1, at + 2]
      .filter((further) => further < words.length)
      .some((further) => (spelledNumberEndingAt(text, words, further)?.firstWord ?? further) <= at);
    if (isPart) return [];
    const powers = powersBehind(text, word.end) ?? [0];
    const forms: readonly (readonly [NumberForm, number])[] = times.test(text.slice(word.end, word.end + 24))
      ? [
          ['plain', 0],
          ['share', 2],
        ]
      : powers.map((power) => ['plain', power] as const);
    const keys = forms.map(([form, power]) => numberKey(isUndecided ? 'open' : form, number.value * 10 ** power));
    return [{ start: words[number.firstWord]!.start, end: word.end, keys }];
  });
}

/** "7:30" as 7.5 hours. */
function clockTimes(text: string): StatedValue[] {
  return [...text.matchAll(/(?<![\d:])(\d{1,3}):([0-5]\d)(?![\d:])/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    keys: [numberKey('hours', Math.round((Number(match[1]) + Number(match[2]) / 60) * 100) / 100)],
  }));
}

/** Words that state a share or a multiple. */
const shareWords: readonly (readonly [factor: number, words: RegExp])[] = [
  [0.5, /(?<!\p{L})(?:half|halb\p{L}{0,2}|hälfte|moitié|mitad|metà|helft|połow\p{L})(?!\p{L}|-?year)/giu],
  [1, /(?<!\p{L})(?:full|voll\p{L}{0,3}|entier|complet[oa]?|intero|intera|íntegr[oa]|volledig)(?!\p{L}|-?time)/giu],
  [
    1.5,
    /(?<!\p{L})(?:(?:time|one|once) and a half|anderthalb\p{L}{0,3}|eineinhalb\p{L}{0,3}|une fois et demie|una volta e mezza)(?!\p{L})/giu,
  ],
  [2, /(?<!\p{L})(?:double|twice|doppelt\p{L}{0,2}|doble|doppio|dubbele?)(?!\p{L})/giu],
];

function shares(text: string): StatedValue[] {
  return shareWords.flatMap(([factor, words]) =>
    [...text.matchAll(words)].map(({ index, 0: all }) => ({
      start: index,
      end: index + all.length,
      keys: [numberKey('share', factor * 100), numberKey('multiple', factor)],
    })),
  );
}

/** Lengths, weights and temperatures in cm, kg and °C, to one decimal. The factors are exact by definition. */
const conversions: readonly (readonly [shape: RegExp, convert: (one: number, other: number) => number])[] = [
  [/(?<![\d.,'’])(\d{1,3}(?:[.,]\d{1,2})?) ?(?:lbs?|pounds?)(?!\p{L})/giu, (pounds) => pounds * 0.453_592_37],
  [/(?<![\d.,'’])(\d{1,3}(?:[.,]\d{1,2})?) ?(?:inches|inch)(?!\p{L})/giu, (inches) => inches * 2.54],
  [
    /(?<![\d.,'’])([3-8]) ?(?:ft|feet|foot|['’′]) ?(\d{1,2}(?:[.,]\d)?)? ?(?:inches|in|″|"|'')?(?![\d\p{L}])/giu,
    (feet, inches) => feet * 30.48 + inches * 2.54,
  ],
  [/(?<![\d.,'’])([0-2][.,]\d{1,2}) ?m(?![\p{L}\d])/giu, (metres) => metres * 100],
  [/(?<![\d.,'’])(\d{2,3}(?:[.,]\d)?) ?°? ?F(?!\p{L})/gu, (fahrenheit) => ((fahrenheit - 32) * 5) / 9],
];

function bodyUnits(text: string): StatedValue[] {
  return conversions.flatMap(([shape, convert]) =>
    [...text.matchAll(shape)].map(({ index, 0: all, 1: one, 2: other }) => {
      const [a, b] = [one, other].map((written) => Number((written ?? '0').replace(',', '.')));
      const converted = Math.round(convert(a!, b!) * 10) / 10;
      return { start: index, end: index + all.length, keys: [numberKey('body', converted)] };
    }),
  );
}
