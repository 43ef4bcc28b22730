/**
 * The clause checklist: for each of 23 clauses whether it is found, weak or absent, its position, the reason, and a risk score.
 * The score measures how one-sided the contract is: each term against one side adds its weight (critical 25, high 15, medium 8;
 * `imbalances.ts`), and so does an absent clause that contracts of this type need. A clause that its own wording invalidates or
 * that still contains a placeholder adds half of its weight (13, 8, 4). Clauses that this type can do without and missing
 * details are listed without points, so that a short fair contract stays below a long one-sided one. The sum is capped at 100.
 * A text that is not a contract has no score. The checklist reads English, German, French, Spanish and Dutch, and checks details in English only;
 * `language` states if a text is in another language, whose absent clauses add nothing because they may only be unread.
 */
import type { AgentDocument, AgentTool } from '../../agent/agent.ts';
import { documentsOnly, languageOf, longestOf } from '../../document/corpus.ts';
import { type Document, readDocument, sentenceAt } from '../../document/document.ts';
import { place, toFindings } from '../findings.ts';
import { glossOf, twiceCharactersMax } from '../gloss/gloss.ts';
import { trimRange } from '../text/lines.ts';
import { listLines } from '../text/list-lines.ts';
import { allWithin, indexAt, someWithin } from '../text/ranges.ts';
import { excerpt, type Range } from '../text/span.ts';
import { type ClauseLabel, type Evidence, readEvidence } from './clause-evidence.ts';
import { type ClauseSpec, severityWeights } from './clause-spec.ts';
import { clauses } from './clause-table.ts';
import { isContract } from './contract-nature.ts';
import { type DocumentKind, documentKind, isNeeded, oftenAbsentIn } from './document-kind.ts';
import { findImbalances, type Imbalance } from './imbalances.ts';

export type ClauseStatus = 'found' | 'weak' | 'absent' | 'left out';

export interface ClauseFinding {
  readonly id: string;
  readonly title: string;
  readonly severity: ClauseSpec['severity'];
  readonly status: ClauseStatus;
  /** The points that the clause adds to the score. */
  readonly points: number;
  readonly why: string;
  /** Severity of the clause's absence; set only if a contract of this type needs the clause. */
  readonly gap?: ClauseSpec['severity'];
  readonly span?: { readonly message: number; readonly start: number; readonly end: number };
  readonly excerpt?: string;
}

/** Assesses the 23 clauses, in the order of the table. */
export function checkClauses(documents: readonly AgentDocument[]): ClauseFinding[] {
  const readings = contractsIn(documents).flatMap(({ document, gloss }) =>
    gloss === document
      ? [readEvidence(document)]
      : [readEvidence(gloss), ...(document.text.length > twiceCharactersMax ? [] : [readEvidence(document)])],
  );
  const main = mainOf(documents);
  const byDesign = oftenAbsentIn(main);
  return clauses.map((clause) => {
    const finding = judge(clause, readings, byDesign.includes(clause.id));
    const gap = finding.status === 'absent' && isNeeded(main, clause.id) ? (clause.gap ?? clause.severity) : undefined;
    return gap === undefined ? finding : { ...finding, gap };
  });
}

/** Articles, statutes and letters about contracts are not contracts. */
function contractsIn(documents: readonly AgentDocument[]): { readonly document: Document; readonly gloss: Document }[] {
  return documentsOnly(documents)
    .map((document) => ({ document: readDocument(document), gloss: glossOf(document, 'contract') }))
    .filter(({ gloss }) => isContract(gloss));
}

/** Sum of the points, at most 100; undefined if no clause of the list was found, because then nothing was reviewed. */
export function riskScore(findings: readonly ClauseFinding[]): number | undefined {
  if (findings.every(({ status }) => status === 'absent')) return undefined;
  return Math.min(
    100,
    findings.reduce((sum, { points }) => sum + points, 0),
  );
}

/** The points of a clause in the score of a contract. @param isRead whether the checklist reads the language completely */
function riskOf({ status, gap, points, severity }: ClauseFinding, isRead: boolean): number {
  if (status === 'absent') return gap === undefined || !isRead ? 0 : severityWeights[gap];
  // A defect adds half of the weight or more; a missing detail less.
  return points >= severityWeights[severity] / 2 ? points : 0;
}

export const clauseChecklist: AgentTool = {
  name: 'clause_checklist',
  version: '2',
  purpose: 'Judges 23 clauses and scores the risk. Text: a whole contract or clauses, for example as reworded.',
  run(documents) {
    const all = checkClauses(documents);
    const clauseScore = riskScore(all);
    const language = languageOf(documents);
    if (clauseScore === undefined) return nothingToReview(language, documents);
    const main = mainOf(documents);
    const kind = documentKind(main);
    const imbalances = contractsIn(documents)
      .flatMap(({ gloss }) => findImbalances(gloss))
      .slice(0, imbalancesMax);
    const findings = all.map((finding) => ({ ...finding, points: riskOf(finding, language === 'english') }));
    const gaps = findings.reduce((sum, { points }) => sum + points, 0);
    const uncapped = gaps + imbalances.reduce((sum, { points }) => sum + points, 0);
    const score = Math.min(100, uncapped);
    const count = (status: ClauseStatus) => findings.filter((finding) => finding.status === status).length;
    const counts = { found: count('found'), weak: count('weak'), absent: count('absent'), left_out: count('left out') };
    const byDesign = oftenAbsentIn(main);
    const result = {
      score,
      score_uncapped: uncapped,
      score_rule:
        'terms against one side and clauses that this kind of contract needs but lacks: critical 25, high 15, medium 8; usual terms against one side 3; emptied or open clauses 13, 8, 4; sum capped at 100',
      counts,
      language,
      document_kind: kind,
      often_absent_in_this_kind: byDesign,
      clauses: findings,
      imbalances,
    };
    return toFindings(result, digestOf(findings, { score, uncapped, counts, language, kind, byDesign, imbalances }));
  },
};

const imbalancesMax = 20;

const otherLanguage =
  'The text is not English: the checklist reads English, German, French, Spanish and Dutch wording, and judges details in English only.';

function nothingToReview(language: string, documents: readonly AgentDocument[]) {
  const isOther = documentsOnly(documents).length > 0 && contractsIn(documents).length === 0;
  const why = isOther
    ? 'the text mentions contracts but is not one (an article, a statute, a letter): there is no contract to review'
    : 'no clause of the checklist and no parties were found: there is no contract to review';
  return toFindings({ score: null, not_scored: why, language, clauses: [] }, [
    ...(language === 'other' ? [otherLanguage] : []),
    `No risk score: ${why}.`,
  ]);
}

function digestOf(
  findings: readonly ClauseFinding[],
  head: {
    score: number;
    uncapped: number;
    counts: { readonly found: number; readonly weak: number; readonly absent: number };
    language: string;
    kind: DocumentKind;
    byDesign: readonly string[];
    imbalances: readonly Imbalance[];
  },
): string[] {
  const { found, weak, absent } = head.counts;
  const lines = [
    `Risk score ${head.score} of 100 (sum ${head.uncapped}). 23 clauses: ${found} found, ${weak} weak, ${absent} absent.`,
  ];
  if (head.language === 'other') lines.push(otherLanguage);
  const byDesign = findings.filter(({ id, status }) => status === 'absent' && head.byDesign.includes(id));
  const byDesignTitle = `The text calls itself: ${head.kind}. Often left out there`;
  lines.push(
    ...listLines(
      byDesignTitle,
      byDesign.map(({ title }) => title),
    ),
  );
  for (const status of ['absent', 'weak'] as const) {
    for (const finding of findings.filter((each) => each.status === status && !byDesign.includes(each))) {
      lines.push(
        `${status} (${finding.severity}, +${finding.points}): ${finding.title}: ${finding.why}${placeOf(finding)}`,
      );
    }
  }
  for (const { what, points, span } of head.imbalances)
    lines.push(`against one side (+${points}): ${what} ${place(span)}`);
  const leftOut = findings.filter(({ status }) => status === 'left out').map((each) => each.title + placeOf(each));
  lines.push(...listLines('Excluded by the text itself', leftOut));
  const titles = findings.filter(({ status }) => status === 'found').map((each) => each.title + placeOf(each));
  return [...lines, ...listLines('Found', titles)];
}

function placeOf({ span }: ClauseFinding): string {
  return span === undefined ? '' : ` ${place(span)}`;
}

function mainOf(documents: readonly AgentDocument[]): Document {
  return glossOf(longestOf(documents), 'contract');
}

/** A position at which a clause may be. */
interface Candidate {
  /** The clause itself. */
  readonly core: Range;
  /** The range in which required wording may appear: the position itself, or its paragraph. */
  readonly region: Range;
}

/** Maximum number of candidates per clause and text: enough for any contract, and a bound for hostile ones. */
const candidatesMax = 24;

/** @param isByDesign whether contracts of this type omit the clause on purpose */
function judge(clause: ClauseSpec, all: readonly Evidence[], isByDesign: boolean): ClauseFinding {
  let best: { evidence: Evidence; candidate: Candidate; lacks: Lacks } | undefined;
  for (const evidence of all) {
    let candidates = placed(clause, evidence);
    if (candidates.length === 0) candidates = headed(clause, evidence);
    if (candidates.length === 0) candidates = worded(clause, evidence);
    if (candidates.length === 0) candidates = provided(clause, evidence);
    for (const candidate of candidates) {
      const lacks = lacksOf(clause, evidence, candidate);
      if (best === undefined || weightOf(lacks) < weightOf(best.lacks)) best = { evidence, candidate, lacks };
    }
  }
  const weight = severityWeights[clause.severity];
  const { id, title, severity } = clause;
  const omitted = omittedIn(clause, all);
  if (omitted !== undefined) {
    return { id, title, severity, status: 'left out', points: 0, why: 'the text says that it is not used', ...omitted };
  }
  if (best === undefined) {
    const why = 'no heading and no operative wording for it';
    return { id, title, severity, status: 'absent', points: isByDesign ? 0 : weight, why };
  }
  const { reading } = best.evidence;
  const range = trimRange(reading.text, best.candidate.core);
  const place = { span: reading.spanOf(range), excerpt: excerpt(reading.text, range) };
  const { details, defects } = best.lacks;
  if (details.length + defects.length === 0) {
    return { id, title, severity, status: 'found', points: 0, why: 'complete', ...place };
  }
  const points = defects.length > 0 ? Math.ceil(weight / 2) : Math.ceil(weight / 5);
  return { id, title, severity, status: 'weak', points, why: [...details, ...defects].join('; '), ...place };
}

/** The places at which the text declares the clause as not used. */
function omittedIn(clause: ClauseSpec, all: readonly Evidence[]) {
  for (const { reading, matches, leftOut } of all) {
    const range = leftOut.find((line) => someWithin(matches.get(`${clause.id}/heading`) ?? [], line));
    if (range === undefined) continue;
    const shown = trimRange(reading.text, range);
    return { span: reading.spanOf(shown), excerpt: excerpt(reading.text, shown) };
  }
  return undefined;
}

/** The required wording that a clause lacks, and the wording that invalidates it or leaves it open. */
interface Lacks {
  readonly details: readonly string[];
  readonly defects: readonly string[];
}

/** A defect outweighs any number of missing details. */
function weightOf({ details, defects }: Lacks): number {
  return details.length + defects.length * 10;
}

/** The range from the first to the last fact of the clause. */
function placed({ place }: ClauseSpec, { facts }: Evidence): Candidate[] {
  const ranges = place === undefined ? [] : (facts.get(place) ?? []);
  const [first] = ranges;
  return first === undefined ? [] : [whole({ start: first.start, end: ranges.at(-1)!.end })];
}

function whole(region: Range): Candidate {
  return { core: region, region };
}

/** Sections whose heading names the clause and that have content. The title of the whole document does not count. */
function headed(clause: ClauseSpec, evidence: Evidence): Candidate[] {
  const { reading, regions } = evidence;
  const found: Candidate[] = [];
  for (const match of (evidence.matches.get(`${clause.id}/heading`) ?? []).slice(0, 200)) {
    const index = indexAt(reading.sections, match.start);
    if (index === undefined || found.length >= candidatesMax) continue;
    const section = reading.sections[index]!;
    const region = regions[index]!;
    if (section.title === '' || match.end > section.bodyStart) continue;
    const wholeText = reading.text.length > 1_500 && (region.end - region.start) * 10 > reading.text.length * 6;
    const words = trimRange(reading.text, { start: section.bodyStart, end: region.end });
    if (!wholeText && words.end - words.start >= 20) found.push(whole(region));
  }
  return found;
}

/** Sentences with the operative wording of the clause, except questions. */
function worded(clause: ClauseSpec, evidence: Evidence): Candidate[] {
  const { reading } = evidence;
  const found: Candidate[] = [];
  for (const match of (evidence.matches.get(`${clause.id}/wording`) ?? []).slice(0, candidatesMax)) {
    const sentence = sentenceAt(reading, match.start);
    if (reading.text[sentence.end - 1] === '?') continue;
    const index = indexAt(reading.sections, match.start);
    const section = index === undefined ? undefined : reading.sections[index];
    // A match inside a title: if text followed it, it would have been found as a heading.
    if (section !== undefined && section.title !== '' && match.end <= section.bodyStart) continue;
    const isParagraph = section !== undefined && section.end - section.start <= 2_000;
    found.push({ core: sentence, region: isParagraph ? section : paragraphAround(reading, sentence) });
  }
  return found;
}

/** Provisions in a table, in a list or without standard wording. */
function provided(clause: ClauseSpec, { reading, provisions }: Evidence): Candidate[] {
  const found = provisions.get(clause.id) ?? [];
  return found.slice(0, candidatesMax).map((core) => ({ core, region: paragraphAround(reading, core) }));
}

/** The sentence and the two sentences before and after it. */
function paragraphAround(reading: Document, sentence: Range): Range {
  const index = indexAt(reading.sentences, sentence.start) ?? 0;
  const first = reading.sentences[Math.max(0, index - 1)] ?? sentence;
  const last = reading.sentences[Math.min(reading.sentences.length - 1, index + 2)] ?? sentence;
  return { start: first.start, end: last.end };
}

function lacksOf(clause: ClauseSpec, evidence: Evidence, { core, region }: Candidate): Lacks {
  const says = (label: ClauseLabel) => someWithin(evidence.matches.get(label) ?? [], region);
  const details: string[] = [];
  const defects: string[] = [];
  (evidence.isEnglish ? clause.needs : []).forEach(({ what, facts = [] }, index) => {
    const known = facts.some((fact) => someWithin(evidence.facts.get(fact) ?? [], region));
    const saysElsewhere = evidence.matches.has(`${clause.id}/elsewhere ${index}`);
    if (!known && !saysElsewhere && !says(`${clause.id}/need ${index}`)) details.push(`no ${what}`);
  });
  (clause.spoilers ?? []).forEach(({ what }, index) => {
    if (says(`${clause.id}/spoiler ${index}`)) defects.push(what);
  });
  const open = allWithin(evidence.placeholders, core).length;
  if (open > 0) defects.push(`${open} placeholder${open === 1 ? '' : 's'} still open`);
  return { details, defects };
}
