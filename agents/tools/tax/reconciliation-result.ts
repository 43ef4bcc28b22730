/** A reconciliation as it was read, and whether its lines add up to its result. */
import { absolute, compare, divide, isZero, type Rational, rational, subtract } from '../financial/rational.ts';
import type { Range } from '../text/span.ts';
import type { TableUnit } from './unit-of-table.ts';

export interface ReconciliationItem extends Range {
  readonly label: string;
  /** As printed; positive values increase the tax. */
  readonly amount?: Rational;
  /** In percent of the profit before tax, as printed. */
  readonly points?: Rational;
}

export interface Reconciliation extends Range {
  /** The year in which the period ends, or "column 1". */
  readonly period: string;
  readonly unit: TableUnit;
  readonly profit?: Rational;
  readonly statutory: { readonly amount?: Rational; readonly rate?: Rational };
  readonly items: readonly ReconciliationItem[];
  readonly effective: { readonly amount?: Rational; readonly rate?: Rational };
  /** The sum of the statutory line and the items; absent if only one of them is stated. */
  readonly computed: { readonly amount?: Rational; readonly rate?: Rational };
}

/** Differences up to two printed units count as rounding. */
export const amountRoundingMax = rational(2n);
/** In percentage points: half a unit of the last decimal for each line. */
export const pointsRoundingMax = rational(25n, 100n);

export function bridgeErrors({
  effective,
  computed,
  items,
  statutory,
}: Reconciliation): { readonly unit: 'amount' | 'percent'; readonly stated: Rational; readonly correct: Rational }[] {
  const errors: { unit: 'amount' | 'percent'; stated: Rational; correct: Rational }[] = [];
  const isFar = (one: Rational, other: Rational, max: Rational) => compare(absolute(subtract(one, other)), max) > 0;
  const fraction = [statutory.amount, effective.amount, ...items.map(({ amount }) => amount)].some(
    (value) => value !== undefined && value.denominator !== 1n,
  );
  if (
    effective.amount !== undefined &&
    computed.amount !== undefined &&
    items.length > 0 &&
    isFar(effective.amount, computed.amount, fraction ? rational(25n, 100n) : amountRoundingMax)
  )
    errors.push({ unit: 'amount', stated: effective.amount, correct: computed.amount });
  if (
    effective.rate !== undefined &&
    computed.rate !== undefined &&
    isFar(effective.rate, computed.rate, pointsRoundingMax)
  )
    errors.push({ unit: 'percent', stated: effective.rate, correct: computed.rate });
  return errors;
}

export function shareOf(amount: Rational, profit: Rational | undefined): Rational | undefined {
  return profit === undefined || isZero(profit) ? undefined : divide(amount, profit);
}
