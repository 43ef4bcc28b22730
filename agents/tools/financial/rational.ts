/**
 * Exact fractions, so that money and ratios are rounded only at the end. Inputs have a bounded number of digits and formulas
 * are short, so numerators stay small.
 */

/** A fraction in lowest terms; the denominator is positive. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** @throws {RangeError} if the denominator is 0; callers test with `isZero` first */
export function rational(numerator: bigint, denominator = 1n): Rational {
  if (denominator === 0n) throw new RangeError('a denominator must not be 0');
  const divisor = greatestCommonDivisor(numerator, denominator) * (denominator < 0n ? -1n : 1n);
  return divisor === 1n
    ? { numerator, denominator }
    : { numerator: numerator / divisor, denominator: denominator / divisor };
}

/** @param text an optional "-", at most 40 digits, and optionally a point with digits after it, as in "-1234.5" */
export function parseRational(text: string): Rational | undefined {
  const match = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?$/.exec(text);
  if (match === null) return undefined;
  const fraction = match[3] ?? '';
  const magnitude = BigInt(match[2]! + fraction);
  return rational(match[1] === '-' ? -magnitude : magnitude, 10n ** BigInt(fraction.length));
}

/** For numbers in our own sources. @throws {TypeError} if the text is not a decimal number */
export function decimal(text: string): Rational {
  const value = parseRational(text);
  if (value === undefined) throw new TypeError('a decimal constant must look like "-12.5"');
  return value;
}

export const zero: Rational = { numerator: 0n, denominator: 1n };

export function add(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function subtract(a: Rational, b: Rational): Rational {
  return add(a, negate(b));
}

export function multiply(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** @throws {RangeError} if `b` is 0 */
export function divide(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator);
}

export function negate(a: Rational): Rational {
  return { numerator: -a.numerator, denominator: a.denominator };
}

export function absolute(a: Rational): Rational {
  return a.numerator < 0n ? negate(a) : a;
}

export function isZero(a: Rational): boolean {
  return a.numerator === 0n;
}

/** @returns a negative number if `a` is less, 0 if they are equal, a positive number if `a` is greater */
export function compare(a: Rational, b: Rational): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function sum(values: readonly Rational[]): Rational {
  return values.reduce(add, zero);
}

/** Decimal text with exactly `places` decimals; halves are rounded away from zero; never "-0". */
export function toFixed(value: Rational, places: number): string {
  const scaled = roundHalfAway(value, 10n ** BigInt(places));
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${scaled < 0n ? '-' : ''}${whole}${places === 0 ? '' : `.${digits.slice(-places)}`}`;
}

/** Like `toFixed`, without trailing zeros in the fraction: amounts as they were written. */
export function toText(value: Rational, placesMax = 6): string {
  const fixed = toFixed(value, placesMax);
  if (!fixed.includes('.')) return fixed;
  let end = fixed.length;
  while (fixed[end - 1] === '0') end -= 1;
  return fixed.slice(0, fixed[end - 1] === '.' ? end - 1 : end);
}

/** As a percentage: 0.1234 with 1 place is "12.3". */
export function toPercent(value: Rational, places = 1): string {
  return toFixed(multiply(value, rational(100n)), places);
}

/**
 * The positive `degree`-th root, exact to `places` decimals (truncated), by Newton's method on integers.
 * @param value not negative
 * @param degree at least 1
 */
export function root(value: Rational, degree: number, places: number): Rational {
  const scale = 10n ** BigInt(places);
  const power = BigInt(degree);
  // floor((n/d)^(1/k) · s) = floor((n · s^k / d)^(1/k))
  return rational(integerRoot((value.numerator * scale ** power) / value.denominator, power), scale);
}

function integerRoot(value: bigint, degree: bigint): bigint {
  if (value < 2n || degree === 1n) return value;
  // A power of two that is at least the root, so that Newton's iteration decreases monotonically.
  let guess = 1n << (BigInt(value.toString(2).length) / degree + 1n);
  for (;;) {
    const next = ((degree - 1n) * guess + value / guess ** (degree - 1n)) / degree;
    if (next >= guess) return guess;
    guess = next;
  }
}

function roundHalfAway({ numerator, denominator }: Rational, scale: bigint): bigint {
  const magnitude = (numerator < 0n ? -numerator : numerator) * scale;
  const rounded = (2n * magnitude + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let x = a < 0n ? -a : a;
  let y = b < 0n ? -b : b;
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}
