/** Comparison figures in parentheses: "(2024: £561.2m and £196.4m)" for several items, "SEK 148 m (203)" for the year before. */
import { parseNumber } from '../text/numbers.ts';
import type { LineItem } from './line-items.ts';
import { priorPeriod } from './periods.ts';
import { findProseAmounts, type ProseAmount } from './prose-sentences.ts';
import { absolute, compare, divide, isZero, multiply, parseRational, type Rational, rational } from './rational.ts';
import type { ReadFigure } from './table-state.ts';

type DecimalMark = '.' | ',' | undefined;

const comparedList =
  /\((?<year>(?:19|20)\d\d) ?:(?<list>[^()]{0,60}\d[^()]{0,20} (?:and|und|et|y|e|en) [^()]{0,60}\d[^()]{0,20})\)/giu;

/** Keeps the length. The amounts of a list are read by `figuresOfLists` alone. */
export function withoutComparedLists(sentence: string): string {
  return sentence.replace(comparedList, (all) => ' '.repeat(all.length));
}

/**
 * The amounts of a list belong to the figures before it in their order, if there are as many figures as amounts.
 * @param figures with offsets into the sentence · @param labelOfYear the period of an item in the year of the list
 */
export function figuresOfLists(
  sentence: string,
  figures: readonly ReadFigure[],
  decimalMark: DecimalMark,
  labelOfYear: (year: string, at: number, item: LineItem) => string | undefined,
): ReadFigure[] {
  let from = 0;
  return [...sentence.matchAll(comparedList)].flatMap(({ index, 0: all, groups }) => {
    const before = figures.filter(({ start, end }) => start >= from && end <= index);
    from = index + all.length;
    const offset = index + all.indexOf(':') + 1;
    const amounts = findProseAmounts(groups!.list!, decimalMark);
    const isRespective =
      amounts.length === before.length &&
      new Set(before.map(({ item }) => item)).size === before.length &&
      !/\p{L}{3}/u.test(
        groups!.list!.replace(/\b(?:and|und|respectively|beziehungsweise|million|billion|mio|mrd|eur)\b/giu, ''),
      );
    if (!isRespective) return [];
    return before.flatMap(({ item }, nth): ReadFigure[] => {
      const amount = amounts[nth]!;
      const value = parseRational(amount.value);
      const period = labelOfYear(groups!.year!, index + 1, item);
      if (value === undefined || period === undefined || !amount.isScaled) return [];
      const [start, end] = [offset + amount.start, offset + amount.end];
      return [{ item, period, value, printedNegative: value.numerator < 0n, source: 'text', zeros: 0, start, end }];
    });
  });
}

const bare = /^ ?\((-?\d{1,3}(?:[ \u00a0,.]\d{1,3}){0,4})\)/u;
const bareAfterAmount =
  /\d(?: ?(?:m|mn|bn|k|million|billion|mkr|tkr|msek|meur|mnok|mdkk|sek m|miljoner|millioner|mio\. ?kr\.?|kr|mio\.? (?:€|eur|chf)|milioni|millones|procent|prosent|times|per cent|%)(?: (?:kronor|kroner|euro|di euro|de euros))?)? \(-?\d{1,3}(?:[ \u00a0,.]\d{1,3}){0,4}\)/giu;

/** Whether the document prints the previous year in parentheses without its year: more than once, because (1) may be a note. */
export function printsBareComparatives(text: string): boolean {
  return (text.match(bareAfterAmount)?.length ?? 0) > 1;
}

/** "SEK 1,284 m (1,342)": the number in parentheses has the unit of the amount and belongs to the same period a year earlier. */
export function bareComparative(
  sentence: string,
  amount: ProseAmount,
  figure: ReadFigure,
  decimalMark: DecimalMark,
): ReadFigure[] {
  const shown = bare.exec(sentence.slice(amount.end));
  const own = /\d[\d.,]*(?:[ \u00a0]\d{3})*(?:,\d{1,3})?/u.exec(sentence.slice(amount.start, amount.end))?.[0];
  const period = priorPeriod(figure.period);
  if (shown === null || own === undefined || period === undefined) return [];
  const [printed, before] = [own, shown[1]!].map((text) => rationalOf(text, decimalMark));
  const value = parseRational(amount.value);
  if (printed === undefined || before === undefined || value === undefined || isZero(printed)) return [];
  if (placesOf(own) !== placesOf(shown[1]!) || !isComparable(printed, before)) return [];
  const start = figure.end + shown[0].indexOf('(') + 1;
  const compared = multiply(before, divide(value, printed));
  return [
    {
      ...figure,
      period,
      value: compared,
      printedNegative: compared.numerator < 0n,
      start,
      end: start + shown[1]!.length,
    },
  ];
}

function rationalOf(text: string, decimalMark: DecimalMark): Rational | undefined {
  const parsed = parseNumber(text, { decimalMark });
  return parsed === undefined ? undefined : parseRational(parsed.value);
}

function placesOf(text: string): number {
  return /[.,](\d{1,2})$/.exec(text)?.[1]?.length ?? 0;
}

/** A note number is far smaller than the amount before it. */
function isComparable(one: Rational, other: Rational): boolean {
  const ten = rational(10n);
  const [a, b] = [absolute(one), absolute(other)];
  return compare(a, multiply(b, ten)) < 0 && compare(b, multiply(a, ten)) < 0;
}
