import { describe, expect, it } from 'vitest';
import { hoursText, isoOfDay } from '../../../../agents/tools/hr/calendar.ts';
import { readTimesheets } from '../../../../agents/tools/hr/timesheets.ts';

const time = (minutes: number) => `${isoOfDay(Math.floor(minutes / 1_440))} ${hoursText(minutes % 1_440)}`;
const shifts = (text: string) =>
  readTimesheets(text).map((sheet) => [
    sheet.worker,
    ...sheet.shifts.map(({ start, end, breakMinutes }) => `${time(start)} to ${time(end)} less ${breakMinutes}`),
  ]);

describe('timesheets', () => {
  it('are read from tables without rows of totals', () => {
    const text =
      '| Date | Start | End | Break | Hours |\n|---|---|---|---|---|\n| 30.03.2024 | 08:30 | 17:00 | 30 | 8:00 |\n';
    expect(shifts(text)).toEqual([['', '2024-03-30 8:30 to 2024-03-30 17:00 less 30']]);
  });

  it('are read from lines, across midnight and with two periods a day', () => {
    const text = '2024-03-04 22:00–06:00, break 30 min\n2024-03-05 08:00-12:00, 12:30-17:00\n';
    expect(shifts(text)).toEqual([
      [
        '',
        '2024-03-04 22:00 to 2024-03-05 6:00 less 30',
        '2024-03-05 8:00 to 2024-03-05 12:00 less 0',
        '2024-03-05 12:30 to 2024-03-05 17:00 less 0',
      ],
    ]);
  });

  it('accept a.m. and p.m., and breaks given as times', () => {
    expect(shifts('2024-03-04 9:00 am to 5:30 pm, lunch 12:00-12:45\n')).toEqual([
      ['', '2024-03-04 9:00 to 2024-03-04 17:30 less 45'],
    ]);
  });

  it('belong to the person of the heading or of the column', () => {
    const text = 'Employee: Ada\n2024-03-04 08:00-12:00\nMitarbeiter: Bo\n2024-03-04 09:00-12:00\n';
    expect(shifts(text).map(([worker]) => worker)).toEqual(['Ada', 'Bo']);
    const table =
      '| Employee | Date | Start | End |\n| Ada | 2024-03-04 | 08:00 | 12:00 |\n| Bo | 2024-03-04 | 09:00 | 12:00 |\n';
    expect(shifts(table).map(([worker]) => worker)).toEqual(['Ada', 'Bo']);
  });

  it('count days of leave and sickness, which have no times', () => {
    const [sheet] = readTimesheets(
      '2024-03-04 08:00-12:00\n2024-03-05 annual leave\n06.03.2024 Urlaub\n2024-03-07 dovolená\n',
    );
    expect(sheet!.neutralDays.map(isoOfDay)).toEqual(['2024-03-05', '2024-03-06', '2024-03-07']);
  });

  it('may contain weekly totals', () => {
    const [sheet] = readTimesheets('Employee: Ada\nWeek 6: 47.5 hours\nKW 7: 52 h\nTýden 8: 44:30 hodin\n');
    expect(sheet!.weeklyTotals.map(({ week, minutes }) => `${week} ${hoursText(minutes)}`)).toEqual([
      'Week 6 47:30',
      'KW 7 52:00',
      'Týden 8 44:30',
    ]);
  });

  it('count dates with an ambiguous order of day and month', () => {
    expect(readTimesheets('03/04/2024 08:00-12:00\n')[0]!.ambiguousDates).toBe(1);
    expect(readTimesheets('03/04/2024 08:00-12:00\n13/04/2024 08:00-12:00\n')[0]!.ambiguousDates).toBe(0);
  });

  it('use the most recently named year for dates without a year', () => {
    const text = 'Record for March 2024\nMo 04.03. 08:00-12:00\n| Di | 05.03. | 08:00 | 12:00 |\n99.99. 08:00-12:00\n';
    expect(shifts(text)).toEqual([
      ['', '2024-03-04 8:00 to 2024-03-04 12:00 less 0', '2024-03-05 8:00 to 2024-03-05 12:00 less 0'],
    ]);
  });

  it('are not read from meetings in prose', () => {
    const text =
      'On 12 March 2024 the employee and her manager met in the office from 10:00 to 11:30 to talk about it.';
    expect(readTimesheets(text)).toEqual([]);
  });

  it('are not read from prose with a date in it', () => {
    expect(readTimesheets('On 4 March 2024 the parties met and agreed on the following terms.')).toEqual([]);
  });
});
