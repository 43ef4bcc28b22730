/** Compares margins and growth rates in sentences with the figures from which they follow. */
import type { Range } from '../text/span.ts';
import type { DocumentReading } from './document-reading.ts';
import { growthRate } from './growth.ts';
import { balanceItems, type LineItem } from './line-items.ts';
import { readPeriodWords } from './period-words.ts';
import { labelOf, monthsIntoYear } from './periods.ts';
import { splitSentencesOf } from './prose-ranges.ts';
import { findItems, findProseAmounts, flattened, isReported } from './prose-sentences.ts';
import {
  absolute,
  compare,
  divide,
  isZero,
  multiply,
  parseRational,
  type Rational,
  rational,
  subtract,
  toPercent,
} from './rational.ts';
import type { Statements } from './statements.ts';

export interface StatedRatio extends Range {
  readonly what: string;
  readonly period: string;
  readonly stated: string;
  readonly computed: string;
}

const percentShape = /(?<![\d.,])(\d{1,3}[.,]\d|\d{1,3})\s?(?:%|percent\b|per cent\b|Prozent\b)/gu;
const margins: readonly (readonly [name: RegExp, above: LineItem, below: LineItem])[] = [
  [
    /\bgross (?:profit )?margin\b|bruttomarge|marge brute|margen bruto|margine lordo|brutomarge|bruttomarginal/iu,
    'gross_profit',
    'revenue',
  ],
  [
    /\b(?:operating|ebit)[- ](?:profit )?margin\b|ebit-marge|umsatzrendite|marge op[ée]rationnelle|margen operativo|margine operativo|bedrijfsmarge|r[öo]relsemarginal/iu,
    'ebit',
    'revenue',
  ],
  [
    /\bnet (?:profit |income )?margin\b|nettomarge|marge nette|margen neto|margine netto|vinstmarginal/iu,
    'net_income',
    'revenue',
  ],
  [
    /\bequity ratio\b|eigenkapitalquote|eigenmittelquote|solvabiliteit|soliditet|ratio de fonds propres|autonom[íi]a financiera/iu,
    'equity',
    'total_assets',
  ],
];
/** Rates of something else, or on another basis. */
const otherBasis =
  /\b(?:organic\w*|constant|currenc\w+|like-for-like|comparable|adjusted|underlying|excluding|segment|non-gaap|pro forma|volume|cagr|w[äa]hrungsbereinigt|bereinigt|organisch)\b/iu;

export function statedRatios(reading: DocumentReading, statements: Statements): StatedRatio[] {
  const { document, itemLines } = reading;
  return splitSentencesOf(document, itemLines).flatMap((range): StatedRatio[] => {
    const sentence = flattened(document.text.slice(range.start, range.end));
    if (!/[%]|percent|per cent|Prozent/i.test(sentence) || otherBasis.test(sentence) || !isReported(sentence))
      return [];
    const growth = growthIn(sentence, range, reading);
    return [
      ...marginsIn(sentence, range, statements, reading),
      ...(growth.length > 0 ? growth : growthOfFigures(sentence, range, reading, statements)),
    ];
  });
}

/** "A gross margin of 45.2 % in 2024": for a period with known figures, or without a year for the period of the document. */
function marginsIn(
  sentence: string,
  { start }: Range,
  statements: Statements,
  reading: DocumentReading,
): StatedRatio[] {
  const outside = sentence.replace(/\([^()]{0,60}\)/g, ' ');
  const years = [...new Set([...outside.matchAll(/(?<!\d)20\d\d(?!\d)/g)].map(([year]) => year))];
  if (years.length > 1) return [];
  return margins.flatMap(([name, above, below]): StatedRatio[] => {
    const at = sentence.search(name);
    const rates =
      at === -1 ? [] : [...sentence.matchAll(percentShape)].filter(({ index }) => index > at && index - at < 60);
    // "Improved from 35.1 % to 38.7 %": the second rate is the current one.
    const stated = rates.length > 1 && isRise.test(sentence.slice(at, rates[1]!.index)) ? rates[1] : rates[0];
    const period = years[0] ?? periodOf(sentence, above, reading);
    const [top, base] = [above, below].map((item) =>
      period === undefined ? undefined : statements.figures.get(item)?.get(period)?.value,
    );
    if (stated === undefined || period === undefined || top === undefined || base === undefined || isZero(base))
      return [];
    if (plannedRate.test(sentence.slice(Math.max(0, at - 40), stated.index))) return [];
    // Banks and companies define solvency in several ways.
    if (below !== 'revenue' && !isNear(stated[1]!, divide(top, base))) return [];
    return disagreement(stated[1]!, divide(top, base), {
      what: `${above} / ${below}`,
      period,
      start: start + stated.index,
      end: start + stated.index + stated[0].length,
    });
  });
}

const isRise =
  /(?<!\p{L})(?:from|von|de|del|da|van|fr[åa]n|fra)\s{1,3}\d[\d.,]{0,5} ?(?:%|percent|per cent|Prozent)? ?(?:to|auf|[àa]|al|naar|till|til)\s{1,3}$/iu;
const plannedRate =
  /(?<!\p{L})(?:minimaal|vereiste?|eis|bank|budget(?:ed)?|target|plan(?:ned)?|forecast|peers?|industry|covenant|minimum|ziel|objectif|objetivo|obiettivo|doelstelling|m[åa]l)(?!\p{L})/iu;

/** The document's own period, or the months from the beginning of the year that the sentence names. */
function periodOf(sentence: string, item: LineItem, { calendar }: DocumentReading): string | undefined {
  const { end, months } = calendar;
  if (end === undefined) return undefined;
  const isBalance = balanceItems.has(item);
  const length = /\bYTD\b|year[- ]to[- ]date/i.test(sentence) ? monthsIntoYear(end, calendar) : months;
  return isBalance || length !== undefined
    ? labelOf({ end, isEstimate: false, ...(length === undefined ? {} : { months: length }) }, isBalance, calendar)
    : undefined;
}

/** "Revenue rose 12 % to $110 million from $100 million": all three in one sentence. */
function growthIn(sentence: string, { start }: Range, { document, calendar }: DocumentReading): StatedRatio[] {
  const items = findItems(sentence).filter(
    ({ item }) => item === 'revenue' || item === 'ebit' || item === 'net_income',
  );
  const amounts = findProseAmounts(sentence, document.decimalMark);
  const rates = [...sentence.matchAll(percentShape)];
  if (items.length !== 1 || amounts.length !== 2 || rates.length !== 1) return [];
  if (
    !/\b(?:from|compared (?:with|to)|versus|against|nach|gegen[üu]ber|contre|frente a)\b/iu.test(
      sentence.slice(amounts[0]!.end, amounts[1]!.start),
    )
  )
    return [];
  const [now, before] = amounts.map(({ value }) => parseRational(value));
  const falls =
    /\b(?:fell|decreased|declined|dropped|down|decline|decrease|sank|sanken|r[üu]ckgang|baisse|recul)\b/iu.test(
      sentence,
    );
  if (now === undefined || before === undefined) return [];
  const rate = growthRate(before, now);
  if (!('percent' in rate)) return [];
  const computed = parseRational(rate.percent)!;
  const stated = parseRational(rates[0]![1]!.replace(',', '.'))!;
  const signed = falls ? { numerator: -stated.numerator, denominator: stated.denominator } : stated;
  // Amounts in prose are rounded, so a rate may differ accordingly.
  if (compare(absolute(subtract(signed, computed)), { numerator: 15n, denominator: 10n }) <= 0) return [];
  const period = calendar.end?.slice(0, 4) ?? '';
  return [
    {
      what: `growth of ${items[0]!.item}`,
      period,
      stated: rates[0]![1]!.replace(',', '.'),
      computed: rate.percent,
      start: start + rates[0]!.index,
      end: start + rates[0]!.index + rates[0]![0].length,
    },
  ];
}

/** "La cifra de negocios ha disminuido un 6,8 % respecto a 2024": a rate alone, of a figure that the statements print for both years. */
function growthOfFigures(
  sentence: string,
  { start }: Range,
  { calendar, document }: DocumentReading,
  statements: Statements,
): StatedRatio[] {
  const items = findItems(sentence).filter(({ start: at }) => at <= subjectMax);
  const [item] = items;
  const rates = [...sentence.matchAll(percentShape)];
  const [rate] = rates;
  if (item === undefined || rate === undefined || rates.length > 1) return [];
  if (!growing.has(item.item) || findProseAmounts(sentence.slice(0, rate.index), document.decimalMark).length > 0)
    return [];
  const between = sentence.slice(item.end, rate.index);
  const direction = changeVerb.exec(between);
  const newest = statements.periods.find((period) => /^\d{4}$/.test(period));
  const years = [...sentence.matchAll(/(?<!\d)20\d\d(?!\d)/g)].map(([year]) => Number(year));
  if (direction === null || newest === undefined || (calendar.months ?? 12) < 12) return [];
  if ((readPeriodWords(sentence).months ?? 12) < 12) return [];
  if (years.length === 0 || years.some((year) => year > Number(newest) || year < Number(newest) - 1)) return [];
  const [now, before] = [newest, String(Number(newest) - 1)].map(
    (period) => statements.figures.get(item.item)?.get(period)?.value,
  );
  const computed = now === undefined || before === undefined ? undefined : growthRate(before, now);
  if (computed === undefined || !('percent' in computed)) return [];
  const sign = direction[1] === undefined ? '' : '-';
  const printed = `${sign}${rate[1]!.replace(',', '.')}`;
  const difference = absolute(subtract(parseRational(printed)!, parseRational(computed.percent)!));
  const bound: Rational = /[.,]/.test(rate[1]!)
    ? { numerator: 15n, denominator: 100n }
    : { numerator: 6n, denominator: 10n };
  if (compare(difference, bound) <= 0) return [];
  const at = start + rate.index;
  return [
    {
      what: `growth of ${item.item}`,
      period: newest,
      stated: printed,
      computed: computed.percent,
      start: at,
      end: at + rate[0].length,
    },
  ];
}

/** The subject is at the beginning of its sentence, after an article or the title of a note. */
const subjectMax = 40;
const growing: ReadonlySet<LineItem> = new Set(['revenue', 'ebit', 'net_income']);
/** The verb and the rate, with nothing else between them; group 1 if the figure falls. */
const changeVerb =
  /^[ \p{L}]{0,24}?(?:(fell|decreased|declined|dropped|sank|sanken|ging|verringerte sich|a (?:baiss[ée]|recul[ée]|diminu[ée])|recule|baisse|diminue|ha (?:disminuido|bajado|ca[íi]do)|disminuy[óo]|baj[óo]|cay[óo]|[èe] (?:diminuit[oaie]|cal[oa]t[oaie])|daalde|is gedaald)|rose|grew|increased|stieg|stiegen|wuchs|erh[öo]hte sich|a (?:augment[ée]|progress[ée])|progresse|augmente|ha (?:aumentado|crecido|subido)|aument[óo]|creci[óo]|[èe] (?:aumentat[oaie]|cresciut[oaie])|steeg|is gestegen) {1,2}(?:by |um |de |d['’]|un |en un |del |dell['’]|met )?(?:rund |circa |ca\. |about |around )?$/iu;

/** Within a twentieth: a misprint, and not another definition. */
function isNear(text: string, computed: Rational): boolean {
  const [stated, percent] = [parseRational(text.replace(',', '.')), parseRational(toPercent(computed))];
  if (stated === undefined || percent === undefined) return false;
  return compare(multiply(absolute(subtract(stated, percent)), rational(20n)), absolute(percent)) <= 0;
}

function disagreement(text: string, computed: Rational, rest: Omit<StatedRatio, 'stated' | 'computed'>): StatedRatio[] {
  const stated = parseRational(text.replace(',', '.'));
  const percent = parseRational(toPercent(computed));
  if (stated === undefined || percent === undefined) return [];
  const bound: Rational = /[.,]/.test(text)
    ? { numerator: 15n, denominator: 100n }
    : { numerator: 6n, denominator: 10n };
  return compare(absolute(subtract(stated, percent)), bound) <= 0
    ? []
    : [{ ...rest, stated: text.replace(',', '.'), computed: toPercent(computed) }];
}
