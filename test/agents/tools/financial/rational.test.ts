import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  compare,
  divide,
  multiply,
  parseRational,
  rational,
  root,
  subtract,
  toFixed,
  toPercent,
  toText,
} from '../../../../agents/tools/financial/rational.ts';

const fractions = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.bigInt({ min: 1n, max: 10n ** 12n }))
  .map(([numerator, denominator]) => rational(numerator, denominator));

describe('exact fractions', () => {
  it('add, subtract, multiply and divide without rounding', () => {
    fc.assert(
      fc.property(fractions, fractions, (a, b) => {
        expect(subtract(add(a, b), b)).toEqual(a);
        if (b.numerator !== 0n) expect(multiply(divide(a, b), b)).toEqual(a);
      }),
    );
  });

  it('read decimal text and write the same text back', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
        fc.integer({ min: 1, max: 6 }),
        (units, places) => {
          const text = toFixed(rational(units, 10n ** BigInt(places)), places);
          expect(toFixed(parseRational(text)!, places)).toBe(text);
        },
      ),
    );
  });

  it.each(['', '-', '1.', '.5', '1,5', '1e3', ' 1', 'NaN', '9'.repeat(41)])('do not read %j', (text) => {
    expect(parseRational(text)).toBeUndefined();
  });

  it('round halves away from zero', () => {
    expect([5n, -5n, 15n, 25n, 24n].map((value) => toFixed(rational(value, 1000n), 2))).toEqual([
      '0.01',
      '-0.01',
      '0.02',
      '0.03',
      '0.02',
    ]);
  });

  it('never show a minus sign before zero', () => {
    expect(toFixed(rational(-1n, 1000n), 2)).toBe('0.00');
  });

  it('drop trailing zeros after the decimal point only', () => {
    expect([toText(rational(1200n)), toText(rational(12500n, 1000n)), toText(rational(0n))]).toEqual([
      '1200',
      '12.5',
      '0',
    ]);
  });

  it('are refused with a denominator of 0', () => {
    expect(() => rational(1n, 0n)).toThrow(RangeError);
  });

  it('show shares as percentages', () => {
    expect(toPercent(rational(1n, 3n))).toBe('33.3');
  });
});

describe('roots', () => {
  it('are the largest decimal whose power does not exceed the value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 1, max: 12 }), (value, degree) => {
        const found = root(rational(value), degree, 4);
        const above = add(found, rational(1n, 10_000n));
        const power = (base: typeof found) => Array.from({ length: degree }, () => base).reduce(multiply);
        expect(compare(power(found), rational(value))).toBeLessThanOrEqual(0);
        expect(compare(power(above), rational(value))).toBeGreaterThan(0);
      }),
    );
  });
});
