/** Converts the findings of the due-diligence tools to facts of `facts.json`. */
import type { Json, ToolFacts } from '../agent/agent.ts';
import { factOf, stringOf } from '../agent/tool-results.ts';
import type { Fact, FactValue } from '../agent/vocabulary.ts';

interface Entry {
  readonly [key: string]: Json;
}

interface List {
  readonly items: readonly Entry[];
}

export const toolFacts: ToolFacts = ({
  red_flags: flags,
  cap_table: capTable,
  change_of_control_and_litigation: mentions,
  data_room: dataRoom,
  deal_terms: terms,
}) => {
  const { raised } = flags as unknown as { raised: readonly Entry[] };
  const { table, convertibles, round, valuation_disagreements: valuations } = capTable as unknown as CapTableResult;
  const { agreements, disputes } = mentions as unknown as Readonly<Record<string, List>>;
  const { entries } = dataRoom as unknown as { readonly entries: List };
  return {
    facts: [
      ...raised.flatMap(flagOf),
      ...(table?.lines.items ?? []).map(holdingOf),
      ...(table?.disagreements ?? []).flatMap(disagreementOf),
      ...(valuations ?? []).map(({ stated, computed }) =>
        factOf('arithmetic_error', { figure: 'valuation', stated: numberOf(stated), computed: numberOf(computed) }),
      ),
      ...convertibles.items.flatMap(instrumentOf),
      ...(round.computed === undefined ? [] : [roundPriceOf(round.computed)]),
      ...agreements!.items.map(agreementOf),
      ...disputes!.items.map(disputeOf),
      ...entries.items.map(dataRoomItemOf),
      ...termsOf(terms as unknown as Readonly<Record<string, List>>),
    ],
  };
};

interface CapTableResult {
  readonly table?: { readonly lines: List; readonly disagreements: readonly string[] };
  readonly convertibles: List;
  readonly round: { readonly computed?: Entry };
  readonly valuation_disagreements?: readonly Entry[];
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'string' ? Number(value) : undefined;
}

function currencyOf(value: Json | undefined): string | undefined {
  return stringOf(value)?.toLowerCase();
}

/** Flags that state a problem. Flags for terms (a change of control, a veto, exclusivity) belong to other kinds. */
const categoryOf: ReadonlyMap<string, string> = new Map([
  ['disputed_ownership', 'disputed-ownership'],
  ['encumbered_shares', 'encumbered-shares'],
  ['missing_minutes', 'corporate-records'],
  ['related_parties', 'related-party'],
  ['going_concern', 'going-concern'],
  ['qualified_audit', 'qualified-audit'],
  ['covenant_breach', 'covenant-breach'],
  ['unaudited', 'unaudited'],
  ['contingent_liabilities', 'contingent-liability'],
  ['revenue_recognition', 'revenue-recognition'],
  ['overdue_receivables', 'overdue-receivables'],
  ['tax_dispute', 'tax-exposure'],
  ['transfer_pricing_gap', 'tax-exposure'],
  ['permanent_establishment', 'tax-exposure'],
  ['criminal_investigation', 'regulatory-investigation'],
  ['regulatory_investigation', 'regulatory-investigation'],
  ['restatement', 'restatement'],
  ['internal_control', 'internal-control'],
  ['pending_litigation', 'pending-litigation'],
  ['product_liability', 'product-liability'],
  ['customer_concentration', 'customer-concentration'],
  ['supplier_dependency', 'supplier-dependency'],
  ['churn', 'customer-loss'],
  ['ip_not_owned', 'ip-ownership-gap'],
  ['ip_infringement', 'ip-infringement'],
  ['copyleft', 'open-source'],
  ['ip_expiry', 'ip-expiry'],
  ['key_people', 'key-person'],
  ['employment_claims', 'employment'],
  ['pension_deficit', 'pension-deficit'],
  ['works_council', 'employment'],
  ['data_breach', 'data-breach'],
  ['privacy_gaps', 'privacy'],
  ['legacy_systems', 'legacy-systems'],
  ['sanctions', 'export-control'],
  ['missing_licence', 'expired-permit'],
  ['antitrust', 'antitrust'],
  ['state_aid', 'subsidy'],
  ['contamination', 'environmental'],
  ['lease_issues', 'lease'],
  ['insurance_gaps', 'insurance'],
]);

function flagOf({ id, severity }: Entry): Fact[] {
  const category = categoryOf.get(id as string);
  return category === undefined ? [] : [factOf('red_flag', { category, severity: stringOf(severity) })];
}

function holdingOf({ holder, share_class: share, shares, percent }: Entry): Fact {
  return factOf('holding', {
    holder: stringOf(holder),
    share_class: stringOf(share),
    shares: numberOf(shares),
    percent: numberOf(percent),
  });
}

/** The tool states disagreements as sentences. */
function disagreementOf(sentence: string): Fact[] {
  const shares = /adds? up to (\d+), the table says (\d+)$/.exec(sentence);
  if (shares !== null) return [errorOf('total-shares', shares)];
  const total = /percentages add up to ([\d.]+) %, the table says ([\d.]+) %$/.exec(sentence);
  if (total !== null) return [errorOf('total-percent', total)];
  const percents = /holds ([\d.]+) %, the table says (-?[\d.]+) %$/.exec(sentence);
  return percents === null ? [] : [errorOf('holder-percent', percents)];
}

function errorOf(figure: string, [, computed, stated]: RegExpExecArray): Fact {
  return factOf('arithmetic_error', { figure, stated: Number(stated), computed: Number(computed) });
}

function instrumentOf({ amount, currency, cap, discount_percent: discount }: Entry): Fact[] {
  const money = (term: string, value: Json) =>
    factOf('money_term', { term, amount: numberOf(value), currency: currencyOf(currency) });
  return [
    money('investment', amount!),
    ...(cap === undefined ? [] : [money('valuation-cap', cap)]),
    ...(discount === undefined ? [] : [factOf('rate_term', { term: 'discount', percent: numberOf(discount) })]),
  ];
}

function roundPriceOf({ price }: Entry): Fact {
  return factOf('money_term', { term: 'price-per-share', amount: numberOf(price) });
}

function agreementOf({ counterparty, consequence }: Entry): Fact {
  return factOf('change_of_control', { counterparty: stringOf(counterparty), consequence: stringOf(consequence) });
}

function disputeOf({ claimant, respondent, amount, currency, status }: Entry): Fact {
  return factOf('litigation', {
    claimant: stringOf(claimant),
    respondent: stringOf(respondent),
    amount: numberOf(amount),
    currency: currencyOf(currency),
    status: stringOf(status),
  });
}

/** The entries of the index. Usual items that no line names have no kind. */
function dataRoomItemOf({ title, status }: Entry): Fact {
  return factOf('data_room_item', { item: stringOf(title), status: stringOf(status) });
}

/** Fields of the tool's lists that have the same name in the labels. */
function termsOf({
  values,
  preferences,
  anti_dilution: forms,
  consents,
  seats,
  warranty_limits: limits,
}: Readonly<Record<string, List>>): Fact[] {
  return [
    ...values!.items.map(valueTermOf),
    ...preferences!.items.map(({ share_class: share, multiple, participation, cap_multiple: cap }) =>
      factOf('liquidation_preference', {
        share_class: stringOf(share),
        multiple: numberOf(multiple),
        participation: stringOf(participation),
        cap_multiple: numberOf(cap),
      }),
    ),
    ...forms!.items.map(({ form }) => factOf('anti_dilution', { form: stringOf(form) })),
    ...consents!.items.map(({ action }) => factOf('protective_provision', { action: stringOf(action) })),
    ...seats!.items.map(({ elected_by: by, seats: count }) =>
      factOf('board_seats', { elected_by: stringOf(by), seats: count as number }),
    ),
    ...limits!.items.map(({ limit, scope, amount, currency, percent, count, unit }) =>
      factOf('warranty_limit', {
        limit: stringOf(limit),
        scope: stringOf(scope),
        amount: numberOf(amount),
        currency: currencyOf(currency),
        percent: numberOf(percent),
        length: lengthOf(count, unit),
      }),
    ),
  ];
}

function valueTermOf({ kind, term, value, currency, count, unit, date }: Entry): Fact {
  if (kind === 'money')
    return factOf('money_term', { term: stringOf(term), amount: numberOf(value), currency: currencyOf(currency) });
  if (kind === 'rate') return factOf('rate_term', { term: stringOf(term), percent: numberOf(value) });
  return factOf('period_term', { term: stringOf(term), length: lengthOf(count, unit), date: stringOf(date) });
}

function lengthOf(count: Json | undefined, unit: Json | undefined): FactValue | undefined {
  return count === undefined || unit === undefined ? undefined : { count: Number(count), unit: String(unit) };
}
