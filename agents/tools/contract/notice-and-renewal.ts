/** Notice periods and automatic renewal, with their durations. */

import { type Document, sentenceAt } from '../../document/document.ts';
import type { FoundDuration } from '../text/durations.ts';
import { compilePhrases, findPhrases, phraseList } from '../text/phrases.ts';
import { allWithin, indexAt, someWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';

export type NoticePurpose = 'termination' | 'renewal' | 'cure of breach' | 'price change' | 'audit' | 'other';

export interface NoticePeriod extends Range {
  readonly purpose: NoticePurpose;
  /** ISO 8601. */
  readonly period: string;
  readonly businessDays: boolean;
}

export interface Renewal extends Range {
  readonly automatic: true;
  /** ISO 8601 duration of each renewal, if stated. */
  readonly period?: string;
  /** ISO 8601: time before the end by which the renewal must be declined. */
  readonly optOut?: string;
}

const notice = compilePhrases<'notice'>([
  ['notice', phraseList('notice; notify; notifies; notified; notification; announce*')],
]);

/** More are not looked for. */
const periodsMax = 500;

/** Maximum number of words between a duration and the word "notice". */
const nearWordsMax = 10;

/** Durations near the word "notice" in their sentence, each with the purpose of the notice. */
export function findNoticePeriods(reading: Document, durations: readonly FoundDuration[]): NoticePeriod[] {
  const matches = findPhrases(reading.words, notice);
  const found: NoticePeriod[] = [];
  for (const duration of durations) {
    if (found.length >= periodsMax) break;
    const sentence = sentenceAt(reading, duration.start);
    const near = [indexAt(matches, duration.start), (indexAt(matches, duration.start) ?? -1) + 1].some((index) => {
      const match = index === undefined ? undefined : matches[index];
      if (match === undefined || match.start < sentence.start || match.end > sentence.end) return false;
      return match.firstWord >= duration.firstWord - nearWordsMax && match.firstWord <= duration.endWord + nearWordsMax;
    });
    if (!near || isLength(reading.text, duration)) continue;
    const shown = reading.text.slice(sentence.start, Math.min(sentence.end, sentence.start + 1_500));
    found.push({
      start: duration.start,
      end: duration.end,
      purpose: purposeOf(shown, duration.start - sentence.start),
      period: duration.iso,
      businessDays: duration.business,
    });
  }
  return found;
}

const cues: readonly (readonly [NoticePurpose, RegExp])[] = [
  ['cure of breach', /\b(?:cure|remed(?:y|ied)|rectif)/gi],
  ['renewal', /\b(?:non-renewal|renew|extend|extension|prolong)/gi],
  ['termination', /\b(?:terminat|cancel|rescind)/gi],
  ['price change', /\b(?:price|fee|charge|rate|increase)s?\b/gi],
  ['audit', /\b(?:audit|inspect)/gi],
];

/** The purpose that the nearest purpose word names. */
function purposeOf(sentence: string, at: number): NoticePurpose {
  const from = Math.max(0, at - 160);
  const near = sentence.slice(from, at + 200);
  let best: NoticePurpose = 'other';
  let distance = Number.POSITIVE_INFINITY;
  for (const [purpose, pattern] of cues) {
    for (const { index } of near.matchAll(pattern)) {
      const away = Math.abs(index + from - at);
      if (away < distance) [best, distance] = [purpose, away];
    }
  }
  return best;
}

/** "for periods of twelve months": how long something lasts, unless "notice" follows directly. */
function isLength(text: string, { start, end }: Range): boolean {
  const before = text.slice(Math.max(0, start - 24), start);
  const after = text.slice(end, end + 32);
  return (
    /\b(?:periods?|terms?|lasts?|longer than|year)(?: of)? $|\bfor $/i.test(before) &&
    !/^['’]?(?: prior| written){0,2} notice/i.test(after)
  );
}

const renewal = compilePhrases<'automatic' | 'refused'>([
  [
    'automatic',
    phraseList(`
      automatically ~4 renew*|extend*|prolong*; renew*|extend*|prolong* ~3 automatically; automatic renewal|extension;
      auto renew*; tacit* ~2 renew*|extend*; tacit renewal; shall|will ~2 renew*|extended ~8 unless;
      renew* for ~4 successive|further|additional; evergreen`),
  ],
  [
    'refused',
    phraseList(
      'not ~3 renew*|extend* automatically; no automatic renewal|extension; not automatically ~3 renew*|extend*',
    ),
  ],
]);

/** Sentences about automatic renewal; those that exclude it are omitted. */
export function findRenewals(reading: Document, durations: readonly FoundDuration[]): Renewal[] {
  const matches = findPhrases(reading.words, renewal);
  const refusals = matches.filter(({ label }) => label === 'refused');
  const found: Renewal[] = [];
  for (const match of matches) {
    if (match.label !== 'automatic' || found.length >= 20) continue;
    const sentence = sentenceAt(reading, match.start);
    if (found.some(({ start }) => start === sentence.start)) continue;
    if (someWithin(refusals, sentence)) continue;
    found.push({
      start: sentence.start,
      end: sentence.end,
      automatic: true,
      ...periodsOf(reading, sentence, match.end, durations),
    });
  }
  return found;
}

/**
 * The opt-out is the duration next to "notice", "prior" or "before", here or in the next sentence; the first other duration is
 * the renewal period.
 */
function periodsOf(
  { text, sentences }: Document,
  sentence: Range,
  from: number,
  durations: readonly FoundDuration[],
): { period?: string; optOut?: string } {
  const next = sentences[(indexAt(sentences, sentence.start) ?? 0) + 1];
  const isOptOut = ({ start, end }: Range) =>
    /\b(?:notice|prior|before|advance)\b/i.test(text.slice(Math.max(0, start - 24), start)) ||
    /^['’)]{0,2} (?:of )?(?:prior |written |advance |calendar ){0,3}(?:notice|prior|before|in advance)\b/i.test(
      text.slice(end, end + 60),
    );
  const here = allWithin(durations, sentence);
  const optOut = here.find(isOptOut) ?? (next === undefined ? undefined : allWithin(durations, next).find(isOptOut));
  const period = here.find((duration) => duration !== optOut && duration.start >= from && !isOptOut(duration));
  return {
    ...(period === undefined ? {} : { period: period.iso }),
    ...(optOut === undefined ? {} : { optOut: optOut.iso }),
  };
}
