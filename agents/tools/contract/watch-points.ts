/** Terms that a reviewer should check although the checklist does not require them. They do not change the score. */

import { type Document, sentenceAt } from '../../document/document.ts';
import { compilePhrases, findPhrases, phraseList } from '../text/phrases.ts';
import { excerpt, type Range } from '../text/span.ts';

export interface WatchPoint extends Range {
  readonly kind: string;
  readonly excerpt: string;
}

const phrases = compilePhrases<string>([
  [
    'exclusivity',
    phraseList(
      'exclusive* ~4 supplier|provider|customer|purchase|supply|right; shall not ~4 engage ~6 compet*; exclusively ~3 from',
    ),
  ],
  ['non-compete', phraseList('non compet*; noncompet*; shall|will not ~6 compete; not ~3 compete')],
  ['non-solicitation', phraseList('non solicit*; shall|will|not ~4 solicit*; no poach*; not ~2 solicit*')],
  [
    'liquidated damages or penalty',
    phraseList('liquidated damages; contractual penalty; penalty of; penalty payment; pay ~4 penalty'),
  ],
  [
    'unilateral change',
    phraseList(
      'may|can ~2 amend|modify|change ~6 at any time; sole discretion ~8 change|amend|modify; reserves ~3 right ~2 amend|modify|change|vary',
    ),
  ],
  ['sole discretion', phraseList('sole ~3 discretion; absolute discretion')],
  ['perpetual or irrevocable grant', phraseList('perpetual ~6 licen*|right; irrevocable ~6 licen*|right; irrevocabl*')],
  ['assignment of all rights', phraseList('assigns ~4 all ~4 right*; hereby assigns')],
  [
    'price increase',
    phraseList('increase ~4 fees|prices|charges|rates; fees|prices|charges ~6 increase*|indexed|adjusted; indexation'),
  ],
  ['most favoured customer', phraseList('most favoured|favored; no less favourable|favorable than')],
  ['minimum purchase', phraseList('minimum ~3 purchase|order|commitment|volume|spend; take or pay')],
  ['as is', phraseList('provided ~4 as is; as is ~3 as available')],
  [
    'waiver of remedies',
    phraseList('sole|exclusive|only ~2 remedy; waives ~6 right*|claim*; sole and exclusive remedy'),
  ],
  ['deemed acceptance', phraseList('deemed ~3 accept*; considered ~2 accepted; deemed approv*')],
  ['time of the essence', phraseList('time ~3 of the essence')],
  ['step-in or suspension', phraseList('suspend ~4 services|access|performance|supply; step in right*')],
  ['publicity', phraseList('use ~4 name|logo ~6 reference|marketing|publicity; press release*')],
  ['jury or class waiver', phraseList('waive* ~6 jury; class action waiver; jury trial')],
]);

/** At most one per kind and sentence, ordered by position in the text. */
export function findWatchPoints(reading: Document): WatchPoint[] {
  const found: WatchPoint[] = [];
  const seen = new Set<string>();
  for (const { label, start } of findPhrases(reading.words, phrases)) {
    const sentence = sentenceAt(reading, start);
    const key = `${label} ${sentence.start}`;
    if (seen.has(key)) continue;
    seen.add(key);
    found.push({ start: sentence.start, end: sentence.end, kind: label, excerpt: excerpt(reading.text, sentence) });
  }
  return found;
}
