/** Reads one text for the clause checklist: wording by clause, facts, placeholders, and the extent of each heading. */

import { englishShare } from '../../document/corpus.ts';
import type { Document } from '../../document/document.ts';
import { glossedSource } from '../gloss/gloss.ts';
import { compilePhrases, findPhrases, type PhraseMatch } from '../text/phrases.ts';
import type { Range } from '../text/span.ts';
import type { Fact } from './clause-spec.ts';
import { clauses } from './clause-table.ts';
import { findContractDates } from './contract-dates.ts';
import { namedPartiesOf, partiesOf } from './contract-parties.ts';
import { findTerm } from './contract-term.ts';
import { findCovenants } from './covenants.ts';
import { findForums } from './forum.ts';
import { germanWording } from './german-clauses.ts';
import { findIndemnities } from './indemnities.ts';
import { findIpOwnership } from './ip-ownership.ts';
import { findGoverningLaw } from './law-and-forum.ts';
import { findLiabilityCaps } from './liability-caps.ts';
import { findLiabilityExclusions } from './liability-exclusions.ts';
import { otherWording } from './other-languages.ts';
import { findPaymentTerms } from './payment-terms.ts';
import { findPlaceholders } from './placeholders.ts';
import { findTerminationRights } from './termination-rights.ts';

/** A label of the combined phrase list: the clause, and the role of the phrase for it. */
export type ClauseLabel =
  | `${string}/heading`
  | `${string}/wording`
  | `${string}/need ${number}`
  | `${string}/elsewhere ${number}`
  | `${string}/spoiler ${number}`;

const translated = [germanWording, otherWording];

const phrases = compilePhrases<ClauseLabel>(
  clauses.flatMap((clause): [ClauseLabel, readonly string[]][] => [
    [
      `${clause.id}/heading`,
      [...clause.headings, ...translated.flatMap((words) => words.get(clause.id)?.headings ?? [])],
    ],
    [
      `${clause.id}/wording`,
      [...clause.wording, ...translated.flatMap((words) => words.get(clause.id)?.wording ?? [])],
    ],
    ...clause.needs.map((need, index): [ClauseLabel, readonly string[]] => [
      `${clause.id}/need ${index}`,
      need.phrases ?? [],
    ]),
    ...clause.needs.map((need, index): [ClauseLabel, readonly string[]] => [
      `${clause.id}/elsewhere ${index}`,
      need.elsewhere ?? [],
    ]),
    ...(clause.spoilers ?? []).map((spoiler, index): [ClauseLabel, readonly string[]] => [
      `${clause.id}/spoiler ${index}`,
      spoiler.phrases,
    ]),
  ]),
);

/** One text with all inputs for assessing a clause. */
export interface Evidence {
  readonly reading: Document;
  readonly matches: ReadonlyMap<ClauseLabel, readonly PhraseMatch<ClauseLabel>[]>;
  readonly facts: ReadonlyMap<Fact, readonly Range[]>;
  readonly placeholders: readonly Range[];
  /**
   * Each section with its subsections: up to the next heading of the same or a higher level. Same order as the sections of the
   * reading.
   */
  readonly regions: readonly Range[];
  /** Provisions that other finders reported anywhere in the text, by clause id. */
  readonly provisions: ReadonlyMap<string, readonly Range[]>;
  /** The places at which the text declares a clause as reserved or not used. */
  readonly leftOut: readonly Range[];
  /** The required wording of clauses is defined for English only. */
  readonly isEnglish: boolean;
}

export function readEvidence(reading: Document): Evidence {
  const matches = new Map<ClauseLabel, PhraseMatch<ClauseLabel>[]>();
  for (const match of findPhrases(reading.words, phrases)) {
    const same = matches.get(match.label);
    if (same === undefined) matches.set(match.label, [match]);
    else same.push(match);
  }
  // A note to the drafter does not leave a clause open.
  const placeholders = findPlaceholders(reading.text).filter(({ isNote }) => !isNote);
  return {
    reading,
    matches,
    facts: findFacts(reading),
    placeholders,
    regions: regionsOf(reading),
    provisions: findProvisions(reading),
    leftOut: findLeftOut(reading.text),
    isEnglish: glossedSource(reading) === undefined && (englishShare(reading.words) ?? 1) >= 0.12,
  };
}

/** Clauses found as single provisions: they are present although no heading names them. */
function findProvisions(reading: Document): ReadonlyMap<string, readonly Range[]> {
  const covenants = findCovenants(reading);
  const ofType = (type: string) => covenants.filter((covenant) => covenant.type === type);
  const term = findTerm(reading, findContractDates(reading, 200));
  return new Map<string, readonly Range[]>([
    // A right to terminate for force majeure alone is not a termination clause.
    ['termination', findTerminationRights(reading).filter(({ ground }) => ground !== 'force-majeure')],
    ['term', term === undefined ? [] : [term]],
    ['limitation_of_liability', [...findLiabilityCaps(reading), ...findLiabilityExclusions(reading)]],
    ['indemnification', findIndemnities(reading)],
    ['intellectual_property', findIpOwnership(reading)],
    ['confidentiality', ofType('confidentiality')],
    ['assignment', ofType('no-assignment')],
    ['payment', findPaymentTerms(reading)],
    ['governing_law', findGoverningLaw(reading)],
    ['dispute_resolution', findForums(reading)],
  ]);
}

/** Matches the whole line in "12. Indemnity. Not used." and "(c) Insurance. [RESERVED]". */
function findLeftOut(text: string): Range[] {
  const pattern =
    /(?:^|\n)([^\n]{3,70}?)[ \t.:–—-]{1,6}[[(]?(?:NOT USED|[Nn]ot used|INTENTIONALLY|[Ii]ntentionally (?:left blank|omitted|deleted)|RESERVED|Reserved|[Nn]ot applicable|[Ee]ntfällt|[Nn]icht belegt|\(unbesetzt\))\b/g;
  return [...text.matchAll(pattern)]
    .slice(0, 50)
    .map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

/**
 * A section includes the following sections with a deeper level or without a title, so that paragraphs belong to their clause.
 */
function regionsOf({ sections }: Document): Range[] {
  const regions: Range[] = new Array(sections.length);
  // Iterates from the end and keeps, for each level, where the next heading at that level or above begins.
  const nextStart = new Array<number>(8).fill(sections.at(-1)?.end ?? 0);
  for (let index = sections.length - 1; index >= 0; index -= 1) {
    const { start, level, title } = sections[index]!;
    const bounded = Math.min(level, 7);
    regions[index] = { start, end: nextStart[bounded]! };
    if (title !== '') for (let deeper = bounded; deeper < 8; deeper += 1) nextStart[deeper] = start;
  }
  return regions;
}

/** Each ordered by position in the text. "two parties" is found only if there are at least two. */
function findFacts(document: Document): ReadonlyMap<Fact, readonly Range[]> {
  const { amounts, percents, durations, dates } = document;
  const parties = namedPartiesOf(document);
  return new Map<Fact, readonly Range[]>([
    ['amount', amounts],
    ['percent', percents],
    ['duration', durations],
    ['date', dates],
    // "Acme Inc. and the entity that accepts these terms" are two sides.
    ['two parties', parties.length >= 1 && partiesOf(document).length >= 2 ? parties : []],
  ]);
}
