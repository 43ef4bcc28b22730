/** Extracts figures from sentences: "Revenue was EUR 12.5 million in 2024, compared with EUR 11.2 million in 2023." */
import type { Document } from '../../document/document.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import type { FiscalCalendar } from './fiscal-year.ts';
import { costItems, type LineItem, unscaledItems } from './line-items.ts';
import { type ColumnPeriod, findPeriods } from './periods.ts';
import { bareComparative, figuresOfLists, printsBareComparatives, withoutComparedLists } from './prose-comparatives.ts';
import { labelFor, labelsOf, type PeriodOptions, periodNamed, titlePeriod } from './prose-periods.ts';
import { joinedSentences, outlookTitle, titlesOf } from './prose-ranges.ts';
import {
  type FoundItem,
  findItems,
  findProseAmounts,
  flattened,
  isChange,
  isInCurrency,
  isReported,
  type ProseAmount,
  pastTense,
  sentenceCharactersMax,
} from './prose-sentences.ts';
import { absolute, negate, parseRational } from './rational.ts';
import { restatedWord } from './restatements.ts';
import { amountWithUnit } from './table-rows.ts';
import type { ReadFigure } from './table-state.ts';

export interface ProseOptions {
  /** Tables and lines that were read as items, in order. */
  readonly itemLines: readonly Range[];
  readonly calendar: FiscalCalendar;
  /** ISO 4217; amounts in another currency are not figures of the company. */
  readonly currency: string | undefined;
  /** If the tables are in thousands or millions, amounts without a multiplier may be, too. */
  readonly isScaled: boolean;
  readonly declaredZeros: number;
}

/** @returns figures in the order of the text */
export function readProse(document: Document, options: ProseOptions): ReadFigure[] {
  const { text, decimalMark } = document;
  const figures: ReadFigure[] = [];
  const hasBareComparatives = printsBareComparatives(text);
  let context: ColumnPeriod | undefined;
  let headingAt = 0;
  let isOutlook = false;
  const headings = titlesOf(document);
  const rows = singleRows(document);
  let spoken: ColumnPeriod | undefined;
  let until = 0;
  for (const { start, end } of joinedSentences(document)) {
    while (headingAt < headings.length && headings[headingAt]!.start <= start) {
      const heading = headings[headingAt]!;
      isOutlook = outlookTitle.test(text.slice(heading.start, Math.min(heading.end, heading.start + 120)));
      context = periodNamed(text.slice(heading.start, Math.min(heading.end, heading.start + 120)), options.calendar);
      headingAt += 1;
    }
    if (end - start > sentenceCharactersMax || end - start < 12 || isItemLine(options.itemLines, start)) continue;
    // A sentence without a period continues the one before it in the paragraph.
    if (/\n\s*\n/.test(text.slice(until, start))) spoken = undefined;
    until = end;
    const shown = text.slice(start, end);
    const sentence = flattened(rows.has(start) ? asSentence(shown) : shown);
    if (!/\d/.test(sentence) || !isReported(sentence) || (isOutlook && !pastTense.test(sentence))) continue;
    figures.push(
      ...readSentence(sentence, start, {
        ...options,
        decimalMark,
        hasBareComparatives,
        context: context ?? titlePeriod(options.calendar) ?? spoken,
      }),
    );
    spoken = periodNamed(sentence, options.calendar) ?? spoken;
  }
  return figures;
}

/** Starts of the rows that have one amount with its unit, and next to it only rates, words and figures in parentheses. */
function singleRows({ tables }: Document): ReadonlySet<number> {
  const single = tables.flatMap(({ rows }) =>
    rows.filter(({ cells }) => {
      const [, ...values] = cells.flatMap((cell) => (cell === undefined ? [] : [cell.text]));
      return amountWithUnit.test(values[0] ?? '') && values.slice(1).every((text) => /^\(|%|^[^\d]*$/.test(text));
    }),
  );
  return new Set(single.map(({ start }) => start));
}

/** Keeps the length. "Adjusted profit1" ends with the number of a footnote. */
function asSentence(row: string): string {
  return row.replace(/(?<=\p{Ll}{4})\d(?=\t)/u, ' ').replaceAll('\t', ' ');
}

/** "Chiffre d'affaires de 512,4 M€": after the name of an item, the preposition introduces its level. */
const nextToItem = /^(?: net| consolidé| consolidato| total)? (?:de|di|d['’]|von|of|på|på|af|van|a|à|em)\s{0,2}$/iu;

function isItemLine(itemLines: readonly Range[], at: number): boolean {
  const index = indexAt(itemLines, at);
  return index !== undefined && at < itemLines[index]!.end;
}

interface SentenceOptions extends ProseOptions, PeriodOptions {
  readonly decimalMark: '.' | ',' | undefined;
  readonly hasBareComparatives: boolean;
}

function readSentence(written: string, start: number, options: SentenceOptions): ReadFigure[] {
  const sentence = withoutComparedLists(written);
  const items = findItems(sentence);
  if (items.length === 0) return [];
  const amounts = findProseAmounts(sentence, options.decimalMark, options.declaredZeros).filter(
    (amount) =>
      (!isChange(sentence, amount) || items.some(({ end }) => nextToItem.test(sentence.slice(end, amount.start)))) &&
      isInCurrency(amount, sentence.slice(amount.start, amount.end), options.currency),
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
    const labels = labelsOf(sentence, item, own, periods, { ...options, amounts });
    own.forEach((amount, nth) => {
      const label = labels[nth];
      const isFull = amount.isScaled || unscaledItems.has(item.item) || !options.isScaled;
      const printed = parseRational(amount.value);
      if (label === undefined || printed === undefined || !isFull) return;
      taken.add(amount);
      const isLoss =
        item.isLoss ||
        (item.item === 'retained_earnings' && debitBalance.test(sentence.slice(item.end, amount.start))) ||
        (results.has(item.item) && lossBefore.test(sentence.slice(Math.max(0, amount.start - 30), amount.start)));
      const value = isLoss ? negate(absolute(printed)) : printed;
      for (const each of item.isPair ? earningsPerShare : [item.item]) {
        const figure: ReadFigure = {
          item: each,
          period: label,
          value: costItems.has(each) ? absolute(value) : value,
          printedNegative: value.numerator < 0n,
          source: 'text',
          zeros: 0,
          start: amount.start,
          end: amount.end,
        };
        const before = options.hasBareComparatives && own.length === 1;
        figures.push(figure, ...(before ? bareComparative(sentence, amount, figure, options.decimalMark) : []));
      }
    });
  });
  const listed = figuresOfLists(written, figures, options.decimalMark, (year, at, item) =>
    labelFor(written, { label: year, start: at, end: at + year.length }, item, options, true),
  );
  return [...figures, ...listed].map((figure) => ({ ...figure, start: start + figure.start, end: start + figure.end }));
}

/** An amount far after the item, across another clause, belongs to something else. */
function directOnes(sentence: string, item: FoundItem, amounts: readonly ProseAmount[]): readonly ProseAmount[] {
  const [first] = amounts;
  const between = sentence.slice(item.end, first!.start);
  if (
    between.length > 110 ||
    /[;]|\b(?:because|of which|davon|darunter|dont|de (?:los|las) (?:que|cuales)|di cui|waarvan|which includes|including|after|despite|due to|reflecting|driven by|in which|seeks?)\b/i.test(
      between,
    )
  )
    return [];
  const [, second] = amounts;
  const isRise =
    second !== undefined &&
    !restatedWord.test(sentence) &&
    risesFrom.test(sentence.slice(0, first!.start)) &&
    risesTo.test(sentence.slice(first!.end, second.start));
  // The later amount is the figure of the period, the earlier one that of the year before.
  if (isRise) return [second, first!];
  if (isOnlyBefore.test(between)) return [];
  const list: ProseAmount[] = [first!];
  for (const next of amounts.slice(1, 3)) {
    const gap = sentence.slice(list.at(-1)!.end, next.start);
    if (!comparisonShape.test(gap)) break;
    list.push(next);
  }
  return list;
}

/** "Von 20,1 Mio. EUR auf 22,3 Mio. EUR", "from $11m in 2023 to $12m". */
const risesFrom = /(?<!\p{L})(?:from|von|de|da|dai|van|från|fra|z|ze|od)\s{1,3}(?:US)?[€$£]?$/iu;
const risesTo =
  /^\s{0,3}(?:\(?(?:(?:in|im|en|nel|i|w|em) )?(?:(?:fiscal|the year|jahr|l'exercice|roku|år) )?(?:19|20)\d\d\)?,? )?(?:to|auf|[àa]|naar|till|til|do|para|ad) (?:US)?[€$£]?$/iu;
/** "Revenue was up from $11 million". */
const isOnlyBefore = /(?<!\p{L})(?:up|down|increased|decreased|rose|fell|grew|declined) from\s{1,3}$/iu;

const comparisonShape =
  /\b(?:compared|compares|versus|vs|against|from|up from|down from|previous|prior|year|20\d\d|and|gegen[üu]ber|nach|von|vorjahr|vj|im vergleich|contre|frente|desde|comparado|contro|rispetto|da|tegen|vergeleken|proti|oproti|wobec|mod|mot|j[äa]mf[öo]rt|sammenlignet|por[óo]wnaniu|face|compara\w+|alors|invece|anterior|mientras)\b|\(/i;

/** "We spent $97 million on research and development", "$4 million of free cash flow". */
function amountBefore(
  sentence: string,
  item: FoundItem,
  amounts: readonly ProseAmount[],
  taken: ReadonlySet<ProseAmount>,
): readonly ProseAmount[] {
  const last = amounts.findLast((amount) => amount.end <= item.start);
  if (last === undefined || taken.has(last)) return [];
  if (!joinsItem.test(sentence.slice(last.end, item.start))) return [];
  const compared = amounts.find(
    ({ start }) => start > item.end && /^ ?\((?:19|20)\d\d ?: ?$/.test(sentence.slice(item.end, start)),
  );
  return compared === undefined ? [last] : [last, compared];
}

const joinsItem = /^ {1,3}(?:of|in|on|for|an|f[üu]r|en|de|in[a-z]{0,2}|aan) {1,2}(?:our |total |the |net )?$/i;

/** A balance carried forward that is a loss. */
const debitBalance = /(?<!\p{L})(?:d[ée]biteur|deudor|debitore|negativ[aeo]?|passivo)(?!\p{L})/iu;

/** "A loss of £6.3m": the amount is negative whatever the item is called. */
const lossBefore =
  /(?<!\p{L})(?:loss(?:es)? of|verluste? von|pertes? de|pérdidas? de|perdit[ae] di|verlies van)\s{1,3}(?:about |some |over )?$/iu;
const earningsPerShare: readonly LineItem[] = ['eps_basic', 'eps_diluted'];
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
