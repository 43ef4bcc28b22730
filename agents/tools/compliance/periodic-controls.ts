/** Activities that a document says are repeated: what, how often, by whom. */
import type { Certain } from '../left-out.ts';
import { oncePer } from '../text/once-per.ts';
import { findPhrases, type PhraseMatch } from '../text/phrases.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { splitWords } from '../text/words.ts';
import {
  type Activity,
  activityPhrases,
  activityRank,
  genericPhrases,
  reviewActivities,
  testActivities,
} from './activities.ts';
import { answerOf } from './answers.ts';
import { type Doubt, formerInBrackets, supplierDoubt, withOwnerName } from './certainty.ts';
import { type DocumentType, documentTypeOf } from './document-types.ts';
import { agentOf, functionAtEnd, subjectOf } from './owners.ts';
import type { FoundPeriod, Period } from './periods.ts';
import { type Clause, phrasesIn, type Reading } from './reading.ts';
import { every, findRecurrences } from './recurrence.ts';
import { cellText, isResult } from './register-rows.ts';
import { type Cue, cuesAround, hasCue, isAside } from './sense.ts';

const byRank = (a: PhraseMatch<Activity>, b: PhraseMatch<Activity>) => activityRank(a.label) - activityRank(b.label);

export interface PeriodicControl {
  readonly activity: Activity;
  readonly period: Period;
  /** As printed. */
  readonly owner?: string;
  readonly clause: Clause;
}

/** In the order of the text, each activity with each period once. */
export const findPeriodicControls = oncePer((reading: Reading): Certain<PeriodicControl, Doubt> => {
  const type = documentTypeOf(reading)?.type;
  const found = new Map<string, PeriodicControl>();
  const doubts: Doubt[] = [];
  let before: { readonly clause: Clause; readonly activity: Activity } | undefined;
  for (const [index, clause] of reading.clauses.entries()) {
    const periods = findRecurrences(clause);
    for (const period of periods) {
      const activity = activityAt(clause, period, type, before);
      if (activity === undefined || isExcluded(clause, period, activity, reading)) continue;
      const doubt =
        doubtOf(clause, period, activity) ??
        (isOwnRule(type) && !ofSuppliers.has(activity) ? supplierDoubt(clause, period) : undefined);
      if (doubt !== undefined) {
        doubts.push(doubt);
        continue;
      }
      const { owner } = withOwnerName({ owner: ownerAt(reading, index, period, activity) });
      const key = `${activity} ${period.period.count} ${period.period.unit}`;
      const known = found.get(key);
      if (known === undefined || (known.owner === undefined && owner !== undefined))
        found.set(key, { activity, period: period.period, ...(owner === undefined ? {} : { owner }), clause });
    }
    if (periods.length > 0 || mayPrecede(reading.clauses[index + 1])) {
      const named = bestActivity(clause);
      if (named !== undefined) before = { clause, activity: named };
    }
  }
  return { facts: [...found.values()], doubts };
});

/** Activities whose object is the supplier. */
const ofSuppliers: ReadonlySet<Activity> = new Set<Activity>(['supplier-review', 'external-audit']);

/** Documents in which a supplier is somebody else: in a contract or an answer, it may be the organisation itself. */
function isOwnRule(type: DocumentType | undefined): boolean {
  return (
    type === 'policy' || type === 'standard' || type === 'procedure' || type === 'risk-register' || type === 'dpia'
  );
}

function doubtOf(clause: Clause, period: FoundPeriod, activity: Activity): Doubt | undefined {
  const own = phrasesIn(clause, activityPhrases).filter(({ label }) => label === activity);
  const isConfirmed =
    own.length === 0
      ? isElision(clause, period)
      : own.some(
          ({ start, end }) =>
            end <= period.start || start < period.end || !/[,:(]/u.test(clause.text.slice(period.end, start)),
        );
  return isConfirmed ? undefined : 'activity';
}

/** "Annually", "Yes, once a year", "It is reviewed annually": before the period stands no other subject that the activity could have. */
function isElision(clause: Clause, period: FoundPeriod): boolean {
  const text = clause.text.slice(0, period.start).replace(every, '').replace(lead, '');
  if (isOneOf(clause, period)) return true;
  return text.trim().split(/\s{1,20}/u).length < subjectWordsMin || opening.test(text);
}

const subjectWordsMin = 2;
const lead = /^[^\p{L}]{0,12}(?:[\p{L}][\p{L} /-]{1,40}\s?:\s)?/u;
const opening =
  /^(?:it|they|this|these|diese[rs]?|er|es|sie|ce|cette|ces|elle|il|questo|questa|esso|essa|este|esta|deze|dit|het|yes|ja|oui|sì|sí|an?|una?|un|une|eine?[nr]?|een|on|at|bei|lors|al|bij)(?!\p{L})/iu;

/** Whether a clause may repeat what the clause before it names. */
function mayPrecede(next: Clause | undefined): boolean {
  return next !== undefined && findRecurrences(next).length > 0;
}

/** The activity of a clause, in the cell or question of the same row, in the sentence before, or in the label or heading over it. */
function activityAt(
  clause: Clause,
  period: FoundPeriod,
  type: DocumentType | undefined,
  before: { readonly clause: Clause; readonly activity: Activity } | undefined,
): Activity | undefined {
  const own = maintained.test(clause.text) ? 'document-review' : bestActivity(clause, period);
  const generic = phrasesIn(clause, genericPhrases).map(({ label }) => label);
  if (own !== undefined) return type === 'risk-register' && own === 'document-review' ? 'risk-assessment' : own;
  // In a record with many columns, a period belongs to its own cell alone.
  const isRecord = (clause.row?.cells.length ?? 0) > recordCellsMin;
  const inRow = clause.row === undefined || isRecord ? undefined : activityOfRow(clause);
  if (isRecord) return undefined;
  if (inRow !== undefined) return inRow;
  const isNear = before !== undefined && (before.clause.block === clause.block || isNextBlock(before.clause, clause));
  const stands = isNear && isOneOf(clause, period);
  if (stands && generic.some((label) => (label === 'review' ? reviewActivities : testActivities).has(before.activity)))
    return before.activity;
  if (isNear && before.clause.sentence === clause.sentence && generic.length === 0) return undefined;
  return headedActivity(clause, generic.includes('review'), type);
}

/** "Reviewing and updating the access control policy" is a review of documents, of any subject. */
const maintained =
  /(?<!\p{L})review\p{L}*,? (?:and|&) updat\p{L}+ [^.;,]{0,60}(?<!\p{L})(?:polic(?:y|ies)|process(?:es)?|procedures?|standards?)(?!\p{L})/iu;
const recordCellsMin = 10;

/** "The plan requires an annual test": one of what the sentence before speaks of. */
function isOneOf({ text }: Clause, { start, end }: Range): boolean {
  return (
    indefinite.test(text.slice(Math.max(0, start - 40), start)) ||
    indefinite.test(text.slice(Math.max(0, start - 40), end))
  );
}

const indefinite =
  /(?<!\p{L})(?:an?|una?|un|une|eine[nr]?|ein|een)\s{1,4}(?:\p{L}{1,20}\s{1,4}){0,2}(?:(?:cada|every|alle|tous les|ogni|elke) .{0,20})?$/iu;

function isNextBlock(before: Clause, clause: Clause): boolean {
  return before.heading === clause.heading && clause.block - before.block <= 1 && before.row === undefined;
}

/** The activity nearest to a period; of equal ones the more specific. */
function bestActivity(clause: Clause, period?: Range): Activity | undefined {
  const named = phrasesIn(clause, activityPhrases).filter(
    // "Phishing of staff" in a register of risks is a threat.
    ({ label, firstWord, endWord }) =>
      label !== 'phishing-simulation' ||
      endWord - firstWord > 1 ||
      /^phishing\p{Ll}/u.test(clause.words[firstWord]!.text),
  );
  // "Backups run nightly and are tested twice a year": the words before and after a period may name two activities.
  const spans = ({ start, end }: Range) => period !== undefined && start < period.start && period.end < end;
  const matches = named.filter(
    (match) =>
      !spans(match) || !named.some((other) => !spans(other) && other.start < match.end && match.start < other.end),
  );
  const kept = matches.filter(
    (match) =>
      !matches.some(
        (other) =>
          other !== match &&
          other.start < match.end &&
          match.start < other.end &&
          activityRank(other.label) < activityRank(match.label),
      ),
  );
  if (period === undefined) return kept.sort(byRank)[0]?.label;
  const isList = findRecurrences(clause).length > 1;
  const distance = ({ start, end }: Range) =>
    Math.max(0, start - period.end, period.start - end) +
    (isList && isDivided(clause.text, { start, end }, period) ? partMax : 0);
  const sorted = kept.sort((a, b) => distance(a) - distance(b) || activityRank(a.label) - activityRank(b.label));
  return sorted[0]?.label;
}

/** "Scans run weekly, penetration tests every three years": a period belongs to its own part of the list. */
const partMax = 60;

function isDivided(text: string, one: Range, other: Range): boolean {
  const [before, after] = one.start < other.start ? [one, other] : [other, one];
  return /,\s|\s(?:and|und|et|y|e|en|oraz|och)\s/iu.test(text.slice(before.end, after.start));
}

/** "The plan is exercised every two years. The profile is reviewed annually": the cell's other sentences are about other things. */
function isOtherSentence({ start, end, text }: Clause, cell: Range & { readonly text: string }): boolean {
  const opens = /^\s{0,4}(?:the|our|die|der|das|unsere?|les?|la|el|los|las|il|gli|i|de|het)\s/iu;
  return start === cell.start && end === cell.end && text.length + 5 < cell.text.length && opens.test(text);
}

function activityOfRow(clause: Clause): Activity | undefined {
  const { row } = clause;
  for (const part of ['question', 'measure', 'title', 'service', 'id', undefined] as const) {
    for (const cell of row!.cells) {
      if ((part !== undefined && cell.part !== part) || isOtherSentence(clause, cell)) continue;
      const asked = part === 'question' ? howOften.exec(cell.text)?.[1] : undefined;
      const [found] = findPhrases(splitWords(asked ?? cell.text), activityPhrases).sort(byRank);
      if (found !== undefined && (found.label !== 'phishing-simulation' || found.endWord - found.firstWord > 1))
        return found.label;
    }
  }
  // "Database master keys | rotated annually": a cell names an object, and the next one the activity.
  const cells = row!.cells.filter(({ part }) => part !== 'owner' && part !== 'comment' && part !== 'evidence');
  return findPhrases(splitWords(cells.map(({ text }) => text).join(' ')), activityPhrases).sort(byRank)[0]?.label;
}

/** "How often are backups taken, and are restores tested?" asks for the period of the first. */
const howOften =
  /((?:how (?:often|frequently)|wie (?:oft|häufig)|à quelle fréquence|con qué frecuencia|con quale frequenza|hoe vaak)[^,;?]{3,120}),/iu;

/** "Review: every two years", and the text under "9. REVIEW". */
function headedActivity(clause: Clause, isReview: boolean, type: DocumentType | undefined): Activity | undefined {
  for (const title of [clause.label ?? '', isShort(clause.heading) ? clause.heading : '']) {
    if (title === '') continue;
    const words = splitWords(title);
    const [named] = findPhrases(words, activityPhrases);
    const generic = findPhrases(words, genericPhrases);
    if (generic.some(({ label }) => label === 'review') && (named === undefined || named.label === 'document-review')) {
      const startsClause = clause.text.slice(0, 40).search(/\p{L}/u) >= 0;
      return startsClause ? reviewOf(type) : undefined;
    }
    if (named !== undefined && isElliptic(clause)) return named.label;
  }
  return isReview && isElliptic(clause) ? reviewOf(type) : undefined;
}

/** A review of which nothing is said is that of the document. */
function reviewOf(type: DocumentType | undefined): Activity {
  return type === 'risk-register' ? 'risk-assessment' : 'document-review';
}

function isShort(heading: string): boolean {
  return heading !== '' && heading.split(' ').length <= 5;
}

/** Without a subject of its own: "Every 18 months, or when the model changes", "Annual review by the risk committee". */
function isElliptic({ text }: Clause): boolean {
  const words = text.trim().split(/\s{1,20}/);
  return words.length <= 16;
}

const wordsBeforeMax = 6;

/** Denied next to the activity, formerly, for example, of others, or only if; and what is the subject of another document. */
function isExcluded(clause: Clause, period: FoundPeriod, activity: Activity, { language }: Reading): boolean {
  if (isAside(clause) || formerInBrackets.test(clause.text.slice(0, period.start))) return true;
  if (clause.row !== undefined && (isDeniedRow(clause) || isResult(clause.row, clause))) return true;
  const first = Math.max(0, (indexAt(clause.words, period.start) ?? 0) - wordsBeforeMax);
  const near = { start: clause.words[first]?.start ?? period.start, end: period.end };
  const cues = cuesAround(clause, language, period).filter(
    ({ start, label }) => start >= near.start || label === 'example' || label === 'other',
  );
  const has = (...wanted: readonly Cue[]) => cues.some(({ label }) => wanted.includes(label));
  if (has('denied', 'former', 'example')) return true;
  // Suppliers that are reviewed are not the ones who review.
  if (activity !== 'supplier-review' && has('other')) return true;
  if (hasCue(clause, language, period, 'law')) return true;
  return elsewhere.test(clause.text) || edition.test(clause.text);
}

const elsewhere =
  /(?<!\p{L})(?:subject of (?:policy|another|a separate)|dealt with (?:in|by)|see policy|governed by policy|set (?:out )?in (?:policy|procedure)|gegenstand der richtlinie|gesondert geregelt|fait l objet d|objeto de otr|oggetto di altr|onderwerp van (?:een )?ander)/iu;
/** "Rev. 5 required …": what an edition said is no rule of this one. */
const edition =
  /(?<!\p{L})(?:rev|revision|version|versión|versione|versie|fassung|ausgabe|edition|édition|edizione|edición|uitgave|issue)\.?\s{1,4}\d[\d.]{0,5}(?!\p{L})/iu;

function isDeniedRow({ row }: Clause): boolean {
  const answer = cellText(row!, 'answer');
  return answer !== undefined && answerOf(answer) === 'no';
}

/** The owner's column or a function in the remark; the doer of the clause; the one who organises it, in the next sentence. */
function ownerAt({ clauses, language }: Reading, index: number, period: Range, activity: Activity): string | undefined {
  const clause = clauses[index]!;
  const { row } = clause;
  if (row !== undefined) {
    const owner = cellText(row, 'owner');
    if (owner !== undefined) return owner;
    const remark = cellText(row, 'comment');
    const agent =
      remark === undefined ? undefined : (agentOf(remark, language, { start: 0, end: 0 }) ?? functionOf(remark));
    if (agent !== undefined) return agent;
  }
  const own = functionAtEnd(clause.text) ?? agentOf(clause.text, language, period) ?? subjectOf(clause.text, language);
  if (own !== undefined) return isPartOfActivity(clause, own) ? undefined : own;
  const next = clauses[index + 1];
  if (
    next === undefined ||
    next.block !== clause.block ||
    bestActivity(next) !== activity ||
    findRecurrences(next).length > 0
  )
    return undefined;
  return subjectOf(next.text, language) ?? agentOf(next.text, language, { start: 0, end: 0 });
}

/** "Penetration tests take place annually": the first word names the activity, not its owner. */
function isPartOfActivity(clause: Clause, name: string): boolean {
  const start = clause.text.indexOf(name);
  const end = start + name.length;
  return phrasesIn(clause, activityPhrases).some(
    (phrase) => phrase.start >= start && phrase.start < end && phrase.end > end,
  );
}

const functionWords =
  /(?<!\p{L})(?:team|officer|ciso|cio|cto|cso|dpo|soc|security|engineering|operations|manager|director|head of|owners?|committee|council|department|desk|it|leitung|beauftragter?|abteilung|einkauf|personal|direction|responsable|comité|équipe|service|dirección|equipo|responsabile|direzione|ufficio|afdeling|hoofd|beheerder|inkoop|legal|hr|compliance|procurement|facilities|platform|infrastructure)(?!\p{L})/iu;

/** A remark that is nothing but a function: "Security Engineering". */
function functionOf(remark: string): string | undefined {
  const shown = remark.trim();
  return shown.split(' ').length <= 5 && functionWords.test(shown) && !/[.;:\d%]/.test(shown) ? shown : undefined;
}
