/** The HR analyst's tools beside working time: employment terms, language, policy checklist. */

import type { AgentTool } from '../../agent/agent.ts';
import { documentsOnly } from '../../document/corpus.ts';
import { type Document, readDocument } from '../../document/document.ts';
import { toText } from '../financial/rational.ts';
import { place, toFindings } from '../findings.ts';
import { bounded, excerpt } from '../text/span.ts';
import { findTerms } from './employment-terms.ts';
import { findMentions, type Mention } from './language.ts';
import { checkPolicy } from './policy-checklist.ts';
import { computeNoticeEnd, computeSeverance } from './severance.ts';

export { workingTimeTool } from './working-time-tool.ts';

/** Notice, probation, leave, dates, pay and severance as stated, and what follows by arithmetic. */
export const employmentTermsTool: AgentTool = {
  name: 'employment_terms',
  version: '1',
  purpose: 'Finds terms of employment and reckons notice and severance. Text: the clauses, with dates and pay.',
  run(documents) {
    const found = documentsOnly(documents).flatMap((document) =>
      findTerms(document).map((term) => ({ document: readDocument(document), term })),
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
          ...(term.caution === undefined ? {} : { caution: term.caution }),
          ...document.spanOf(term),
          excerpt: excerpt(document.text, { start: Math.max(0, term.start - 40), end: term.end + 20 }, 120),
        })),
        terms_more: terms.more,
        notice_ends: notice ?? null,
        service: service === undefined ? null : { ...service },
        severance:
          severance === undefined
            ? { not_computable: `${missing.join(', ')} missing` }
            : { amount: toText(severance.amount, 2), currency: severance.currency, formula: severance.formula },
      },
      found.length === 0
        ? []
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
          ],
    );
  },
};

const mentionsPerKindMax = 5;
const contextOrder = { decision: 0, other: 1, policy: 2 } as const;

/** Mentions of protected characteristics and of harassment, those near decisions first. */
export const languageTool: AgentTool = {
  name: 'protected_and_harassment_language',
  version: '1',
  purpose: 'Finds words of protected characteristics and of harassment. Text: a message, an advertisement, a decision.',
  run(documents) {
    const all = documentsOnly(documents).flatMap((document) =>
      findMentions(document).map((mention) => ({ ...mention, document: readDocument(document) })),
    );
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
      kinds.map(({ kind, group, own }) => mentionLine(kind, group, own)),
    );
  },
};

function mentionLine(kind: string, group: string, own: readonly (Mention & { readonly document: Document })[]): string {
  const near = own.filter(({ context }) => context === 'decision').length;
  const [first] = own;
  return `${group === 'harassment' ? 'Harassment wording' : 'Protected characteristic'} ${kind.replaceAll('_', ' ')}: ${own.length} mentions, ${near} near decisions; to be looked at: "${excerpt(first!.document.text, first!.sentence, 90)}" ${place(first!.document.spanOf(first!))}`;
}

/** Which topics of contracts and policies the documents mention. */
export const policyTool: AgentTool = {
  name: 'policy_checklist',
  version: '1',
  purpose: 'Checks which topics of a workplace policy a text covers. Text: the policy.',
  run(documents) {
    const results = checkPolicy(documentsOnly(documents));
    const absent = results.filter(({ count }) => count === 0);
    const found = results.length - absent.length;
    return toFindings(
      {
        note: 'Found means that the words are there; whether the clause suffices is for a person to judge.',
        topics: results.map(({ topic, count, first }) => ({
          id: topic.id,
          title: topic.title,
          source: topic.source,
          part: topic.part,
          status: count === 0 ? 'absent' : 'found',
          count,
          ...(first === undefined ? {} : first.document.spanOf(first)),
        })),
      },
      // A text with next to none of the topics is neither contract nor policy.
      found < 4
        ? []
        : [
            `${found} of ${results.length} topics of contracts and policies are mentioned`,
            ...absent.map(({ topic }) => `Absent: ${topic.title} (${topic.source})`),
          ],
      20,
    );
  },
};
