/** Growth from one period to the next, and the compound annual growth rate over all available years. */
import type { LineItem } from './line-items.ts';
import { isReported } from './periods.ts';
import { compare, divide, isZero, type Rational, rational, root, subtract, toPercent, zero } from './rational.ts';
import { inputOf, periodBefore } from './statement-inputs.ts';
import type { Statements } from './statements.ts';

export interface Growth {
  readonly item: LineItem;
  readonly from: string;
  readonly to: string;
  /** Percent with one decimal, or the reason why there is none. */
  readonly change: { readonly percent: string } | { readonly not_computable: string };
}

export interface CompoundGrowth extends Growth {
  readonly years: number;
}

/** Items whose growth is computed. */
export const growthItems: readonly LineItem[] = [
  'revenue',
  'gross_profit',
  'ebitda',
  'ebit',
  'net_income',
  'operating_cash_flow',
  'total_assets',
  'equity',
  'total_debt',
];

/** (to − from) / from, below −100 % for a loss after a profit. Not computed if the base is negative. */
export function growthRate(from: Rational, to: Rational): Growth['change'] {
  if (isZero(from)) return { not_computable: 'the base is 0' };
  if (from.numerator < 0n) return { not_computable: 'the base is negative' };
  return { percent: toPercent(divide(subtract(to, from), from)) };
}

/**
 * (to / from)^(1/years) − 1.
 * @param years at least 1
 */
export function compoundAnnualGrowthRate(from: Rational, to: Rational, years: number): Growth['change'] {
  if (compare(from, zero) <= 0 || compare(to, zero) <= 0) return { not_computable: 'both values must be positive' };
  return { percent: toPercent(subtract(root(divide(to, from), years, 12), rational(1n))) };
}

export function growthByPeriod(statements: Statements): Growth[] {
  return growthItems.flatMap((item) =>
    statements.periods.filter(isReported).flatMap((to): Growth[] => {
      const from = periodBefore(statements, to);
      const before = from === undefined ? undefined : inputOf(statements, item, from);
      const after = inputOf(statements, item, to);
      if (from === undefined || before === undefined || after === undefined) return [];
      return [{ item, from, to, change: growthRate(before.value, after.value) }];
    }),
  );
}

/** From the oldest to the newest full year of each item, if they are more than one year apart. */
export function compoundGrowth(statements: Statements): CompoundGrowth[] {
  const years = statements.periods.filter((period) => /^\d{4}$/.test(period));
  return growthItems.flatMap((item): CompoundGrowth[] => {
    const known = years.filter((period) => inputOf(statements, item, period) !== undefined);
    const to = known[0];
    const from = known.at(-1);
    if (to === undefined || from === undefined || Number(to) - Number(from) < 2) return [];
    const count = Number(to) - Number(from);
    const before = inputOf(statements, item, from)!.value;
    const after = inputOf(statements, item, to)!.value;
    return [{ item, from, to, years: count, change: compoundAnnualGrowthRate(before, after, count) }];
  });
}
