import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMonths, formatDay, parseDay, weekday } from '../../../../agents/tools/eu-law/calendar.ts';
import {
  entryIntoForce,
  holidayNumbers,
  isWorkingDay,
  type PeriodUnit,
  reckonPeriod,
} from '../../../../agents/tools/eu-law/periods.ts';

function lastDay(event: string, count: number, unit: PeriodUnit, holidays: readonly string[] = []): string {
  const end = reckonPeriod({ event, count, unit, holidays });
  if ('error' in end) throw new Error(end.error);
  return end.lastDay;
}

describe('periods under Regulation 1182/71', () => {
  it.each([
    // EDPB, Guidelines 01/2022 on the right of access, §5.3: a request of 5 March, and one of 31 August.
    ['2025-03-05', 1, 'month', '2025-04-07', 'the 5th of April 2025 is a Saturday'],
    ['2024-03-05', 1, 'month', '2024-04-05', 'the same date of the next month'],
    ['2022-08-31', 1, 'month', '2022-09-30', 'September has no 31st'],
    // C-171/03, Toeters: three weeks from a slaughter end on the day of the same name.
    ['1998-03-12', 3, 'week', '1998-04-02', 'a Thursday to a Thursday'],
    ['1998-01-27', 3, 'week', '1998-02-17', 'a Tuesday to a Tuesday'],
    ['2026-01-31', 1, 'month', '2026-03-02', 'February ends on Saturday 28th'],
    ['2024-02-29', 1, 'year', '2025-02-28', 'the 29th is missing'],
    ['2026-03-02', 10, 'day', '2026-03-12', 'the day of the event is not counted'],
    ['2026-03-06', 10, 'working day', '2026-03-20', 'only working days count'],
  ] as const)('from %s, %d %s ends on %s: %s', (event, count, unit, expected, _why) => {
    expect(lastDay(event, count, unit)).toBe(expected);
  });

  it('ends with the working day after a holiday', () => {
    expect(lastDay('2026-11-25', 1, 'month', ['2026-12-25'])).toBe('2026-12-28');
    expect(lastDay('2026-11-24', 1, 'month', ['2026-12-24', '2026-12-25', '2026-12-28'])).toBe('2026-12-29');
  });

  it('includes two working days in a period of two days or more', () => {
    // Friday: Saturday and Sunday would be the period, Article 3(4) gives Monday, Article 3(5) Tuesday.
    expect(lastDay('2026-03-06', 2, 'day')).toBe('2026-03-10');
    expect(lastDay('2026-03-06', 1, 'day')).toBe('2026-03-09');
    expect(lastDay('2026-03-04', 2, 'day')).toBe('2026-03-06');
    const christmas = [
      '2026-12-24',
      '2026-12-25',
      '2026-12-28',
      '2026-12-29',
      '2026-12-30',
      '2026-12-31',
      '2027-01-01',
    ];
    expect(lastDay('2026-12-23', 5, 'day', christmas)).toBe('2027-01-05');
  });

  it('counts hours from the first full hour after the event', () => {
    // WP250 rev.01 and EDPB Guidelines 9/2022: 72 hours, weekends included.
    expect(reckonPeriod({ event: '2026-03-03T14:20', count: 72, unit: 'hour', holidays: [] })).toMatchObject({
      begins: '2026-03-03T15:00',
      ends: '2026-03-06T15:00',
    });
    expect(reckonPeriod({ event: '2026-03-06T18:30', count: 72, unit: 'hour', holidays: [] })).toMatchObject({
      ends: '2026-03-09T19:00',
    });
  });

  it('extends hours only to include two working days, and cites the article', () => {
    const easter = ['2026-04-03', '2026-04-06'];
    const end = reckonPeriod({ event: '2026-04-02T18:30', count: 72, unit: 'hour', holidays: easter });
    expect(end).toMatchObject({
      ends: '2026-04-08T00:00',
      rules: expect.arrayContaining([expect.stringContaining('3(5)')]),
    });
    expect(reckonPeriod({ event: '2026-04-04T10:00', count: 24, unit: 'hour', holidays: easter })).toMatchObject({
      ends: '2026-04-05T11:00',
    });
  });

  it('does not move the end of a period that is computed backwards', () => {
    const end = reckonPeriod({ event: '2026-03-16', count: 15, unit: 'day', holidays: [], backwards: true });
    expect(end).toMatchObject({ lastDay: '2026-03-01', lastWeekday: 'Sunday' });
  });

  it('counts 30 days for a part of a month', () => {
    expect(lastDay('2026-03-02', 1.5, 'month')).toBe('2026-04-17');
    expect(reckonPeriod({ event: '2026-03-02', count: 1.31, unit: 'month', holidays: [] })).toHaveProperty('error');
  });

  it.each([
    [{ event: '2026-02-30', count: 1, unit: 'day' }, /day of the event/],
    [{ event: '2026-03-03', count: 72, unit: 'hour' }, /hour of the event/],
    [{ event: '2026-03-03', count: 0, unit: 'day' }, /above 0/],
    [{ event: '2026-03-03', count: 2.5, unit: 'week' }, /part of a week/],
    [{ event: '2026-03-03', count: 1_001, unit: 'working day' }, /1000 working days/],
  ] as const)('reports the missing or invalid input of %j', (input, message) => {
    expect(reckonPeriod({ ...input, holidays: [] })).toEqual({ error: expect.stringMatching(message) });
  });

  it('ends forward periods of at least a day on a working day, after the event', () => {
    const day = fc.integer({ min: 0, max: 40_000 });
    const unit = fc.constantFrom<PeriodUnit>('day', 'working day', 'week', 'month', 'year');
    const holidays = fc.uniqueArray(fc.integer({ min: 0, max: 60_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 60 }), unit, holidays, (event, count, chosen, days) => {
        const closed = days.map(formatDay);
        const end = reckonPeriod({ event: formatDay(event), count, unit: chosen, holidays: closed });
        if ('error' in end) throw new Error(end.error);
        const last = parseDay(end.lastDay)!;
        expect(last).toBeGreaterThan(event);
        expect(isWorkingDay(last, holidayNumbers(closed))).toBe(true);
        expect(end.lastDay >= end.lastDayBeforeExtension).toBe(true);
      }),
    );
  });

  it('is never shorter for a longer period', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 1, max: 400 }), (event, count) => {
        const at = formatDay(event);
        expect(lastDay(at, count, 'day') <= lastDay(at, count + 1, 'day')).toBe(true);
        expect(lastDay(at, count, 'month') <= lastDay(at, count + 1, 'month')).toBe(true);
      }),
    );
  });
});

describe('entry into force', () => {
  it.each([
    ['GDPR, OJ L 119, 4.5.2016', '2016-05-04', '2016-05-24'],
    ['DSA, OJ L 277, 27.10.2022', '2022-10-27', '2022-11-16'],
    ['DMA, OJ L 265, 12.10.2022', '2022-10-12', '2022-11-01'],
    ['NIS 2, OJ L 333, 27.12.2022', '2022-12-27', '2023-01-16'],
    ['AI Act, OJ L, 2024/1689, 12.7.2024', '2024-07-12', '2024-08-01'],
  ])('of the %s is the twentieth day after its publication', (_act, publication, expected) => {
    expect(entryIntoForce(publication)).toBe(expected);
  });
});

describe('the calendar', () => {
  it('converts dates to day numbers and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -30_000, max: 80_000 }), (day) => {
        expect(parseDay(formatDay(day))).toBe(day);
        expect(weekday(day + 7)).toBe(weekday(day));
        expect(formatDay(addMonths(day, 12)).slice(0, 4)).toBe(String(Number(formatDay(day).slice(0, 4)) + 1));
      }),
    );
    expect(weekday(parseDay('2026-11-21')!)).toBe(6);
  });
});
