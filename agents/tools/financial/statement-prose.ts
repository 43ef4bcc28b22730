/** Reads figures out of sentences: "Revenue was EUR 12.5 million in 2024, compared with EUR 11.2 million in 2023." */
import { type FoundAmount, findAmounts } from '../text/amounts.ts';
import { guessDecimalMark, parseNumber } from '../text/numbers.ts';
import { splitSentences } from '../text/sentences.ts';
import type { Range } from '../text/span.ts';
import { isLossName } from './labels.ts';
import { beginsItem, costItems, itemNamed, type LineItem, nameWordsMax, normaliseName } from './line-items.ts';
import { type FoundPeriod, findPeriods, undated } from './periods.ts';
import { absolute, multiply, negate, parseRational, rational, toText } from './rational.ts';
import type { ReadFigure } from './statement-tables.ts';

/** Longer sentences are none: tables without breaks, machine output. */
const sentenceCharactersMax = 1_200;

/** @param itemLines lines that tables were read from, in order · @returns figures in the order of the text */
export function readProse(text: string, itemLines: readonly Range[]): { figures: ReadFigure[]; currencies: string[] } {
  const prose = withoutLines(text, itemLines);
  const amounts = findMoney(prose, guessDecimalMark([text]));
  const figures: ReadFigure[] = [];
  let index = 0;
  for (const { start, end } of splitSentences(prose)) {
    while (index < amounts.length && amounts[index]!.start < start) index += 1;
    const first = index;
    while (index < amounts.length && amounts[index]!.start < end) index += 1;
    if (index === first || end - start > sentenceCharactersMax) continue;
    // "0,2 Mio. EUR" may look like the end of a sentence.
    const until = Math.max(end, amounts[index - 1]!.end);
    figures.push(...readSentence(prose, { start, end: until }, amounts.slice(first, index)));
  }
  const currencies = amounts.flatMap(({ currency }) => (currency === undefined ? [] : [currency]));
  return { figures, currencies: [...new Set(currencies)] };
}

/** Amounts with a currency, and numbers with a multiplier alone: "revenue of 12.5 million". */
function findMoney(text: string, decimalMark: '.' | ',' | undefined): FoundAmount[] {
  const amounts = findAmounts(text, { decimalMark });
  const scaled = [...text.matchAll(scaledShape)].flatMap((match): FoundAmount[] => {
    const parsed = parseNumber(match[1]!, { decimalMark });
    if (parsed === undefined) return [];
    const zeros = /^(?:b|mrd|mld)/i.test(match[2]!) ? 9 : /^t/i.test(match[2]!) ? 3 : 6;
    const value = multiply(parseRational(parsed.value)!, rational(10n ** BigInt(zeros)));
    return [{ start: match.index, end: match.index + match[0].length, value: toText(value) }];
  });
  const starts = new Set(
    amounts.flatMap(({ start, end }) => Array.from({ length: Math.min(end - start, 64) }, (_, k) => start + k)),
  );
  return [...amounts, ...scaled.filter(({ start }) => !starts.has(start))].sort((a, b) => a.start - b.start);
}

const scaledShape =
  /(?<![\p{L}\d.,])(\d{1,9}(?:[.,]\d{1,3})?)[ \u00a0](thousand|millions?|millionen|mio|mil|mln|billions?|bn|mrd|mld)(?![\p{L}\d])/giu;

/** The same text with blank lines in place of these: as long as before, and no sentence runs across them. */
function withoutLines(text: string, lines: readonly Range[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of lines) {
    parts.push(text.slice(from, start), ' '.repeat(end - start));
    from = end;
  }
  return parts.join('') + text.slice(from);
}

interface FoundItem extends Range {
  readonly item: LineItem;
  readonly isLoss: boolean;
}

function readSentence(text: string, { start, end }: Range, all: readonly FoundAmount[]): ReadFigure[] {
  const sentence = text.slice(start, end);
  const items = findItems(sentence);
  if (items.length === 0) return [];
  const amounts = all
    .map((amount) => ({ ...amount, start: amount.start - start, end: amount.end - start }))
    .filter((amount) => !isChange(sentence, amount));
  const periods = findPeriods(sentence).filter(({ start: at }) => !amounts.some((a) => at >= a.start && at < a.end));
  const figures: ReadFigure[] = [];
  items.forEach((item, index) => {
    const until = items[index + 1]?.start ?? sentence.length;
    const own = amounts.filter((amount) => amount.start >= item.end && amount.end <= until);
    const dated = periods.filter((period) => period.start >= item.end && period.start < until);
    const labels = periodsOf(sentence, own, dated, periods);
    own.forEach((amount, nth) => {
      const printed = parseRational(amount.value);
      const value = printed !== undefined && item.isLoss ? negate(absolute(printed)) : printed;
      const period = labels[nth];
      if (value === undefined || period === undefined) return;
      figures.push({
        item: item.item,
        period,
        value: costItems.has(item.item) ? absolute(value) : value,
        printedNegative: value.numerator < 0n,
        source: 'text',
        start: start + amount.start,
        end: start + amount.end,
      });
    });
  });
  return figures;
}

/**
 * "2023: EUR 5" dates the amount behind the colon, "EUR 5 in 2023" the one before; as many periods as amounts pair in order; a
 * single amount takes the sentence's only period.
 *
 * @returns one per amount; undefined where several periods could be meant
 */
function periodsOf(
  sentence: string,
  own: readonly FoundAmount[],
  dated: readonly FoundPeriod[],
  all: readonly FoundPeriod[],
): (string | undefined)[] {
  const labels = new Map<number, string>();
  for (const { start, end, label } of dated) {
    const next = own.findIndex(
      (amount) => amount.start >= end && /^ ?: {0,2}$/.test(sentence.slice(end, amount.start)),
    );
    const before = own.findLastIndex((amount) => amount.end <= start && start - amount.end <= 24);
    const index = next !== -1 ? next : before;
    if (index !== -1 && !labels.has(index)) labels.set(index, label);
  }
  if (labels.size > 0) return own.map((_, index) => labels.get(index) ?? (index === 0 ? undated : undefined));
  const inOrder = [dated, all].find((periods) => periods.length === own.length);
  if (inOrder !== undefined) return inOrder.map(({ label }) => label);
  const distinct = new Set((dated.length > 0 ? dated : all).map(({ label }) => label));
  const only = distinct.size === 0 ? undated : distinct.size === 1 ? [...distinct][0] : undefined;
  return own.map((_, index) => (index === 0 ? only : undefined));
}

/** "rose by EUR 2 million" and "up EUR 2 million" are changes, not levels. */
function isChange(sentence: string, { start }: Range): boolean {
  return /\b(?:by|up|down|um|de|o|more than|less than|over|exceeding|above|below|per)\s{1,3}(?:about |some |over )?$/iu.test(
    sentence.slice(Math.max(0, start - 24), start),
  );
}

/** Longest names first; a name is not read into a longer one that is no item ("revenue reserve" is still revenue). */
function findItems(sentence: string): FoundItem[] {
  const words = [...sentence.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    name: normaliseName(match[0]),
  }));
  const found: FoundItem[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (!beginsItem(words[at]!.name)) continue;
    for (let count = Math.min(nameWordsMax, words.length - at); count > 0; count -= 1) {
      const name = words
        .slice(at, at + count)
        .map((word) => word.name)
        .join(' ');
      const item = name.length < 3 ? undefined : itemNamed(name);
      if (item === undefined) continue;
      found.push({ item, isLoss: isLossName(name), start: words[at]!.start, end: words[at + count - 1]!.end });
      at += count - 1;
      break;
    }
  }
  return found;
}
