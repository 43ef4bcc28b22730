/** Which law governs a contract and who decides its disputes, as its own words say. */

import { type Document, sentenceAt } from '../../document/document.ts';
import { compilePhrases, findPhrases, phraseList } from '../text/phrases.ts';
import { excerpt, type Range } from '../text/span.ts';
import type { Word } from '../text/words.ts';

export interface GoverningLaw extends Range {
  /** As written: "England and Wales", "State of New York", "German". */
  readonly law: string;
  /** Its rules on the conflict of laws are excluded. */
  readonly conflictRulesExcluded: boolean;
  /** The UN Convention on Contracts for the International Sale of Goods (1980) is excluded by name. */
  readonly cisgExcluded: boolean;
}

export interface Forum extends Range {
  readonly kind: 'courts' | 'arbitration';
  /** "London", where a place is named. */
  readonly place?: string;
  /** Rules or institution, where named: "ICC". */
  readonly rules?: string;
  readonly exclusive: boolean;
}

type Label =
  | 'governed'
  | 'adjective'
  | 'courts'
  | 'arbitration'
  | 'seat'
  | 'conflict'
  | 'cisg'
  | 'exclusive'
  | 'not exclusive';

const phrases = compilePhrases<Label>([
  ['governed', phraseList('governed ~8 law|laws of; subject to ~4 law|laws of; construed ~6 law|laws of; law|laws of')],
  [
    'adjective',
    phraseList('governed ~8 law; subject to ~4 law; under ~2 law ~3 apply|applies|governs; accordance with ~2 law'),
  ],
  ['courts', phraseList('courts; court of|in|at; place of jurisdiction ~2 is')],
  ['arbitration', phraseList('by arbitration; arbitration ~6 rules; rules of arbitration; arbitra* ~6 administered')],
  ['seat', phraseList('seat ~6 shall be|is; seat ~4 arbitration ~3; place of arbitration ~3 be|is; seated in')],
  [
    'conflict',
    phraseList(
      'conflict of law|laws; conflicts of law|laws; conflict of law|laws rules|principles; choice of law rules',
    ),
  ],
  ['cisg', phraseList('international sale of goods; cisg')],
  ['exclusive', ['exclusive']],
  ['not exclusive', phraseList('non exclusive; nonexclusive')],
]);

/** In the order of the text; a law named twice counts once, where it first stands. */
export function findGoverningLaw(reading: Document): GoverningLaw[] {
  const matches = findPhrases(reading.words, phrases);
  const found: GoverningLaw[] = [];
  for (const match of matches) {
    const isGoverned = match.label === 'governed' && isOperative(reading, match);
    if (!isGoverned && match.label !== 'adjective') continue;
    const name = isGoverned ? nameAfter(reading, match.endWord) : adjectiveBefore(reading, match.endWord);
    if (name === undefined) continue;
    if (found.some(({ law }) => law === name.text)) continue;
    const sentence = sentenceAt(reading, match.start);
    const nearby = matches.filter(({ start }) => start >= sentence.start && start < sentence.end + 300);
    found.push({
      start: match.start,
      end: Math.max(match.end, name.end),
      law: name.text,
      conflictRulesExcluded: nearby.some(({ label, start }) => label === 'conflict' && start < sentence.end),
      cisgExcluded: nearby.some(({ label }) => label === 'cisg'),
    });
    if (found.length >= 10) break;
  }
  return found;
}

/** Courts and arbitration clauses, in the order of the text; at most ten. */
export function findForums(reading: Document): Forum[] {
  const matches = findPhrases(reading.words, phrases);
  const found: Forum[] = [];
  for (const match of matches) {
    if (match.label !== 'courts' && match.label !== 'arbitration') continue;
    const sentence = sentenceAt(reading, match.start);
    if (found.some(({ kind, start }) => kind === match.label && start >= sentence.start)) continue;
    const from = Math.max(sentence.start, match.start - 300);
    const shown = reading.text.slice(from, Math.min(sentence.end, match.start + 300));
    if (match.label === 'courts' && !/jurisdiction|\bvenue\b/i.test(shown)) continue;
    const inSentence = matches.filter(({ start }) => start >= sentence.start && start < sentence.end);
    const seat = matches.find(
      ({ label, start }) => label === 'seat' && start >= sentence.start && start < sentence.end + 300,
    );
    const place = match.label === 'courts' ? courtPlace(reading, match) : seat && nameAfter(reading, seat.endWord);
    const rules = match.label === 'arbitration' ? rulesIn(shown) : undefined;
    const says = (label: Label) => inSentence.some((each) => each.label === label);
    found.push({
      kind: match.label,
      start: sentence.start,
      end: sentence.end,
      ...(place === undefined ? {} : { place: place.text }),
      ...(rules === undefined ? {} : { rules }),
      exclusive: match.label === 'arbitration' || (says('exclusive') && !says('not exclusive')),
    });
    if (found.length >= 10) break;
  }
  return found;
}

/** "laws of" alone is operative only where the sentence speaks of governing. */
function isOperative(reading: Document, match: { start: number; firstWord: number; endWord: number }): boolean {
  if (match.endWord - match.firstWord > 2) return true;
  const sentence = sentenceAt(reading, match.start);
  const from = Math.max(sentence.start, match.start - 100);
  const shown = reading.text.slice(from, Math.min(sentence.end, match.start + 200));
  return /\b(?:govern|construe|interpret)/i.test(shown);
}

interface Name extends Range {
  readonly text: string;
}

const connecting = new Set(['of', 'and', 'the', 'de', 'du', '&']);

/** Capitalised words from an index on, with "of", "and" and "the" between them; at most eight words. */
function nameAfter(reading: Document, index: number): Name | undefined {
  const { words, text } = reading;
  let first = index;
  while (first < index + 3 && connecting.has(words[first]?.text ?? '')) first += 1;
  let last: number | undefined;
  for (let at = first; at < first + 8; at += 1) {
    const word = words[at];
    if (word === undefined || word.opens) break;
    if (at > first && !/^[\s'’&-]{0,3}$/.test(text.slice(words[at - 1]!.end, word.start))) break;
    if (isCapital(text, word)) last = at;
    else if (!connecting.has(word.text)) break;
  }
  // "laws of the State of [blank]" names none.
  return last === undefined || (last === first && words[first]!.text === 'state')
    ? undefined
    : nameOf(text, words[first]!, words[last]!);
}

/** "courts of London", "court in Brno", "English courts". */
function courtPlace(
  reading: Document,
  { firstWord, endWord }: { firstWord: number; endWord: number },
): Name | undefined {
  const { words, text } = reading;
  if (endWord - firstWord > 1) return nameAfter(reading, endWord);
  const next = words[endWord];
  if (next !== undefined && !next.opens && /^(?:of|in|at)$/.test(next.text)) return nameAfter(reading, endWord + 1);
  const before = words[firstWord - 1];
  const isName = before !== undefined && !words[firstWord]!.opens && before.text !== 'the' && isCapital(text, before);
  return isName ? nameOf(text, before, before) : undefined;
}

/** "governed by German law": the capitalised words before the last word of the match. */
function adjectiveBefore({ words, text }: Document, endWord: number): Name | undefined {
  let first = endWord - 1;
  while (words[first]?.text !== 'law' && first > endWord - 6) first -= 1;
  const last = first - 1;
  let from: number | undefined;
  for (let at = last; at > last - 3 && at >= 0; at -= 1) {
    if (!isCapital(text, words[at]!)) break;
    from = at;
  }
  return from === undefined ? undefined : nameOf(text, words[from]!, words[last]!);
}

function isCapital(text: string, word: Word): boolean {
  return /^\p{Lu}/u.test(text.slice(word.start, word.start + 2));
}

function nameOf(text: string, first: Word, last: Word): Name {
  const range = { start: first.start, end: last.end };
  return { ...range, text: excerpt(text, range, 80) };
}

/** Institutions of international arbitration by the names and letters they use themselves. */
const institutions: readonly (readonly [string, RegExp])[] = [
  ['ICC', /\bICC\b|International Chamber of Commerce/],
  ['LCIA', /\bLCIA\b|London Court of International Arbitration/],
  ['SIAC', /\bSIAC\b|Singapore International Arbitration/],
  ['DIS', /\bDIS\b|German (?:Arbitration Institute|Institution of Arbitration)/],
  ['VIAC', /\bVIAC\b|Vienna International Arbitral/],
  ['SCC', /\bSCC\b|Stockholm Chamber of Commerce/],
  ['UNCITRAL', /\bUNCITRAL\b/],
  ['AAA', /\bAAA\b|American Arbitration Association/],
  ['JAMS', /\bJAMS\b/],
  ['HKIAC', /\bHKIAC\b/],
  ['Swiss Rules', /\bSwiss (?:Rules|Arbitration)/],
];

function rulesIn(sentence: string): string | undefined {
  return institutions.find(([, pattern]) => pattern.test(sentence))?.[0];
}
