/** "in EUR thousand", "TEUR", "v mil. Kč": what the numbers of a table are counted in. */
import { normaliseName } from './line-items.ts';

export interface UnitNote {
  /** Powers of ten to multiply by: 0, 3, 6 or 9. */
  readonly zeros?: number;
  /** ISO 4217. */
  readonly currency?: string;
  /** "except number of shares": powers of ten for counts of shares, 0 unless the exception names its own. */
  readonly shareZeros?: number;
}

const scales: readonly [zeros: number, shape: RegExp][] = [
  [
    3,
    /(?:\b(?:in|en|v|eur|usd|gbp|chf|czk|pln|kc|euro|euros|dollars?) (?:thousands?|tausend|tsd|milliers|tis|tisicich)\b)|\bteur\b|\bkeur\b|\bt eur\b|\bk eur\b|\btchf\b|\btkc\b|\bthousands? of (?:eur|usd|gbp|chf|euros?|dollars?|pounds|us dollars)\b|\btis (?:kc|eur|czk)\b|\bmilliers d euros?\b|\btsd eur\b|(?:eur|usd|gbp|chf) 000s?\b|^000s?\b|\bin 000s?\b/,
  ],
  [
    6,
    /(?:\b(?:in|en|v|eur|usd|gbp|chf|czk|pln|kc|euro|euros|dollars?) (?:millions?|millionen|mio|mil|mln|milionech|m|mm)\b)|\bmeur\b|\bm eur\b|\busdm\b|\beurm\b|\bgbpm\b|\bmillions? of (?:eur|usd|gbp|chf|euros?|dollars?|pounds|us dollars)\b|\bmil (?:kc|eur|czk)\b|\bmio (?:eur|chf|usd)\b|\bmillions d euros?\b/,
  ],
  [
    9,
    /\b(?:in|en|v|eur|usd|gbp|chf|czk|euro|dollars?) (?:billions?|bn|mrd|milliarden|milliards|mld)\b|\bmrd (?:eur|kc)\b|\bbillions? of (?:eur|usd|euros?|dollars?)\b/,
  ],
];

/** "(in EUR)" says that nothing is to be multiplied. */
const wholeUnits = /\b(?:in|en|v) (?:eur|usd|gbp|chf|czk|kc|euros?|us dollars?|whole units)\b/;

/** Most lines hold none of these, and are looked at no further. */
const hint =
  /[€$£¥]|000|eur|usd|gbp|chf|czk|k[cč]|pln|huf|sek|nok|dkk|ron|jpy|zł|dollar|thousand|tausend|tsd|millier|tis|milli|mio|mil|mln|bill|bn|mrd|mld|mm|whole/i;

const currencyShapes: readonly [code: string, shape: RegExp][] = [
  ['EUR', /€|\beuros?\b|\bt?m?k?eurm?\b/i],
  ['CZK', /\bCZK\b|\bKč/i],
  ['USD', /\$|\busdm?\b|\bUS dollars?\b/i],
  ['GBP', /£|\bgbpm?\b/i],
  ['CHF', /\bT?CHF\b/i],
  ['PLN', /\bPLN\b|zł/i],
  ['HUF', /\bHUF\b/],
  ['SEK', /\bSEK\b/],
  ['NOK', /\bNOK\b/],
  ['DKK', /\bDKK\b/],
  ['RON', /\bRON\b/],
  ['JPY', /\bJPY\b|¥/],
];

/**
 * What a heading, a caption or a label says about units.
 *
 * @param text at most some hundred characters: one line
 * @returns undefined where it says nothing
 */
export function readUnitNote(text: string): UnitNote | undefined {
  if (!hint.test(text)) return undefined;
  const currency = currencyShapes.find(([, shape]) => shape.test(text))?.[0];
  const name = normaliseName(text.replaceAll('€', ' eur ').replaceAll('$', ' usd ').replaceAll('£', ' gbp '));
  const [rule = '', ...exceptions] = name.split(/\b(?:except|other than|sauf|ausser)\b/);
  const zeros = scaleOf(rule) ?? (wholeUnits.test(rule) ? 0 : undefined);
  const exception = exceptions.find(
    (part) => /\bshares?\b|\baktien\b|\bactions\b/.test(part) && !/^ per share/.test(part),
  );
  const shareZeros = exception === undefined ? undefined : (scaleOf(exception) ?? 0);
  if (currency === undefined && zeros === undefined) return undefined;
  return {
    ...(zeros === undefined ? {} : { zeros }),
    ...(currency === undefined ? {} : { currency }),
    ...(shareZeros === undefined ? {} : { shareZeros }),
  };
}

/** The unit that is named first: captions name the rule before its exceptions. */
function scaleOf(name: string): number | undefined {
  let first: { zeros: number; at: number } | undefined;
  for (const [zeros, shape] of scales) {
    const at = shape.exec(name)?.index;
    if (at !== undefined && (first === undefined || at < first.at)) first = { zeros, at };
  }
  return first?.zeros;
}
