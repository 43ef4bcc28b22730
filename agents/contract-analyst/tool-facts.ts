/** Converts the findings of the contract analyst's tools to facts of `facts.json`. */
import type { Json, ToolFacts } from '../agent/agent.ts';
import { factOf, stringOf } from '../agent/tool-results.ts';
import type { Fact, FactValue } from '../agent/vocabulary.ts';

interface Entry {
  readonly [key: string]: Json;
}

export const toolFacts: ToolFacts = ({ clause_checklist: checklist, contract_facts: extracted }) => {
  const lists = extracted as unknown as Record<string, { readonly items: readonly Entry[] }>;
  const each = (list: string, toFact: (entry: Entry) => Fact | undefined): Fact[] =>
    (lists[list]?.items ?? []).map(toFact).filter((fact) => fact !== undefined);
  const { score, clauses } = checklist as unknown as { score: number | null; clauses: readonly Entry[] };
  return {
    score,
    facts: [
      ...each('parties', ({ name, function: role }) => factOf('party', { name: stringOf(name), role: stringOf(role) })),
      ...each('dates', dateOf),
      ...each('term', ({ length, ending, renewal, renewalLength, notice }) =>
        factOf('term', {
          length: durationOf(length),
          ending: stringOf(ending),
          renewal: stringOf(renewal),
          renewal_length: durationOf(renewalLength),
          notice: durationOf(notice),
        }),
      ),
      ...each('governing_law', ({ jurisdiction }) => factOf('governing_law', { jurisdiction: stringOf(jurisdiction) })),
      ...each('forums', ({ kind, seat, rules }) =>
        factOf('dispute_forum', { mechanism: kind as string, place: stringOf(seat), rules: stringOf(rules) }),
      ),
      ...each('liability_caps', liabilityCapOf),
      ...each('liability_exclusions', ({ effect, matter }) =>
        factOf('liability_exclusion', { effect: (effect as string).replace(' ', '-'), matter: stringOf(matter) }),
      ),
      ...each('indemnities', ({ by }) => (by === undefined ? undefined : factOf('indemnity', { by: stringOf(by) }))),
      ...each('payment_terms', ({ kind, within, businessDays, percent, per, base }) =>
        kind === 'due'
          ? factOf('payment', { aspect: 'due', period: durationOf(within, businessDays) })
          : factOf('payment', {
              aspect: 'late-interest',
              rate: Number(percent),
              per: stringOf(per),
              base: stringOf(base),
            }),
      ),
      ...each('termination_rights', ({ by, ground, notice, noticeBusinessDays, cure, cureBusinessDays }) =>
        factOf('termination_right', {
          by: stringOf(by),
          ground: stringOf(ground),
          notice: durationOf(notice, noticeBusinessDays),
          cure: durationOf(cure, cureBusinessDays),
        }),
      ),
      ...each('ip_ownership', ({ subject, owner }) =>
        factOf('ip_ownership', { subject: stringOf(subject), owner: stringOf(owner) }),
      ),
      ...each('covenants', ({ type, by, duration, lasting }) =>
        factOf('covenant', {
          type: stringOf(type),
          by: stringOf(by),
          duration: durationOf(duration),
          lasting: stringOf(lasting),
        }),
      ),
      ...each('reference_problems', ({ kind, what }) =>
        factOf('drafting_defect', { type: defectOf.get(kind as string), subject: subjectOf(stringOf(what)) }),
      ),
      ...each('placeholders', ({ what }) =>
        factOf('drafting_defect', { type: 'placeholder', subject: stringOf(what) }),
      ),
      ...clauses.flatMap(clauseFacts),
    ],
  };
};

/** The labels name a missing clause only by its number, and an attachment with its word. */
function subjectOf(what: string | undefined): string | undefined {
  return what?.replace(/^(?:clause|section|article|paragraph|ziffer|abschnitt|artikel|§)s? /i, '');
}

const units: ReadonlyMap<string, string> = new Map([
  ['D', 'day'],
  ['W', 'week'],
  ['M', 'month'],
  ['Y', 'year'],
  ['TH', 'hour'],
]);

/** @param iso a duration of one unit: "P30D", "PT24H" */
function durationOf(iso: Json | undefined, isBusiness: Json | undefined = false): FactValue | undefined {
  const match = /^P(T?)(\d+(?:\.\d+)?)([A-Z])$/.exec(stringOf(iso) ?? '');
  if (match === null) return undefined;
  const unit = units.get(match[1]! + match[3]!);
  if (unit === undefined) return undefined;
  return { count: Number(match[2]), unit: unit === 'day' && isBusiness === true ? 'business day' : unit };
}

const dateKinds: ReadonlyMap<string, string> = new Map([
  ['effective', 'effective'],
  ['signature', 'signature'],
  ['start', 'commencement'],
  ['end', 'expiry'],
]);

function dateOf({ iso, role }: Entry): Fact | undefined {
  const what = dateKinds.get(role as string);
  return what === undefined ? undefined : factOf('date', { what, date: stringOf(iso) });
}

function liabilityCapOf({ kind, of, value, currency, percent, multiple, period }: Entry): Fact | undefined {
  const bearer = { of: stringOf(of) };
  switch (kind) {
    case 'amount':
      return factOf('liability_cap', {
        ...bearer,
        amount: Number(value),
        currency: stringOf(currency)?.toLowerCase(),
      });
    case 'percent of fees':
      return factOf('liability_cap', { ...bearer, multiple: Number(percent) / 100, period: durationOf(period) });
    case 'fees of a period':
      return factOf('liability_cap', { ...bearer, multiple: Number(multiple ?? 1), period: durationOf(period) });
    default:
      return undefined;
  }
}

const defectOf: ReadonlyMap<string, string> = new Map([
  ['clause not found', 'broken-reference'],
  ['schedule not found', 'broken-reference'],
  ['term defined twice', 'duplicate-definition'],
  ['defined term not used', 'unused-definition'],
  ['term not defined', 'undefined-term'],
]);

/** Checklist clauses with labels, by the code in the labels. */
const clauseOf: ReadonlyMap<string, string> = new Map([
  ['payment', 'payment'],
  ['termination', 'termination'],
  ['limitation_of_liability', 'liability'],
  ['confidentiality', 'confidentiality'],
  ['governing_law', 'governing-law'],
  ['data_protection', 'data-protection'],
  ['term', 'term'],
  ['indemnification', 'indemnity'],
  ['intellectual_property', 'ip'],
  ['warranties', 'warranty'],
  ['dispute_resolution', 'disputes'],
  ['force_majeure', 'force-majeure'],
  ['assignment', 'assignment'],
  ['notices', 'notices'],
  ['entire_agreement', 'entire-agreement'],
  ['insurance', 'insurance'],
]);

function clauseFacts({ id, status, gap }: Entry): Fact[] {
  const clause = clauseOf.get(id as string);
  if (clause === undefined) return [];
  if (status === 'left out') return [factOf('clause', { clause, status: 'left-out' })];
  if (status !== 'absent') return [factOf('clause', { clause, status: 'present' })];
  return gap === undefined ? [] : [factOf('clause', { clause, status: 'missing', severity: stringOf(gap) })];
}
