/**
 * The red-flag checklist: which flags documents raise, where, and a score by area and in total. A flag counts once: critical
 * 25, high 15, medium 8; the sum is capped at 100. Sentences that deny a flag are listed separately as clean statements,
 * because they are statements of the seller.
 */
import type { AgentDocument, AgentTool } from '../../agent/agent.ts';
import { documentsOnly, languageOf } from '../../document/corpus.ts';
import { place, toFindings } from '../findings.ts';
import { type LeftOut, leftOut } from '../left-out.ts';
import { listLines } from '../text/list-lines.ts';
import { compilePhrases } from '../text/phrases.ts';
import { indexAt } from '../text/ranges.ts';
import { excerpt, type Range, type Span } from '../text/span.ts';
import { certainDisputes, certainMentions, type Doubt, doubtReasons } from './certainty.ts';
import { findDisputes } from './disputes.ts';
import { withoutDraftingNotes } from './drafting-notes.ts';
import { findFlagStatements, isExplanation, isOfDefaults, isOver } from './flag-statements.ts';
import { type Area, allFlags, type Flag, type FlagSeverity, flagWeights } from './flag-table.ts';
import { flowOf } from './flow.ts';
import { dealReadings, inOwnWords } from './readings.ts';
import { senseOf } from './sense.ts';
import { findStatements, type Statement } from './statements.ts';
import { isOfVesting } from './vesting.ts';

export interface RaisedFlag {
  readonly id: string;
  readonly area: Area;
  readonly title: string;
  readonly severity: FlagSeverity;
  readonly points: number;
  /** Sentences that raise it; the first two with their positions. */
  readonly mentions: number;
  readonly evidence: readonly { readonly span: Span; readonly excerpt: string }[];
  /** Sentences that say the contrary. */
  readonly denials: number;
}

export interface FlagReport {
  readonly score: number;
  readonly score_uncapped: number;
  readonly areas: readonly { readonly area: Area; readonly score: number; readonly raised: number }[];
  readonly raised: readonly RaisedFlag[];
  readonly clean: readonly {
    readonly id: string;
    readonly title: string;
    readonly span: Span;
    readonly excerpt: string;
  }[];
  /** How many mentions were left out for each reason. */
  readonly left_out: readonly LeftOut[];
  readonly not_mentioned: readonly string[];
}

export const redFlags: AgentTool = {
  name: 'red_flags',
  version: '3',
  purpose:
    'Checks for red flags by area and scores them. Text: statements about a company, in English, German, French, Spanish or Dutch.',
  run(documents) {
    const report = checkFlags(documents);
    const language = languageOf(documents);
    const result = {
      ...report,
      score_rule: 'each raised flag once: critical 25, high 15, medium 8; sum capped at 100',
      language,
    };
    const lines = digestOf(report);
    return toFindings(result, language === 'other' ? [otherLanguage, ...lines] : lines);
  },
};

const otherLanguage =
  'The text is not English: the checklist reads English, German, French, Spanish and Dutch wording; in other languages the absence of a flag means nothing.';

/** Raised flags by severity, then in the order of the table. */
export function checkFlags(documents: readonly AgentDocument[]): FlagReport {
  const byFlag = new Map<string, Collected>();
  const readings = documentsOnly(documents).flatMap((document) =>
    dealReadings(document).map((reading, index) => ({ reading, isGloss: index > 0 })),
  );
  for (const { reading, isGloss } of readings) {
    // What the document says in its own words decides.
    const decided = new Set(isGloss ? byFlag.keys() : []);
    const collect = (id: string, isDenied: boolean, mention: { span: Span; excerpt: string }) => {
      if (decided.has(id)) return;
      const known = byFlag.get(id) ?? { mentions: [], denials: [] };
      byFlag.set(id, known);
      (isDenied ? known.denials : known.mentions).push(inOwnWords(reading, mention));
    };
    const flow = flowOf(reading);
    const { stated, denied: deniedHere } = findFlagStatements(flow);
    const placed = new Set<string>();
    const shown = withoutDraftingNotes(reading.text);
    const listed = flow.sentences
      .filter((each) => isOfDefaults(each) || isExplanation(each))
      .map((each) => flow.placeOf(each));
    for (const { id, start, end } of [...stated, ...deniedHere]) {
      const range = flow.placeOf({ start, end });
      placed.add(id);
      const isDenied = !stated.some((each) => each.id === id && each.start === start);
      collect(id, isDenied, { span: reading.spanOf(range), excerpt: excerpt(flow.text, { start, end }) });
    }
    for (const statement of findStatements(reading, phrases)) {
      const { label, span } = statement;
      if (placed.has(label) || (facts.has(label) && isWithin(listed, statement.match.start))) continue;
      if (label === 'change_of_control' && isOfVesting(reading.text, statement.sentence)) continue;
      if (isOver(label, statement.excerpt) || /^\s*$/.test(shown.slice(statement.match.start, statement.match.end)))
        continue;
      const sense = facts.has(label) ? senseOfStatement(reading.text, statement) : 'stated';
      if ((statement.isSupposed && facts.has(label)) || sense === 'supposed') continue;
      const isDenied = (statement.denied || sense === 'denied') && !deniesItself.has(label);
      collect(label, isDenied, { span, excerpt: statement.excerpt });
    }
    if ((byFlag.get('pending_litigation')?.mentions.length ?? 0) > 0) continue;
    for (const dispute of certainDisputes(findDisputes(reading, flow)).facts) {
      if (dispute.status !== 'pending' && dispute.status !== 'threatened') continue;
      collect('pending_litigation', false, { span: reading.spanOf(dispute), excerpt: excerpt(reading.text, dispute) });
    }
  }
  const doubts = withholdMentions(byFlag);
  const raised = allFlags.flatMap((flag) => raisedOf(flag, byFlag.get(flag.id))).sort((a, b) => b.points - a.points);
  const clean = allFlags.flatMap(({ id, title }) => {
    const known = byFlag.get(id);
    const [first] = known?.denials ?? [];
    return first === undefined || known!.mentions.length > 0 ? [] : [{ id, title, ...first }];
  });
  const uncapped = raised.reduce((sum, { points }) => sum + points, 0);
  return {
    score: Math.min(100, uncapped),
    score_uncapped: uncapped,
    areas: areasOf(raised),
    raised,
    clean,
    left_out: leftOut(doubts, doubtReasons),
    not_mentioned: allFlags.filter(({ id }) => !byFlag.has(id)).map(({ title }) => title),
  };
}

function isWithin(ranges: readonly Range[], at: number): boolean {
  const index = indexAt(ranges, at);
  return index !== undefined && at < ranges[index]!.end;
}

/** The words of the sentence before a match decide; a match that is itself a denial is one of what the flag lacks. */
function senseOfStatement(text: string, { sentence, match }: Pick<Statement<string>, 'sentence' | 'match'>) {
  const shown = text.slice(sentence.start, Math.min(sentence.end, sentence.start + 1_200)).replaceAll(/\s/g, ' ');
  return senseOf(shown, [{ at: match.start - sentence.start, to: match.end - sentence.start }]);
}

/** Flags whose own wording is a negation: "has not assigned". */
const absences: ReadonlySet<string> = new Set(['ip_not_owned']);

/** Keeps the mentions of which nothing says that they state no fact. */
function withholdMentions(byFlag: Map<string, Collected>): readonly Doubt[] {
  const severities = new Map<string, FlagSeverity>(allFlags.map(({ id, severity }) => [id, severity]));
  const all = [...byFlag].flatMap(([id, { mentions }]) =>
    mentions.map((mention) => ({ id, isCritical: severities.get(id) === 'critical' && !absences.has(id), ...mention })),
  );
  const { facts, doubts } = certainMentions(all);
  const kept = Map.groupBy(facts, ({ id }) => id);
  for (const [id, { denials }] of byFlag) {
    const mentions = (kept.get(id) ?? []).map(({ span, excerpt: shown }) => ({ span, excerpt: shown }));
    byFlag.set(id, { mentions, denials });
  }
  return doubts;
}

interface Collected {
  readonly mentions: { span: Span; excerpt: string }[];
  readonly denials: { span: Span; excerpt: string }[];
}

const phrases = compilePhrases(allFlags.map(({ id, wording }) => [id, wording] as const));

/** Flags whose own wording is a negation ("no transfer pricing documentation"): an adjacent "not" does not cancel them. */
const deniesItself = new Set(
  allFlags
    .filter(({ wording }) => wording.some((phrase) => /^(?:no|not|without|missing) /.test(phrase)))
    .map(({ id }) => id),
);

/** Flags about past events: a clause that only provides for such an event raises none of them. */
const facts = new Set([
  ...[
    'disputed_ownership',
    'going_concern',
    'qualified_audit',
    'covenant_breach',
    'unaudited',
    'overdue_receivables',
    'tax_dispute',
    'restatement',
    'internal_control',
    'related_parties',
    'customer_concentration',
    'key_people',
    'regulatory_investigation',
    'missing_licence',
    'contingent_liabilities',
    'insurance_gaps',
    'pension_deficit',
    'state_aid',
    'supplier_dependency',
  ],
  ...[
    'criminal_investigation',
    'pending_litigation',
    'product_liability',
    'ip_not_owned',
    'ip_infringement',
    'data_breach',
    'privacy_gaps',
  ],
  ...['sanctions', 'antitrust', 'contamination', 'lease_issues', 'employment_claims', 'churn'],
]);

function raisedOf({ id, area, title, severity }: Flag, known: Collected | undefined): RaisedFlag[] {
  if (known === undefined || known.mentions.length === 0) return [];
  const { mentions, denials } = known;
  const points = flagWeights[severity];
  return [
    {
      id,
      area,
      title,
      severity,
      points,
      mentions: mentions.length,
      evidence: mentions.slice(0, 2),
      denials: denials.length,
    },
  ];
}

function areasOf(raised: readonly RaisedFlag[]): FlagReport['areas'] {
  return [...new Set(allFlags.map(({ area }) => area))].map((area) => {
    const own = raised.filter((flag) => flag.area === area);
    return {
      area,
      score: Math.min(
        100,
        own.reduce((sum, { points }) => sum + points, 0),
      ),
      raised: own.length,
    };
  });
}

function digestOf({ score, score_uncapped: uncapped, raised, clean, areas, left_out }: FlagReport): string[] {
  const worst = areas.filter((each) => each.raised > 0).map(({ area, score: points }) => `${area} ${points}`);
  const lines = [
    `Red-flag score ${score} of 100 (sum ${uncapped}); ${raised.length} of ${allFlags.length} flags raised${worst.length > 0 ? `: ${worst.join(', ')}` : ''}.`,
  ];
  for (const { because, facts } of left_out) lines.push(`Mentions left out: ${facts}, because ${because}`);
  for (const { severity, area, title, points, evidence, mentions } of raised.slice(0, 24)) {
    const [first] = evidence;
    lines.push(
      `${severity} (+${points}) ${area}: ${title}: "${first!.excerpt}" ${place(first!.span)}${mentions > 1 ? ` and ${mentions - 1} more` : ''}`,
    );
  }
  const denied = clean.map(({ title, span }) => `${title} ${place(span)}`);
  return [...lines, ...listLines('Denied by the documents', denied)];
}
