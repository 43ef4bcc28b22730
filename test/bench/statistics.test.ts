import { describe, expect, it } from 'vitest';
import { median, quantile, spread } from '../../bench/statistics.ts';

describe('quantile', () => {
  it('is the middle value, or the mean of the two in the middle', () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('sorts by number, not by text', () => {
    expect(median([10, 9, 100])).toBe(10);
  });

  it('interpolates between neighbours', () => {
    expect(quantile([0, 10], 0.99)).toBeCloseTo(9.9);
    expect(quantile([1, 2, 3, 4, 5], 0.25)).toBe(2);
  });

  it('is the only value of a single one', () => {
    expect(quantile([7], 0.99)).toBe(7);
  });

  it('refuses an empty list', () => {
    expect(() => quantile([], 0.5)).toThrow(RangeError);
  });
});

describe('spread', () => {
  it('contains median, minimum and maximum', () => {
    expect(spread([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3, count: 3 });
  });
});
