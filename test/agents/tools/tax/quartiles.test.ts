import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, decimal, rational, toText } from '../../../../agents/tools/financial/rational.ts';
import { adjustmentAmount, quartiles, testArmsLength } from '../../../../agents/tools/tax/quartiles.ts';

const texts = (values: readonly string[], method: Parameters<typeof quartiles>[1]) => {
  const { lower, median, upper } = quartiles(values.map(decimal), method);
  return [lower, median, upper].map((value) => toText(value));
};

describe('the interquartile range', () => {
  it('of 26 CFR 1.482-1(e)(5) example 3 is 43 to 46.25 with the median 44.50', () => {
    expect(texts(['42', '44', '45', '47.5'], 'us_regulation')).toEqual(['43', '44.5', '46.25']);
  });

  it('of 26 CFR 1.482-5(e) example 2 has the median 14,250, and income rises by 24,250', () => {
    const results = ['2500', '7500', '10000', '13000', '14000', '14500', '15000', '22000', '34500', '37000'];
    expect(texts(results, 'us_regulation')[1]).toBe('14250');
    const test = testArmsLength(decimal('-10000'), quartiles(results.map(decimal), 'us_regulation'));
    expect([test.position, toText(test.toMedian)]).toEqual(['below', '24250']);
  });

  it('interpolates as spreadsheets do: QUARTILE of 1, 2, 4, 7, 8, 9, 10, 12 is 3.5', () => {
    // Microsoft's documentation of QUARTILE and QUARTILE.INC.
    expect(texts(['1', '2', '4', '7', '8', '9', '10', '12'], 'linear_interpolation')).toEqual(['3.5', '7.5', '9.25']);
  });

  it('does not depend on the order, and lies between the extremes', () => {
    const values = fc.array(
      fc.integer({ min: -1000, max: 1000 }).map((n) => rational(BigInt(n))),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(values, fc.constantFrom('us_regulation', 'linear_interpolation'), (results, method) => {
        const range = quartiles(results, method);
        const sorted = [...results].sort(compare);
        expect(quartiles(sorted, method)).toEqual(range);
        const order = [sorted[0]!, range.lower, range.median, range.upper, sorted.at(-1)!];
        for (let index = 1; index < order.length; index += 1) {
          expect(compare(order[index - 1]!, order[index]!)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });

  it('has the same median by both methods', () => {
    const values = fc.array(
      fc.integer({ min: -50, max: 50 }).map((n) => rational(BigInt(n))),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(values, (results) => {
        expect(quartiles(results, 'us_regulation').median).toEqual(quartiles(results, 'linear_interpolation').median);
      }),
    );
  });
});

describe("the arm's length test", () => {
  const range = quartiles(['1', '2', '3', '4', '5'].map(decimal), 'us_regulation');

  it('counts both limits as inside', () => {
    expect(['1.9', '2', '4', '4.1'].map((tested) => testArmsLength(decimal(tested), range).position)).toEqual([
      'below',
      'within',
      'within',
      'above',
    ]);
  });

  it('adjusts to the median, or to the nearer limit', () => {
    const { toMedian, toNearestEnd } = testArmsLength(decimal('5'), range);
    expect([toText(toMedian), toText(toNearestEnd)]).toEqual(['-2', '-1']);
  });

  it('converts percentage points into money', () => {
    expect(toText(adjustmentAmount(decimal('1.5'), decimal('1000000')))).toBe('15000');
  });
});
