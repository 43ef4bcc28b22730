/** Which frameworks a document applies: by how it speaks of each where it names it. */
import { type Certain, withhold } from '../left-out.ts';
import { oncePer } from '../text/once-per.ts';
import type { PhraseMatch } from '../text/phrases.ts';
import { compilePhrases } from '../text/phrases.ts';
import { splitWords } from '../text/words.ts';
import { type Answer, answerOf } from './answers.ts';
import type { Doubt } from './certainty.ts';
import { clauseOfCell } from './clause-numbers.ts';
import { type FrameworkId, frameworkNames, frameworkPhrases } from './framework-names.ts';
import { type Clause, phrasesIn, type Reading } from './reading.ts';
import { cellText } from './register-rows.ts';
import { type Cue, cuesAround, isAside } from './sense.ts';

/** `applied`: the document is written under it, audited against it, or claims to meet it. The others name why not. */
export type FrameworkStatus = 'applied' | 'planned' | 'denied' | 'of another party' | 'mentioned';

export interface FrameworkMention {
  readonly id: FrameworkId;
  readonly status: FrameworkStatus;
  /** The first that gives the status. */
  readonly clause: Clause;
}

const phrases = compilePhrases(frameworkPhrases);

/** Names in a clause; a name within a longer name of another framework is not one. */
export function frameworksIn(clause: Pick<Clause, 'words'>): PhraseMatch<FrameworkId>[] {
  const found = phrasesIn(clause, phrases);
  return found.filter(
    (match) =>
      !found.some(
        (other) =>
          other.label !== match.label &&
          other.firstWord <= match.firstWord &&
          other.endWord >= match.endWord &&
          (other.endWord - other.firstWord > match.endWord - match.firstWord ||
            order(other.label) < order(match.label)),
      ),
  );
}

export function frameworksOfText(text: string): PhraseMatch<FrameworkId>[] {
  return frameworksIn({ words: splitWords(text) });
}

function order(id: FrameworkId): number {
  return frameworkNames.findIndex(([each]) => each === id);
}

/** One entry per framework that is named, in the order of the text. */
export const frameworkMentions = oncePer(({ clauses, language, document }: Reading): readonly FrameworkMention[] => {
  const mentions = new Map<FrameworkId, FrameworkMention>();
  const isOnlyUk = !clauses.some((clause) => {
    const named = frameworksIn(clause);
    const isBoth = named.some(({ label }) => label === 'uk_gdpr');
    return named.some(
      ({ label, start, end }) => label === 'gdpr' && (isBoth || isEuropean(clause.text.slice(start, end))),
    );
  });
  for (const [index, clause] of clauses.entries()) {
    for (const match of frameworksIn(clause)) {
      const status = deniesBefore(clauses[index + 1], clause, language) ? 'denied' : statusOf(clause, match, language);
      const known = mentions.get(match.label);
      if (known === undefined || (known.status !== 'applied' && status === 'applied'))
        mentions.set(match.label, { id: match.label, status, clause });
    }
  }
  // "We are not subject to the GDPR" decides for all mentions of a law.
  for (const clause of clauses) {
    if (!notSubject.test(clause.text)) continue;
    for (const { label, start } of frameworksIn(clause))
      if (laws.has(label) && notSubject.test(clause.text.slice(Math.max(0, start - subjectReach), start)))
        mentions.set(label, { id: label, status: 'denied', clause });
  }
  for (const [id, clause] of numberedFrameworks(clauses))
    if (mentions.get(id)?.status !== 'applied') mentions.set(id, { id, status: 'applied', clause });
  // A document of the United Kingdom that says "GDPR" for short means its own.
  if (mentions.get('uk_gdpr')?.status === 'applied' && isOnlyUk && /(?<!\p{L})UK\s/u.test(document.text))
    mentions.delete('gdpr');
  return [...mentions.values()];
});

const subjectReach = 60;
const notSubject =
  /(?<!\p{L})(?:(?:is|are|am) not (?:subject to|covered by|in scope of)|not an? (?:entity|company|operator) under|unterlieg(?:t|en) nicht|n(?:e |.)(?:est|sont|sommes) pas soumis\p{L}*|no est(?:á|án|amos) sujet[oa]s?|non (?:è|sono|siamo) soggett[aoie]|(?:valt|vallen) niet onder|omfattas inte av|er ikke omfattet af|nie podlega|não est(?:á|ão) sujeit[oa]s?)(?!\p{L})/iu;

/** Frameworks whose numbers the document gives to its controls, each with the first cell that has such a number. */
function numberedFrameworks(clauses: readonly Clause[]): Map<FrameworkId, Clause> {
  const counts = new Map<FrameworkId, Set<string>>();
  const first = new Map<FrameworkId, Clause>();
  for (const clause of clauses) {
    if (clause.row === undefined || clause.row.cells[0]?.start !== clause.start || isAside(clause)) continue;
    const found = clauseOfCell(clause.text, undefined);
    if (found === undefined || !byNumbers.has(found.framework)) continue;
    counts.set(found.framework, (counts.get(found.framework) ?? new Set()).add(found.number));
    if (!first.has(found.framework)) first.set(found.framework, clause);
  }
  return new Map([...first].filter(([id]) => counts.get(id)!.size >= numbersMin));
}

const byNumbers: ReadonlySet<FrameworkId> = new Set(['soc_2', 'c5', 'nist_csf', 'hipaa']);
const numbersMin = 4;

/** Laws apply to whom they address; a standard applies to who chooses it, so that one remark about it may be about another party. */
const laws: ReadonlySet<FrameworkId> = new Set([
  'gdpr',
  'uk_gdpr',
  'bdsg',
  'nis2',
  'dora',
  'hipaa',
  'ai_act',
  'ccpa',
  'swiss_fadp',
]);

/** The mentions without a standard that a single sentence applies, which does not speak of the document's own organisation. */
export const certainFrameworks = oncePer((reading: Reading): Certain<FrameworkMention, Doubt> => {
  const counts = new Map<FrameworkId, number>();
  for (const clause of reading.clauses)
    for (const { label } of frameworksIn(clause)) counts.set(label, (counts.get(label) ?? 0) + 1);
  return withhold(frameworkMentions(reading), ({ id, status, clause }) =>
    status !== 'applied' || laws.has(id) || counts.get(id)! > 2 || ownWords.test(clause.text) || isTitle(clause)
      ? undefined
      : 'single',
  );
});

/** The first lines of a document name its kind and subject. */
function isTitle({ start }: Clause): boolean {
  return start < titleCharactersMax;
}

const titleCharactersMax = 600;

function isEuropean(name: string): boolean {
  return /\d|EU|DSGVO|DS-GVO|RGPD|AVG/.test(name);
}

const pronoun =
  /^\s{0,8}(?:it|they|this|these|sie|es|diese[rs]?|elle|elles|il|ils|ce|celle-ci|celui-ci|essa|esso|essi|esta|este|estos|ésta|deze|dit|die|ze)\s/iu;

/** "The rules of X are in policy R-12; they are not part of this one." */
function deniesBefore(next: Clause | undefined, clause: Clause, language: Reading['language']): boolean {
  if (next === undefined || next.sentence !== clause.sentence || next.row !== undefined || !pronoun.test(next.text))
    return false;
  // "… it does not use the NIST CSF" is about the other framework.
  if (frameworksIn(next).length > 0) return false;
  return cuesAround(next, language, { start: 0, end: 1 }).some(({ label }) => label === 'denied');
}

const ownOther =
  /(?:our|unser\p{L}{0,3}|notre|nos|nostr[oaie]|nuestr\p{L}{1,2}|onze|ons)\s{1,8}(?:\p{L}{1,20}\s{1,4}){0,2}$/iu;
const ownWords =
  /(?<!\p{L})(?:we|our|us|wir|unser\p{L}{0,3}|nous|notre|nos|noi|nostr[oaie]|nosotros|nuestr\p{L}{1,2}|wij|ons|onze)(?!\p{L})/iu;

function statusOf(clause: Clause, match: PhraseMatch<FrameworkId>, language: Reading['language']): FrameworkStatus {
  const answer = rowAnswer(clause);
  if (answer === 'no') return 'denied';
  const blocked = statusOfCues(cuesAround(clause, language, match), clause);
  if (blocked !== undefined) return blocked;
  return isAside(clause) ? 'mentioned' : 'applied';
}

function statusOfCues(found: readonly PhraseMatch<Cue>[], { text }: Clause): FrameworkStatus | undefined {
  const cues = new Set(found.map(({ label }) => label));
  const other = found.find(({ label }) => label === 'other');
  // "We and our customers": the own words come first; "our provider" is another party.
  if (other !== undefined && !ownWords.test(text.slice(0, other.start).replace(ownOther, '')))
    return 'of another party';
  if (cues.has('denied')) return 'denied';
  if (cues.has('planned')) return 'planned';
  if (cues.has('former') || cues.has('conditional') || cues.has('example')) return 'mentioned';
  return undefined;
}

/** The answer of a questionnaire's row: "Do you have a SOC 2 report? No". A question about others is no answer about oneself. */
function rowAnswer({ row }: Clause): Answer | undefined {
  if (row === undefined) return undefined;
  const answer = cellText(row, 'answer');
  return answer === undefined ? undefined : answerOf(answer);
}
