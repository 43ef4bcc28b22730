import { describe, expect, it } from 'vitest';
import { boundedBytes, countOnce, place, sharedBytes, toFindings } from '../../../agents/tools/findings.ts';

describe('findings', () => {
  it('keep as many lines as fit and count the omitted ones', () => {
    expect(toFindings({ a: 1 }, ['one', 'two', 'three'], 2)).toEqual({
      result: { a: 1 },
      digest: ['one', 'two', '(1 more lines are in the result)'],
    });
    expect(toFindings({}, ['one', 'two'], 2).digest).toEqual(['one', 'two']);
  });

  it('keep as many items as their bytes allow', () => {
    // Each item takes five bytes (three letters or one three-byte character, and quotes), plus one for the comma.
    expect(boundedBytes(['aaa', '語', 'ccc'], 12)).toEqual({ items: ['aaa', '語'], more: 1 });
    expect(boundedBytes([], 0)).toEqual({ items: [], more: 0 });
  });

  it('share the bytes of a result among the lists that are not empty', () => {
    expect(sharedBytes({ one: ['aaa', 'bbb'], two: [], three: ['ccc', 'ddd'] }, 12)).toEqual({
      one: { items: ['aaa'], more: 1 },
      two: { items: [], more: 0 },
      three: { items: ['ccc'], more: 1 },
    });
  });

  it('include their positions', () => {
    expect(place({ message: 2, start: 10, end: 15 })).toBe('[m2:10-15]');
  });

  it('with the same key are merged into the first, with a count', () => {
    const items = [
      { key: 'a', at: 1 },
      { key: 'b', at: 2 },
      { key: 'a', at: 3 },
    ];
    expect(countOnce(items, ({ key }) => key)).toEqual([
      { key: 'a', at: 1, count: 2 },
      { key: 'b', at: 2, count: 1 },
    ]);
  });
});
