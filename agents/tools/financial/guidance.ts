/** A company's forecasts: ranges and figures in forward-looking sentences, and tables with columns for future periods. */

import { parseNumber } from '../text/numbers.ts';
import type { Range } from '../text/span.ts';
import type { DocumentReading } from './document-reading.ts';
import {
  type Ahead,
  type GuidanceMeasure,
  growthFirst,
  growthOf,
  rate,
  ratesAhead,
  taxRate,
} from './guidance-rates.ts';
import { itemOfLabel } from './labels.ts';
import type { LineItem } from './line-items.ts';
import { normaliseName } from './line-items.ts';
import { readPeriodWords } from './period-words.ts';
import { type ColumnPeriod, labelOf, periodOfHeadings } from './periods.ts';
import { outlookTitle, splitSentencesOf } from './prose-ranges.ts';
import {
  findItems,
  findProseAmounts,
  flattened,
  forwardLooking,
  isForward,
  isInCurrency,
  isOfOthers,
  type ProseAmount,
  pastTense,
  supposition,
} from './prose-sentences.ts';
import { multiply, parseRational, type Rational, rational } from './rational.ts';
import { captionsOfSection } from './table-captions.ts';
import { readUnitNote } from './units.ts';

export interface Guidance extends Range {
  readonly measure: GuidanceMeasure;
  readonly low: Rational;
  readonly high: Rational;
  /** Percentages have none. */
  readonly currency?: string;
  readonly period?: string;
}

export type { GuidanceMeasure } from './guidance-rates.ts';

const guided: ReadonlySet<LineItem> = new Set([
  'revenue',
  'ebit',
  'net_income',
  'eps_basic',
  'eps_diluted',
  'adjusted_eps',
  'ebitda',
  'adjusted_ebitda',
  'adjusted_operating_income',
  'capex',
  'stated_free_cash_flow',
]);

/** "Ambition" and "long-term target" are not forecasts. */
const noForecast =
  /(?<!\p{L})(?:previous(?:ly)? (?:guidance|guided|forecast)|we (?:had )?guided|precedente indicazione|bisherige prognose|tidigare prognos|ambition|aspir|long[- ]term|[àa] l.horizon|a largo plazo|op lange termijn|medium[- ]term|mid[- ]term|mittelfrist|langfrist|not (?:giving|providing|issuing)|no guidance|keine prognose|withdrawn|withdraws?|(?:was|were|has been|have been) (?:revised|replaced|superseded|lowered|raised) on|announced on [^.]{4,60}\brevised|scenario|consensus|analysts?)/iu;
export function readGuidance(reading: DocumentReading): Guidance[] {
  return [...sentenceGuidance(reading), ...tableGuidance(reading)].slice(0, 60);
}

function sentenceGuidance(reading: DocumentReading): Guidance[] {
  const { document, calendar, currency } = reading;
  const found: Guidance[] = [];
  let heading = '';
  for (const { start, end, headingText } of splitSentencesOf(document, reading.itemLines)) {
    heading = headingText;
    const sentence = flattened(document.text.slice(start, end));
    const isAhead =
      isForward(sentence) ||
      (forwardLooking.test(heading) && /20\d\d/.test(heading + sentence) && !pastTense.test(sentence));
    if (
      !isAhead ||
      noForecast.test(sentence) ||
      isOfOthers(sentence) ||
      supposition.test(sentence.replace(/\b(?:at least|up to|mindestens|assuming)\b/giu, ''))
    )
      continue;
    const period = periodAhead(sentence, heading, reading);
    const isPast =
      period !== undefined &&
      calendar.end !== undefined &&
      period.end !== undefined &&
      period.end <= calendar.end &&
      /\bended\b/.test(sentence);
    if (isPast) continue;
    const label =
      period === undefined ? undefined : aheadOf(labelOf({ ...period, isEstimate: false }, false, calendar), reading);
    const place = (range: Range) => ({
      start: start + range.start,
      end: start + range.end,
      ...(label === undefined ? {} : { period: label }),
    });
    found.push(
      ...amountsAhead(sentence, reading).map(({ range, ...rest }) => ({
        ...rest,
        ...place(range),
        ...(currency === undefined ? {} : { currency }),
      })),
    );
    found.push(
      ...ratesAhead(sentence, outlookTitle.test(heading)).map(({ range, ...rest }) => ({ ...rest, ...place(range) })),
    );
  }
  return found;
}

/**
 * If a year that ends in January or February is named after the previous year, a forecast for the last year is for the next
 * one.
 */
function aheadOf(label: string | undefined, { calendar, figures }: DocumentReading): string | undefined {
  if (label === undefined || !/^\d{4}$/.test(label) || calendar.month > 2) return label;
  const newest = figures.reduce(
    (last, { item, period }) => (item === 'revenue' && /^\d{4}$/.test(period) && period > last ? period : last),
    '',
  );
  return label === newest ? String(Number(label) + 1) : label;
}

/** "between $1.21 billion and $1.25 billion", "£24m to £26m", "about $75 million", "$97.0 - $99.0 million". */
function amountsAhead(sentence: string, reading: DocumentReading): Ahead[] {
  const { document, zeros, currency } = reading;
  const items = findItems(sentence).filter(({ item }) => guided.has(item));
  const amounts = findProseAmounts(sentence, document.decimalMark, reading.declaredZeros).filter(
    (amount) => !isUnitOpen(amount, reading),
  );
  return items.flatMap(({ item, end }, index): Ahead[] => {
    const until = items[index + 1]?.start ?? sentence.length;
    const own = amounts.filter(
      (amount) =>
        amount.start >= end &&
        amount.end <= until &&
        isInCurrency(amount, sentence.slice(amount.start, amount.end), currency),
    );
    const [first, second] = own;
    if (first === undefined) return plainAhead(sentence, { start: end, end: until }, item, zeros);
    const gap = sentence.slice(end, first.start);
    if (gap.length > 90 || /\b(?:increase|rise|grow|improve|decline|by)\b\s{1,3}(?:by |of )?$/i.test(gap)) return [];
    const isRange =
      second !== undefined &&
      /^ ?(?:to|and|bis|[àa]|y|e|en|tot|till|til|og|och|do|-|–|—|und|et)(?: US)? ?$/i.test(
        sentence.slice(first.end, second.start).replace(/\s+/g, ' '),
      );
    const high = parseRational((isRange ? second : first).value);
    const printed = parseRational(first.value);
    if (high === undefined || printed === undefined) return [];
    // "725 bis 740 Mio. EUR": the first number has no unit and would not be an amount alone.
    const bare = isRange ? undefined : bareLow(sentence.slice(end, first.start), document.decimalMark);
    const low = bare === undefined ? printed : scaleLike(bare, first, first, high);
    const measure = item === 'eps_basic' || item === 'eps_diluted' ? 'eps' : item;
    const scaledLow = isRange && !first.isScaled && second.isScaled ? scaleLike(low, first, second, high) : low;
    return [{ measure, low: scaledLow, high, range: { start: first.start, end: (isRange ? second : first).end } }];
  });
}

/** "$45,000" in a report in thousands that does not say whether its sentences are, too. */
function isUnitOpen({ isScaled, value }: ProseAmount, { zeros }: DocumentReading): boolean {
  return !isScaled && zeros.some((each) => each > 0) && /^-?\d{3,6}$/.test(value);
}

function bareLow(gap: string, decimalMark: '.' | ',' | undefined): Rational | undefined {
  const match =
    /(?<![\d.,])(\d{1,3}(?:[.,]\d{1,3})*) ?(?:to|and|bis|und|[àa]|et|y|e|en|tot|till|til|og|och|do|-|–|—) ?[€$£]?$/iu.exec(
      gap.trimEnd(),
    );
  const parsed = match === null ? undefined : parseNumber(match[1]!, { decimalMark });
  return parsed === undefined ? undefined : parseRational(parsed.value);
}

/** "between $97 and $99 million": the multiplier after the second number applies to both. */
function scaleLike(low: Rational, _first: ProseAmount, _second: ProseAmount, high: Rational): Rational {
  for (const zeros of [9n, 6n, 3n]) {
    const scaled = multiply(low, rational(10n ** zeros));
    if (scaled.numerator * high.denominator <= high.numerator * scaled.denominator) return scaled;
  }
  return low;
}

/** "Forecast 2025: sales 24,300; EBITDA 2,950" in a report in thousands. */
function plainAhead(sentence: string, { start, end }: Range, item: LineItem, zeros: readonly number[]): Ahead[] {
  const match = /^\s{0,3}:?\s{0,3}(\d{1,3}(?:[.,' ]\d{3}){1,3}|\d{3,7})(?!\d|[.,]\d|\s?%)/.exec(
    sentence.slice(start, end),
  );
  if (match === null || zeros.length !== 1) return [];
  const parsed = parseRational(match[1]!.replace(/[.,' ]/g, ''));
  if (parsed === undefined || /^(?:19|20)\d\d$/.test(match[1]!)) return [];
  const value = multiply(parsed, rational(10n ** BigInt(zeros[0]!)));
  return [
    { measure: item, low: value, high: value, range: { start: start + match.index, end: start + match[0].length } },
  ];
}

/** "For fiscal 2026", "for the year ending 31 December 2025"; else the year of the heading, else the year after the last. */
function periodAhead(sentence: string, heading: string, { calendar }: DocumentReading): ColumnPeriod | undefined {
  for (const text of [sentence.slice(0, 400), heading]) {
    const words = readPeriodWords(text.replace(/(?:compared|versus|up from|against|gegen[üu]ber)[^.]{0,60}/giu, ' '));
    if (words.end === undefined && words.year === undefined) continue;
    const years = [...text.matchAll(/(?<!\d)20\d\d(?!\d)/g)].map(([year]) => Number(year));
    const period = periodOfHeadings(
      [
        text
          .replace(
            /\b(?:growth|increase|decrease|change|adjusted|company|plan|target|outlook|guidance|forecast|budget|underlying|organic|net|market|total)\w*/giu,
            ' ',
          )
          .replace(/%/g, ' '),
      ],
      [],
      calendar,
    );
    if (period !== undefined)
      return period.end === undefined && years.length > 0
        ? { ...period, year: Math.max(...years) + (words.isFiscal ? calendar.shift : 0) }
        : period;
  }
  return undefined;
}

const outlookCaption = /outlook|guidance|forecast|ausblick|prognose|perspectives|previsi|prevision|vooruitzichten/iu;
const cellRange =
  /^(?:between |about |approximately |ca\. |rund |circa |~|≥|>)?\s?[€$£]?\s?-?(\d[\d.,]{0,15})\s?(%|[a-z]{1,8}\.?)?\s?(?:to|and|bis|[àa]|y|e|en|tot|-|–|—)\s?[€$£]?\s?(\d[\d.,]{0,15})\s?(%|[a-z]{1,9}\.?)?(?: (?:EUR|USD|GBP|€))?$|^(?:about |approximately |ca\. |rund |circa |~)?[€$£]?\s?(\d[\d.,]{0,15})\s?(%|[a-z]{1,9}\.?)?(?: (?:EUR|USD|GBP|€))?$/iu;

function tableGuidance(reading: DocumentReading): Guidance[] {
  const { calendar, currency, document } = reading;
  return reading.tables.flatMap(({ table, captions, zeros, columns }): Guidance[] => {
    const headings = table.columns.map(({ headerCells }) => headerCells.map(({ text }) => text));
    const isOutlook = [...captionsOfSection(captions), ...headings.flat()].some((text) => outlookCaption.test(text));
    if (!isOutlook) return [];
    // The first row may have been read as part of the headings.
    const rows = [
      ...table.headerRows.slice(1).map((cells) => cells.map((cell) => cell)),
      ...table.rows.map(({ cells }) => cells),
    ];
    const periods = headings.map((texts, index) => {
      const own = columns[index]?.period;
      return own?.end === undefined ? periodOfHeadings([texts[0] ?? ''], captions, calendar) : own;
    });
    return rows.flatMap((cells) => {
      const label = cells[0]?.text ?? headings[0]?.[0] ?? '';
      const measure = measureOf(label);
      if (measure === undefined) return [];
      return cells.flatMap((cell, index): Guidance[] => {
        const period = periods[index] ?? (index > 0 ? periodAhead(captions.join(' '), '', reading) : undefined);
        if (index === 0 || cell === undefined || period === undefined || isActual(period, headings[index]!, reading))
          return [];
        const range = rangeOf(cell.text, zeros, document.decimalMark, measure);
        const at = labelOf({ ...period, isEstimate: false }, false, calendar);
        if (range === undefined || at === undefined) return [];
        return [
          {
            measure,
            ...range.values,
            period: at,
            ...(range.isPercent || currency === undefined ? {} : { currency }),
            start: cell.start,
            end: cell.end,
          },
        ];
      });
    });
  });
}

/** Columns that show the previous year next to the outlook. */
function isActual(period: ColumnPeriod, headings: readonly string[], { calendar }: DocumentReading): boolean {
  if (headings.some((text) => /\b(?:actual|ist|reported|real|previous|prior)\b/i.test(text))) return true;
  return calendar.end !== undefined && period.end !== undefined && period.end <= calendar.end;
}

function measureOf(label: string): GuidanceMeasure | undefined {
  if (taxRate.test(label)) return 'tax_rate';
  if (rate.test(label)) return 'operating_margin';
  if (growthOf.test(label) || growthFirst.test(label)) return 'revenue_growth';
  const item = itemOfLabel(label);
  if (item === undefined || !guided.has(item))
    return /\bgrowth\b|wachstum/.test(normaliseName(label)) && /revenue|sales|umsatz/i.test(label)
      ? 'revenue_growth'
      : undefined;
  return item === 'eps_basic' || item === 'eps_diluted' ? 'eps' : item;
}

function rangeOf(
  text: string,
  zeros: number,
  decimalMark: '.' | ',' | undefined,
  measure: GuidanceMeasure,
): { values: { low: Rational; high: Rational }; isPercent: boolean } | undefined {
  const match = cellRange.exec(text.replace(/\s+/g, ' ').trim());
  if (match === null) return undefined;
  const isPercent = (match[2] ?? match[4] ?? match[6]) === '%';
  if (!isPercent && (measure === 'tax_rate' || measure === 'operating_margin' || measure === 'revenue_growth'))
    return undefined;
  const scale =
    isPercent || measure === 'eps' || measure === 'adjusted_eps'
      ? 0
      : (zerosOfWord(match[4] ?? match[6] ?? match[2]) ?? readUnitNote(text)?.zeros ?? zeros);
  const [low, high] = [match[1] ?? match[5]!, match[3] ?? match[5]!].map((number) => {
    const parsed = parseNumber(number, { decimalMark });
    const value = parsed === undefined ? undefined : parseRational(parsed.value);
    return value === undefined ? undefined : multiply(value, rational(10n ** BigInt(scale)));
  });
  return low === undefined || high === undefined ? undefined : { values: { low, high }, isPercent };
}

function zerosOfWord(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (/^(?:b|mrd|mld)/i.test(word)) return 9;
  return /^m/i.test(word) ? 6 : /^(?:k|t)/i.test(word) ? 3 : undefined;
}
