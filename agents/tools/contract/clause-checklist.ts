/**
 * The clause checklist: each of 23 clauses found, weak or absent, where it stands, why it was judged so, and a risk score.
 *
 * An absent clause adds its weight (critical 25, high 15, medium 8), a weak one half of it, rounded up (13, 8, 4); the sum is
 * capped at 100. A clause is weak where its text lacks something that it must say, still holds a placeholder, or is emptied by
 * its own wording. The checklist reads English; other languages are said to be so in `language`.
 */
import type { AgentDocument, AgentTool } from '../../agent/agent.ts';
import { place, toFindings } from '../findings.ts';
import { trimRange } from '../text/lines.ts';
import { listLines } from '../text/list-lines.ts';
import {
  allWithin,
  documentsOnly,
  indexAt,
  languageOf,
  longestOf,
  readText,
  sentenceAt,
  someWithin,
  type TextReading,
} from '../text/reading.ts';
import { excerpt, type Range, spanOf } from '../text/span.ts';
import { type ClauseLabel, type Evidence, readEvidence } from './clause-evidence.ts';
import { type ClauseSpec, severityWeights } from './clause-spec.ts';
import { clauses } from './clause-table.ts';
import { type DocumentKind, documentKind, oftenAbsent } from './document-kind.ts';

export type ClauseStatus = 'found' | 'weak' | 'absent';

export interface ClauseFinding {
  readonly id: string;
  readonly title: string;
  readonly severity: ClauseSpec['severity'];
  readonly status: ClauseStatus;
  /** What it adds to the score. */
  readonly points: number;
  readonly why: string;
  readonly span?: { readonly message: number; readonly start: number; readonly end: number };
  readonly excerpt?: string;
}

/** Judges the 23 clauses, in the order of the table. */
export function checkClauses(documents: readonly AgentDocument[]): ClauseFinding[] {
  const readings = documentsOnly(documents).map((document) => readEvidence(readText(document)));
  return clauses.map((clause) => judge(clause, readings));
}

/** Sum of the points, at most 100. */
export function riskScore(findings: readonly ClauseFinding[]): number {
  return Math.min(
    100,
    findings.reduce((sum, { points }) => sum + points, 0),
  );
}

export const clauseChecklist: AgentTool = {
  name: 'clause_checklist',
  version: '1',
  purpose: 'Judges 23 clauses and scores the risk. Text: a whole contract or clauses, for example as reworded.',
  run(documents) {
    const findings = checkClauses(documents);
    const score = riskScore(findings);
    const language = languageOf(documents);
    const kind = kindOf(documents);
    const count = (status: ClauseStatus) => findings.filter((finding) => finding.status === status).length;
    const counts = { found: count('found'), weak: count('weak'), absent: count('absent') };
    const uncapped = findings.reduce((sum, { points }) => sum + points, 0);
    const result = {
      score,
      score_uncapped: uncapped,
      score_rule: 'absent: critical 25, high 15, medium 8; weak: 13, 8, 4; sum capped at 100',
      counts,
      language,
      document_kind: kind,
      often_absent_in_this_kind: oftenAbsent(kind),
      clauses: findings,
    };
    return toFindings(result, digestOf(findings, { score, uncapped, counts, language, kind }));
  },
};

function digestOf(
  findings: readonly ClauseFinding[],
  head: { score: number; uncapped: number; counts: Record<ClauseStatus, number>; language: string; kind: DocumentKind },
): string[] {
  const { found, weak, absent } = head.counts;
  const lines = [
    `Risk score ${head.score} of 100 (sum ${head.uncapped}). 23 clauses: ${found} found, ${weak} weak, ${absent} absent.`,
  ];
  if (head.language === 'other') lines.push('The text is not English: the checklist reads English wording only.');
  const byDesign = findings.filter(({ id, status }) => status === 'absent' && oftenAbsent(head.kind).includes(id));
  const byDesignTitle = `The text calls itself: ${head.kind}. Often left out there`;
  lines.push(
    ...listLines(
      byDesignTitle,
      byDesign.map(({ title }) => title),
    ),
  );
  for (const status of ['absent', 'weak'] as const) {
    for (const finding of findings.filter((each) => each.status === status)) {
      lines.push(
        `${status} (${finding.severity}, +${finding.points}): ${finding.title}: ${finding.why}${placeOf(finding)}`,
      );
    }
  }
  const titles = findings.filter(({ status }) => status === 'found').map((each) => each.title + placeOf(each));
  return [...lines, ...listLines('Found', titles)];
}

function placeOf({ span }: ClauseFinding): string {
  return span === undefined ? '' : ` ${place(span)}`;
}

function kindOf(documents: readonly AgentDocument[]): DocumentKind {
  return documentKind(readText(longestOf(documents)));
}

/** A place where a clause may stand. */
interface Candidate {
  /** The clause itself. */
  readonly core: Range;
  /** Where what it needs may stand: itself, or the paragraph around. */
  readonly region: Range;
}

/** Candidates looked at per clause and text: enough for any contract, and a bound for hostile ones. */
const candidatesMax = 24;

function judge(clause: ClauseSpec, all: readonly Evidence[]): ClauseFinding {
  let best: { evidence: Evidence; candidate: Candidate; lacks: string[] } | undefined;
  for (const evidence of all) {
    let candidates = placed(clause, evidence);
    if (candidates.length === 0) candidates = headed(clause, evidence);
    if (candidates.length === 0) candidates = worded(clause, evidence);
    for (const candidate of candidates) {
      const lacks = lacksOf(clause, evidence, candidate);
      if (best === undefined || lacks.length < best.lacks.length) best = { evidence, candidate, lacks };
    }
  }
  const weight = severityWeights[clause.severity];
  const { id, title, severity } = clause;
  if (best === undefined) {
    return { id, title, severity, status: 'absent', points: weight, why: 'no heading and no operative wording for it' };
  }
  const { reading } = best.evidence;
  const range = trimRange(reading.text, best.candidate.core);
  const place = { span: spanOf(reading.message, range), excerpt: excerpt(reading.text, range) };
  if (best.lacks.length === 0) {
    return { id, title, severity, status: 'found', points: 0, why: 'says what it must', ...place };
  }
  return { id, title, severity, status: 'weak', points: Math.ceil(weight / 2), why: best.lacks.join('; '), ...place };
}

/** From the first to the last of the facts that are the clause. */
function placed({ place }: ClauseSpec, { facts }: Evidence): Candidate[] {
  const ranges = place === undefined ? [] : (facts.get(place) ?? []);
  const [first] = ranges;
  return first === undefined ? [] : [whole({ start: first.start, end: ranges.at(-1)!.end })];
}

function whole(region: Range): Candidate {
  return { core: region, region };
}

/** Sections whose heading names the clause and that say something. The title of the whole document is none. */
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

/** Sentences with the clause's operative wording, questions left out. */
function worded(clause: ClauseSpec, evidence: Evidence): Candidate[] {
  const { reading } = evidence;
  const found: Candidate[] = [];
  for (const match of (evidence.matches.get(`${clause.id}/wording`) ?? []).slice(0, candidatesMax)) {
    const sentence = sentenceAt(reading, match.start);
    if (reading.text[sentence.end - 1] === '?') continue;
    const index = indexAt(reading.sections, match.start);
    const section = index === undefined ? undefined : reading.sections[index];
    // In a title: if text followed it, it would have been found as a heading.
    if (section !== undefined && section.title !== '' && match.end <= section.bodyStart) continue;
    const isParagraph = section !== undefined && section.end - section.start <= 2_000;
    found.push({ core: sentence, region: isParagraph ? section : paragraphAround(reading, sentence) });
  }
  return found;
}

/** The sentence and its two neighbours to either side. */
function paragraphAround(reading: TextReading, sentence: Range): Range {
  const index = indexAt(reading.sentences, sentence.start) ?? 0;
  const first = reading.sentences[Math.max(0, index - 1)] ?? sentence;
  const last = reading.sentences[Math.min(reading.sentences.length - 1, index + 2)] ?? sentence;
  return { start: first.start, end: last.end };
}

function lacksOf(clause: ClauseSpec, evidence: Evidence, { core, region }: Candidate): string[] {
  const says = (label: ClauseLabel) => someWithin(evidence.matches.get(label) ?? [], region);
  const lacks: string[] = [];
  clause.needs.forEach(({ what, facts = [] }, index) => {
    const known = facts.some((fact) => someWithin(evidence.facts.get(fact) ?? [], region));
    const saysElsewhere = evidence.matches.has(`${clause.id}/elsewhere ${index}`);
    if (!known && !saysElsewhere && !says(`${clause.id}/need ${index}`)) lacks.push(`no ${what}`);
  });
  (clause.spoilers ?? []).forEach(({ what }, index) => {
    if (says(`${clause.id}/spoiler ${index}`)) lacks.push(what);
  });
  const open = allWithin(evidence.placeholders, core).length;
  if (open > 0) lacks.push(`${open} placeholder${open === 1 ? '' : 's'} still open`);
  return lacks;
}
