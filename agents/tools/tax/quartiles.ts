/**
 * The interquartile range and median of comparables by both common methods, and the arm's length test.
 * @see 26 CFR § 1.482-1(e)(2)(iii)(C) for the first method and (e)(3) for the adjustment to the median; OECD Transfer Pricing
 *   Guidelines 2022, paragraphs 3.55–3.62, which ask for the interquartile range or other percentiles and leave the method open
 *   (most studies use linear interpolation, as in the spreadsheet function QUARTILE.INC)
 */
import { add, compare, divide, isZero, multiply, type Rational, rational, subtract } from '../financial/rational.ts';

export type QuartileMethod = 'us_regulation' | 'linear_interpolation';

export interface Quartiles {
  readonly method: QuartileMethod;
  readonly lower: Rational;
  readonly median: Rational;
  readonly upper: Rational;
}

/**
 * `us_regulation`: the lowest result such that at least the share of all results are at or below it; if exactly the share are,
 * the mean of it and the next higher result. `linear_interpolation`: rank 1 + share · (count − 1), interpolated.
 * @param results in any order, at least one
 */
export function quartiles(results: readonly Rational[], method: QuartileMethod): Quartiles {
  const sorted = [...results].sort(compare);
  const at = method === 'us_regulation' ? percentileByRegulation : percentileByInterpolation;
  return { method, lower: at(sorted, 1, 4), median: at(sorted, 1, 2), upper: at(sorted, 3, 4) };
}

function percentileByRegulation(sorted: readonly Rational[], numerator: number, denominator: number): Rational {
  const place = sorted.length * numerator;
  const index = Math.ceil(place / denominator) - 1;
  if (place % denominator !== 0) return sorted[index]!;
  return mean(sorted[index]!, sorted[Math.min(index + 1, sorted.length - 1)]!);
}

function percentileByInterpolation(sorted: readonly Rational[], numerator: number, denominator: number): Rational {
  const place = (sorted.length - 1) * numerator;
  const index = Math.floor(place / denominator);
  const share = rational(BigInt(place % denominator), BigInt(denominator));
  const next = sorted[Math.min(index + 1, sorted.length - 1)]!;
  return add(sorted[index]!, multiply(share, subtract(next, sorted[index]!)));
}

function mean(a: Rational, b: Rational): Rational {
  return divide(add(a, b), rational(2n));
}

export interface ArmsLengthTest {
  readonly position: 'below' | 'within' | 'above';
  /** Median minus tested result; 0 within the range. */
  readonly toMedian: Rational;
  /** Adjustment to the nearer limit of the range, which some states accept; 0 within the range. */
  readonly toNearestEnd: Rational;
}

/** Position of the tested result relative to the range, and the adjustment in the unit of the results. */
export function testArmsLength(tested: Rational, { lower, median, upper }: Quartiles): ArmsLengthTest {
  const zero = rational(0n);
  if (compare(tested, lower) < 0) {
    return { position: 'below', toMedian: subtract(median, tested), toNearestEnd: subtract(lower, tested) };
  }
  if (compare(tested, upper) > 0) {
    return { position: 'above', toMedian: subtract(median, tested), toNearestEnd: subtract(upper, tested) };
  }
  return { position: 'within', toMedian: zero, toNearestEnd: zero };
}

/**
 * The amount of money that corresponds to an adjustment of an indicator: a margin on sales times sales, a mark-up on costs
 * times costs.
 * @param percent percentage points
 */
export function adjustmentAmount(percent: Rational, base: Rational): Rational {
  return isZero(base) ? base : divide(multiply(percent, base), rational(100n));
}
