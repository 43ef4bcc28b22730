/** The vocabulary's names of figures, ratios and periods, for those of the tools. */
import { factOf } from '../agent/tool-results.ts';
import type { Fact, FactValue } from '../agent/vocabulary.ts';

export type Values = Readonly<Record<string, FactValue>>;

export interface Valued {
  readonly period: string;
  readonly value?: string;
}

export interface Growth {
  readonly item: string;
  readonly to: string;
  readonly percent?: string;
}

export const itemCodes: Readonly<Record<string, string>> = {
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
export const measureCodes: Readonly<Record<string, string>> = {
  ebitda: 'ebitda',
  adjusted_ebitda: 'adjusted-ebitda',
  adjusted_operating_income: 'adjusted-operating-income',
  adjusted_net_income: 'adjusted-net-income',
  adjusted_eps: 'adjusted-eps',
  stated_free_cash_flow: 'free-cash-flow',
  stated_net_debt: 'net-debt',
};

/** Counts, which have no currency. */
export const counts = new Set(['shares_basic', 'shares_diluted']);

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

export function ratioFacts(ratios: readonly { readonly id: string; readonly values: readonly Valued[] }[]): Fact[] {
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

export function growthFacts(growth: readonly Growth[]): Fact[] {
  return growth.flatMap(({ item, to, percent }) => {
    const code = growthCodes[item];
    if (code === undefined || percent === undefined) return [];
    return [factOf('growth', { item: code, percent: Number(percent), ...dateOf(to), ...spanOfFlow(to) })];
  });
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
export function dateOf(label: string): Values {
  if (/^\d{4}$/.test(label)) return { period: label };
  const date = /\d{4}-\d\d-\d\d$/.exec(label)?.[0];
  if (date !== undefined) return { period: date };
  const [part, year] = label.split(' ');
  const end = quarterEnds[part!];
  return end === undefined || year === undefined ? {} : { period: `${year}-${end}` };
}

export function spanOf(item: string, label: string): Values {
  return balances.has(item) ? { span: 'instant' } : spanOfFlow(label);
}

export function spanOfFlow(label: string): Values {
  if (/^(?:\d{4}$|12M)/.test(label)) return { span: 'year' };
  if (/^(?:Q|3M)/.test(label)) return { span: 'quarter' };
  if (/^(?:H|6M)/.test(label)) return { span: 'half-year' };
  if (label.startsWith('1M')) return { span: 'month' };
  if (/^\d{1,2}M /.test(label)) return { span: label.startsWith('9M') ? 'nine-months' : 'other' };
  return {};
}
