import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dayNumber,
  decimalHours,
  hoursText,
  isoOfDay,
  mondayOf,
  serviceBetween,
} from '../../../../agents/tools/hr/calendar.ts';

describe('days', () => {
  it('count from 1970-01-01, as Date does in UTC', () => {
    fc.assert(
      fc.property(fc.integer({ min: -60_000, max: 90_000 }), (day) => {
        const iso = new Date(day * 86_400_000).toISOString().slice(0, 10);
        expect([isoOfDay(day), dayNumber(iso)]).toEqual([iso, day]);
      }),
    );
  });

  it('belong to weeks that begin on Monday', () => {
    expect(
      ['2024-03-04', '2024-03-10', '2024-03-11', '1969-12-31'].map((iso) => isoOfDay(mondayOf(dayNumber(iso)))),
    ).toEqual(['2024-03-04', '2024-03-04', '2024-03-11', '1969-12-29']);
  });
});

describe('length of service', () => {
  it.each([
    ['2015-03-01', '2024-09-15', { years: 9, months: 6, days: 14 }],
    ['2020-02-29', '2021-02-28', { years: 0, months: 11, days: 30 }],
    ['2020-01-31', '2020-02-29', { years: 0, months: 0, days: 29 }],
    ['2020-01-31', '2020-03-01', { years: 0, months: 1, days: 1 }],
    ['2020-05-05', '2020-05-05', { years: 0, months: 0, days: 0 }],
  ])('from %s to %s', (start, end, expected) => {
    expect(serviceBetween(start, end)).toEqual(expected);
  });

  it('does not run backwards', () => {
    expect(serviceBetween('2024-01-02', '2024-01-01')).toBeUndefined();
  });
});

describe('hours', () => {
  it('are written as hours and minutes, and as decimals with halves up', () => {
    expect([hoursText(465), hoursText(-75), decimalHours(2900), decimalHours(1, 1, 60)]).toEqual([
      '7:45',
      '-1:15',
      '48.33',
      '0.00',
    ]);
  });
});
