/**
 * Exact decimal arithmetic, for money and shares: an integer times 10^-scale. Only functions whose name or argument says so
 * round.
 */

export interface Decimal {
  readonly units: bigint;
  /** Decimal places, from 0. */
  readonly scale: number;
}

export type Rounding = 'half-up' | 'half-even' | 'down';

/** @param text such as `-1234.50`: what `parseNumber` returns · @throws {RangeError} for anything else, or beyond 60 characters */
export function decimal(text: string | number): Decimal {
  const match = /^(-?)(\d{1,40})(?:\.(\d{1,20}))?$/.exec(String(text));
  if (match === null) throw new RangeError('a decimal must be digits, at most one point, and a minus sign before them');
  const [, sign, whole = '0', fraction = ''] = match;
  const units = BigInt(whole + fraction);
  return { units: sign === '-' ? -units : units, scale: fraction.length };
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, negate(b));
}

export function negate({ units, scale }: Decimal): Decimal {
  return { units: -units, scale };
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}

/** @returns undefined if `b` is zero */
export function divide(a: Decimal, b: Decimal, scale: number, rounding: Rounding = 'half-even'): Decimal | undefined {
  if (b.units === 0n) return undefined;
  const numerator = a.units * 10n ** BigInt(scale + b.scale);
  const denominator = b.units * 10n ** BigInt(a.scale);
  return { units: divideUnits(numerator, denominator, rounding), scale };
}

export function round(value: Decimal, scale: number, rounding: Rounding = 'half-even'): Decimal {
  if (value.scale <= scale) return { units: unitsAt(value, scale), scale };
  return { units: divideUnits(value.units, 10n ** BigInt(value.scale - scale), rounding), scale };
}

/** @returns −1, 0 or 1, for use as a comparison function */
export function compare(a: Decimal, b: Decimal): number {
  const { units } = subtract(a, b);
  return units < 0n ? -1 : units > 0n ? 1 : 0;
}

export function sum(values: readonly Decimal[]): Decimal {
  return values.reduce(add, { units: 0n, scale: 0 });
}

/** @returns `-1234.50`, with exactly as many decimals as the scale of the value */
export function formatDecimal({ units, scale }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const sign = units < 0n ? '-' : '';
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Like `formatDecimal`, without trailing zeros in the fraction. */
export function plainDecimal(value: Decimal): string {
  const text = formatDecimal(value);
  if (value.scale === 0) return text;
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}

/** The nearest double, for ratios that are shown with few decimals. */
export function toNumber(value: Decimal): number {
  return Number(formatDecimal(value));
}

function unitsAt({ units, scale }: Decimal, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale);
}

function divideUnits(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const top = numerator < 0n ? -numerator : numerator;
  const bottom = denominator < 0n ? -denominator : denominator;
  const quotient = top / bottom;
  const twice = (top % bottom) * 2n;
  const up =
    rounding !== 'down' && (twice > bottom || (twice === bottom && (rounding === 'half-up' || quotient % 2n === 1n)));
  const rounded = up ? quotient + 1n : quotient;
  return negative ? -rounded : rounded;
}
