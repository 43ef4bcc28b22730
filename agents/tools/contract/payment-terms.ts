/** When payments are due and what lateness costs, as the sentences about them say. */

import { type Document, sentenceAt } from '../../document/document.ts';
import { compilePhrases, findPhrases, phraseList } from '../text/phrases.ts';
import { allWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';

export type PaymentTerm = Range &
  (
    | { readonly kind: 'due' /** ISO 8601. */; readonly within: string; readonly businessDays: boolean }
    | { readonly kind: 'late interest'; readonly percent: string }
  );

const phrases = compilePhrases<'payment' | 'interest'>([
  [
    'payment',
    phraseList(
      'payable ~3 within; due ~3 within; pay ~8 within; paid ~4 within; payment ~4 within; invoice* ~8 within; within ~8 of|after receipt; net 30|45|60|90',
    ),
  ],
  [
    'interest',
    phraseList(
      'interest ~8 late|overdue|delay*|default*|arrears; late|overdue ~8 interest; default interest; late payment*',
    ),
  ],
]);

/** More are not looked for. */
const termsMax = 100;

/** In the order of the text. A duration counts within the words about payment; a percentage in a sentence about late interest. */
export function findPaymentTerms(reading: Document): PaymentTerm[] {
  const found = new Map<number, PaymentTerm>();
  for (const { label, start, end } of findPhrases(reading.words, phrases)) {
    if (found.size >= termsMax) break;
    const sentence = sentenceAt(reading, start);
    if (label === 'payment') {
      if (
        !/\b(?:pay|paid|payable|payment|due|invoice)/i.test(
          reading.text.slice(Math.max(sentence.start, start - 120), end),
        )
      )
        continue;
      const [due] = allWithin(reading.durations, { start, end: Math.min(sentence.end, end + 40) });
      if (due === undefined) continue;
      found.set(due.start, {
        start: due.start,
        end: due.end,
        kind: 'due',
        within: due.iso,
        businessDays: due.business,
      });
    } else {
      const near = { start: Math.max(sentence.start, start - 200), end: Math.min(sentence.end, end + 200) };
      for (const { start: from, end: to, value } of allWithin(reading.percents, near).slice(0, 3)) {
        found.set(from, { start: from, end: to, kind: 'late interest', percent: value });
      }
    }
  }
  return [...found.values()].sort((a, b) => a.start - b.start);
}
