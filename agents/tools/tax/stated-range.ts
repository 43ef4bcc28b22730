/** Interquartile ranges that a text states in a sentence, whether or not it lists the comparables. */
import { compare, parseRational, type Rational } from '../financial/rational.ts';
import { guessDecimalMark } from '../text/numbers.ts';
import { type FoundPercent, findPercents } from '../text/percents.ts';
import { splitSentences } from '../text/sentences.ts';
import type { Range } from '../text/span.ts';

export interface StatedRange extends Range {
  /** In percent. */
  readonly lower: Rational;
  readonly upper: Rational;
  readonly median?: Rational;
}

const rangeShape = /inter-?quartil|lower quartile|upper quartile|interkvartil/i;
const medianBefore = /\bmedi[aá]n[^%\d]{0,24}$/iu;
const lowerBefore = /\b(?:lower|first|25th)[^%\d]{0,30}$/iu;
const upperBefore = /\b(?:upper|third|75th)[^%\d]{0,30}$/iu;

/**
 * "The interquartile range is 2.1 % to 5.4 % with a median of 3.7 %." Ordered by position in the text; each number needs its sign.
 */
export function findStatedRanges(text: string): StatedRange[] {
  const decimalMark = guessDecimalMark([text]);
  return splitSentences(text).flatMap(({ start, end }): StatedRange[] => {
    if (end - start > 600) return [];
    const sentence = text.slice(start, end);
    // Tables have their own reader.
    if (!rangeShape.test(sentence) || sentence.includes('|')) return [];
    const range = rangeOf(sentence, findPercents(sentence, { decimalMark }));
    return range === undefined ? [] : [{ ...range, start, end }];
  });
}

function rangeOf(sentence: string, percents: readonly FoundPercent[]): Omit<StatedRange, 'start' | 'end'> | undefined {
  let lower: Rational | undefined;
  let upper: Rational | undefined;
  let median: Rational | undefined;
  const rest: Rational[] = [];
  const named: Rational[] = [];
  const cue = sentence.search(rangeShape);
  for (const { start, value } of percents) {
    const number = parseRational(value);
    if (number === undefined) continue;
    const before = sentence.slice(Math.max(0, start - 40), start);
    if (medianBefore.test(before)) median ??= number;
    else if (lowerBefore.test(before)) lower ??= number;
    else if (upperBefore.test(before)) upper ??= number;
    else {
      rest.push(number);
      if (start > cue) named.push(number);
    }
  }
  if (lower === undefined && upper === undefined && rest.length >= 2)
    // "The full range is 0.4 % to 7.9 %, the interquartile range 1.8 % to 4.6 %."
    [lower, upper] = rest.length > 2 && named.length >= 2 ? named : rest;
  if (lower === undefined || upper === undefined || compare(lower, upper) > 0) return undefined;
  return { lower, upper, ...(median === undefined ? {} : { median }) };
}
