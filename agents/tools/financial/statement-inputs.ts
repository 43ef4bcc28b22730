/** The inputs of formulas: printed figures, and figures derived from them by addition. */
import { balanceItems, type LineItem } from './line-items.ts';
import { isWeeksApart, priorPeriod } from './periods.ts';
import { multiply, negate, type Rational, sum } from './rational.ts';
import type { Statements } from './statements.ts';

/** A value for a formula, and how it was derived if the text does not print it. */
export interface Input {
  readonly value: Rational;
  readonly derived?: string;
}

/** Rules to derive an item that is not printed from printed ones, tried in order. */
const derivations: Partial<Record<LineItem, readonly (readonly [sign: 1 | -1, item: LineItem][])[]>> = {
  revenue: [
    [
      [1, 'gross_profit'],
      [1, 'cost_of_sales'],
    ],
  ],
  cost_of_sales: [
    [
      [1, 'revenue'],
      [-1, 'gross_profit'],
    ],
  ],
  gross_profit: [
    [
      [1, 'revenue'],
      [-1, 'cost_of_sales'],
    ],
  ],
  ebit: [
    [
      [1, 'ebitda'],
      [-1, 'depreciation'],
    ],
    [
      [1, 'pre_tax_income'],
      [1, 'interest_expense'],
    ],
  ],
  ebitda: [
    [
      [1, 'ebit'],
      [1, 'depreciation'],
    ],
  ],
  pre_tax_income: [
    [
      [1, 'net_income'],
      [1, 'income_tax'],
    ],
  ],
  net_income: [
    [
      [1, 'pre_tax_income'],
      [-1, 'income_tax'],
    ],
  ],
  income_tax: [
    [
      [1, 'pre_tax_income'],
      [-1, 'net_income'],
    ],
  ],
  current_assets: [
    [
      [1, 'total_assets'],
      [-1, 'non_current_assets'],
    ],
  ],
  total_assets: [
    [
      [1, 'current_assets'],
      [1, 'non_current_assets'],
    ],
    [
      [1, 'total_liabilities'],
      [1, 'equity'],
    ],
  ],
  total_liabilities: [
    [
      [1, 'total_assets'],
      [-1, 'equity'],
    ],
    [
      [1, 'current_liabilities'],
      [1, 'non_current_liabilities'],
    ],
  ],
  equity: [
    [
      [1, 'total_assets'],
      [-1, 'total_liabilities'],
    ],
  ],
  total_debt: [
    [
      [1, 'short_term_debt'],
      [1, 'long_term_debt'],
    ],
  ],
};

/** Label of twelve months that do not end with the financial year: "12M 2025-09-30". */
const rollingYear = '12M ';

/** The printed figure, or one derived by addition, or undefined. */
export function inputOf(statements: Statements, item: LineItem, period: string): Input | undefined {
  const printed = statements.figures.get(item)?.get(period);
  if (printed !== undefined) return { value: printed.value };
  // Twelve months up to any day: the balance of that day.
  if (balanceItems.has(item) && period.startsWith(rollingYear))
    return inputOf(statements, item, period.slice(rollingYear.length));
  for (const terms of derivations[item] ?? []) {
    const values = terms.map(([, part]) => statements.figures.get(part)?.get(period)?.value);
    if (values.some((value) => value === undefined)) continue;
    const value = sum(values.map((part, index) => (terms[index]![0] === 1 ? part! : negate(part!))));
    const derived = terms
      .map(([sign, part], index) => `${index === 0 ? '' : sign === 1 ? ' + ' : ' − '}${part}`)
      .join('');
    return { value, derived };
  }
  if (item === 'market_cap') return marketCap(statements, period);
  if (item === 'total_debt') return bankDebt(statements, period) ?? onlyLongTermDebt(statements, period);
  return undefined;
}

function marketCap(statements: Statements, period: string): Input | undefined {
  const shares = statements.figures.get('shares_outstanding')?.get(period);
  const price = statements.figures.get('share_price')?.get(period);
  if (shares === undefined || price === undefined) return undefined;
  return { value: multiply(shares.value, price.value), derived: 'shares_outstanding × share_price' };
}

/** Bank loans, with overdrafts if they are printed separately. */
function bankDebt(statements: Statements, period: string): Input | undefined {
  const loans = statements.figures.get('bank_loans')?.get(period);
  if (loans === undefined) return undefined;
  const overdrafts = statements.figures.get('bank_overdrafts')?.get(period);
  return overdrafts === undefined
    ? { value: loans.value, derived: 'bank_loans' }
    : { value: sum([loans.value, overdrafts.value]), derived: 'bank_loans + bank_overdrafts' };
}

function onlyLongTermDebt(statements: Statements, period: string): Input | undefined {
  const longTerm = statements.figures.get('long_term_debt')?.get(period);
  // Selected figures may leave out short-term debt; a balance sheet with all its current liabilities does not.
  const isWhole = statements.figures.get('current_liabilities')?.has(period) === true;
  return longTerm === undefined || !isWhole ? undefined : { value: longTerm.value, derived: 'long_term_debt alone' };
}

/** The previous period among those with figures: "2023E" falls back to "2023". */
export function periodBefore(statements: Statements, period: string): string | undefined {
  const prior = priorPeriod(period);
  if (prior === undefined) return undefined;
  const labels = new Set([...statements.figures.values()].flatMap((byPeriod) => [...byPeriod.keys()]));
  if (labels.has(prior)) return prior;
  if (prior.startsWith(rollingYear) && labels.has(prior.slice(rollingYear.length))) return prior;
  if (prior.endsWith('E')) return labels.has(prior.slice(0, -1)) ? prior.slice(0, -1) : undefined;
  return [...labels].find((label) => isWeeksApart(label, prior));
}
