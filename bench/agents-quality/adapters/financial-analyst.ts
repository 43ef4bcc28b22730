/** Facts of the financial analyst's tools: figures, ratios, growth, tie-out checks and scores. */
import type { Adapter, Fact, FieldValue } from '../adapter.ts';

interface Figures {
  readonly currencies: readonly string[];
  readonly units: readonly string[];
  readonly figures: readonly { readonly item: string; readonly values: readonly Valued[] }[];
  readonly checks: readonly {
    readonly rule: string;
    readonly period: string;
    readonly agrees: boolean;
    readonly total: string;
    readonly parts: string;
  }[];
  readonly conflicts: readonly {
    readonly item: string;
    readonly period: string;
    readonly used: { readonly value: string };
    readonly other: { readonly value: string };
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
};

/** Items of the balance sheet, which have a date instead of a length. */
const balances = new Set([
  'cash',
  'receivables',
  'inventories',
  'current_assets',
  'ppe',
  'total_assets',
  'payables',
  'short_term_debt',
  'current_liabilities',
  'long_term_debt',
  'total_liabilities',
  'retained_earnings',
  'equity',
]);

function statementFacts({ currencies, units, figures, checks, conflicts }: Figures): Fact[] {
  const currency: Values = currencies.length === 1 ? { currency: currencies[0]!.toLowerCase() } : {};
  return [
    ...figures.flatMap(({ item, values }) => values.flatMap((value) => figureFact(item, value, currency))),
    ...basisFacts(currencies, units),
    ...checks
      .filter(({ agrees }) => !agrees)
      .map(({ rule, period, total, parts }) =>
        factOf('tie_out_failure', {
          check: rule === 'total_assets = total_liabilities + equity' ? 'balance-sheet-equation' : 'subtotal',
          stated: Number(total),
          correct: Number(parts),
          ...dateOf(period),
        }),
      ),
    ...conflicts.map(({ period, used, other }) =>
      factOf('tie_out_failure', {
        check: 'cross-statement',
        stated: Number(other.value),
        correct: Number(used.value),
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
    return [factOf('guidance', { measure: code ?? item, ...forecast })];
  }
  const when = { ...dateOf(period), ...spanOf(item, period) };
  if (item === 'ebitda') return [factOf('non_gaap_measure', { measure: 'ebitda', amount, ...currency, ...when })];
  return code === undefined ? [] : [factOf('line_item', { item: code, amount, ...currency, ...when })];
}

function basisFacts(currencies: readonly string[], units: readonly string[]): Fact[] {
  const scales = units.map((unit): Values => ({ scale: Number(unit) }));
  const named = currencies.map((currency): Values => ({ currency: currency.toLowerCase() }));
  const combined = (named.length === 0 ? [{}] : named).flatMap((currency) =>
    (scales.length === 0 ? [{}] : scales).map((scale) => ({ ...currency, ...scale })),
  );
  return combined.filter((value) => Object.keys(value).length > 0).map((value) => factOf('reporting_basis', value));
}

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

/** Ratios of the balance sheet alone. */
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

/** A count of fewer than nine computable signals is no Piotroski score. */
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

/** "2025" is a year; "Q3 2025" ends on the last day of the calendar's quarter. Other labels give no date. */
function dateOf(label: string): Values {
  if (/^\d{4}$/.test(label)) return { period: label };
  const [part, year] = label.split(' ');
  const end = quarterEnds[part!];
  return end === undefined || year === undefined ? {} : { period: `${year}-${end}` };
}

function spanOf(item: string, label: string): Values {
  return balances.has(item) ? { span: 'instant' } : spanOfFlow(label);
}

function spanOfFlow(label: string): Values {
  if (/^\d{4}$/.test(label)) return { span: 'year' };
  if (/^(?:Q|3M)/.test(label)) return { span: 'quarter' };
  if (/^(?:H|6M)/.test(label)) return { span: 'half-year' };
  return label.startsWith('9M') ? { span: 'nine-months' } : {};
}

function factOf(kind: string, value: Values): Fact {
  return { kind, value };
}
