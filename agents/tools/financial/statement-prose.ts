/** Extracts figures from sentences: "Revenue was EUR 12.5 million in 2024, compared with EUR 11.2 million in 2023." */
import type { Document } from '../../document/document.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import type { FiscalCalendar } from './fiscal-year.ts';
import { balanceItems, costItems, type LineItem, unscaledItems } from './line-items.ts';
import { readPeriodWords } from './period-words.ts';
import {
  type ColumnPeriod,
  type FoundPeriod,
  findPeriods,
  labelOf,
  monthsIntoYear,
  periodOfHeadings,
  undated,
  yearBefore,
} from './periods.ts';
import { joinedSentences } from './prose-ranges.ts';
import {
  type FoundItem,
  findItems,
  findProseAmounts,
  flattened,
  isChange,
  isReported,
  type ProseAmount,
  sentenceCharactersMax,
} from './prose-sentences.ts';
import { absolute, negate, parseRational } from './rational.ts';
import type { ReadFigure } from './table-state.ts';

export interface ProseOptions {
  /** Tables and lines that were read as items, in order. */
  readonly itemLines: readonly Range[];
  readonly calendar: FiscalCalendar;
  /** ISO 4217; amounts in another currency are not figures of the company. */
  readonly currency: string | undefined;
  /** If the tables are in thousands or millions, amounts without a multiplier may be, too. */
  readonly isScaled: boolean;
}

/** @returns figures in the order of the text */
export function readProse(document: Document, options: ProseOptions): ReadFigure[] {
  const { text, decimalMark } = document;
  const figures: ReadFigure[] = [];
  let context: ColumnPeriod | undefined;
  let headingAt = 0;
  const headings = document.blocks.filter(({ kind }) => kind === 'heading');
  for (const { start, end } of joinedSentences(document)) {
    while (headingAt < headings.length && headings[headingAt]!.start <= start) {
      const heading = headings[headingAt]!;
      context = periodNamed(text.slice(heading.start, Math.min(heading.end, heading.start + 120)), options.calendar);
      headingAt += 1;
    }
    if (end - start > sentenceCharactersMax || end - start < 12 || isItemLine(options.itemLines, start)) continue;
    const sentence = flattened(text.slice(start, end));
    if (!/\d/.test(sentence) || !isReported(sentence)) continue;
    figures.push(
      ...readSentence(sentence, start, { ...options, decimalMark, context: context ?? titlePeriod(options.calendar) }),
    );
  }
  return figures;
}

function titlePeriod({ end, months }: FiscalCalendar): ColumnPeriod | undefined {
  return end === undefined ? undefined : { end, isEstimate: false, ...(months === undefined ? {} : { months }) };
}

/** A period with a length: "Fourth quarter 2025 highlights". */
function periodNamed(text: string, calendar: FiscalCalendar): ColumnPeriod | undefined {
  const words = readPeriodWords(text);
  if (words.months === undefined || (words.end === undefined && words.year === undefined) || words.isMonth)
    return undefined;
  return periodOfHeadings([text.replace(/highlights?|growth|increase|change/gi, '')], [], calendar);
}

function isItemLine(itemLines: readonly Range[], at: number): boolean {
  const index = indexAt(itemLines, at);
  return index !== undefined && at < itemLines[index]!.end;
}

interface SentenceOptions extends ProseOptions {
  readonly decimalMark: '.' | ',' | undefined;
  readonly context: ColumnPeriod | undefined;
}

/** "(2024: £561.2m and £196.4m)": which amount belongs to which item is not certain. */
const comparedList = /\((?:19|20)\d\d ?:[^()]{0,60}\d[^()]{0,20} (?:and|und|et|y|e|en) [^()]{0,60}\d[^()]{0,20}\)/giu;

function readSentence(written: string, start: number, options: SentenceOptions): ReadFigure[] {
  const sentence = written.replace(comparedList, (all) => ' '.repeat(all.length));
  const items = findItems(sentence);
  if (items.length === 0) return [];
  const amounts = findProseAmounts(sentence, options.decimalMark).filter(
    (amount) =>
      !isChange(sentence, amount) &&
      (amount.currency === undefined || options.currency === undefined || amount.currency === options.currency),
  );
  const periods = findPeriods(sentence).filter(
    ({ start: at }) =>
      !/\bthan (?:in |for |the |at )?(?:fiscal |financial )?(?:year )?$/i.test(
        sentence.slice(Math.max(0, at - 28), at),
      ) && !amounts.some((a) => at >= a.start && at < a.end),
  );
  const taken = new Set<ProseAmount>();
  const figures: ReadFigure[] = [];
  items.forEach((item, index) => {
    const until = items[index + 1]?.start ?? sentence.length;
    const behind = amounts.filter((amount) => amount.start >= item.end && amount.end <= until && !taken.has(amount));
    const leading = amountBefore(sentence, item, amounts, taken);
    const own = leading.length === 0 && behind.length > 0 ? directOnes(sentence, item, behind) : leading;
    if (own.length === 0) return;
    const labels = labelsOf(sentence, item, own, periods, options);
    own.forEach((amount, nth) => {
      const label = labels[nth];
      const isFull = amount.isScaled || unscaledItems.has(item.item) || !options.isScaled;
      const printed = parseRational(amount.value);
      if (label === undefined || printed === undefined || !isFull) return;
      taken.add(amount);
      const isLoss =
        item.isLoss ||
        (results.has(item.item) && lossBefore.test(sentence.slice(Math.max(0, amount.start - 30), amount.start)));
      const value = isLoss ? negate(absolute(printed)) : printed;
      figures.push({
        item: item.item,
        period: label,
        value: costItems.has(item.item) ? absolute(value) : value,
        printedNegative: value.numerator < 0n,
        source: 'text',
        zeros: 0,
        start: start + amount.start,
        end: start + amount.end,
      });
    });
  });
  return figures;
}

/** An amount far after the item, across another clause, belongs to something else. */
function directOnes(sentence: string, item: FoundItem, amounts: readonly ProseAmount[]): readonly ProseAmount[] {
  const [first] = amounts;
  const between = sentence.slice(item.end, first!.start);
  if (
    between.length > 110 ||
    /[;]|\b(?:because|which includes|including|after|despite|due to|reflecting|driven by|in which|seeks?)\b/i.test(
      between,
    )
  )
    return [];
  const list: ProseAmount[] = [first!];
  for (const next of amounts.slice(1, 3)) {
    const gap = sentence.slice(list.at(-1)!.end, next.start);
    if (!comparisonShape.test(gap)) break;
    list.push(next);
  }
  return list;
}

const comparisonShape =
  /\b(?:compared|compares|versus|vs|against|from|up from|down from|previous|prior|year|20\d\d|and|gegen[üu]ber|nach|von|vorjahr|vj|im vergleich|contre|frente|desde|comparado|contro|rispetto|da|tegen|vergeleken|proti|oproti)\b|\(/i;

/** "We spent $97 million on research and development", "$4 million of free cash flow". */
function amountBefore(
  sentence: string,
  item: FoundItem,
  amounts: readonly ProseAmount[],
  taken: ReadonlySet<ProseAmount>,
): readonly ProseAmount[] {
  const last = amounts.findLast((amount) => amount.end <= item.start);
  if (last === undefined || taken.has(last)) return [];
  return /^ {1,3}(?:of|in|on|for|an|f[üu]r|en|de|in[a-z]{0,2}|aan) {1,2}(?:our |total |the |net )?$/i.test(
    sentence.slice(last.end, item.start),
  )
    ? [last]
    : [];
}

/**
 * "2023: EUR 5" dates the amount after the colon, "EUR 5 in 2023" the one before; equally many periods and amounts are paired
 * in order; "versus EUR 4" is the same period of the previous year; else the only period of the sentence, or that of the text.
 * @returns one period per amount; undefined if several are possible
 */
function labelsOf(
  sentence: string,
  item: FoundItem,
  own: readonly ProseAmount[],
  periods: readonly FoundPeriod[],
  options: SentenceOptions,
): (string | undefined)[] {
  const dated = new Map<number, FoundPeriod>();
  for (const period of periods) {
    if (period.start < item.end && own[0]!.start > item.end) continue;
    const next = own.findIndex(
      (amount) => amount.start >= period.end && datesNext.test(sentence.slice(period.end, amount.start)),
    );
    const before = own.findLastIndex((amount) => amount.end <= period.start && period.start - amount.end <= 48);
    const index = next !== -1 ? next : isCompared(sentence, period) ? comparedAmount(sentence, own, period) : before;
    if (index !== -1 && !dated.has(index)) dated.set(index, period);
  }
  const inOrder = periods.filter(({ label }, index) => periods.findIndex((other) => other.label === label) === index);
  if (dated.size === 0 && own.length > 1 && inOrder.length === own.length)
    return inOrder.map((period) => labelFor(sentence, period, item.item, options));
  return own.map((_, index) => {
    const period = dated.get(index);
    if (period !== undefined) return labelFor(sentence, period, item.item, options, index > 0);
    const first = index === 0 ? onlyPeriod(sentence, item, periods, [...dated.values()]) : undefined;
    if (first !== undefined) return labelFor(sentence, first, item.item, options);
    const base = contextOf(dated.get(0) ?? onlyPeriod(sentence, item, periods, [...dated.values()]), sentence, options);
    if (base === undefined)
      return index === 0 ? (distinctLabels(periods) > 1 && dated.size === 0 ? undefined : undated) : undefined;
    return labelOf(index === 0 ? base : yearBefore(base), balanceItems.has(item.item), options.calendar);
  });
}

/** "2024: £28.1m", "2024: loss of 13.2p". */
const datesNext =
  /^ ?: {0,2}(?:an? )?(?:(?:net |operating |pre-tax )?(?:loss|profit) of |(?:verlust|gewinn) von |(?:perte|bénéfice) de |(?:pérdida|beneficio) de )?$/iu;
/** "A loss of £6.3m": the amount is negative whatever the item is called. */
const lossBefore =
  /(?<!\p{L})(?:loss(?:es)? of|verluste? von|pertes? de|pérdidas? de|perdit[ae] di|verlies van)\s{1,3}(?:about |some |over )?$/iu;
const results: ReadonlySet<LineItem> = new Set<LineItem>([
  'ebit',
  'ebitda',
  'pre_tax_income',
  'net_income',
  'result_after_tax',
  'recurring_operating_income',
  'net_income_attributable',
  'eps_basic',
  'eps_diluted',
]);

/** "An increase of 5.6 % on 2023 (580.1 million)": the year does not belong to the amount before it. */
function isCompared(sentence: string, { start }: FoundPeriod): boolean {
  return /(?:\b(?:compared (?:with|to)|relative to|versus|vs\.?|against|than in|than|on|over|gegen[üu]ber|im vergleich zu|verglichen mit|par rapport [àa]|frente a|respecto a|rispetto a[l]?|ten opzichte van|vergeleken met)) {1,3}(?:the |dem |das |den |l'|el |al )?(?:same period |year |vorjahr |exercice |fiscal |gesch[äa]ftsjahr |jahr )?(?:of |in |des )?$/iu.test(
    sentence.slice(Math.max(0, start - 50), start),
  );
}

/** "From 385.6 million in 2023": the year belongs to the comparison figure. */
function isOfComparison(sentence: string, { start }: FoundPeriod): boolean {
  return /\b(?:from|compared with|compared to|compares with|against|versus|vs\.?|nach|gegen[üu]ber|von|contre|frente a|desde|contro|rispetto a|da|tegen|van|up from|down from)\b(?:[^.;:()]|\.\d){2,28}\b(?:in|for|im|en|nel|in het|at|as of)? ?(?:fiscal |the year |year )?$/iu.test(
    sentence.slice(Math.max(0, start - 48), start),
  );
}

function comparedAmount(sentence: string, own: readonly ProseAmount[], { end }: FoundPeriod): number {
  return own.findIndex(
    (amount) => amount.start >= end && /^ {0,2}[(:,] {0,2}$/.test(sentence.slice(end, amount.start)),
  );
}

function distinctLabels(periods: readonly FoundPeriod[]): number {
  return new Set(periods.map(({ label }) => label)).size;
}

/** A period at the beginning that applies to the whole sentence: "In 2024 revenue reached …". */
function onlyPeriod(
  sentence: string,
  item: FoundItem,
  periods: readonly FoundPeriod[],
  others: readonly FoundPeriod[],
): FoundPeriod | undefined {
  const rest = periods.filter(
    (period) =>
      !others.includes(period) &&
      !isCompared(sentence, period) &&
      !isOfComparison(sentence, period) &&
      !/^\s?:/.test(sentence.slice(period.end, period.end + 2)),
  );
  if (rest.length === 0 || distinctLabels(rest) > 1) return undefined;
  const [only] = rest as [FoundPeriod];
  // "In 2024, …" is at the beginning; a date far after it belongs to another clause.
  return only.start < item.start || others.length === 0 ? only : undefined;
}

function contextOf(
  period: FoundPeriod | undefined,
  sentence: string,
  options: SentenceOptions,
): ColumnPeriod | undefined {
  if (period !== undefined) return columnPeriod(sentence, period, options);
  const { end } = options.calendar;
  // "For the financial year to date".
  if (end !== undefined && /\b(?:year|period) to date\b/i.test(sentence))
    return { end, months: monthsIntoYear(end, options.calendar), isEstimate: false };
  return options.context;
}

function labelFor(
  sentence: string,
  period: FoundPeriod,
  item: LineItem,
  options: SentenceOptions,
  isComparison = false,
): string | undefined {
  const { context, calendar } = options;
  const column = columnPeriod(sentence, period, options);
  // "£21.1m (2024: £28.1m)" in a half-year report compares with the previous half-year.
  const isBare = column.end === undefined && column.months === undefined;
  const own = context?.end === undefined ? undefined : Number(context.end.slice(0, 4));
  if (
    isComparison &&
    isBare &&
    context?.months !== undefined &&
    context.months < 12 &&
    own !== undefined &&
    column.year === own - 1
  )
    return labelOf(yearBefore(context), balanceItems.has(item), calendar);
  return labelOf(column, balanceItems.has(item), calendar) ?? undated;
}

/** The words around a year specify it: "the quarter ended June 30, 2025". */
function columnPeriod(sentence: string, period: FoundPeriod, { calendar, context }: SentenceOptions): ColumnPeriod {
  const around = sentence
    .slice(Math.max(0, period.start - 40), period.end)
    .replace(/^.*(?:[;(:]|[.,](?!\d))(?=.*\d{4})(?! ?(?:19|20)\d\d)/u, '');
  const words = readPeriodWords(around);
  const found = words.isOther ? undefined : periodOfHeadings([around], [], calendar);
  if (found !== undefined && (found.end !== undefined || found.months !== undefined)) {
    return found.end === context?.end && found.months === undefined && context?.months !== undefined
      ? { ...found, months: context.months }
      : found;
  }
  const year = Number(/\d{4}/.exec(period.label)?.[0]);
  return {
    year: year + (words.isFiscal ? calendar.shift : 0),
    isEstimate: period.label.endsWith('E'),
    ...partOf(period.label),
  };
}

function partOf(label: string): Pick<ColumnPeriod, 'end' | 'months'> {
  const words = readPeriodWords(label);
  return words.months === undefined || words.months === 12 ? {} : { months: words.months };
}
