import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, plainDecimal } from '../../../../agents/tools/text/decimal.ts';
import { findNumbers, guessDecimalMark, parseNumber } from '../../../../agents/tools/text/numbers.ts';

describe('parseNumber', () => {
  it.each([
    ['1234', '1234', false],
    ['1,234.56', '1234.56', false],
    ['1.234,56', '1234.56', false],
    ["1'234.50", '1234.50', false],
    ['1 234 567', '1234567', false],
    ['1\u202f234,5', '1234.5', false],
    ['12,34,567', '1234567', false],
    ['1.234.567', '1234567', false],
    ['0,125', '0.125', false],
    ['0.5', '0.5', false],
    ['.5', '0.5', false],
    ['(1,250)', '-1250', true],
    ['−7', '-7', false],
    ['7-', '-7', false],
    ['007', '7', false],
    ['1,234', '1234', true],
    ['1.234', '1.234', true],
  ])('reads %s as %s', (text, value, ambiguous) => {
    expect(parseNumber(text)).toEqual({ value, ambiguous });
  });

  it.each(['', '-', '1.2.3', '1,23,4', '1 23', '12a', '1,', '1'.repeat(31), '1,2345.6'])('refuses "%s"', (text) => {
    expect(parseNumber(text)).toBeUndefined();
  });

  it('uses a hint to decide whether a single mark separates decimals or thousands', () => {
    expect(parseNumber('1.234', { decimalMark: ',' })).toEqual({ value: '1234', ambiguous: false });
    expect(parseNumber('1,234', { decimalMark: ',' })).toEqual({ value: '1.234', ambiguous: false });
    expect(parseNumber('1,234', { decimalMark: '.' })).toEqual({ value: '1234', ambiguous: false });
  });

  it('reads back every number written the American, German and Swiss way', () => {
    const written = (units: bigint, thousands: string, point: string) => {
      const digits = units.toString().padStart(3, '0');
      const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, thousands);
      return `${whole}${point}${digits.slice(-2)}`;
    };
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), (units) => {
        const expected = plainDecimal({ units, scale: 2 });
        for (const [thousands, point] of [
          [',', '.'],
          ['.', ','],
          ['’', '.'],
          ['\u00a0', ','],
        ] as const) {
          const read = parseNumber(written(units, thousands, point));
          expect(plainDecimal(decimal(read!.value))).toBe(expected);
        }
      }),
    );
  });
});

describe('findNumbers', () => {
  it('finds numbers with their places and signs, but none within words, dates of points or addresses', () => {
    const text = 'A320 cost (1,250.00), then -5 and 2019-2020 on 10.0.0.1 v4.';
    expect(findNumbers(text).map(({ start, end, value }) => [text.slice(start, end), value])).toEqual([
      ['(1,250.00)', '-1250.00'],
      ['-5', '-5'],
      ['2019', '2019'],
      ['2020', '2020'],
    ]);
  });
});

describe('guessDecimalMark', () => {
  it('uses the unambiguous numbers', () => {
    expect(guessDecimalMark(['1.234,56 and 7,5', '1.000'])).toBe(',');
    expect(guessDecimalMark(['1,234.56', '1,000,000'])).toBe('.');
    expect(guessDecimalMark(['12 and 1,234'])).toBeUndefined();
  });
});
