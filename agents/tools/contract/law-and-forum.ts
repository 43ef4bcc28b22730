/** Determines which law governs a contract and which court or tribunal decides its disputes, from its wording. */

import { type Document, sentenceAt } from '../../document/document.ts';
import { compilePhrases, findPhrases, phraseList } from '../text/phrases.ts';
import { excerpt, type Range } from '../text/span.ts';
import type { Word } from '../text/words.ts';
import { germanAdjective, jurisdictionOf } from './jurisdictions.ts';
import { relevant, statementAt } from './statements.ts';

export interface GoverningLaw extends Range {
  /** As written: "England and Wales", "State of New York", "German". */
  readonly law: string;
  /** The state or country in English: "Germany". */
  readonly jurisdiction: string;
  /** Whether the conflict-of-laws rules are excluded. */
  readonly conflictRulesExcluded: boolean;
  /** Whether the UN Convention on Contracts for the International Sale of Goods (1980) is excluded by name. */
  readonly cisgExcluded: boolean;
}

type Label = 'governed' | 'adjective' | 'conflict' | 'cisg';

const phrases = compilePhrases<Label>([
  ['governed', phraseList('governed ~8 law|laws of; subject to ~4 law|laws of; construed ~6 law|laws of; law|laws of')],
  [
    'adjective',
    phraseList('governed ~8 law; subject to ~4 law; under ~2 law ~3 apply|applies|governs; accordance with ~2 law'),
  ],
  [
    'conflict',
    phraseList(
      'conflict of law|laws; conflicts of law|laws; conflict of law|laws rules|principles; choice of law rules',
    ),
  ],
  ['cisg', phraseList('international sale of goods; cisg; un kaufrecht*')],
]);

/** Ordered by position in the text; a law named twice counts once, where it first appears. */
export function findGoverningLaw(reading: Document): GoverningLaw[] {
  const matches = findPhrases(reading.words, phrases);
  const found: GoverningLaw[] = [];
  const add = (place: Range, law: string, jurisdiction: string) => {
    if (found.length >= 10 || found.some((other) => other.jurisdiction === jurisdiction)) return;
    const sentence = sentenceAt(reading, place.start);
    const nearby = matches.filter(({ start }) => start >= sentence.start && start < sentence.end + 300);
    found.push({
      ...place,
      law,
      jurisdiction,
      conflictRulesExcluded: nearby.some(({ label, start }) => label === 'conflict' && start < sentence.end),
      cisgExcluded: nearby.some(({ label }) => label === 'cisg'),
    });
  };
  for (const match of matches) {
    const isGoverned = match.label === 'governed' && isOperative(reading, match);
    if (!isGoverned && match.label !== 'adjective') continue;
    const statement = statementAt(reading, match.start);
    if (statement === undefined || !isChoice(statement.text)) continue;
    const name = isGoverned ? nameAfter(reading, match.endWord) : adjectiveBefore(reading, match.endWord);
    if (
      name === undefined ||
      /^(?:Controller|Processor|Services|Principal|Main|Master|Agreement|Data|Governing|Applicable|Jurisdiction|GOVERNED|BY|THE|SUBJECT|TO|WITH|UNDER|IN|ACCORDANCE)\b/.test(
        name.text,
      )
    )
      continue;
    add({ start: match.start, end: Math.max(match.end, name.end) }, name.text, jurisdictionOf(name.text));
  }
  for (const { place, law, jurisdiction } of otherForms(reading)) add(place, law, jurisdiction);
  return found.sort((a, b) => a.start - b.start);
}

/** Excludes laws that a party must comply with, laws of incorporation, and laws that a party may choose later. */
function isChoice(text: string): boolean {
  if (/\blaws?\b[^.;]{0,40}\b(?:shall|does|will|do) not apply\b/i.test(text) && !/\bgovern/i.test(text)) return false;
  return !/\b(?:incorporated|organi[sz]ed|established|existing|registered|formed) (?:\w+ ){0,3}(?:under|in accordance with) the laws?\b(?![^.]*\bgovern)|\b(?:comply|complies|compliance) with\b(?![^.]*\bgovern)|\bof the \w+ contracts\b|\bcontracts? were governed\b/i.test(
    text,
  );
}

/** "Es gilt deutsches Recht", "Recht der Bundesrepublik Deutschland", "X law applies", rows and lines "Governing law: X". */
function otherForms(reading: Document): { place: Range; law: string; jurisdiction: string }[] {
  const found: { place: Range; law: string; jurisdiction: string }[] = [];
  for (const { text, titles, start, end } of relevant(
    reading,
    /\brecht\b|\blaws?\b|\bdroit\b|\bloi\b|\bley(?:es)?\b|legislación|\bderecho\b/i,
  )) {
    const place = { start, end };
    const state =
      /\bRecht (?:der|des|von) (Bundesrepublik Deutschland|Republik Österreich|Schweiz(?:erischen Eidgenossenschaft)?|Deutschlands?|\p{Lu}\p{L}+)/u.exec(
        text,
      );
    const adjective = /\b(deutsche[sm]|österreichische[sm]|schweizerische[sm]|schweizer) recht\b/i.exec(text);
    const operative =
      /\bgilt\b|\bgelten\b|unterlieg|anwend|findet|maßgeb|unterstell/i.test(text) || /recht/i.test(titles);
    if (state !== null && operative) found.push({ place, law: state[1]!, jurisdiction: jurisdictionOf(state[1]!) });
    else if (adjective !== null && operative) {
      found.push({ place, law: adjective[1]!, jurisdiction: germanAdjective(adjective[1]!) ?? adjective[1]! });
    }
    const romance =
      /\b(?:droit|loi) (français|belge|suisse|luxembourgeois|anglais|allemand)e?\b|\b(nederlands|belgisch) recht\b|\b(?:ley(?:es)?|legislación|derecho) (español|mexican|argentin|chilen|colombian)[ao]?s?\b/i.exec(
        text,
      );
    if (
      romance !== null &&
      /\b(?:soumis|régi|applicable|rige|regirá|aplica|someti|van toepassing|beheerst)/i.test(text)
    ) {
      const adjective = (romance[1] ?? romance[2] ?? romance[3])!;
      found.push({ place, law: adjective, jurisdiction: jurisdictionOf(adjective) });
    }
    const applies =
      /(?:^|[.,] |\bthat )(?:\p{Lu}?[\d.]+ )?(?:The )?(?:substantive )?(?:laws? of (?:the )?(?:State of )?)?(\p{Lu}[\p{L}]+(?: \p{Lu}\p{L}+){0,2})(?: substantive)?(?: laws?)? (?:shall )?(?:governs?|appl(?:y|ies)|controls?|(?:is|are|be) applicable)\b/u.exec(
        text,
      );
    if (applies !== null && /\blaws? (?:of|governs?|appl|shall|controls?|is applicable)/i.test(applies[0])) {
      found.push({ place, law: applies[1]!, jurisdiction: jurisdictionOf(applies[1]!) });
    }
    const label =
      /^(?:[\d.]+ )?(?:(?:(?:governing|applicable) law|choice of law)(?: and [\w ]{4,30})? ?[|:]|law ?\|) ?(?:the )?(?:laws? of (?:the )?)?(?:State of )?(\p{Lu}[\p{L}]+(?: (?:and|of) \p{Lu}\p{L}+| \p{Lu}\p{L}+){0,3})/iu.exec(
        text,
      );
    if (label !== null && /^\p{Lu}/u.test(label[1]!) && !/^(?:As|See|Per|Same|Not|None|To|That)\b/.test(label[1]!)) {
      const law = label[1]!.replace(/ law$/i, '');
      found.push({ place, law, jurisdiction: jurisdictionOf(law) });
    }
  }
  return found;
}

/** "laws of" alone is operative only where the sentence mentions governing. */
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
    if (at > first && !/^[\s'’&-]{0,16}$/.test(text.slice(words[at - 1]!.end, word.start))) break;
    if (isCapital(text, word)) last = at;
    else if (!connecting.has(word.text)) break;
  }
  // "laws of the State of [blank]" names no law.
  return last === undefined || (last === first && words[first]!.text === 'state')
    ? undefined
    : nameOf(text, words[first]!, words[last]!);
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
