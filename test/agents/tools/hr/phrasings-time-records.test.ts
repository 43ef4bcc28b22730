/** Layouts of time records: the hours that each contains, and layouts without hours. */
import { describe, expect, it } from 'vitest';
import { pauseMinutes } from '../../../../agents/tools/hr/clock-times.ts';
import { readTimesheets } from '../../../../agents/tools/hr/timesheets.ts';
import { workingTimeTool } from '../../../../agents/tools/hr/tools.ts';

interface Person {
  readonly worker: string;
  readonly days: readonly { readonly date: string; readonly hours: string }[];
}

const hoursIn = (text: string) => {
  const { people } = workingTimeTool.run([{ message: 0, text }]).result as unknown as { people: readonly Person[] };
  return people.flatMap(({ worker, days }) => days.map(({ date, hours }) => `${worker} ${date.slice(5)} ${hours}`));
};

const german = 'Name: Kerstin Brandl\n\nDatum      Tag  Beginn  Ende   Pause  Soll   Ist    Saldo\n';
const bars = '| Datum | Beginn | Ende | Pause | Soll | Ist | Saldo |\n|---|---|---|---|---|---|---|\n';

describe('time records', () => {
  it.each([
    [
      'hours and breaks as clock times',
      `${german}02.03.2026 Mo   08:00   16:30  0:30   8,00   8,00   0,00\n03.03.2026 Di   08:00   17:15  0:45   8,00   8,50   +0,50\n`,
      ['Kerstin Brandl 03-02 8:00', 'Kerstin Brandl 03-03 8:30'],
    ],
    [
      'dates without a year below its month',
      `März 2026\n${bars}| 02.03. | 08.00 | 16.30 | 30 | 7:48 | 8:00 | +0:12 |\n`,
      [' 03-02 8:00'],
    ],
    [
      'weekdays of the week that the record names, with the break in words',
      'Name: Ida Falk\nWeek commencing 9 March 2026\n\nMonday   08:00 - 16:30   lunch 30 min   8.00\nTuesday  08:00 - 14:00   no break       6.00\n',
      ['Ida Falk 03-09 8:00', 'Ida Falk 03-10 6:00'],
    ],
    [
      'one line per arrival and departure',
      'Gate log\n2026-05-04 06:30 Ola Brandt IN\n2026-05-04 14:45 Ola Brandt OUT\n',
      ['Ola Brandt 05-04 8:15'],
    ],
    [
      'dates with the month first, because the days are close together',
      '| Name | Date | In | Out |\n|---|---|---|---|\n| Ana | 03/02/2026 | 9:00 AM | 1:00 PM |\n| Ana | 03/03/2026 | 9:00 AM | 1:00 PM |\n| Ana | 03/04/2026 | 9:00 AM | 1:00 PM |\n',
      ['Ana 03-02 4:00', 'Ana 03-03 4:00', 'Ana 03-04 4:00'],
    ],
    ['a shift over midnight', `${bars}| 04.03.2026 | 22:00 | 06:00 | 00:30 | 7:48 | 7:30 | -0:18 |\n`, [' 03-04 7:30']],
    ['a break in decimal hours', `${bars}| 04.03.2026 | 08:00 | 16:30 | 0,5 | 8 | 8 | 0 |\n`, [' 03-04 8:00']],
    [
      'rows of totals',
      `${bars}| 04.03.2026 | 08:00 | 16:30 | 30 | 8 | 8 | 0 |\n| Summe 02.03.2026 | 40:00 | 38:30 | | | | |\n`,
      [' 03-04 8:00'],
    ],
    [
      'breaks as begin and end',
      '| Date | In | Break from | Break to | Out | Total |\n|---|---|---|---|---|---|\n| 2026-03-04 | 08:00 | 12:00 | 12:45 | 17:00 | 8.25 |\n',
      [' 03-04 8:15'],
    ],
    [
      'no column for the break that the printed hours leave out',
      '| Date | Start | Finish | Hours |\n|---|---|---|---|\n| 2026-03-04 | 08:00 | 16:30 | 8.00 |\n| 2026-03-05 | 08:00 | 17:00 | 8.50 |\n',
      [' 03-04 8:00', ' 03-05 8:30'],
    ],
    [
      'planned and worked stretches',
      '| Name | Date | Planned | Worked | Break |\n|---|---|---|---|---|\n| Ana | 2026-03-09 | 07:00-15:00 | 07:10-15:40 | 30 |\n',
      ['Ana 03-09 8:00'],
    ],
    [
      'planned and actual times',
      '| Name | Date | Planned start | Planned end | Actual start | Actual end |\n|---|---|---|---|---|---|\n| Ana | 2026-03-09 | 07:00 | 15:00 | 07:10 | 15:40 |\n',
      ['Ana 03-09 8:30'],
    ],
    [
      'planned and worked hours without times',
      '| Datum | Tag | Soll | Ist |\n|---|---|---|---|\n| 04.03.2026 | Mi | 8:00 | 7:30 |\n',
      [' 03-04 7:30'],
    ],
    [
      'a name in the first of its rows',
      '| Name | Date | Start | End |\n|---|---|---|---|\n| Ana | 2026-03-09 | 07:00 | 15:00 |\n| | 2026-03-10 | 07:00 | 14:00 |\n',
      ['Ana 03-09 8:00', 'Ana 03-10 7:00'],
    ],
    [
      'a plan alone',
      '| Name | Date | Planned start | Planned end |\n|---|---|---|---|\n| Ana | 2026-03-09 | 07:00 | 15:00 |\n',
      [],
    ],
    [
      'printed hours that most rows contradict',
      '| Date | Start | End | Break | Hours |\n|---|---|---|---|---|\n| 2026-03-04 | 08:00 | 16:30 | 30 | 5.00 |\n| 2026-03-05 | 08:00 | 17:00 | 30 | 6.00 |\n',
      [],
    ],
    [
      'a break that is no length',
      '| Date | Start | End | Break |\n|---|---|---|---|\n| 2026-03-04 | 08:00 | 16:30 | see note B |\n',
      [],
    ],
  ])('%s', (_, text, expected) => {
    expect(hoursIn(text)).toEqual(expected);
  });

  it.each([
    ['30', 30],
    ['30 min', 30],
    ['0:45', 45],
    ['0,5', 30],
    ['0.75 h', 45],
    ['1', 60],
    ['2 x 15', 30],
    ['12:00-12:30', 30],
    ['none', 0],
    ['–', 0],
    ['see below', undefined],
  ])('a break of %s', (text, expected) => {
    expect(pauseMinutes(text)).toBe(expected);
  });
});

describe('week tables', () => {
  const weeks = (text: string) => {
    const { week_tables: tables } = workingTimeTool.run([{ message: 0, text }]).result as unknown as {
      week_tables: readonly { worker: string; monday?: string; hours?: string }[];
    };
    return tables.map(({ worker, monday = '-', hours = '-' }) => `${worker} ${monday} ${hours}`);
  };
  const head = '| Name | Mon | Tue | Wed | Thu | Fri | Sat | Sun |\n|---|---|---|---|---|---|---|---|\n';

  it.each([
    [
      'the week of the table',
      `Printed on 20 April 2026. Week commencing 13 April 2026\n${head}| Ana | 8 | 8 | 8 | 8 | 7,5 | - | - |\n`,
      ['Ana 2026-04-13 39:30'],
    ],
    [
      'rows of a plan',
      `${head}| Ana (planned) | 8 | 8 | 8 | 8 | 8 | - | - |\n| Ana (worked) | 8 | 8 | 8 | 8 | 7 | - | - |\n`,
      ['Ana (worked) - 39:00'],
    ],
    ['a code that may be work', `${head}| Ana | 8 | N | 8 | 8 | 8 | - | - |\n`, ['Ana - -']],
    [
      'days of another week',
      `Week of 13 April 2026\n${head.replace('Mon', 'Mon 20').replace('Tue', 'Tue 21')}| Ana | 8 | 8 | 8 | 8 | 8 | - | - |\n`,
      ['Ana - 40:00'],
    ],
  ])('%s', (_, text, expected) => {
    expect(weeks(text)).toEqual(expected);
  });
});

it.each([
  ['KW 10: Soll 40,00 Std, Ist 38,50 Std', 0],
  ['Week 10: 37.50 hours 38.25 hours', 0],
  ['Week 10: 38.25 hours', 1],
])('counts the weekly totals of "%s"', (line, count) => {
  const [sheet] = readTimesheets(`Name: Ana\n${line}\n`);
  expect(sheet?.weeklyTotals.length ?? 0).toBe(count);
});
