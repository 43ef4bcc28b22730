/** Caps on liability: amounts, shares of fees, multiples; and liability that is expressly without limit. */

import { type Document, sentenceAt } from '../../document/document.ts';
import type { FoundAmount } from '../text/amounts.ts';
import type { FoundPercent } from '../text/percents.ts';
import { compilePhrases, findPhrases, phraseList } from '../text/phrases.ts';
import { allWithin } from '../text/ranges.ts';
import { excerpt, type Range } from '../text/span.ts';

export type LiabilityCap = Range & { readonly excerpt: string } & (
    | { readonly kind: 'amount'; readonly value: string; readonly currency?: string }
    | { readonly kind: 'percent of fees'; readonly percent: string }
    | { readonly kind: 'fees of a period' }
    | { readonly kind: 'unlimited' }
  );

const phrases = compilePhrases<'cap' | 'unlimited' | 'liability' | 'fees'>([
  ['cap', phraseList('not ~2 exceed; limited ~3 to; capped at|to; cap of; maximum ~3 liability; maximum ~2 of; up to')],
  [
    'unlimited',
    phraseList(
      'unlimited liability; liability ~4 unlimited; unlimited ~2 liable; liable without limit*; liab* ~3 without limit*',
    ),
  ],
  ['liability', phraseList('liab*')],
  [
    'fees',
    phraseList(`
      fees|charges|amounts|price|sums|remuneration ~5 paid|payable|received|due; contract value|price;
      annual|yearly|total fees|fee|charges|remuneration; value of ~3 contract|order|agreement`),
  ],
]);

/** Sentences that speak of liability and of a limit, in the order of the text. @param amounts, percents of the same text */
export function findLiabilityCaps(
  reading: Document,
  { amounts, percents }: { amounts: readonly FoundAmount[]; percents: readonly FoundPercent[] },
): LiabilityCap[] {
  const matches = findPhrases(reading.words, phrases);
  const caps: LiabilityCap[] = [];
  let done = -1;
  for (const { label, start } of matches) {
    const sentence = sentenceAt(reading, start);
    if ((label !== 'cap' && label !== 'unlimited') || sentence.start <= done) continue;
    done = sentence.start;
    const bounded = { start: sentence.start, end: Math.min(sentence.end, sentence.start + 4_000) };
    const here = allWithin(matches, bounded);
    const has = (wanted: string) => here.some((match) => match.label === wanted);
    if (!has('liability')) continue;
    const shown = excerpt(reading.text, sentence);
    if (has('unlimited')) caps.push({ ...sentence, excerpt: shown, kind: 'unlimited' });
    const firstCap = here.find((match) => match.label === 'cap');
    if (firstCap === undefined) continue;
    const after = { start: firstCap.start, end: bounded.end };
    caps.push(...limitsIn(after, { amounts, percents }, has('fees')).map((cap) => ({ ...cap, excerpt: shown })));
  }
  return caps;
}

type Limit = LiabilityCap extends infer Cap ? (Cap extends LiabilityCap ? Omit<Cap, 'excerpt'> : never) : never;

function limitsIn(
  range: Range,
  { amounts, percents }: { amounts: readonly FoundAmount[]; percents: readonly FoundPercent[] },
  fees: boolean,
): Limit[] {
  const limits: Limit[] = allWithin(amounts, range).map(({ start, end, value, currency }) => ({
    start,
    end,
    kind: 'amount',
    value,
    ...(currency === undefined ? {} : { currency }),
  }));
  const shares = fees ? allWithin(percents, range) : [];
  for (const { start, end, value } of shares) limits.push({ start, end, kind: 'percent of fees', percent: value });
  if (fees && shares.length === 0) limits.push({ ...range, kind: 'fees of a period' });
  return limits;
}
