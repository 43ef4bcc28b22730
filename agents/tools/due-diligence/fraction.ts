/** Exact fractions of whole numbers, for prices per share and ownership, which are rarely decimal. */
import { type Decimal, divide } from '../text/decimal.ts';

export interface Fraction {
  readonly top: bigint;
  /** Above zero. */
  readonly bottom: bigint;
}

/** @throws {RangeError} if `bottom`, the denominator, is zero */
export function fraction(top: bigint, bottom: bigint = 1n): Fraction {
  if (bottom === 0n) throw new RangeError('the denominator of a fraction must not be 0');
  const divisor = greatestDivisor(top < 0n ? -top : top, bottom < 0n ? -bottom : bottom);
  const sign = bottom < 0n ? -1n : 1n;
  return divisor === 0n ? { top: 0n, bottom: 1n } : { top: (sign * top) / divisor, bottom: (sign * bottom) / divisor };
}

export function fromDecimal({ units, scale }: Decimal): Fraction {
  return fraction(units, 10n ** BigInt(scale));
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return plus(a, { top: -b.top, bottom: b.bottom });
}

export function times(a: Fraction, b: Fraction): Fraction {
  return fraction(a.top * b.top, a.bottom * b.bottom);
}

/** @throws {RangeError} if `b` is zero */
export function over(a: Fraction, b: Fraction): Fraction {
  return fraction(a.top * b.bottom, a.bottom * b.top);
}

export function isAbove(a: Fraction, b: Fraction): boolean {
  return a.top * b.bottom > b.top * a.bottom;
}

/** The integer part, rounded towards zero, because only whole shares are issued. */
export function wholePart({ top, bottom }: Fraction): bigint {
  return top / bottom;
}

/** Rounded half to even. */
export function toDecimal({ top, bottom }: Fraction, scale: number): Decimal {
  return divide({ units: top, scale: 0 }, { units: bottom, scale: 0 }, scale) ?? { units: 0n, scale };
}

/** Euclid's algorithm; the numbers have at most a few hundred digits. */
function greatestDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
