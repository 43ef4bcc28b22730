/** Converts the findings of the tax analyst's tools to facts of `facts.json`. */
import type { Json, ToolFacts } from '../agent/agent.ts';
import { factOf, stringOf } from '../agent/tool-results.ts';
import type { Fact } from '../agent/vocabulary.ts';

interface Entry {
  readonly [key: string]: Json;
}

export const toolFacts: ToolFacts = (results) => ({
  facts: [
    ...entriesOf(results.invoice_facts, 'invoices').flatMap(invoiceFacts),
    ...entriesOf(results.vat_ids, 'ids').map(vatNumberOf),
    ...entriesOf(results.effective_tax_rate_bridge, 'bridges').flatMap(bridgeFacts),
    ...pricingFacts(results.transfer_pricing_range),
    ...entriesOf(results.dac6_hallmark_hints, 'assessed').map(({ id, status }) =>
      factOf('dac6_hallmark', { hallmark: hallmarkOf(id), status: stringOf(status) }),
    ),
    ...entriesOf(results.pillar_two_top_up, 'stated').map((entry) =>
      factOf('pillar_two', {
        jurisdiction: stringOf(entry.country),
        effective_rate: numberOf(entry.effective_rate_percent),
        top_up_tax: numberOf(entry.top_up_tax),
        currency: stringOf(entry.currency)?.toLowerCase(),
      }),
    ),
    ...entriesOf(results.pillar_two_top_up, 'jurisdictions').flatMap(topUpFacts),
    ...statementFacts(results.tax_statements),
  ],
});

function entriesOf(result: Json | undefined, list: string): readonly Entry[] {
  return ((result as Entry | undefined)?.[list] ?? []) as readonly Entry[];
}

/** @param value a decimal number as text, with or without a percent sign */
function numberOf(value: Json | undefined): number | undefined {
  const text = stringOf(value)?.replace(/ %$/, '');
  return text === undefined || text === '' ? undefined : Number(text);
}

function invoiceFacts(entry: Entry): Fact[] {
  const read = (name: string) => stringOf((entry[name] as Entry | undefined)?.value);
  const invoice = read('number');
  const currency = stringOf(entry.currency)?.toLowerCase();
  const money = (from: Entry) =>
    Object.fromEntries(
      ['net', 'tax', 'gross'].map((name) => [name, numberOf((from[name] as Entry | undefined)?.value)]),
    );
  return [
    factOf('invoice', { number: invoice, type: stringOf(entry.type), seller: read('seller'), buyer: read('buyer') }),
    factOf('invoice_amounts', { invoice, line: 'total', ...money(entry), currency }),
    ...entriesOf(entry, 'by_rate').map((rate) =>
      factOf('invoice_amounts', { invoice, line: 'rate', rate: numberOf(rate.rate_percent), ...money(rate), currency }),
    ),
    ...entriesOf(entry, 'dates').map(({ what, date }) =>
      factOf('tax_date', { what: stringOf(what), date: stringOf(date), invoice }),
    ),
    ...entriesOf(entry, 'notes').map(({ note }) => factOf('invoice_note', { invoice, note: stringOf(note) })),
    ...entriesOf(entry, 'errors').map(errorFact),
    ...entriesOf(entry, 'missing').map(({ particular, severity }) =>
      factOf('missing_particular', { invoice, particular: stringOf(particular), severity: stringOf(severity) }),
    ),
  ];
}

function errorFact({ of, stated, correct }: Entry): Fact {
  return factOf('arithmetic_error', { of: stringOf(of), stated: numberOf(stated), correct: numberOf(correct) });
}

function vatNumberOf({ country, number, verdict }: Entry): Fact {
  const code = stringOf(country)!.slice(0, 2).toLowerCase();
  return factOf('vat_number', {
    country: code === 'el' ? 'gr' : code,
    number: stringOf(number)!,
    checksum: verdict === 'valid' ? 'valid' : 'invalid',
  });
}

function bridgeFacts(bridge: Entry): Fact[] {
  const period = /^\d{4}$/.exec(stringOf(bridge.period) ?? '')?.[0];
  const scale = 10 ** ((bridge.unit_zeros as number | undefined) ?? 0);
  const amountOf = (value: Json | undefined) => {
    const amount = numberOf(value);
    return amount === undefined ? undefined : Math.round(amount * scale * 100) / 100;
  };
  const line = (role: string, amount: Json | undefined, rate: Json | undefined, item?: Json) =>
    factOf('tax_rate_bridge', {
      role,
      item: stringOf(item),
      amount: amountOf(amount),
      rate: numberOf(rate),
      period,
      currency: amountOf(amount) === undefined ? undefined : stringOf(bridge.currency)?.toLowerCase(),
    });
  return [
    line('statutory', bridge.expected_tax, bridge.stated_rate_percent),
    ...entriesOf(bridge, 'items').map(({ label, amount, stated_points: points }) =>
      line('item', amount, points, label),
    ),
    line('effective', bridge.total_tax, bridge.stated_effective_rate_percent),
    ...entriesOf(bridge, 'errors').map(({ unit, stated, correct }) => {
      const read = unit === 'amount' ? amountOf : numberOf;
      return factOf('arithmetic_error', { of: 'bridge-total', stated: read(stated), correct: read(correct) });
    }),
  ];
}

/** Tests as the text states them; if it states none, the range by linear interpolation, like most documents. */
function pricingFacts(result: Json | undefined): Fact[] {
  const stated = entriesOf(result, 'stated_tests').map(({ lower, median, upper, result: own, position }) =>
    factOf('transfer_pricing', {
      lower_quartile: numberOf(lower),
      median: numberOf(median),
      upper_quartile: numberOf(upper),
      result: numberOf(own),
      position: stringOf(position),
    }),
  );
  return [
    ...entriesOf(result, 'applied_methods').map(({ method, tested_party: party }) =>
      factOf('transfer_pricing', { method: stringOf(method), tested_party: stringOf(party) }),
    ),
    ...(stated.length > 0 ? stated : entriesOf(result, 'sets').flatMap(comparableSetFacts)),
  ];
}

function comparableSetFacts({ ranges, tested }: Entry): Fact[] {
  return (ranges as readonly Entry[])
    .filter(({ method }) => method === 'linear_interpolation')
    .map(({ lower, median, upper, position }) =>
      factOf('transfer_pricing', {
        lower_quartile: numberOf(lower),
        median: numberOf(median),
        upper_quartile: numberOf(upper),
        result: numberOf((tested as Entry | undefined)?.value),
        position: positionOf(position),
      }),
    );
}

/** "C1(b)(i)" is the label's "c1-b-i". */
function hallmarkOf(id: Json | undefined): string | undefined {
  return stringOf(id)?.toLowerCase().replaceAll(/[()]+/g, '-').replace(/-$/, '');
}

function durationOf(value: Json | undefined): { readonly count: number; readonly unit: string } | undefined {
  const [count, unit] = stringOf(value)?.split(' ') ?? [];
  return count === undefined || unit === undefined ? undefined : { count: Number(count), unit };
}

function statementFacts(result: Json | undefined): Fact[] {
  return [
    ...entriesOf(result, 'deadlines').map(({ what, date, period }) =>
      factOf('tax_date', { what: stringOf(what), date: stringOf(date), period: durationOf(period) }),
    ),
    ...entriesOf(result, 'withholding_taxes').map((entry) =>
      factOf('withholding_tax', {
        income: stringOf(entry.income),
        country: stringOf(entry.country),
        rate: numberOf(entry.rate_percent),
        amount: numberOf(entry.amount),
        currency: stringOf(entry.currency)?.toLowerCase(),
        article: stringOf(entry.article),
      }),
    ),
    ...entriesOf(result, 'withholding_taxes').flatMap(({ amount, correct_amount: correct }) =>
      correct === null ? [] : [errorFact({ of: 'withholding-tax', stated: amount!, correct: correct! })],
    ),
    ...entriesOf(result, 'permanent_establishments').map((entry) =>
      factOf('permanent_establishment', {
        country: stringOf(entry.country),
        form: stringOf(entry.form),
        conclusion: stringOf(entry.conclusion),
        duration: durationOf(entry.duration),
      }),
    ),
    ...entriesOf(result, 'related_party_transactions').map((entry) =>
      factOf('related_party_transaction', {
        counterparty: stringOf(entry.counterparty),
        type: stringOf(entry.type),
        amount: numberOf(entry.amount),
        currency: stringOf(entry.currency)?.toLowerCase(),
      }),
    ),
  ];
}

function positionOf(position: Json | undefined): string | undefined {
  const text = stringOf(position);
  if (text === undefined) return undefined;
  return text === 'within' ? 'inside' : 'outside';
}

const codes = 'ae at be bg ch cy cz de dk es fr gb hu ie it lu mt nl no pl pt sg us hk bb je lt'.split(' ');
const codeOfName: ReadonlyMap<string, string> = new Map(
  ['en', 'de', 'fr', 'it', 'es', 'nl', 'pl'].flatMap((language) => {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    return codes.map((code): [string, string] => [names.of(code.toUpperCase())!.toLowerCase(), code]);
  }),
);

/** Empty if the tool reports that it cannot compute the top-up tax. */
function topUpFacts(entry: Entry): Fact[] {
  const rate = numberOf(entry.effective_rate_percent);
  const tax = numberOf(entry.top_up_tax);
  const stated = numberOf(entry.stated_top_up_tax);
  if (stated !== undefined) {
    // The text's own figure is the fact; a computation from all its inputs that gives another one is an error of the text.
    const isOff =
      tax !== undefined && Math.abs(tax - stated) > Math.max(1, tax / 1_000) && tax < stated * 2 && stated < tax * 2;
    return isOff ? [factOf('arithmetic_error', { of: 'top-up-tax', stated, correct: tax })] : [];
  }
  if (rate === undefined && tax === undefined) return [];
  const name = stringOf(entry.name)!;
  return [
    factOf('pillar_two', {
      jurisdiction: codeOfName.get(name.toLowerCase()) ?? name,
      effective_rate: rate,
      top_up_tax: tax,
    }),
  ];
}
