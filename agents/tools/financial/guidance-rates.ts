/** Rates that a company forecasts: operating margin, tax rate and growth of revenue. */
import { parseNumber } from '../text/numbers.ts';
import type { Range } from '../text/span.ts';
import type { LineItem } from './line-items.ts';
import { parseRational, type Rational } from './rational.ts';

export type GuidanceMeasure = LineItem | 'operating_margin' | 'tax_rate' | 'revenue_growth' | 'eps';

/** A forecast, with its place in the sentence. */
export interface Ahead {
  readonly measure: GuidanceMeasure;
  readonly low: Rational;
  readonly high: Rational;
  readonly range: Range;
}

export const rate =
  /\b(?:operating margin|ebit[- ]margin|ebit-marge|umsatzrendite|marge op[ée]rationnelle|margen operativo|bedrijfsmarge|margine operativo)\b/iu;
export const taxRate =
  /\b(?:effective (?:income )?tax rate|tax rate|steuerquote|taux d.imp[ôo]t|tasa impositiva|aliquota fiscale|belastingdruk)\b/iu;
export const growthOf =
  /\b(?:revenue|sales|net sales|organic|umsatz|chiffre d.affaires|ventas|ricavi|omzet)\b.{0,60}\b(?:grow|growth|increase|rise|up|wachs|wachstum|steig|croissance|progress|crec|aument|cresc|groei|stijg)/iu;
/** "Croissance organique du chiffre d'affaires", "growth in revenue". */
export const growthFirst =
  /(?<!\p{L})(?:growth|increase|wachstum|anstieg|croissance|progression|crecimiento|aumento|crescita|groei|stijging)\b.{0,30}?(?<!\p{L})(?:revenue|(?:net )?sales|turnover|umsatz\p{L}*|chiffre d.affaires|ventas|cifra de negocios|ricavi|fatturato|omzet)/iu;
const percentRange =
  /(?<![\d.,])(-?\d{1,2}(?:[.,]\d{1,2})?) ?(?:%|percent|per cent|Prozent)? ?(?:to|and|bis|[àa]|y|e|en|tot|-|–|—|und|et) ?(-?\d{1,2}(?:[.,]\d{1,2})?) ?(?:%|percent|per cent|Prozent)|(?<![\d.,])(\d{1,2}(?:[.,]\d{1,2})?) ?(?:%|percent|per cent|Prozent)/giu;

/** @param isOutlook whether the heading says that the list below it is a forecast */
export function ratesAhead(sentence: string, isOutlook: boolean): Ahead[] {
  return [...sentence.matchAll(percentRange)].flatMap((match): Ahead[] => {
    const before = sentence.slice(Math.max(0, match.index - 110), match.index);
    const cues = (
      [
        ['operating_margin', rate],
        ['tax_rate', taxRate],
        ['revenue_growth', growthOf],
        ['revenue_growth', growthFirst],
      ] as const
    ).flatMap(([measure, shape]) => {
      const at = before.search(shape);
      return at === -1 ? [] : [{ measure, at }];
    });
    const nearest = cues.sort((a, b) => b.at - a.at)[0];
    const low = numberOf(match[1] ?? match[3]!);
    const high = numberOf(match[2] ?? match[3]!);
    // "Revenue grew 17.5 %; the company introduces its outlook" is a report and not a forecast.
    if (!isOutlook && !aheadVerb.test(before) && !aheadVerb.test(sentence.slice(0, match.index))) return [];
    if (nearest === undefined || low === undefined || high === undefined) return [];
    return [{ measure: nearest.measure, low, high, range: { start: match.index, end: match.index + match[0].length } }];
  });
}

const aheadVerb =
  /\b(?:expect\w*|anticipat\w+|forecasts?|project\w*|guidance|outlook|will|plans?|target\w*|erwart\w+|rechne\w*|prognos\w+|pr[ée]voi\w+|attend\w*|prev[ée]\w*|espera\w*|verwacht\w*|r[äa]knar|f[öo]rv[äa]nta\w*|bed[öo]mer|forvent\w*|oczekuj\w*|przewiduj\w*|estima\w*|prevede\w*|prevediamo|should)(?!\p{L})/iu;

export function numberOf(text: string): Rational | undefined {
  const parsed = parseNumber(text);
  return parsed === undefined ? undefined : parseRational(parsed.value);
}
