/**
 * The ratios, each with its formula and inputs. Definitions as commonly taught (CFA Institute, Financial Analysis Techniques;
 * IAS 1 and IAS 7 for the items); years have 365 days.
 */
import type { LineItem } from './line-items.ts';
import { add, divide, isZero, multiply, type Rational, rational, subtract } from './rational.ts';

/**
 * An item of the period; "@average" means the average of its opening and closing balance, or the closing balance if there is no
 * opening one; "?" counts as 0 if it is missing.
 */
export type Need = LineItem | `${LineItem}@average` | `${LineItem}?`;

export interface RatioDefinition {
  readonly id: string;
  readonly group: 'liquidity' | 'leverage' | 'margin' | 'return' | 'efficiency' | 'cash';
  readonly formula: string;
  /** "times" 1.53, "percent" 12.3, "days" 45.1, "amount" in whole currency units. */
  readonly unit: 'times' | 'percent' | 'days' | 'amount';
  readonly needs: readonly Need[];
  /** @returns undefined if a denominator is 0 */
  compute(inputs: readonly Rational[]): Rational | undefined;
}

const quotient = (a: Rational, b: Rational): Rational | undefined => (isZero(b) ? undefined : divide(a, b));
const days = ([a, b]: readonly Rational[]) => quotient(multiply(a!, rational(365n)), b!);

/** One item divided by another. */
function quotientOf(
  id: string,
  group: RatioDefinition['group'],
  unit: RatioDefinition['unit'],
  above: Need,
  below: Need,
): RatioDefinition {
  const name = (need: Need) => (need.endsWith('@average') ? `average ${need.slice(0, -'@average'.length)}` : need);
  const formula = `${name(above)} / ${name(below)}`;
  return { id, group, formula, unit, needs: [above, below], compute: ([a, b]) => quotient(a!, b!) };
}

/** Converts a balance to days of a flow. */
function daysOf(id: string, balance: Need, flow: Need): RatioDefinition {
  const formula = `${balance} × 365 / ${flow}`;
  return { id, group: 'efficiency', formula, unit: 'days', needs: [balance, flow], compute: days };
}

export const ratioTable: readonly RatioDefinition[] = [
  quotientOf('current_ratio', 'liquidity', 'times', 'current_assets', 'current_liabilities'),
  {
    id: 'quick_ratio',
    group: 'liquidity',
    formula: '(current_assets − inventories) / current_liabilities',
    unit: 'times',
    needs: ['current_assets', 'inventories', 'current_liabilities'],
    compute: ([assets, stock, liabilities]) => quotient(subtract(assets!, stock!), liabilities!),
  },
  {
    id: 'cash_ratio',
    group: 'liquidity',
    formula: '(cash + short_term_investments) / current_liabilities',
    unit: 'times',
    needs: ['cash', 'short_term_investments?', 'current_liabilities'],
    compute: ([cash, investments, liabilities]) => quotient(add(cash!, investments!), liabilities!),
  },
  {
    id: 'working_capital',
    group: 'liquidity',
    formula: 'current_assets − current_liabilities',
    unit: 'amount',
    needs: ['current_assets', 'current_liabilities'],
    compute: ([assets, liabilities]) => subtract(assets!, liabilities!),
  },
  quotientOf('debt_to_equity', 'leverage', 'times', 'total_debt', 'equity'),
  quotientOf('liabilities_to_assets', 'leverage', 'percent', 'total_liabilities', 'total_assets'),
  quotientOf('equity_ratio', 'leverage', 'percent', 'equity', 'total_assets'),
  quotientOf('equity_multiplier', 'leverage', 'times', 'total_assets', 'equity'),
  {
    id: 'net_debt',
    group: 'leverage',
    formula: 'total_debt − cash − short_term_investments',
    unit: 'amount',
    needs: ['total_debt', 'cash', 'short_term_investments?'],
    compute: ([debt, cash, investments]) => subtract(subtract(debt!, cash!), investments!),
  },
  {
    id: 'net_debt_to_ebitda',
    group: 'leverage',
    formula: '(total_debt − cash − short_term_investments) / ebitda',
    unit: 'times',
    needs: ['total_debt', 'cash', 'short_term_investments?', 'ebitda'],
    compute: ([debt, cash, investments, ebitda]) => quotient(subtract(subtract(debt!, cash!), investments!), ebitda!),
  },
  quotientOf('interest_cover', 'leverage', 'times', 'ebit', 'interest_expense'),
  quotientOf('gross_margin', 'margin', 'percent', 'gross_profit', 'revenue'),
  quotientOf('ebitda_margin', 'margin', 'percent', 'ebitda', 'revenue'),
  quotientOf('operating_margin', 'margin', 'percent', 'ebit', 'revenue'),
  quotientOf('net_margin', 'margin', 'percent', 'net_income', 'revenue'),
  quotientOf('effective_tax_rate', 'margin', 'percent', 'income_tax', 'pre_tax_income'),
  quotientOf('return_on_assets', 'return', 'percent', 'net_income', 'total_assets@average'),
  quotientOf('return_on_equity', 'return', 'percent', 'net_income', 'equity@average'),
  {
    id: 'return_on_capital_employed',
    group: 'return',
    formula: 'ebit / (total_assets − current_liabilities)',
    unit: 'percent',
    needs: ['ebit', 'total_assets', 'current_liabilities'],
    compute: ([ebit, assets, liabilities]) => quotient(ebit!, subtract(assets!, liabilities!)),
  },
  {
    id: 'return_on_invested_capital',
    group: 'return',
    formula: 'ebit × (1 − income_tax / pre_tax_income) / (total_debt + equity)',
    unit: 'percent',
    needs: ['ebit', 'income_tax', 'pre_tax_income', 'total_debt', 'equity'],
    compute: ([ebit, tax, before, debt, equity]) => {
      const rate = quotient(tax!, before!);
      return rate && quotient(multiply(ebit!, subtract(rational(1n), rate)), add(debt!, equity!));
    },
  },
  quotientOf('asset_turnover', 'efficiency', 'times', 'revenue', 'total_assets@average'),
  daysOf('days_sales_outstanding', 'receivables', 'revenue'),
  daysOf('days_inventory_outstanding', 'inventories', 'cost_of_sales'),
  daysOf('days_payables_outstanding', 'payables', 'cost_of_sales'),
  {
    id: 'cash_conversion_cycle',
    group: 'efficiency',
    formula: 'receivables × 365 / revenue + (inventories − payables) × 365 / cost_of_sales',
    unit: 'days',
    needs: ['receivables', 'revenue', 'inventories', 'payables', 'cost_of_sales'],
    compute: ([receivables, revenue, stock, payables, cost]) => {
      const collecting = days([receivables!, revenue!]);
      const holding = days([subtract(stock!, payables!), cost!]);
      return collecting && holding && add(collecting, holding);
    },
  },
  quotientOf('cash_conversion', 'cash', 'times', 'operating_cash_flow', 'net_income'),
  quotientOf('cash_flow_to_ebitda', 'cash', 'percent', 'operating_cash_flow', 'ebitda'),
  quotientOf('operating_cash_flow_ratio', 'cash', 'times', 'operating_cash_flow', 'current_liabilities'),
  {
    id: 'free_cash_flow',
    group: 'cash',
    formula: 'operating_cash_flow − capex',
    unit: 'amount',
    needs: ['operating_cash_flow', 'capex'],
    compute: ([flow, capex]) => subtract(flow!, capex!),
  },
  {
    id: 'free_cash_flow_margin',
    group: 'cash',
    formula: '(operating_cash_flow − capex) / revenue',
    unit: 'percent',
    needs: ['operating_cash_flow', 'capex', 'revenue'],
    compute: ([flow, capex, revenue]) => quotient(subtract(flow!, capex!), revenue!),
  },
  quotientOf('capex_to_depreciation', 'cash', 'times', 'capex', 'depreciation'),
  quotientOf('dividend_payout', 'cash', 'percent', 'dividends_paid', 'net_income'),
];
