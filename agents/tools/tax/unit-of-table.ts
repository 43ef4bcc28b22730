/** The unit of a table's figures: from its own header, else from the caption above it, else from a note for the whole text. */
import type { Layout } from './layout.ts';

export interface TableUnit {
  /** Powers of ten: 0, 3, 6 or 9. */
  readonly zeros: number;
  /** ISO 4217. */
  readonly currency?: string;
}

const scales: readonly (readonly [number, RegExp])[] = [
  [
    3,
    /(?:€|£|\$|\b(?:eur|usd|gbp|chf|nok|sek|dkk|pln|kr|czk))\s?1[., ']?000\b|\b(?:thousands?|tausend|tsd|tausenden|milliers|migliaia|miles|tys|milhares|tusental|tusinde|tusindtal|tuhansi[aen]{1,2}|tuhat|tisic(?:ich|e|u)?|tis|duizend(?:en)?|tusen|tuhatta|ezer)\b|(?<![\d.,])['’]?0{3}s?\b|\b(?:t|k)(?:€|eur|chf|usd|gbp|pln|nok|sek|dkk|£|\$)|\b(?:t|k)kr\b|\btkc\b|(?:€|£|\$)\s?(?:k|tsd|000)\b|\b(?:eur|usd|gbp|chf|nok|sek|dkk|pln)\s?k\b|(?:€|eur|x|nok|sek|dkk|chf|kr)\s{0,2}1[., ']?000(?!\d)|x € ?1[., ]?000/,
  ],
  [
    6,
    /\b(?:millions?|millionen|mio|mln|mill|millones|milioni|miljoen|miljoner|milhoes|millioner|milj|mdkk|miljonaa|milionow|milionech|milionu|mil)\b|\bm(?:€|eur|chf|usd|gbp|pln|nok|sek|dkk|kr|£|\$)|(?:€|£|\$)\s?m\b|\b(?:eur|usd|gbp|chf|nok|sek|dkk|pln|kr|czk)\s?mn?\b|\bm €/,
  ],
  [9, /\b(?:billions?|milliarden|mrd|milliards|miliardi|bn)\b/],
];

const currencies: readonly (readonly [string, RegExp])[] = [
  ['EUR', /€|\beuros?\b|(?:\b|[tkm])eur(?:k|m)?\b/],
  ['GBP', /£|\b(?:gbp|pounds? sterling|sterling)/],
  ['CHF', /(?:\b|[tkm])chf|\bfranken\b|\bswiss francs?\b/],
  ['NOK', /(?:\b|[tkm])nok|\bnorske kroner\b|\bmill\.? kr\b/],
  ['SEK', /(?:\b|[tkm])sek|\bsvenska kronor\b|\b[tmk]kr\b/],
  ['DKK', /(?:\b|[tkm])dkk|\bdanske kroner\b|\bmio\.? kr\b|\bt\. ?kr\b/],
  ['PLN', /\bpln|\bzl\b|\bzlotych\b/],
  ['CZK', /\bczk|\bkc\b/],
  ['USD', /\$|\busd|\bus dollars?\b|\bdollars in\b|\bin (?:thousands|millions) of dollars\b/],
];

/** @param folded at most a few hundred characters */
export function unitIn(shown: string): { readonly zeros?: number; readonly currency?: string } {
  // "amount_kchf" of an export.
  const folded = shown.replaceAll('_', ' ');
  const zeros = scales.find(([, shape]) => shape.test(folded))?.[0];
  const currency = currencies.find(([, shape]) => shape.test(folded))?.[0];
  return { ...(zeros === undefined ? {} : { zeros }), ...(currency === undefined ? {} : { currency }) };
}

const wholeText =
  /\b(?:all|amounts?|figures|alle|betrage|angaben|montants|chiffres|in|en|tous|importi|importes|bedragen|belop|belopp|kwoty)\b/;

/** Number of lines above a table that belong to its caption. */
const captionLinesMax = 8;

/** @param from the table's first line, or any of its lines · @param to the last line of its header */
export function unitOfTable(layout: Layout, from: number, to: number): TableUnit {
  let zeros: number | undefined;
  let currency: string | undefined;
  const take = (folded: string) => {
    const unit = unitIn(folded);
    zeros ??= unit.zeros;
    currency ??= unit.currency;
  };
  for (
    let at = to;
    at >= Math.max(0, from - captionLinesMax) && (zeros === undefined || currency === undefined);
    at -= 1
  ) {
    const line = layout.lines[at]!;
    // Sentences above a table state their own amounts.
    const folded = line.segments
      .map((segment) => segment.folded)
      .join(' ')
      .slice(-240);
    const isHeader =
      at >= from &&
      !line.segments.some(
        ({ text }) =>
          /^\(?-?\d[\d.,' ]*\)?$/.test(text) &&
          !/^(?:\d{1,2}[./-]\d{1,2}[./-])?(?:19|20)\d\d$|^['’]?000$|^1[.,' ]000\)?$/.test(text),
      );
    if (
      isHeader ||
      (at < from &&
        (folded.length < 110 || /\((?:[^)]*(?:thousand|million|mio|tsd|eur|€|£|\$|chf|mln)[^)]*)\)/.test(folded)))
    )
      take(folded);
  }
  if (zeros === undefined || currency === undefined) {
    // A note above, or directly below the table.
    for (const line of [...layout.lines.slice(0, Math.min(from, 400)), ...layout.lines.slice(to, to + 30)]) {
      const folded = line.segments.map((segment) => segment.folded).join(' ');
      if (
        folded.length > 200 ||
        !wholeText.test(folded) ||
        unitIn(folded).zeros === undefined ||
        /\d[.,]\d/.test(folded.replace(/\b1[., ']000\b/, ''))
      )
        continue;
      take(folded);
    }
  }
  return { zeros: zeros ?? 0, ...(currency === undefined ? {} : { currency }) };
}
