/** The findings of the contract analyst's tools as facts of `documents/contract-analyst/kinds.json`. */
import type { Json } from '../../../agents/agent/agent.ts';
import type { Adapter, Fact, FieldValue } from '../adapter.ts';

interface Entry {
  readonly [key: string]: Json;
}

export const adapter: Adapter = ({ clause_checklist: checklist, contract_facts: extracted }) => {
  const lists = extracted as unknown as Record<string, { readonly items: readonly Entry[] }>;
  const each = (list: string, toFact: (entry: Entry) => Fact | undefined): Fact[] =>
    (lists[list]?.items ?? []).map(toFact).filter((fact) => fact !== undefined);
  const { score, clauses } = checklist as unknown as { score: number | null; clauses: readonly Entry[] };
  return {
    score,
    facts: [
      ...each('parties', partyOf),
      ...each('dates', dateOf),
      ...each('auto_renewal', ({ period, optOut }) =>
        factOf('term', { renewal: 'automatic', renewal_length: durationOf(period), notice: durationOf(optOut) }),
      ),
      ...each('governing_law', ({ law }) =>
        factOf('governing_law', { jurisdiction: countryOf.get(law as string) ?? (law as string) }),
      ),
      ...each('forums', ({ kind, place, rules }) =>
        factOf('dispute_forum', { mechanism: kind as string, place: stringOf(place), rules: stringOf(rules) }),
      ),
      ...each('liability_caps', liabilityCapOf),
      ...each('payment_terms', ({ kind, within, businessDays, percent }) =>
        kind === 'due'
          ? factOf('payment', { aspect: 'due', period: durationOf(within, businessDays) })
          : factOf('payment', { aspect: 'late-interest', rate: Number(percent) }),
      ),
      ...each('notice_periods', terminationRightOf),
      ...each('watch_points', ({ kind }) =>
        covenants.has(kind as string) ? factOf('covenant', { type: kind as string }) : undefined,
      ),
      ...each('reference_problems', ({ kind, what }) =>
        factOf('drafting_defect', { type: defectOf.get(kind as string), subject: stringOf(what) }),
      ),
      ...clauses.flatMap(clauseFacts),
    ],
  };
};

function factOf(kind: string, fields: { readonly [field: string]: FieldValue | undefined }): Fact {
  const given = Object.entries(fields).filter((entry): entry is [string, FieldValue] => entry[1] !== undefined);
  return { kind, value: Object.fromEntries(given) };
}

function stringOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const units: ReadonlyMap<string, string> = new Map([
  ['D', 'day'],
  ['W', 'week'],
  ['M', 'month'],
  ['Y', 'year'],
  ['TH', 'hour'],
]);

/** @param iso of one unit: "P30D", "PT24H" */
function durationOf(iso: Json | undefined, isBusiness: Json | undefined = false): FieldValue | undefined {
  const match = /^P(T?)(\d+(?:\.\d+)?)([A-Z])$/.exec(stringOf(iso) ?? '');
  if (match === null) return undefined;
  const unit = units.get(match[1]! + match[3]!);
  if (unit === undefined) return undefined;
  return { count: Number(match[2]), unit: unit === 'day' && isBusiness === true ? 'business day' : unit };
}

/** Roles as contracts write them. A role that says nothing about the kind of contract ("Company") has no code. */
const roleOf: ReadonlyMap<string, string> = new Map([
  ...pairs('customer', 'customer client purchaser buyer auftraggeber kunde kundin'),
  ...pairs('supplier', 'supplier provider vendor seller lieferant anbieter anbieterin'),
  ...pairs('discloser', 'discloser disclosing'),
  ...pairs('recipient', 'recipient receiving'),
  ...pairs('landlord', 'landlord lessor vermieter'),
  ...pairs('tenant', 'tenant lessee mieter'),
  ...pairs('contractor', 'contractor consultant auftragnehmer'),
  ...[
    'lender',
    'borrower',
    'guarantor',
    'licensor',
    'licensee',
    'principal',
    'distributor',
    'controller',
    'processor',
  ].map((role): [string, string] => [role, role]),
]);

function pairs(code: string, words: string): [string, string][] {
  return words.split(' ').map((word) => [word, code]);
}

function partyOf({ name, role }: Entry): Fact {
  const [firstWord] = (stringOf(role) ?? '').toLowerCase().split(' ');
  return factOf('party', { name: stringOf(name), role: roleOf.get(firstWord ?? '') });
}

function dateOf({ iso, role }: Entry): Fact | undefined {
  switch (role) {
    case 'start':
      return factOf('date', { what: 'commencement', date: stringOf(iso) });
    case 'end':
      return factOf('date', { what: 'expiry', date: stringOf(iso) });
    case 'signature or effective':
      // The tool does not say which of the two.
      return factOf('date', { date: stringOf(iso) });
    default:
      return undefined;
  }
}

/** Laws that contracts name by an adjective. */
const countryOf: ReadonlyMap<string, string> = new Map([
  ['English', 'England and Wales'],
  ['German', 'Germany'],
]);

function liabilityCapOf({ kind, value, currency, percent }: Entry): Fact | undefined {
  switch (kind) {
    case 'amount':
      return factOf('liability_cap', { amount: Number(value), currency: stringOf(currency)?.toLowerCase() });
    case 'percent of fees':
      return factOf('liability_cap', { multiple: Number(percent) / 100 });
    case 'fees of a period':
      return factOf('liability_cap', { multiple: 1 });
    default:
      return undefined;
  }
}

function terminationRightOf({ purpose, period, businessDays }: Entry): Fact | undefined {
  const duration = durationOf(period, businessDays);
  if (purpose === 'termination') return factOf('termination_right', { notice: duration });
  if (purpose === 'cure of breach') return factOf('termination_right', { ground: 'material-breach', cure: duration });
  return undefined;
}

const covenants: ReadonlySet<string> = new Set(['exclusivity', 'non-compete', 'non-solicitation']);

const defectOf: ReadonlyMap<string, string> = new Map([
  ['clause not found', 'broken-reference'],
  ['schedule not found', 'broken-reference'],
  ['term defined twice', 'duplicate-definition'],
  ['defined term not used', 'unused-definition'],
]);

/** Clauses of the checklist by their code among the labels; the labels know no others. */
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

function clauseFacts({ id, status, severity, points, why }: Entry): Fact[] {
  const facts: Fact[] = [];
  const clause = clauseOf.get(id as string);
  if (clause !== undefined && status !== 'absent') facts.push(factOf('clause', { clause, status: 'present' }));
  // No points: the tool expects contracts of this kind to leave the clause out.
  if (clause !== undefined && status === 'absent' && points !== 0) {
    facts.push(factOf('clause', { clause, status: 'missing', severity: stringOf(severity) }));
  }
  if (/\bplaceholders? still open\b/.test(stringOf(why) ?? '')) {
    facts.push(factOf('drafting_defect', { type: 'placeholder' }));
  }
  return facts;
}
