/** "in EUR thousand", "TEUR", "v mil. Kč": the unit of the numbers of a table. */
import { lazily } from '../text/lazily.ts';
import { normaliseName } from './line-items.ts';
import { remembered } from './remembered.ts';

export interface UnitNote {
  /** Powers of ten to multiply by: 0, 3, 6 or 9. */
  readonly zeros?: number;
  /** ISO 4217. */
  readonly currency?: string;
  /** "except number of shares": powers of ten for share counts, 0 unless the exception names its own. */
  readonly shareZeros?: number;
}

const scales: readonly [zeros: number, shape: RegExp][] = [
  // "₹ in lakhs", "Rs. crore".
  [5, /\b(?:in|inr|rs|rupees|₹) (?:rs |inr |₹ )?(?:lakhs?|lacs?)\b|\b(?:lakhs?|lacs?) (?:of )?(?:inr|rs|rupees)\b/],
  [7, /\b(?:in|inr|rs|rupees|₹) (?:rs |inr |₹ )?(?:crores?|crs?)\b|\bcrores? (?:of )?(?:inr|rs|rupees)\b/],
  [
    3,
    /(?:\b(?:in|en|v|eur|usd|gbp|chf|czk|pln|kc|euro|euros|dollars?) (?:thousands?|tausend|tausenden|tsd|milliers|tis|tisicich|miles|migliaia|duizenden|duizend)\b)|\bteur\b|\bkeur\b|\bt eur\b|\bk eur\b|\btchf\b|\btkc\b|\bthousands? of (?:eur|usd|gbp|chf|euros?|dollars?|pounds|us dollars)\b|\btis (?:kc|eur|czk)\b|\bmilliers d euros?\b|\btsd eur\b|\b(?:miles|millares) de (?:euros?|dolares)\b|\b(?:migliaia|duizenden|duizendtallen) (?:di |d )?euro|\b(?:cad|sek|nok|dkk|jpy|k|t|m) ?(?:thousands?|tsd)\b|\bt(?:sek|usd|gbp|cad)\b|\bk(?:sek|usd|gbp|chf|cad)\b|\bk (?:usd|gbp|chf)\b|\b(?:eur|usd|gbp|chf|k|x|in) (?:x )?1 000\b|\b1 000 (?:eur|euro|chf|usd)\b|\bthousands? (?:of )?(?:canadian|swiss|swedish|pounds|u s|us|yen|kronor|kroner|francs)\b|(?:eur|usd|gbp|chf|cad|sek) 000s?\b|^000s?\b|\bin 000s?\b/,
  ],
  [
    6,
    /(?:\b(?:in|en|v|eur|usd|gbp|chf|czk|pln|kc|euro|euros|dollars?) (?:millions?|millionen|mio|mil|mln|milionech|milliones|millones|milioni|miljoenen|miljoen|m|mm)\b)|\bmeur\b|\bm(?:sek|nok|dkk|usd|chf|gbp|cad)\b|\b(?:sek|nok|dkk|jpy|cad|yen) ?(?:m|mn|mio|million|millions)\b|\b(?:millones|milioni|miljoenen) (?:de |di |d )?euro|\bmillions? (?:of )?(?:canadian|swiss|swedish|yen|japanese|pounds|u s|us|sterling|kronor|kroner|francs)\b|\bm(?:eur|io eur) \b|\bmio\b (?:chf|usd|gbp|euro)|\bm eur\b|\busdm\b|\beurm\b|\bgbpm\b|\bmillions? of (?:eur|usd|gbp|chf|euros?|dollars?|pounds|us dollars)\b|\bmil (?:kc|eur|czk)\b|\bmio (?:eur|chf|usd)\b|\bmillions d euros?\b/,
  ],
  [
    9,
    /\b(?:in|en|v|eur|usd|gbp|chf|czk|euro|dollars?) (?:billions?|bn|mrd|milliarden|milliards|mld)\b|\bmrd (?:eur|kc)\b|\bbillions? of (?:eur|usd|euros?|dollars?)\b/,
  ],
];

/** Most names contain none of these and are not examined further. */
const scaleHint =
  /lakh|lacs?\b|cror|\bcrs?\b|thou|taus|tsd|mil|mio|mln|\bmn\b|\bmm?\b|bill|\bbn\b|mrd|mld|duiz|migl|tus|tys|tis|tuha|000|\b[mtk](?:d)? ?(?:eur|usd|gbp|chf|cad|aud|sek|nok|dkk|jpy|pln|czk|kc|kr)|(?:eur|usd|gbp|chf|cad|aud|sek|nok|dkk|pln|czk|jpy) ?(?:[mkt]\b|bn)/;

/** A scale next to a currency, in any order and language: "tusental kronor", "SEK millions", "milhares de euros", "tys. zł". */
const scaleNames: readonly (readonly [zeros: number, names: string])[] = [
  [
    3,
    'thousands?|tausend|tsd|milliers|millares|miles|migliaia|duizend(?:en|tallen)?|tusen|tusental|tusentals|tusind|tusinde|tys|tysiac\\w*|tis|milhares|tuhat|tuhansi\\w*|000s?',
  ],
  [
    6,
    'millions?|millionen|mio|mill|mn|mln|millones|milioni|miljoen(?:en)?|miljoner|millioner|milion\\w*|milhoes|miljoona\\w*',
  ],
  [9, 'billions?|bn|milliarden|mrd|mld|milliards|miliardi|miljard(?:en)?|miljarder|milliarder'],
];
const currencyNames =
  '(?:rmb|cny|eur|euro|euros|euroa|usd|us dollars?|u s dollars?|dollars?|dolares|gbp|pounds(?: sterling)?|sterling|chf|francs?|franken|cad|sek|kr|kronor|svenska kronor|nok|norske kroner|dkk|danske kroner|kroner|jpy|yen|pln|zl|zlotych|czk|kc|aud|nzd)';
const namedScales: readonly [zeros: number, shape: RegExp][] = scaleNames.map(([zeros, names]) => [
  zeros,
  new RegExp(
    `\\b${currencyNames} (?:in )?(?:${names})\\b|\\b(?:${names}) (?:of |de |di |d |av |af |van |w )?(?:us |canadian |swiss |swedish |svenska |norske |danske |polska )?${currencyNames}\\b|\\b(?:in|en|em|i|v|w) (?:${names})\\b`,
  ),
]);
/** "MSEK", "TNOK", "Mkr", "SEKm", "£k". */
const joinedScales: readonly [zeros: number, shape: RegExp][] = [
  [
    3,
    /\b[tk] ?(?:eur|usd|gbp|chf|cad|aud|sek|nok|dkk|pln|jpy|kr|czk)\b|\b(?:eur|usd|gbp|chf|cad|aud|sek|nok|dkk|pln|czk|rmb|cny)(?: ?k| ?t|000s?| 000s?)\b|\b(?:eur|usd|gbp|chf|cad|sek|nok|dkk|kr|pln) 1 000\b|\bt kr\b|\b1 000 (?:kr|sek|nok|dkk|euroa?|pln|zl)\b/,
  ],
  [
    6,
    /\bm(?:eur|usd|gbp|chf|cad|sek|nok|dkk|pln|jpy|kr|czk)\b|\b(?:eur|usd|gbp|chf|cad|sek|nok|dkk|pln|czk)(?:m|mn|mio)\b|\bmio kr\b|\bm kr\b/,
  ],
  [9, /\bmd(?:eur|usd|gbp|sek|nok|dkk|kr)\b|\b(?:eur|usd|gbp|sek|nok|dkk)bn\b/],
];

const allScales = [...scales, ...namedScales, ...joinedScales];

/** "(in EUR)" states that nothing is multiplied. */
const wholeUnits =
  /\b(?:in|en|v) (?:eur|usd|gbp|chf|czk|kc|cad|sek|euros?|us dollars?|u s dollars?|canadian dollars?|swiss francs?|pounds sterling|whole (?:units|dollars|euros?)|vollen euro|unita di euro)\b/;

/** Most lines contain none of these and are not examined further. */
const hint =
  /[€$£¥₹]|lakh|lacs?\b|cror|rupee|inr|\brs\b|000|rmb|cny|kr\b|tusen|tusind|tys|milh|tuha|miljo|cad|franc|pound|sterling|kron|yen|duizend|migliaia|miles|eur|usd|gbp|chf|czk|k[cč]|pln|huf|sek|nok|dkk|ron|jpy|zł|dollar|thousand|tausend|tsd|millier|tis|milli|mio|mil|mln|bill|bn|mrd|mld|mm|whole/i;

const currencyShapes: readonly [code: string, shape: RegExp][] = [
  ['EUR', /€|\beuros?\b|\b[kmt]?eur[kmt]?\b/i],
  ['CZK', /\bCZK\b|\bKč/i],
  ['CAD', /\bC\$|\bCA\$|\bCAD\b|\bCdn\$|canadian dollars?|dollars canadiens/i],
  ['USD', /\$|\b[kmt]?usd[kmt]?\b|\bU\.?S\.? dollars?\b|\bdollars\b/i],
  ['GBP', /£|\b[kmt]?gbp[kmt]?\b|pounds sterling|\bsterling\b/i],
  ['CHF', /\b[TKM]?CHF[kmt]?\b|swiss francs?|schweizer franken/i],
  ['PLN', /\bPLN\b|zł/i],
  ['HUF', /\bHUF\b/],
  ['NOK', /\b[TKM]?NOK\b|norske kroner|norwegian kron/i],
  ['DKK', /\b[TKM]?DKK\b|danske kroner|danish kron/i],
  ['SEK', /\b[TKM]?SEK[kmt]?\b|swedish kron|svenska kronor|\b(?:m|t)?kr\b|\bt\.kr\.|\bkronor\b/i],
  ['RON', /\bRON\b/],
  ['CNY', /\bRMB\b|\bCNY\b|renminbi/i],
  ['JPY', /\bJPY\b|¥|\byen\b/i],
  ['INR', /₹|\bINR\b|\brupees?\b|\bRs\.? /i],
];

/** The unit that a heading, a caption or a label of at most a few hundred characters states; undefined if it states none. */
export const readUnitNote = remembered(findUnitNote);

function findUnitNote(text: string): UnitNote | undefined {
  if (!hint.test(text)) return undefined;
  const currency = currencyShapes.find(([, shape]) => shape.test(text))?.[0];
  const name = normaliseName(
    text.replaceAll('€', ' eur ').replaceAll('$', ' usd ').replaceAll('£', ' gbp ').replaceAll('₹', ' inr '),
  ).replace(groupedAmount, ' ');
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

/** "1 204 000 euros" is an amount, "1 000 euros" may be a unit. */
const groupedAmount = /\b(?!1 000\b)\d{1,3}(?: \d{3}){1,4}\b/g;

/** The first unit that is named, because captions state the rule before its exceptions. */
function scaleOf(name: string): number | undefined {
  if (!scaleHint.test(name)) return undefined;
  let first: { zeros: number; at: number } | undefined;
  for (const [zeros, shape] of allScales) {
    const at = shape.exec(name)?.index;
    if (at !== undefined && (first === undefined || at < first.at)) first = { zeros, at };
  }
  return first?.zeros;
}

const otherDollars: readonly (readonly [code: string, shape: RegExp])[] = [
  ['CAD', /\bC\$|\bCA\$|\bCdn\$|\bCAD\b|canadian dollars?|dollars canadiens/giu],
  ['AUD', /\bA\$|\bAU\$|\bAUD\b|australian dollars?/giu],
  ['NZD', /\bNZ\$|\bNZD\b|new zealand dollars?/giu],
  ['SGD', /\bS\$|\bSGD\b|singapore dollars?/giu],
  ['HKD', /\bHK\$|\bHKD\b|hong kong dollars?/giu],
];
const usDollar = /\bUS\$|\bUSD\b|U\.?S\.? dollars?|united states dollars?/giu;

/** Currencies that a document may write as "$" after it has named them once. */
export const dollars: ReadonlySet<string> = new Set(['USD', ...otherDollars.map(([code]) => code)]);

const usDollarUnit =
  /\b(?:thousands|millions) of (?:U\.?S\.?|united states) dollars|\bin (?:US\$|USD|U\.?S\.? dollars)|\bUS(?:\$|D) ?(?:m\b|k\b|mn|mio|million|thousand|'?000)/giu;

/**
 * The currency of a bare "$" in this document: the dollar that it names more often than that of the United States. A unit of the
 * statements counts more than the currency of a price.
 */
function dollarOf(text: string, captions: ReadonlyMap<string, number>): string {
  const count = (shape: RegExp) => text.match(shape)?.length ?? 0;
  const [best] = otherDollars
    .map(([code, shape]) => [code, count(shape) + captionWeight * (captions.get(code) ?? 0)] as const)
    .sort((a, b) => b[1] - a[1]);
  return best !== undefined && best[1] > count(usDollar) + captionWeight * count(usDollarUnit) ? best[0] : 'USD';
}

/** The currency of a bare "kr": of the country whose code or language the document uses. */
function kroneOf(text: string): string {
  const count = (shape: RegExp) => text.match(shape)?.length ?? 0;
  const [best] = crowns.map(([code, shape]) => [code, count(shape)] as const).sort((a, b) => b[1] - a[1]);
  return best === undefined || best[1] === 0 ? 'SEK' : best[0];
}

const crowns: readonly (readonly [code: string, shape: RegExp])[] = [
  ['SEK', /(?<!\p{L})[MTK]?SEK(?!\p{L})|svenska kronor|swedish kron|[äö]/giu],
  ['DKK', /(?<!\p{L})[MTK]?DKK(?!\p{L})|danske kroner|danish kron|omsætning|gæld|skat(?!\p{L})|regnskabs/giu],
  ['NOK', /(?<!\p{L})[MTK]?NOK(?!\p{L})|norske kroner|norwegian kron|inntekt|gjeld|skatt(?!\p{L})|regnskaps/giu],
];

/** Weight of a caption relative to an amount in a sentence. */
const captionWeight = 10;
const amountsMax = 2_000;

/** So many times the votes of any other currency make a currency certain. */
const certainFactor = 3;

export interface MainCurrency {
  readonly code: string | undefined;
  /** Whether captions and amounts name another currency nearly as often. */
  readonly isContested: boolean;
}

/** The currency of statements: from captions, else from amounts in sentences. @param captions number of mentions per currency */
export function mainCurrency(
  captions: ReadonlyMap<string, number>,
  { amounts, text }: { readonly amounts: readonly { readonly currency?: string }[]; readonly text: string },
): MainCurrency {
  const dollar = lazily(() => dollarOf(text, captions));
  const krone = lazily(() => kroneOf(text));
  const votes = new Map<string, number>();
  const vote = (code: string, weight: number) => {
    const own = code === 'USD' ? dollar() : code === 'SEK' ? krone() : code;
    votes.set(own, (votes.get(own) ?? 0) + weight);
  };
  for (const [code, count] of captions) vote(code, count * captionWeight);
  for (const { currency } of amounts.slice(0, amountsMax)) if (currency !== undefined) vote(currency, 1);
  const [first, second] = [...votes].sort((a, b) => b[1] - a[1]);
  const isContested = first !== undefined && second !== undefined && first[1] < second[1] * certainFactor;
  return { code: first?.[0], isContested };
}
