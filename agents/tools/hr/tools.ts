/** The HR analyst's tools except working time: employment terms, language, policy checklist. */

import type { AgentTool } from '../../agent/agent.ts';
import { documentsOnly } from '../../document/corpus.ts';
import { type Document, readDocument } from '../../document/document.ts';
import { toText } from '../financial/rational.ts';
import { boundedBytes, place, toFindings } from '../findings.ts';
import { leftOut, leftOutLines } from '../left-out.ts';
import { bounded, excerpt, type Span } from '../text/span.ts';
import { doubtReasons, type WithheldFact } from './certainty.ts';
import { certainClauseFacts } from './clause-facts.ts';
import type { ClauseFact } from './clauses.ts';
import { documentKind, type HrDocumentKind } from './document-kind.ts';
import { findTerms } from './employment-terms.ts';
import { findMentions, type Mention } from './language.ts';
import { checkPolicy } from './policy-checklist.ts';
import { findPolicySections } from './policy-sections.ts';
import { computeNoticeEnd, computeSeverance } from './severance.ts';
import type { Term, TermKind } from './term-cues.ts';
import { findWordings } from './wording.ts';

export { workingTimeTool } from './working-time-tool.ts';

/** Notice, probation, leave, dates, pay and severance as stated, and what follows from them by arithmetic. */
export const employmentTermsTool: AgentTool = {
  name: 'employment_terms',
  version: '4',
  purpose: 'Finds terms of employment and computes notice and severance. Text: the clauses, with dates and pay.',
  run(documents) {
    const read = documentsOnly(documents).map((source) => {
      const document = readDocument(source);
      return { source, document, ...certainClauseFacts(document) };
    });
    const found = read.flatMap(({ source, document, withheld }) =>
      termsBut(withheld, findTerms(source)).map((term) => ({ document, term })),
    );
    const omitted = leftOut(
      read.flatMap(({ withheld }) => withheld.map(({ doubt }) => doubt)),
      doubtReasons,
    );
    const agreed = boundedBytes(
      read.flatMap(({ document, facts }) =>
        facts.map(({ kind, value, start, end }) => ({
          kind,
          value,
          ...document.spanOf({ start, end }),
          excerpt: excerpt(document.text, { start, end }, 120),
        })),
      ),
      24_000,
    );
    const terms = bounded(found, 80);
    const { service, severance, missing } = computeSeverance(found.map(({ term }) => term));
    const notice = computeNoticeEnd(found.map(({ term }) => term));
    const asked = found.some(({ term }) => term.kind === 'severance_rule' || term.kind === 'end_date');
    return toFindings(
      {
        terms: terms.items.map(({ document, term }) => ({
          kind: term.kind,
          value: term.value.toWellFormed(),
          ...(term.caution === undefined ? {} : { caution: term.caution, severity: term.severity ?? 'info' }),
          ...document.spanOf(term),
          excerpt: excerpt(document.text, { start: Math.max(0, term.start - 40), end: term.end + 20 }, 120),
        })),
        terms_more: terms.more,
        clauses: agreed.items,
        clauses_more: agreed.more,
        left_out: omitted,
        notice_ends: notice ?? null,
        service: service === undefined ? null : { ...service },
        severance:
          severance === undefined
            ? { not_computable: `${missing.join(', ')} missing` }
            : { amount: toText(severance.amount, 2), currency: severance.currency, formula: severance.formula },
      },
      found.length === 0
        ? [...agreed.items.map(clauseLine), ...leftOutLines(omitted)]
        : [
            ...found
              .filter(({ term }) => term.caution !== undefined)
              .map(
                ({ document, term }) => `${term.kind} ${term.value}: ${term.caution} ${place(document.spanOf(term))}`,
              ),
            ...(severance === undefined
              ? asked
                ? [`Severance not computable: ${missing.join(', ')} missing`]
                : []
              : [
                  `Severance by the stated rule: ${severance.currency} ${toText(severance.amount, 2)} (${severance.formula})`,
                ]),
            ...(service === undefined
              ? []
              : [`Length of service: ${service.years} years, ${service.months} months, ${service.days} days`]),
            ...found.map(({ document, term }) => `${term.kind}: ${term.value} ${place(document.spanOf(term))}`),
            ...agreed.items.map(clauseLine),
            ...leftOutLines(omitted),
          ],
    );
  },
};

/** The kinds of facts that state the same as a term. */
const factKinds: Readonly<Partial<Record<TermKind, string>>> = {
  notice_period: 'notice',
  probation: 'term',
  start_date: 'term',
  end_date: 'term',
  non_compete: 'covenant',
  annual_leave: 'annual_leave',
  weekly_hours: 'working_time',
  salary: 'pay',
};

/** The terms of other kinds than those left out: a term would be the same value, or one that the clauses do not state. */
function termsBut(withheld: readonly WithheldFact[], terms: readonly Term[]): readonly Term[] {
  const kinds = new Set(withheld.map(({ fact }) => fact.kind));
  return terms.filter(({ kind }) => !kinds.has(factKinds[kind] ?? ''));
}

/** "benefit: bonus, percent 15 [m0:120-164]". */
function clauseLine({ kind, value, ...span }: ClauseFact & Span): string {
  const parts = Object.entries(value).map(([key, part]) =>
    typeof part === 'object' ? `${key} ${part.count} ${part.unit}` : `${key} ${part}`,
  );
  return `${kind.replaceAll('_', ' ')}: ${parts.join(', ').toWellFormed()} ${place(span)}`;
}

const mentionsPerKindMax = 5;
const contextOrder = { decision: 0, other: 1, policy: 2 } as const;

/** Mentions of protected characteristics and of harassment, those near decisions first. */
export const languageTool: AgentTool = {
  name: 'protected_and_harassment_language',
  version: '3',
  purpose: 'Finds words of protected characteristics and of harassment. Text: a message, an advertisement, a decision.',
  run(documents) {
    const all = documentsOnly(documents).flatMap((document) =>
      findMentions(document).map((mention) => ({ ...mention, document: readDocument(document) })),
    );
    const wordings = documentsOnly(documents)
      .map(readDocument)
      .flatMap((document) => findWordings(document).map((wording) => ({ ...wording, document })))
      .slice(0, 40);
    const kinds = [...new Set(all.map(({ kind }) => kind))].map((kind) => {
      const own = all.filter((mention) => mention.kind === kind);
      own.sort(
        (a, b) =>
          contextOrder[a.context] - contextOrder[b.context] ||
          a.document.message - b.document.message ||
          a.start - b.start,
      );
      return { kind, group: own[0]!.group, own };
    });
    kinds.sort((a, b) => contextOrder[a.own[0]!.context] - contextOrder[b.own[0]!.context]);
    return toFindings(
      {
        wordings: wordings.map(({ document, ground, phrase, start, end }) => ({
          ground,
          phrase: phrase.toWellFormed(),
          ...document.spanOf({ start, end }),
        })),
        note: 'Mentions of words, not findings of discrimination or harassment. "decision": the sentence is about hiring, pay, promotion or dismissal. "policy": it promises equal treatment.',
        kinds: kinds.map(({ kind, group, own }) => ({
          kind,
          group,
          count: own.length,
          near_decisions: own.filter(({ context }) => context === 'decision').length,
          mentions: own.slice(0, mentionsPerKindMax).map(({ document, context, sentence, start, end }) => ({
            context,
            ...document.spanOf({ start, end }),
            excerpt: excerpt(document.text, sentence, 140),
          })),
        })),
      },
      [
        ...wordings.map(
          ({ document, ground, phrase, start, end }) =>
            `Wording to replace (${ground}): "${phrase.toWellFormed()}" ${place(document.spanOf({ start, end }))}`,
        ),
        ...kinds.map(({ kind, group, own }) => mentionLine(kind, group, own)),
      ],
    );
  },
};

function mentionLine(kind: string, group: string, own: readonly (Mention & { readonly document: Document })[]): string {
  const near = own.filter(({ context }) => context === 'decision').length;
  const [first] = own;
  return `${group === 'harassment' ? 'Harassment wording' : 'Protected characteristic'} ${kind.replaceAll('_', ' ')}: ${own.length} mentions, ${near} near decisions; to be reviewed: "${excerpt(first!.document.text, first!.sentence, 90)}" ${place(first!.document.spanOf(first!))}`;
}

/** Policies of a handbook with their status; topics of a contract that the employer must provide in writing. */
export const policyTool: AgentTool = {
  name: 'policy_checklist',
  version: '3',
  purpose:
    'Checks which policies a handbook contains and which topics a contract covers. Text: the handbook or contract.',
  run(documents) {
    const own = documentsOnly(documents).map((document) => ({ document, kind: documentKind(readDocument(document)) }));
    const books = own.filter(({ kind }) => kind === 'handbook' || kind === 'policy');
    const contracts = own.filter(({ kind }) => kind === 'contract');
    const topics = contracts.length === 0 ? [] : topicsOf(contracts.map(({ document }) => document));
    const policies = books.flatMap(({ document, kind }) => policiesOf(readDocument(document), kind));
    return toFindings(
      {
        note: 'Policies are checked in handbooks and policies, topics in contracts; other documents give nothing. Present: the section has rules of its own. Found: the words are there; whether the clause suffices is for a person to judge.',
        policies,
        topics,
      },
      [
        ...policies
          .filter(({ status }) => status === 'missing')
          .map(({ id, reason }) => `Missing policy: ${id.replaceAll('_', ' ')} (${reason})`),
        ...topics
          .filter(({ status }) => status === 'absent')
          .map(({ title, source }) => `Absent: ${title} (${source})`),
      ],
      20,
    );
  },
};

/** A policy about one subject need not have the others. */
function policiesOf(document: Document, kind: HrDocumentKind) {
  return findPolicySections(document)
    .filter(({ status }) => kind === 'handbook' || status === 'present')
    .map(({ id, status, place: range }) => ({
      id,
      status: status === 'present' ? 'present' : 'missing',
      reason: status === 'present' ? 'rules' : status === 'named' ? 'named without rules' : 'no section',
      ...(range === undefined ? {} : document.spanOf(range)),
    }));
}

function topicsOf(contracts: Parameters<typeof checkPolicy>[0]) {
  return checkPolicy(contracts)
    .filter(({ topic }) => topic.part === 'written_information')
    .map(({ topic, count, first }) => ({
      id: topic.id,
      title: topic.title,
      source: topic.source,
      part: topic.part,
      status: count === 0 ? 'absent' : 'found',
      count,
      ...(first === undefined ? {} : first.document.spanOf(first)),
    }));
}
