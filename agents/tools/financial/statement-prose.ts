/** Reads figures out of sentences: "Revenue was EUR 12.5 million in 2024, compared with EUR 11.2 million in 2023." */
import type { Document } from '../../document/document.ts';
import { type FoundAmount, findAmounts } from '../text/amounts.ts';
import { parseNumber } from '../text/numbers.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { isLossName } from './labels.ts';
import { beginsItem, costItems, itemNamed, type LineItem, nameWordsMax, normaliseName } from './line-items.ts';
import { type FoundPeriod, findPeriods, undated } from './periods.ts';
import { absolute, multiply, negate, parseRational, rational, toText } from './rational.ts';
import type { ReadFigure } from './statement-tables.ts';

/** Longer sentences are none: tables without breaks, machine output. */
const sentenceCharactersMax = 1_200;

/** @param itemLines tables and lines that were read as items, in order · @returns figures in the order of the text */
export function readProse(
  document: Document,
  itemLines: readonly Range[],
): { figures: ReadFigure[]; currencies: string[] } {
  const { text, decimalMark } = document;
  const amounts = findMoney(text, decimalMark);
  const figures: ReadFigure[] = [];
  let index = 0;
  for (const { start, end } of document.sentences) {
    while (index < amounts.length && amounts[index]!.start < start) index += 1;
    const first = index;
    while (index < amounts.length && amounts[index]!.start < end) index += 1;
    if (index === first || end - start > sentenceCharactersMax || isItemLine(itemLines, start)) continue;
    // "0,2 Mio. EUR" may look like the end of a sentence.
    const until = Math.max(end, amounts[index - 1]!.end);
    figures.push(...readSentence(text, { start, end: until }, amounts.slice(first, index)));
  }
  const currencies = amounts.flatMap(({ currency }) => (currency === undefined ? [] : [currency]));
  return { figures, currencies: [...new Set(currencies)] };
}

function isItemLine(itemLines: readonly Range[], at: number): boolean {
  const index = indexAt(itemLines, at);
  return index !== undefined && at < itemLines[index]!.end;
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

/** Longest names first; a name counts where it stands alone: no other noun before it ("deferred revenue") or behind it ("revenue growth"). */
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
      const range = { start: words[at]!.start, end: words[at + count - 1]!.end };
      const before = words[at - 1];
      const after = words[at + count];
      const leads = before === undefined || isMark(sentence.slice(before.end, range.start)) || leading.has(before.name);
      const follows =
        after === undefined || isMark(sentence.slice(range.end, after.start)) || following.test(after.name);
      if (leads && follows) found.push({ item, isLoss: isLossName(name), ...range });
      at += count - 1;
      break;
    }
  }
  return found;
}

/** More than a blank stands between two words, other than a hyphen or an apostrophe. */
function isMark(between: string): boolean {
  return /[^\s'’-]/.test(between);
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** What may stand before the name of an item without making it another thing. */
const leading = words(
  'the a an our its their this that total group groups consolidated annual quarterly yearly company companys s full year overall reported record ' +
    'higher lower and or with had has have in generated achieved recorded reported posted of while where whereas as to was were is ' +
    'die der das den dem ein eine einen einem des im und mit sowie betrug betrugen war waren erzielte hatte ' +
    'le la les l un une du de des et avec notre son ' +
    'cini cinil cinily byl byla byly a v cely celkovy celkove nas nase jeji s dosahl dosahla ' +
    '2019 2020 2021 2022 2023 2024 2025 2026 2027 2028 q1 q2 q3 q4 h1 h2',
);
/** What may stand behind it: a verb, a preposition, a number, a currency. */
const following =
  /^(?:\d.*|eur|usd|gbp|chf|czk|pln|was|were|is|are|of|for|in|at|to|from|and|or|rose|increased|amounted|amounts|reached|total\w{0,5}|came|stood|fell|declined|decreased|grew|dropped|went|improved|narrowed|widened|remained|as|on|during|by|up|down|will|would|had|has|this|last|after|before|that|which|excluding|including|attributable|net|approximately|about|around|war|waren|betrug|betrugen|lag|lagen|stieg|stiegen|sank|sanken|erreichte|erreichten|von|vom|im|der|des|belief|beliefen|und|zum|auf|um|hohe|a|ont|est|etait|s|se|de|du|des|en|au|pour|et|atteint|ressort|cinil|cinila|cinily|cini|byl|byla|bylo|byly|dosahl|dosahla|dosahly|vzrostl|vzrostla|vzrostly|klesl|klesla|klesly|ve|v|za|k|ke|ve vysi|m)$/;
