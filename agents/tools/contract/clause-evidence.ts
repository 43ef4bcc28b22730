/** Reads one text for the clause checklist: wording by clause, facts, placeholders, and how far each heading reaches. */

import type { Document } from '../../document/document.ts';
import { findParties } from '../text/parties.ts';
import { compilePhrases, findPhrases, type PhraseMatch } from '../text/phrases.ts';
import { lineAround, type Range } from '../text/span.ts';
import type { Fact } from './clause-spec.ts';
import { clauses } from './clause-table.ts';

/** Labels of the one phrase list: clause and what the phrase is for it. */
export type ClauseLabel =
  | `${string}/heading`
  | `${string}/wording`
  | `${string}/need ${number}`
  | `${string}/elsewhere ${number}`
  | `${string}/spoiler ${number}`;

const phrases = compilePhrases<ClauseLabel>(
  clauses.flatMap((clause): [ClauseLabel, readonly string[]][] => [
    [`${clause.id}/heading`, clause.headings],
    [`${clause.id}/wording`, clause.wording],
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

/** One text with all that judging a clause needs. */
export interface Evidence {
  readonly reading: Document;
  readonly matches: ReadonlyMap<ClauseLabel, readonly PhraseMatch<ClauseLabel>[]>;
  readonly facts: ReadonlyMap<Fact, readonly Range[]>;
  readonly placeholders: readonly Range[];
  /** Sections and what belongs to them: up to the next heading that is not below. Same order as the reading's sections. */
  readonly regions: readonly Range[];
}

export function readEvidence(reading: Document): Evidence {
  const matches = new Map<ClauseLabel, PhraseMatch<ClauseLabel>[]>();
  for (const match of findPhrases(reading.words, phrases)) {
    const same = matches.get(match.label);
    if (same === undefined) matches.set(match.label, [match]);
    else same.push(match);
  }
  const placeholders = findPlaceholders(reading.text);
  return { reading, matches, facts: findFacts(reading), placeholders, regions: regionsOf(reading) };
}

/** "[●]", "[insert date]", "[CLIENT NAME]", "{{DATE}}", "[30] days", "TBD", "____", "to be agreed"; not the marks of chat templates. */
const placeholder =
  /\[(?:●|•|\*|\.{2,8}|…|_{1,20}|(?:[Ii]nsert|[Tt]o be|[Aa]mount|[Dd]ate|[Nn]ame)\b[^\]\n]{0,60}|(?!INST\]|SYS\])[A-Z][A-Z0-9_ /,&'-]{2,60})\]|\[\d{1,4}\](?= (?:business )?(?:days?|months?|years?)\b)|\{\{[^{}\n]{1,60}\}\}|\[\[[^[\]\n]{1,60}\]\]|\bTB[DC]\b|_{4,40}|\b[Tt]o be (?:agreed|determined|defined|confirmed)\b/g;

function findPlaceholders(text: string): Range[] {
  const found: Range[] = [];
  for (const match of text.matchAll(placeholder)) {
    const range = { start: match.index, end: match.index + match[0].length };
    if (!match[0].startsWith('_') || !isSignatureLine(text, range.start)) found.push(range);
  }
  return found;
}

/** "Signed for Acme: ______", "Name: ____": to be filled in by hand, nothing that the text leaves open. */
function isSignatureLine(text: string, position: number): boolean {
  const line = lineAround(text, position, 120);
  const words = text.slice(line.start, line.end).replace(/_{1,240}/g, ' ');
  return /\b(?:sign\p{L}{0,8}|by|name|title|date|place|for)\b/iu.test(words) || words.trim().length < 4;
}

/** A section takes in those that follow with a deeper level or without a title, so that paragraphs belong to their clause. */
function regionsOf({ sections }: Document): Range[] {
  const regions: Range[] = new Array(sections.length);
  // From the end: for each level, where the next heading at it or above begins.
  const nextStart = new Array<number>(8).fill(sections.at(-1)?.end ?? 0);
  for (let index = sections.length - 1; index >= 0; index -= 1) {
    const { start, level, title } = sections[index]!;
    const bounded = Math.min(level, 7);
    regions[index] = { start, end: nextStart[bounded]! };
    if (title !== '') for (let deeper = bounded; deeper < 8; deeper += 1) nextStart[deeper] = start;
  }
  return regions;
}

/** Each in the order of the text. "two parties" has a place only where there are at least two. */
function findFacts({ text, amounts, percents, durations, dates }: Document): ReadonlyMap<Fact, readonly Range[]> {
  const parties = findParties(text);
  return new Map<Fact, readonly Range[]>([
    ['amount', amounts],
    ['percent', percents],
    ['duration', durations],
    ['date', dates],
    ['two parties', parties.length >= 2 ? parties : []],
  ]);
}
