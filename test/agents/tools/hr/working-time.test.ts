import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayNumber } from '../../../../agents/tools/hr/calendar.ts';
import type { Shift } from '../../../../agents/tools/hr/shifts.ts';
import { checkWorkingTime } from '../../../../agents/tools/hr/working-time.ts';

/** "2024-03-04 08:00-17:00 30": a date, start and end (past midnight where smaller), minutes of break. */
function shift(text: string): Shift {
  const [date, times, pause = '0'] = text.split(' ') as [string, string, string?];
  const [from, until] = times.split('-').map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) as [
    number,
    number,
  ];
  const start = dayNumber(date) * 1_440 + from;
  return { start, end: start + ((until - from + 1_440) % 1_440 || 1_440), breakMinutes: Number(pause) };
}

const breaches = (...shifts: string[]) =>
  checkWorkingTime(shifts.map(shift)).breaches.map(({ rule, date, recorded }) => `${rule} ${date} ${recorded}`);

const week = ['04', '05', '06', '07', '08'];

describe('the average week', () => {
  it('counts a record from Monday to Friday as a whole week', () => {
    const report = checkWorkingTime(week.map((day) => shift(`2024-03-${day} 08:00-18:30 30`)));
    expect([report.workedHours, report.averageWeeklyHours, report.averageAbove48]).toEqual(['50:00', '50.00', true]);
  });

  it('may exceed 48 hours in one week if another is shorter', () => {
    const short = ['11', '12', '13', '14', '15'].map((day) => shift(`2024-03-${day} 08:00-17:00 30`));
    const report = checkWorkingTime([...week.map((day) => shift(`2024-03-${day} 08:00-18:30 30`)), ...short]);
    expect([report.averageWeeklyHours, report.averageAbove48, report.weeks.map(({ above48 }) => above48)]).toEqual([
      '46.25',
      false,
      [true, false],
    ]);
  });

  it('is exactly 48 hours without being above', () => {
    const report = checkWorkingTime([...week, '09'].map((day) => shift(`2024-03-${day} 08:00-16:30 30`)));
    expect([report.averageWeeklyHours, report.averageAbove48]).toEqual(['48.00', false]);
  });

  it('is not extrapolated from a record of two days', () => {
    const report = checkWorkingTime(['2024-03-04 08:00-18:00', '2024-03-05 08:00-18:00'].map(shift));
    expect(report.averageWeeklyHours).toBe('20.00');
  });

  it('excludes days of leave', () => {
    const worked = ['2024-03-04 08:00-17:00', '2024-03-05 08:00-17:00'].map(shift);
    const leave = ['2024-03-06', '2024-03-07', '2024-03-08'].map(dayNumber);
    // 18 hours in four days that count, 31.5 a week.
    expect(checkWorkingTime(worked, leave)).toMatchObject({ neutralDays: 3, averageWeeklyHours: '31.50' });
  });

  it('includes the highest average over 17 weeks if the record is long enough', () => {
    const shifts: Shift[] = [];
    for (let weekIndex = 0; weekIndex < 20; weekIndex += 1) {
      for (let day = 0; day < 5; day += 1) {
        const start = (dayNumber('2024-01-01') + weekIndex * 7 + day) * 1_440 + 480;
        shifts.push({ start, end: start + (weekIndex < 10 ? 660 : 480), breakMinutes: 60 });
      }
    }
    // 50 hours in ten weeks and 35 in seven, over 17.
    expect(checkWorkingTime(shifts).highest17WeekAverage).toBe('43.82');
    expect(checkWorkingTime(shifts.slice(0, 50)).highest17WeekAverage).toBeUndefined();
  });
});

describe('daily rest', () => {
  it('of eleven hours is sufficient, and of a minute less is not', () => {
    expect(breaches('2024-03-04 12:00-20:00 30', '2024-03-05 07:00-12:00')).toEqual([]);
    expect(breaches('2024-03-04 12:00-20:01 30', '2024-03-05 07:00-12:00')).toEqual(['daily_rest 2024-03-05 10:59']);
  });

  it('is measured across midnight', () => {
    expect(breaches('2024-03-04 22:00-06:00 30', '2024-03-05 14:00-20:00')).toEqual(['daily_rest 2024-03-05 8:00']);
  });

  it('is insufficient within a day that extends over more than 13 hours', () => {
    expect(breaches('2024-03-04 06:00-10:00', '2024-03-04 15:00-19:30')).toEqual([
      'spread_over_13_hours 2024-03-04 13:30',
    ]);
  });
});

describe('breaks', () => {
  it('are required on days longer than six hours', () => {
    expect(breaches('2024-03-04 08:00-14:00')).toEqual([]);
    expect(breaches('2024-03-04 08:00-14:01')).toEqual(['break 2024-03-04 6:01']);
  });

  it('may be the gap between two shifts', () => {
    expect(breaches('2024-03-04 08:00-12:00', '2024-03-04 12:30-17:00')).toEqual([]);
  });
});

describe('weekly rest', () => {
  const days = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `2024-03-${String(from + index).padStart(2, '0')} 08:00-14:00`);

  it('is missing in a week with seven working days', () => {
    expect(breaches(...days(4, 10))).toEqual(['weekly_rest 2024-03-04 18:00']);
  });

  it('is satisfied by one free day, and needs 35 hours', () => {
    expect(breaches(...days(4, 9), '2024-03-11 08:00-14:00')).toEqual([]);
    expect(breaches(...days(4, 8), '2024-03-09 08:00-23:30 45', '2024-03-11 08:00-14:00')).toContain(
      'weekly_rest_35 2024-03-04 32:30',
    );
  });

  it('is checked only for whole weeks of the record', () => {
    expect(checkWorkingTime(days(5, 10).map(shift)).weeksChecked).toBe(0);
    expect(checkWorkingTime(days(5, 10).map(shift)).breaches).toEqual([]);
  });

  it('is reported with the longest run of consecutive working days', () => {
    expect(checkWorkingTime(days(4, 14).map(shift)).longestRunOfDays).toBe(11);
  });
});

describe('night work', () => {
  it('is a shift with three hours between 23:00 and 06:00', () => {
    const nights = (text: string) => checkWorkingTime([shift(text)]).nightShifts;
    expect([
      nights('2024-03-04 22:00-06:00'),
      nights('2024-03-04 18:00-02:00'),
      nights('2024-03-04 18:00-01:59'),
      nights('2024-03-04 03:00-09:00'),
    ]).toEqual([1, 1, 0, 1]);
  });

  it('is averaged over six days of seven', () => {
    const report = checkWorkingTime(week.map((day) => shift(`2024-03-${day} 21:00-07:00 24`)));
    // 48 hours in a week: 8 hours for each of six days.
    expect(report.nightWorkerDailyAverage).toBe('8.00');
  });
});

describe('overlapping shifts', () => {
  it('are counted', () => {
    const report = checkWorkingTime(
      ['2024-03-04 08:00-12:00', '2024-03-04 11:00-15:00', '2024-03-04 15:00-16:00'].map(shift),
    );
    expect(report.overlaps).toBe(1);
  });
});

describe('any record', () => {
  it('produces the same report in any order', () => {
    const shifts = fc.array(
      fc.record({
        start: fc.integer({ min: 28_000_000, max: 28_040_000 }),
        length: fc.integer({ min: 1, max: 1_440 }),
        breakMinutes: fc.nat(90),
      }),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(shifts, (list) => {
        const made = list.map(({ start, length, breakMinutes }) => ({ start, end: start + length, breakMinutes }));
        expect(checkWorkingTime([...made].reverse())).toEqual(checkWorkingTime(made));
      }),
    );
  });
});
