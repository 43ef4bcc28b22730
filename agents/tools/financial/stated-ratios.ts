/** Compares margins and growth rates in sentences with the figures from which they follow. */
import type { Range } from '../text/span.ts';
import type { DocumentReading } from './document-reading.ts';
import { growthRate } from './growth.ts';
import type { LineItem } from './line-items.ts';
import { readPeriodWords } from './period-words.ts';
import { splitSentencesOf } from './prose-ranges.ts';
import { findItems, findProseAmounts, flattened, isReported } from './prose-sentences.ts';
import { absolute, compare, divide, isZero, parseRational, type Rational, subtract, toPercent } from './rational.ts';
import type { Statements } from './statements.ts';

export interface StatedRatio extends Range {
  readonly what: string;
  readonly period: string;
  readonly stated: string;
  readonly computed: string;
}

const percentShape = /(?<![\d.,])(\d{1,3}[.,]\d|\d{1,3})\s?(?:%|percent\b|per cent\b|Prozent\b)/gu;
const margins: readonly (readonly [name: RegExp, above: LineItem])[] = [
  [/\bgross (?:profit )?margin\b|bruttomarge|marge brute|margen bruto/iu, 'gross_profit'],
  [/\b(?:operating|ebit)[- ](?:profit )?margin\b|ebit-marge|marge op[ée]rationnelle|margen operativo/iu, 'ebit'],
  [/\bnet (?:profit |income )?margin\b|nettomarge|marge nette/iu, 'net_income'],
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
      ...marginsIn(sentence, range, statements),
      ...(growth.length > 0 ? growth : growthOfFigures(sentence, range, reading, statements)),
    ];
  });
}

/** "A gross margin of 45.2 % in 2024": for a year with known figures. */
function marginsIn(sentence: string, { start }: Range, statements: Statements): StatedRatio[] {
  const years = [...new Set([...sentence.matchAll(/(?<!\d)20\d\d(?!\d)/g)].map(([year]) => year))];
  const period = years.length === 1 ? years[0]! : undefined;
  if (period === undefined) return [];
  return margins.flatMap(([name, above]): StatedRatio[] => {
    const at = sentence.search(name);
    const stated =
      at === -1 ? undefined : [...sentence.matchAll(percentShape)].find(({ index }) => index > at && index - at < 60);
    const [top, revenue] = [above, 'revenue' as const].map((item) => statements.figures.get(item)?.get(period)?.value);
    if (stated === undefined || top === undefined || revenue === undefined || isZero(revenue)) return [];
    return disagreement(stated[1]!, divide(top, revenue), {
      what: `${above} / revenue`,
      period,
      start: start + stated.index,
      end: start + stated.index + stated[0].length,
    });
  });
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
