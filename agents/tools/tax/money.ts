/** Amounts of invoices and tax notes as exact numbers with their positions. */
import { absolute, compare, parseRational, type Rational, rational, subtract } from '../financial/rational.ts';
import type { Range } from '../text/span.ts';

export interface Amount extends Range {
  readonly value: Rational;
}

interface Read extends Range {
  readonly value: string;
  readonly ambiguous: boolean;
}

/** For money, a single separator before three digits separates thousands. */
export function toAmount({ value, ambiguous, start, end }: Read): Amount | undefined {
  const parsed = parseRational(ambiguous ? value.replace('.', '') : value);
  return parsed === undefined ? undefined : { value: parsed, start, end };
}

/** @param limit the greatest difference that counts as rounding */
export function isNear(one: Rational, other: Rational, limit: Rational = rational(2n, 100n)): boolean {
  return compare(absolute(subtract(one, other)), limit) <= 0;
}
