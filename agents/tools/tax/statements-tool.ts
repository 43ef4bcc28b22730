/** The tool that reports statements about deadlines, withheld taxes, permanent establishments and related parties. */
import type { AgentTool, Json } from '../../agent/agent.ts';
import type { Document } from '../../document/document.ts';
import { multiply, type Rational, rational, toText } from '../financial/rational.ts';
import { place, resultBytesMax, sharedBytes, toFindings } from '../findings.ts';
import { doubtCollector, leftOut, leftOutLines } from '../left-out.ts';
import { certainDeadlines, certainWithholdings, type Doubt, doubtReasons } from './certainty.ts';
import { type Establishment, findEstablishments } from './establishments.ts';
import { type Deadline, findDeadlines } from './filings.ts';
import { readLayout } from './layout.ts';
import { listedTransactions } from './related-lists.ts';
import { findRelatedTransactions, type RelatedTransaction } from './related-parties.ts';
import { proseTransactions } from './related-prose.ts';
import { correctTax, findWithholdings, type Withholding } from './withholding.ts';

const listMax = 60;

type Entry = { readonly [key: string]: Json };

export const taxStatementsTool: AgentTool = {
  name: 'tax_statements',
  version: '1',
  purpose:
    'Reads deadlines of filings and payments, taxes withheld, findings on permanent establishments and transactions with related parties. Text: memoranda, calendars, local files.',
  run(documents) {
    const layouts = documents.map(readLayout);
    const read = <Found>(
      find: (layout: (typeof layouts)[number]) => readonly Found[],
      toJson: (document: Document, found: Found) => Entry,
    ) => layouts.flatMap((layout) => find(layout).map((found) => toJson(layout.document, found))).slice(0, listMax);
    const { doubts, keep } = doubtCollector<Doubt>();
    const deadlines = read(
      (layout) => keep(certainDeadlines(layout.document.text, findDeadlines(layout))),
      deadlineJson,
    );
    const withheld = read((layout) => keep(certainWithholdings(findWithholdings(layout))), withholdingJson);
    const establishments = read(findEstablishments, establishmentJson);
    const transactions = read(
      (layout) => [...findRelatedTransactions(layout), ...listedTransactions(layout), ...proseTransactions(layout)],
      transactionJson,
    );
    const omitted = leftOut(doubts, doubtReasons);
    const lists = sharedBytes({ deadlines, withheld, establishments, transactions }, resultBytesMax);
    return toFindings(
      {
        note: 'As the text states it; whether a deadline or a rate is right in law is not checked.',
        deadlines: lists.deadlines.items,
        withholding_taxes: lists.withheld.items,
        permanent_establishments: lists.establishments.items,
        related_party_transactions: lists.transactions.items,
        left_out: omitted,
      },
      [
        ...lists.deadlines.items.map(
          (entry) => `${shown(entry, 'what')}: ${shown(entry, 'date', 'period')} ${placeOf(entry)}`,
        ),
        ...lists.withheld.items.map(
          (entry) =>
            `withheld ${shown(entry, 'rate_percent')} % on ${shown(entry, 'income', 'country')} ${shown(entry, 'amount', 'currency', 'article')}${typeof entry.correct_amount === 'string' ? `, but the rate of ${shown(entry, 'gross')} gives ${entry.correct_amount}` : ''} ${placeOf(entry)}`,
        ),
        ...lists.establishments.items.map(
          (entry) =>
            `permanent establishment in ${shown(entry, 'country')}: ${shown(entry, 'conclusion', 'form')} ${placeOf(entry)}`,
        ),
        ...lists.transactions.items.map(
          (entry) =>
            `${shown(entry, 'type')} with ${shown(entry, 'counterparty').slice(0, 60)}: ${shown(entry, 'amount', 'currency')} ${placeOf(entry)}`,
        ),
        ...leftOutLines(omitted),
      ],
      40,
    );
  },
};

function shown(entry: Entry, ...names: readonly string[]): string {
  return names.flatMap((name) => (typeof entry[name] === 'string' ? [entry[name]] : [])).join(' ');
}

function placeOf({ message, start, end }: Entry): string {
  return place({ message: message as number, start: start as number, end: end as number });
}

function deadlineJson(document: Document, { kind, date, period, ...range }: Deadline): Entry {
  return {
    what: kind,
    date: date ?? null,
    period: period === undefined ? null : `${period.count} ${period.unit}`,
    ...document.spanOf(range),
  };
}

function withholdingJson(
  document: Document,
  { rate, income, country, amount, gross, currency, article, ...range }: Withholding,
): Entry {
  const correct = correctTax({ rate, ...given('amount', amount), ...given('gross', gross), ...range });
  return {
    income: income ?? null,
    country: country ?? null,
    rate_percent: rate,
    amount: amount === undefined ? null : toText(amount, 2),
    gross: gross === undefined ? null : toText(gross, 2),
    correct_amount: correct === undefined ? null : toText(correct, 2),
    currency: currency ?? null,
    article: article ?? null,
    ...document.spanOf(range),
  };
}

function given<Name extends string>(name: Name, value: Rational | undefined): { [Key in Name]?: Rational } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Rational };
}

function establishmentJson(
  document: Document,
  { conclusion, country, form, duration, ...range }: Establishment,
): Entry {
  return {
    country: country ?? null,
    form: form ?? null,
    conclusion,
    duration: duration === undefined ? null : `${duration.count} ${duration.unit}`,
    ...document.spanOf(range),
  };
}

function transactionJson(
  document: Document,
  { counterparty, type, amount, unit, ...range }: RelatedTransaction,
): Entry {
  return {
    counterparty: counterparty.slice(0, 120).toWellFormed(),
    type,
    amount: toText(multiply(amount, rational(10n ** BigInt(unit.zeros))), 2),
    currency: unit.currency ?? null,
    ...document.spanOf(range),
  };
}
