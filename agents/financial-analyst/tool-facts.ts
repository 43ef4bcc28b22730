/** Converts the findings of the financial analyst's tools to facts: figures, ratios, growth, tie-out checks and scores. */
import type { ToolFacts } from '../agent/agent.ts';
import { factOf } from '../agent/tool-results.ts';
import type { Fact } from '../agent/vocabulary.ts';
import {
  counts,
  dateOf,
  type Growth,
  growthFacts,
  itemCodes,
  measureCodes,
  ratioFacts,
  spanOf,
  spanOfFlow,
  type Valued,
  type Values,
} from './figure-facts.ts';

interface Figures {
  readonly currencies: readonly string[];
  readonly figures: readonly { readonly item: string; readonly values: readonly Valued[] }[];
  readonly failures: readonly {
    readonly check: string;
    readonly period?: string;
    readonly stated: string;
    readonly correct: string;
    readonly severity: string;
  }[];
}

interface Scores {
  readonly altman: readonly (Valued & { readonly model: string })[];
  readonly piotroski: readonly { readonly period: string; readonly passed: number; readonly computed: number }[];
  readonly beneish: readonly Valued[];
}

export const toolFacts: ToolFacts = (results) => ({
  facts: [
    ...statementFacts(results.financial_statements as unknown as Figures),
    ...ratioFacts(results.financial_ratios as unknown as readonly { id: string; values: Valued[] }[]),
    ...growthFacts((results.financial_growth as unknown as { readonly growth: readonly Growth[] }).growth),
    ...scoreFacts(results.financial_scores as unknown as Scores),
    ...disclosureFacts(results.financial_disclosures as unknown as Disclosures),
  ],
});

function statementFacts({ currencies, figures, failures }: Figures): Fact[] {
  const currency: Values = currencies.length === 1 ? { currency: currencies[0]!.toLowerCase() } : {};
  return [
    ...figures.flatMap(({ item, values }) => values.flatMap((value) => figureFact(item, value, currency))),
    ...failures.map(({ check, stated, correct, severity, period = '' }) =>
      factOf('tie_out_failure', {
        check,
        severity,
        stated: Number(stated),
        correct: Number(correct),
        ...dateOf(period),
      }),
    ),
  ];
}

function figureFact(item: string, { period, value }: Valued, currency: Values): Fact[] {
  const amount = Number(value);
  const code = itemCodes[item];
  if (period.endsWith('E')) {
    const forecast = { low: amount, high: amount, ...currency, ...dateOf(period.slice(0, -1)) };
    return [factOf('guidance', { measure: code ?? measureCodes[item] ?? item, ...forecast })];
  }
  const when = { ...dateOf(period), ...spanOf(item, period) };
  const measure = measureCodes[item];
  if (measure !== undefined) return [factOf('non_gaap_measure', { measure, amount, ...currency, ...when })];
  return code === undefined
    ? []
    : [factOf('line_item', { item: code, amount, ...(counts.has(item) ? {} : currency), ...when })];
}

interface Disclosures {
  readonly bases: readonly { readonly framework?: string; readonly currency?: string; readonly unit?: string }[];
  readonly segments: readonly (Money & { readonly segment: string; readonly item: string; readonly value: string })[];
  readonly guidance: readonly (Money & { readonly measure: string; readonly low: string; readonly high: string })[];
  readonly restatements: readonly (Money & {
    readonly item: string;
    readonly reported: string;
    readonly restated: string;
  })[];
  readonly organic_growth: readonly { readonly percent: string; readonly period: string }[];
  readonly covenants: readonly {
    readonly covenant: string;
    readonly limit: string;
    readonly bound: string;
    readonly actual: string;
    readonly outcome: string;
    readonly test_date?: string;
  }[];
}

interface Money {
  readonly currency?: string;
  readonly period?: string;
}

function moneyOf({ currency }: Money): Values {
  return currency === undefined ? {} : { currency: currency.toLowerCase() };
}

function disclosureFacts({ bases, segments, guidance, restatements, covenants, organic_growth }: Disclosures): Fact[] {
  return [
    ...bases.map(({ framework, unit, ...money }) =>
      factOf('reporting_basis', {
        ...(framework === undefined ? {} : { framework }),
        ...(unit === undefined ? {} : { scale: Number(unit) }),
        ...moneyOf(money),
      }),
    ),
    ...segments.map(({ segment, item, value, period = '', ...money }) =>
      factOf('segment_figure', {
        segment,
        item: item === 'revenue' ? 'revenue' : 'operating-income',
        amount: Number(value),
        ...moneyOf(money),
        ...dateOf(period),
        ...spanOfFlow(period),
      }),
    ),
    ...guidance.map(({ measure, low, high, period = '', ...money }) =>
      factOf('guidance', {
        measure: guidanceCodes[measure] ?? itemCodes[measure] ?? measureCodes[measure] ?? measure,
        low: Number(low),
        high: Number(high),
        ...moneyOf(money),
        ...dateOf(period),
      }),
    ),
    ...organic_growth.map(({ percent, period }) =>
      factOf('non_gaap_measure', {
        measure: 'organic-growth',
        amount: Number(percent),
        ...dateOf(period),
        ...spanOfFlow(period),
      }),
    ),
    ...restatements.flatMap(({ item, reported, restated, period = '', ...money }) => {
      // Restated measures such as EBITDA are no standard lines.
      const code = itemCodes[item];
      const amounts = { reported: Number(reported), restated: Number(restated) };
      return code === undefined
        ? []
        : [factOf('restatement', { item: code, ...amounts, ...moneyOf(money), ...dateOf(period) })];
    }),
    ...covenants.map(({ test_date, limit, actual, covenant, bound, outcome }) =>
      factOf('covenant_test', {
        covenant,
        bound,
        outcome,
        limit: Number(limit),
        actual: Number(actual),
        ...(test_date === undefined ? {} : { test_date }),
      }),
    ),
  ];
}

const guidanceCodes: Readonly<Record<string, string>> = {
  eps: 'eps',
  operating_margin: 'operating-margin',
  tax_rate: 'tax-rate',
  revenue_growth: 'revenue-growth',
};

const altmanCodes: Readonly<Record<string, string>> = {
  z: 'altman-z',
  z_prime: 'altman-z-private',
  z_double_prime: 'altman-z-emerging',
};

/** With fewer than nine computable signals, there is no Piotroski score. */
function scoreFacts({ altman, piotroski, beneish }: Scores): Fact[] {
  return [
    ...altman.flatMap(({ model, ...valued }) => scoreFact(altmanCodes[model]!, valued)),
    ...piotroski
      .filter(({ computed }) => computed === 9)
      .map(({ period, passed }) => factOf('score', { model: 'piotroski-f', value: passed, ...dateOf(period) })),
    ...beneish.flatMap((valued) => scoreFact('beneish-m', valued)),
  ];
}

function scoreFact(model: string, { period, value }: Valued): Fact[] {
  return value === undefined ? [] : [factOf('score', { model, value: Number(value), ...dateOf(period) })];
}
