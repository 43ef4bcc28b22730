/** The periods of the amounts of a sentence: named next to them, compared with, or those of the text around the sentence. */
import type { Range } from '../text/span.ts';
import { type FiscalCalendar, fiscalMonthOf } from './fiscal-year.ts';
import { balanceItems, type LineItem } from './line-items.ts';
import { endsPeriod, type PeriodWords, readPeriodWords } from './period-words.ts';
import {
  type ColumnPeriod,
  type FoundPeriod,
  labelOf,
  monthsIntoYear,
  periodOfHeadings,
  undated,
  yearBefore,
} from './periods.ts';
import type { FoundItem } from './prose-sentences.ts';

export interface SentencePeriods extends PeriodOptions {
  /** All amounts of the sentence. */
  readonly amounts: readonly Range[];
}

export interface PeriodOptions {
  readonly calendar: FiscalCalendar;
  /** The period of the heading or of the document. */
  readonly context: ColumnPeriod | undefined;
}

/** The period that the title of the document names. */
export function titlePeriod({ end, months }: FiscalCalendar): ColumnPeriod | undefined {
  return end === undefined ? undefined : { end, isEstimate: false, ...(months === undefined ? {} : { months }) };
}

/** A period with a length: "Fourth quarter 2025 highlights"; in an interim report also "Third quarter". */
export function periodNamed(text: string, calendar: FiscalCalendar): ColumnPeriod | undefined {
  const words = readPeriodWords(text);
  // "Annual accounts at 31 December 2024"
  if (words.end !== undefined && words.months === undefined && !words.isMonth)
    return isYearEnd(text, words.end, calendar) ? { end: words.end, months: 12, isEstimate: false } : undefined;
  if (words.months === undefined || words.isMonth) return undefined;
  if (words.end === undefined && words.year === undefined) return interimPart(words, calendar);
  return periodOfHeadings([text.replace(/highlights?|growth|increase|change/gi, '')], [], calendar);
}

function isYearEnd(text: string, end: string, { month }: FiscalCalendar): boolean {
  return fiscalMonthOf(end) === month && endsPeriod(text, end) && yearlyWord.test(text);
}

const yearlyWord =
  /(?<!\p{L})(?:annual|financial statements|year|jahresabschluss\p{L}*|bilanz|konzernabschluss\p{L}*|comptes annuels|cuentas anuales|bilancio|jaarrekening)/iu;

/** The last quarter, or the months from the beginning of the year, of an interim report that names no year again. */
function interimPart({ months, part }: PeriodWords, calendar: FiscalCalendar): ColumnPeriod | undefined {
  const { end, months: reported } = calendar;
  if (end === undefined || months === undefined || reported === undefined || reported >= 12 || months > reported)
    return undefined;
  const isLast = part === undefined || part.number * (part.kind === 'Q' ? 3 : 6) === monthsIntoYear(end, calendar);
  return isLast ? { end, months, isEstimate: false } : undefined;
}

/**
 * "2023: EUR 5" dates the amount after the colon, "EUR 5 in 2023" the one before; equally many periods and amounts are paired
 * in order; "versus EUR 4" is the same period of the previous year; else the only period of the sentence, or that of the text.
 * @returns one period per amount; undefined if several are possible
 */
export function labelsOf(
  sentence: string,
  item: FoundItem,
  own: readonly Range[],
  periods: readonly FoundPeriod[],
  options: SentencePeriods,
): (string | undefined)[] {
  const dated = new Map<number, FoundPeriod>();
  for (const period of periods) {
    if (period.start < item.end && own[0]!.start > item.end) continue;
    const next = own.findIndex(
      (amount) => amount.start >= period.end && datesNext.test(sentence.slice(period.end, amount.start)),
    );
    const nearest = options.amounts.findLast(({ end }) => end <= period.start);
    // The year of an amount that is not the item's own says nothing about the others.
    const before = own.findIndex(
      (amount) => amount.start === nearest?.start && period.start - amount.end <= datedCharactersMax,
    );
    const index =
      next !== -1
        ? next
        : isCompared(sentence, period)
          ? comparedAmount(sentence, own, period)
          : isOfNext(sentence, period)
            ? -1
            : before;
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

/** Between an amount and the year behind it. */
const datedCharactersMax = 48;

/** "2024: £28.1m", "2024: loss of 13.2p". */
const datesNext =
  /^ ?(?:\(?(?:restated|as restated|angepasst|berichtigt|retrait[ée]e?s?|reexpresad[oa]|rideterminat[oa]|aangepast|omr[äa]knat|pro forma)\)? ?)?(?::| [-–—] ) {0,2}(?:an? )?(?:(?:net |operating |pre-tax )?(?:loss|profit) of |(?:verlust|gewinn) von |(?:perte|bénéfice) de |(?:pérdida|beneficio) de )?$/iu;
/** "(2024: £31.5m)": the year belongs to the amount after the colon, whichever item that is of. */
function isOfNext(sentence: string, { end }: FoundPeriod): boolean {
  return /^ ?(?::|[-–—]) ?[^\d]{0,24}\d/.test(sentence.slice(end, end + 30));
}

/** "An increase of 5.6 % on 2023 (580.1 million)": the year does not belong to the amount before it. */
function isCompared(sentence: string, { start }: FoundPeriod): boolean {
  return /(?:\b(?:compared (?:with|to)|relative to|versus|vs\.?|against|than in|than|on|over|gegen[üu]ber|im vergleich zu|verglichen mit|par rapport [àa]|frente a|respecto a|rispetto a[l]?|ten opzichte van|vergeleken met|wobec|w por[óo]wnaniu (?:z|do)|mod|mot|j[äa]mf[öo]rt med|sammenlignet med|face [àa]|em compara[çc][ãa]o com)) {1,3}(?:the |dem |das |den |l'|el |al )?(?:same period |year |vorjahr |exercice |fiscal |gesch[äa]ftsjahr |jahr )?(?:of |in |des )?$/iu.test(
    sentence.slice(Math.max(0, start - 50), start),
  );
}

/** "From 385.6 million in 2023": the year belongs to the comparison figure. */
function isOfComparison(sentence: string, { start }: FoundPeriod): boolean {
  return /\b(?:from|compared with|compared to|compares with|against|versus|vs\.?|nach|gegen[üu]ber|von|contre|frente a|desde|contro|rispetto a|da|tegen|van|wobec|mod|mot|j[äa]mf[öo]rt med|face [àa]|up from|down from)\b(?:[^.;:()]|\.\d){2,28}\b(?:in|for|im|en|nel|in het|at|as of|w|i|em)? ?(?:fiscal |the year |year )?$/iu.test(
    sentence.slice(Math.max(0, start - 48), start),
  );
}

function comparedAmount(sentence: string, own: readonly Range[], { end }: FoundPeriod): number {
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
  options: PeriodOptions,
): ColumnPeriod | undefined {
  if (period !== undefined) return columnPeriod(sentence, period, options);
  const { end } = options.calendar;
  // "For the financial year to date".
  if (end !== undefined && /\b(?:year|period) to date\b/i.test(sentence))
    return { end, months: monthsIntoYear(end, options.calendar), isEstimate: false };
  const part = inPart.exec(sentence)?.[0];
  return (part === undefined ? undefined : interimPart(readPeriodWords(part), options.calendar)) ?? options.context;
}

const inPart =
  /\b(?:in|during|for) the (?:(?:first|second|third|fourth) )?quarter\b(?! (?:of|ended|ending|to)\b)|\bim (?:\p{L}{5,8} )?Quartal\b(?! (?:20|des))/iu;

export function labelFor(
  sentence: string,
  period: FoundPeriod,
  item: LineItem,
  options: PeriodOptions,
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
function columnPeriod(sentence: string, period: FoundPeriod, { calendar, context }: PeriodOptions): ColumnPeriod {
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
