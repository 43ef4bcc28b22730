/** Change-of-control clauses and litigation, each with the effect, status and amount that the sentence states. */
import type { AgentTool } from '../../agent/agent.ts';
import { documentsOnly } from '../../document/corpus.ts';
import type { Document } from '../../document/document.ts';
import { place, toFindings } from '../findings.ts';
import { doubtCollector, leftOut, leftOutLines } from '../left-out.ts';
import { compilePhrases, phraseList } from '../text/phrases.ts';
import { allWithin } from '../text/ranges.ts';
import { bounded, excerpt, type Span } from '../text/span.ts';
import { certainControlTerms, certainDisputes, type Doubt, doubtReasons } from './certainty.ts';
import { findControlTerms } from './control-terms.ts';
import { findDisputes } from './disputes.ts';
import { flowOf } from './flow.ts';
import { dealReadings, inOwnWords, mergePlaces } from './readings.ts';
import { findStatements, type Statement } from './statements.ts';

export type ControlEffect = 'termination' | 'consent' | 'notice' | 'acceleration' | 'payment' | 'not stated';
export type LitigationStatus = 'pending' | 'threatened' | 'settled or ended' | 'investigation' | 'not stated';

export interface ControlMention {
  readonly effects: readonly ControlEffect[];
  readonly denied: boolean;
  /** ISO 8601 durations in the sentence. */
  readonly periods: readonly string[];
  readonly span: Span;
  readonly excerpt: string;
}

export interface LitigationMention {
  readonly status: LitigationStatus;
  readonly denied: boolean;
  readonly amounts: readonly { readonly value: string; readonly currency?: string }[];
  readonly span: Span;
  readonly excerpt: string;
}

export const legalMentions: AgentTool = {
  name: 'change_of_control_and_litigation',
  version: '3',
  purpose:
    'Finds clauses on change of control, and litigation. Text: clauses, statements or schedules, in English, German, French, Spanish or Dutch.',
  run(documents) {
    const { doubts, keep } = doubtCollector<Doubt>();
    const readings = documentsOnly(documents).map(dealReadings);
    const read = <Finding extends { readonly span: Span; readonly excerpt: string }>(
      find: (reading: Document) => readonly Finding[],
    ) =>
      readings.flatMap((list) =>
        mergePlaces(list.map((reading) => find(reading).map((finding) => inOwnWords(reading, finding)))),
      );
    const control = read(findControlMentions);
    const litigation = read(findLitigationMentions);
    const agreements = read((reading) => {
      const flow = flowOf(reading);
      return keep(certainControlTerms(findControlTerms(reading, flow))).map(({ start, end, ...term }) => ({
        ...term,
        span: reading.spanOf(flow.placeOf({ start, end })),
        excerpt: excerpt(flow.text, { start, end }),
      }));
    });
    const disputes = read((reading) =>
      keep(certainDisputes(findDisputes(reading, flowOf(reading)))).map(({ start, end, ...dispute }) => ({
        ...dispute,
        span: reading.spanOf({ start, end }),
        excerpt: excerpt(reading.text, { start, end }),
      })),
    );
    const omitted = leftOut(doubts, doubtReasons);
    const result = {
      change_of_control: bounded(control, 40),
      litigation: bounded(litigation, 30),
      agreements: bounded(agreements, 40),
      disputes: bounded(disputes, 40),
      left_out: omitted,
    };
    return toFindings(result, [
      ...leftOutLines(omitted),
      ...agreements
        .slice(0, 8)
        .map(
          ({ counterparty = '', consequence, span }) =>
            `Agreement with ${counterparty}: ${consequence} on a change of control ${place(span)}`,
        ),
      ...disputes
        .slice(0, 8)
        .map(
          ({ claimant = '', respondent = '', amount = '', currency = '', status = '', span }) =>
            `Dispute: ${[claimant, respondent === '' ? '' : `against ${respondent}`, currency, amount, status].filter(Boolean).join(' ')} ${place(span)}`,
        ),
      ...section('Change of control', control, ({ effects, periods }) => [...effects, ...periods].join(', ')),
      ...section('Litigation', litigation, ({ status, amounts }) =>
        [status, ...amounts.map(({ value, currency = '' }) => `${currency} ${value}`.trim())].join(', '),
      ),
    ]);
  },
};

const controlPhrases = compilePhrases<'control'>([
  [
    'control',
    phraseList(`
      change of|in control; change ~2 of ownership; acquires ~4 control|majority; transfer ~4 majority ~3 shares; direct|indirect change;
      kontrollwechsel; changement de contrôle; změna kontroly; merger|sale ~8 deemed ~3 assignment; ceases to ~3 control`),
  ],
]);

const litigationPhrases = compilePhrases<'litigation'>([
  [
    'litigation',
    phraseList(`
      litigation; lawsuit*; legal proceeding*; court proceeding*; arbitration ~2 proceeding*; arbitral proceeding*; claimant; plaintiff; defendant; sued;
      filed ~3 claim|action|suit|complaint; claim* ~4 filed|brought|asserted|alleg*; claim* ~8 settled|dismissed|withdrawn; pending ~3 claim*|case*|proceeding*; investigation* by; investigated by; injunction*;
      settlement agreement; tribunal; cease and desist; statement of claim; rechtsstreit; klage; žaloba; litige`),
  ],
]);

export function findControlMentions(reading: Document): ControlMention[] {
  return findStatements(reading, controlPhrases).map(({ denied, sentence, span, excerpt }) => ({
    effects: effectsOf(reading.text.slice(sentence.start, Math.min(sentence.end, sentence.start + 1_500))),
    denied,
    periods: allWithin(reading.durations, sentence)
      .slice(0, 4)
      .map(({ iso }) => iso),
    span,
    excerpt,
  }));
}

export function findLitigationMentions(reading: Document): LitigationMention[] {
  return findStatements(reading, litigationPhrases).map((statement) => ({
    status: statusOf(reading, statement),
    denied: statement.denied,
    amounts: allWithin(reading.amounts, statement.sentence)
      .slice(0, 4)
      .map(({ value, currency }) => ({ value, ...(currency === undefined ? {} : { currency }) })),
    span: statement.span,
    excerpt: statement.excerpt,
  }));
}

const effects: readonly (readonly [ControlEffect, RegExp])[] = [
  ['termination', /\b(?:terminat|cancel|rescind|withdraw)/i],
  ['consent', /\b(?:consent|approval|deemed (?:an |to be an )?assign|counts as an assignment)/i],
  ['acceleration', /\b(?:accelerat|immediately due|repay|prepay|vest)/i],
  ['payment', /\b(?:bonus|severance|golden|fee is payable|retention payment|pay(?:s|able)?)\b/i],
  ['notice', /\b(?:notif|notice|inform)/i],
];

function effectsOf(sentence: string): ControlEffect[] {
  const found = effects.filter(([, pattern]) => pattern.test(sentence)).map(([effect]) => effect);
  return found.length === 0 ? ['not stated'] : found;
}

function statusOf({ text }: Document, { sentence: { start, end } }: Statement<string>): LitigationStatus {
  const sentence = text.slice(start, Math.min(end, start + 1_500));
  if (/\b(?:settled|settlement|dismissed|withdrawn|closed|concluded|ended)\b/i.test(sentence))
    return 'settled or ended';
  if (/\b(?:threat|announc|reserv\w{1,5} the right|cease and desist)/i.test(sentence)) return 'threatened';
  if (/\b(?:investigat|inquiry|dawn raid)/i.test(sentence)) return 'investigation';
  if (/\b(?:pending|ongoing|filed|brought|sued|hearing|appeal|before the)\b/i.test(sentence)) return 'pending';
  return 'not stated';
}

function section<Mention extends { readonly denied: boolean; readonly span: Span; readonly excerpt: string }>(
  title: string,
  mentions: readonly Mention[],
  shown: (mention: Mention) => string,
): string[] {
  const open = mentions.filter(({ denied }) => !denied);
  const denied = mentions.filter((mention) => mention.denied);
  const { items, more } = bounded(open, 10);
  return [
    `${title}: ${open.length} mention${open.length === 1 ? '' : 's'}${denied.length > 0 ? `, ${denied.length} denied ${place(denied[0]!.span)}` : ''}.`,
    ...items.map((mention) => `${title} (${shown(mention)}): "${mention.excerpt}" ${place(mention.span)}`),
    ...(more > 0 ? [`${title}: ${more} more in the result.`] : []),
  ];
}
