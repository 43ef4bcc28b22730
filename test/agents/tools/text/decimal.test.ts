import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  compare,
  decimal,
  divide,
  formatDecimal,
  multiply,
  plainDecimal,
  round,
  subtract,
} from '../../../../agents/tools/text/decimal.ts';

const anyDecimal = fc.record({ units: fc.bigInt(-(10n ** 20n), 10n ** 20n), scale: fc.integer({ min: 0, max: 12 }) });

describe('decimal arithmetic', () => {
  it('adds decimals that binary fractions cannot represent', () => {
    expect(formatDecimal(add(decimal('0.1'), decimal('0.2')))).toBe('0.3');
    expect(formatDecimal(multiply(decimal('-1.10'), decimal('1.1')))).toBe('-1.210');
  });

  it('rounds half to even, half up, or truncates', () => {
    expect(formatDecimal(round(decimal('2.345'), 2))).toBe('2.34');
    expect(formatDecimal(round(decimal('2.355'), 2))).toBe('2.36');
    expect(formatDecimal(round(decimal('2.345'), 2, 'half-up'))).toBe('2.35');
    expect(formatDecimal(round(decimal('-2.345'), 2, 'half-up'))).toBe('-2.35');
    expect(formatDecimal(round(decimal('2.349'), 2, 'down'))).toBe('2.34');
  });

  it('divides to the requested number of places, and refuses to divide by zero', () => {
    expect(formatDecimal(divide(decimal('1'), decimal('3'), 4)!)).toBe('0.3333');
    expect(divide(decimal('1'), decimal('0.00'), 4)).toBeUndefined();
  });

  it('writes and reads back every value', () => {
    fc.assert(fc.property(anyDecimal, (value) => compare(decimal(formatDecimal(value)), value) === 0));
    fc.assert(fc.property(anyDecimal, (value) => compare(decimal(plainDecimal(value)), value) === 0));
  });

  it('subtracts what it added', () => {
    fc.assert(fc.property(anyDecimal, anyDecimal, (a, b) => compare(subtract(add(a, b), b), a) === 0));
  });

  it('rejects text that is not a plain number', () => {
    for (const text of ['', '1e5', '1,5', ' 1', 'NaN', '--1']) expect(() => decimal(text)).toThrow(RangeError);
  });
});
