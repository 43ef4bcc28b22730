import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../../agents/document/document.ts';
import { workingTimeTool } from '../../../../agents/tools/hr/tools.ts';
import { readWeekMatrices } from '../../../../agents/tools/hr/week-matrix.ts';

interface Shown {
  readonly week_tables: readonly unknown[];
  readonly people: readonly { readonly mismatches: readonly unknown[] }[];
}

const run = (text: string) => workingTimeTool.run([{ message: 0, text }]).result as unknown as Shown;

describe('a table with a column for each weekday', () => {
  const text = `Week commencing Monday 4 March 2024

| Name | Mon | Tue | Wed | Thu | Fri | Total |
|------|-----|-----|-----|-----|-----|-------|
| Ada  | 8:00 | 7:30 | AL | 8:00 | 8:00 | 31:30 |
| Bo   | 10:00 | 10:00 | 10:00 | 10:00 | 9:00 | 48:00 |
| Total | 18:00 | 17:30 | 10:00 | 18:00 | 17:00 | 80:30 |
`;

  it('gives hours by day and week, and ignores rows of totals', () => {
    const rows = readWeekMatrices(readDocument({ message: 0, text }));
    expect(rows.map(({ worker, minutes, days }) => [worker, minutes, days.length])).toEqual([
      ['Ada', 1_890, 4],
      ['Bo', 2_940, 5],
    ]);
  });

  it('is compared with its printed total', () => {
    expect(run(text).week_tables[1]).toMatchObject({
      hours: '49:00',
      stated_hours: '48:00',
      above_48: true,
      monday: '2024-03-04',
    });
  });
});

describe('a record with clock times', () => {
  it('gives hours by day and keeps the columns after empty cells', () => {
    const text =
      'Employee,Date,In,Out,Break (min),Hours,Note\n"Roe, Ada",2024-03-04,08:00,16:30,30,8.00,\n"Roe, Ada",2024-03-05,,,,8.00,AL\n"Roe, Ada",2024-03-06,08:00,16:30,30,8.50,\n"Roe, Ada",2024-03-07,08:00,16:00,30,7.50,late\n';
    expect(run(text).people).toMatchObject([
      {
        worker: 'Roe, Ada',
        days: [
          { date: '2024-03-04', hours: '8:00' },
          { date: '2024-03-06', hours: '8:00' },
          { date: '2024-03-07', hours: '7:30' },
        ],
        mismatches: [{ date: '2024-03-06', stated: '8:30', computed: '8:00' }],
      },
    ]);
  });

  it('has no mismatch if its total column includes breaks', () => {
    const text =
      '| Date | Start | End | Break | Total |\n|---|---|---|---|---|\n| 2024-03-04 | 08:00 | 16:30 | 30 | 8:30 |\n| 2024-03-05 | 08:00 | 16:30 | 30 | 8:30 |\n';
    expect(run(text).people[0]!.mismatches).toEqual([]);
  });
});
