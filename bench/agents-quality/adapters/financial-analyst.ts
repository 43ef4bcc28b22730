/** Converts the findings of the financial analyst's tools to facts: figures, ratios, growth, tie-out checks and scores. */
import type { Adapter, Fact, FieldValue } from '../adapter.ts';

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

interface Valued {
  readonly period: string;
  readonly value?: string;
}

interface Growth {
  readonly item: string;
  readonly to: string;
  readonly percent?: string;
}

interface Scores {
  readonly altman: readonly (Valued & { readonly model: string })[];
  readonly piotroski: readonly { readonly period: string; readonly passed: number; readonly computed: number }[];
  readonly beneish: readonly Valued[];
}

type Values = Readonly<Record<string, FieldValue>>;

export const adapter: Adapter = (results) => ({
  facts: [
    ...statementFacts(results.financial_statements as unknown as Figures),
    ...ratioFacts(results.financial_ratios as unknown as readonly { id: string; values: Valued[] }[]),
    ...growthFacts((results.financial_growth as unknown as { readonly growth: readonly Growth[] }).growth),
    ...scoreFacts(results.financial_scores as unknown as Scores),
    ...disclosureFacts(results.financial_disclosures as unknown as Disclosures),
  ],
});

const itemCodes: Readonly<Record<string, string>> = {
  revenue: 'revenue',
  cost_of_sales: 'cost-of-revenue',
  gross_profit: 'gross-profit',
  sga: 'selling-general-administrative',
  depreciation: 'depreciation-amortization',
  ebit: 'operating-income',
  interest_expense: 'interest-expense',
  pre_tax_income: 'pretax-income',
  income_tax: 'income-tax',
  net_income: 'net-income',
  cash: 'cash',
  receivables: 'receivables',
  inventories: 'inventories',
  current_assets: 'current-assets',
  ppe: 'property-plant-equipment',
  total_assets: 'total-assets',
  payables: 'payables',
  short_term_debt: 'short-term-debt',
  current_liabilities: 'current-liabilities',
  long_term_debt: 'long-term-debt',
  total_liabilities: 'total-liabilities',
  retained_earnings: 'retained-earnings',
  equity: 'equity',
  operating_cash_flow: 'operating-cash-flow',
  capex: 'capital-expenditure',
  dividends_paid: 'dividends-paid',
  research_development: 'research-development',
  cost_of_materials: 'cost-of-materials',
  personnel_expense: 'personnel-expense',
  net_income_attributable: 'net-income-attributable',
  eps_basic: 'eps-basic',
  eps_diluted: 'eps-diluted',
  shares_basic: 'shares-basic',
  shares_diluted: 'shares-diluted',
  goodwill: 'goodwill',
  deferred_revenue: 'deferred-revenue',
  provisions: 'provisions',
  total_liabilities_and_equity: 'total-liabilities-and-equity',
  opening_cash: 'cash',
  closing_cash: 'cash',
  investing_cash_flow: 'investing-cash-flow',
  financing_cash_flow: 'financing-cash-flow',
};

/** Measures that no standard defines. */
const measureCodes: Readonly<Record<string, string>> = {
  ebitda: 'ebitda',
  adjusted_ebitda: 'adjusted-ebitda',
  adjusted_operating_income: 'adjusted-operating-income',
  adjusted_net_income: 'adjusted-net-income',
  adjusted_eps: 'adjusted-eps',
  stated_free_cash_flow: 'free-cash-flow',
  stated_net_debt: 'net-debt',
};

/** Counts, which have no currency. */
const counts = new Set(['shares_basic', 'shares_diluted']);

/** Items of the balance sheet, which have a date instead of a length. */
const balances = new Set([
  'cash',
  'opening_cash',
  'closing_cash',
  'receivables',
  'inventories',
  'current_assets',
  'ppe',
  'goodwill',
  'total_assets',
  'payables',
  'deferred_revenue',
  'provisions',
  'short_term_debt',
  'current_liabilities',
  'long_term_debt',
  'total_liabilities',
  'total_liabilities_and_equity',
  'retained_earnings',
  'equity',
  'stated_net_debt',
]);

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

const ratioCodes: Readonly<Record<string, string>> = {
  current_ratio: 'current-ratio',
  debt_to_equity: 'debt-to-equity',
  equity_ratio: 'equity-ratio',
  gross_margin: 'gross-margin',
  operating_margin: 'operating-margin',
  net_margin: 'net-margin',
  return_on_equity: 'return-on-equity',
  return_on_assets: 'return-on-assets',
  interest_cover: 'interest-coverage',
};

/** Ratios that use only the balance sheet. */
const balanceRatios = new Set(['current_ratio', 'debt_to_equity', 'equity_ratio']);

function ratioFacts(ratios: readonly { readonly id: string; readonly values: readonly Valued[] }[]): Fact[] {
  return ratios.flatMap(({ id, values }) => {
    const ratio = ratioCodes[id];
    if (ratio === undefined) return [];
    return values.flatMap(({ period, value }) => {
      if (value === undefined) return [];
      const span: Values = balanceRatios.has(id) ? { span: 'instant' } : spanOfFlow(period);
      return [factOf('ratio', { ratio, value: Number(value), ...dateOf(period), ...span })];
    });
  });
}

const growthCodes: Readonly<Record<string, string>> = {
  revenue: 'revenue',
  ebit: 'operating-income',
  net_income: 'net-income',
};

function growthFacts(growth: readonly Growth[]): Fact[] {
  return growth.flatMap(({ item, to, percent }) => {
    const code = growthCodes[item];
    if (code === undefined || percent === undefined) return [];
    return [factOf('growth', { item: code, percent: Number(percent), ...dateOf(to), ...spanOfFlow(to) })];
  });
}

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

const quarterEnds: Readonly<Record<string, string>> = {
  Q1: '03-31',
  Q2: '06-30',
  Q3: '09-30',
  Q4: '12-31',
  H1: '06-30',
  H2: '12-31',
  '9M': '09-30',
};

/** "2025" is a year; "Q3 2025" ends on the last day of the calendar quarter; "9M 2025-12-27" states its last day. */
function dateOf(label: string): Values {
  if (/^\d{4}$/.test(label)) return { period: label };
  const date = /\d{4}-\d\d-\d\d$/.exec(label)?.[0];
  if (date !== undefined) return { period: date };
  const [part, year] = label.split(' ');
  const end = quarterEnds[part!];
  return end === undefined || year === undefined ? {} : { period: `${year}-${end}` };
}

function spanOf(item: string, label: string): Values {
  return balances.has(item) ? { span: 'instant' } : spanOfFlow(label);
}

function spanOfFlow(label: string): Values {
  if (/^(?:\d{4}$|12M)/.test(label)) return { span: 'year' };
  if (/^(?:Q|3M)/.test(label)) return { span: 'quarter' };
  if (/^(?:H|6M)/.test(label)) return { span: 'half-year' };
  if (label.startsWith('1M')) return { span: 'month' };
  if (/^\d{1,2}M /.test(label)) return { span: label.startsWith('9M') ? 'nine-months' : 'other' };
  return {};
}

function factOf(kind: string, value: Values): Fact {
  return { kind, value };
}
