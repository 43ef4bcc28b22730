import { describe, expect, it } from 'vitest';
import { employmentTermsTool, workingTimeTool } from '../../../../agents/tools/hr/tools.ts';

interface Shown {
  readonly clauses: readonly { readonly kind: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly left_out: readonly { readonly because: string; readonly facts: number }[];
}

function read(text: string, kind: string) {
  const result = employmentTermsTool.run([{ message: 0, text: `Contract of employment\n\n${text}\n` }]).result;
  const { clauses, left_out: omitted } = result as unknown as Shown;
  return {
    values: clauses.filter((clause) => clause.kind === kind).map(({ value }) => value),
    reasons: omitted.map(({ because }) => because).join('; '),
  };
}

describe('terms of employment whose sentence does not confirm the reading', () => {
  const doubtful: readonly (readonly [string, string, string, string, RegExp])[] = [
    [
      'a benefit next to an amount that is not understood',
      'benefit',
      'Meal allowance of €8.00 per working day, of which €1.09 is borne by the employee.',
      'Meal allowance of €8.00 per working day.',
      /several amounts or hours/,
    ],
    [
      'hours next to other hours',
      'working_time',
      'In summer the employee works 41 hours, in winter 38 hours per week.',
      'The employee works 38 hours per week.',
      /several amounts or hours/,
    ],
    [
      'a length of notice that a reference to the law precedes',
      'notice',
      'By statutory notice of two months, the employee may end the employment.',
      'By notice of two months, the employee may end the employment.',
      /reference to the law/,
    ],
    [
      'a notice for each year of service',
      'notice',
      'Notice to be given by the employer: 1 week per year of service.',
      'Notice to be given by the employer: 1 week.',
      /for each year or month/,
    ],
    [
      'an amount that is one end of a range',
      'benefit',
      'Car allowance: £300-£400.',
      'Car allowance: £300.',
      /several amounts or hours|one end of a range/,
    ],
    [
      'a sentence that is a quotation',
      'working_time',
      '“The employee works 38 hours per week.”',
      'The employee works 38 hours per week.',
      /is a quotation/,
    ],
    [
      'times of day that enclose a break only',
      'working_time',
      'Working day: 09:00 to 09:15.',
      'Working day: 09:00 to 17:15.',
      /too close together/,
    ],
  ];
  it.each(doubtful)('leaves out %s', (_, kind, text, twin, reason) => {
    const { values, reasons } = read(text, kind);
    expect(values).toEqual([]);
    expect(reasons).toMatch(reason);
    expect(read(twin, kind).values).not.toEqual([]);
    expect(read(twin, kind).reasons).toBe('');
  });

  it('leaves out a value that two columns of a row state', () => {
    const table = (heads: string, cells: string) =>
      `| Term ${heads}\n|---|---|---|\n| Annual leave ${cells}\n| Place ${cells}\n`;
    const two = read(table('| London | Boston |', '| 28 days | 20 days |'), 'annual_leave');
    expect(two.values).toEqual([]);
    expect(two.reasons).toMatch(/several columns/);
    expect(read(table('| London | Remarks |', '| 28 days | per year |'), 'annual_leave').values).toHaveLength(1);
  });
});

interface ShownRecord {
  readonly people: readonly {
    readonly worker: string;
    readonly uncertain?: string;
    readonly days: readonly unknown[];
  }[];
  readonly week_tables: readonly unknown[];
  readonly left_out: Shown['left_out'];
}

const record = (text: string) => workingTimeTool.run([{ message: 0, text }]).result as unknown as ShownRecord;

describe('time records that do not confirm the reading', () => {
  const rows = (...times: readonly string[]) =>
    times.map((time, index) => `| 0${index + 2}.03.2026 | ${time} |\n`).join('');
  const head = 'Employee: Ada Roe\n\n| Date | Start | End | Break | Total |\n|---|---|---|---|---|\n';

  it('gives the hours of a record that prints what its times give', () => {
    const { people, left_out: omitted } = record(
      head + rows('08:00 | 16:30 | 0:30 | 8:00', '08:00 | 17:00 | 0:30 | 8:30'),
    );
    expect(people[0]).toMatchObject({ worker: 'Ada Roe', days: [{ hours: '8:00' }, { hours: '8:30' }] });
    expect(omitted).toEqual([]);
  });

  it('gives no hours if the shifts of a person overlap', () => {
    const shift = '| 02.03.2026 | 08:00 | 16:00 | 0:30 | 7:30 |\n';
    const { people, left_out: omitted } = record(
      head + shift + shift.replace('08:00', '09:00').replace('7:30', '6:30'),
    );
    expect(people[0]?.days).toEqual([]);
    expect(people[0]?.uncertain).toMatch(/overlap/);
    expect(omitted).toEqual([{ because: 'the shifts of one person overlap', facts: 1 }]);
  });

  it('gives no hours for a day of more than 16 hours', () => {
    expect(record(head + rows('05:00 | 22:00 | 0:30 | 16:30')).people[0]?.uncertain).toMatch(/more than 16 hours/);
  });

  it('gives no hours if a label is repeated between the rows of one person', () => {
    const text = (label: string) =>
      `Record of Ada Roe\nGard: Roe Ada\n02.03.2026  08:00  16:00\n${label}: Stone Bo\n03.03.2026  08:00  16:00\n`;
    expect(record(text('Gard')).people.map(({ uncertain }) => uncertain)).toEqual([
      expect.stringMatching(/several people/),
    ]);
    expect(record(text('Site')).people.map(({ days }) => days.length)).toEqual([2]);
  });

  it('gives no hours if the rows print other hours in a column that is not known', () => {
    const text = (hours: readonly string[]) =>
      `Ada Roe\n${hours.map((each, day) => `0${day + 2}.03.2026   08:00   16:00   ${each}`).join('\n')}\n`;
    expect(record(text(['8,00', '8,00'])).people[0]?.days).toHaveLength(2);
    expect(record(text(['7,25', '7,25'])).people[0]?.uncertain).toMatch(/print other hours/);
  });

  it('gives no hours if the rows print a break that was not read, and the hours without it', () => {
    const text = (rest: string) =>
      `Ada Roe\n02.03.2026   08:00   16:00   ${rest}\n03.03.2026   08:00   16:00   ${rest}\n`;
    expect(record(text('')).people[0]?.days).toHaveLength(2);
    expect(record(text('1.00   7.00')).people[0]?.uncertain).toMatch(/print other hours/);
    expect(record(text('1h00   7h00')).people[0]?.uncertain).toMatch(/overlap/);
  });

  it('leaves out rows of a weekly table that stand for no single person', () => {
    const table = (second: string) =>
      `| Name | Mon | Tue | Wed | Thu | Fri |\n|---|---|---|---|---|---|\n| Ada Roe | 8:00 | 8:00 | 8:00 | 8:00 | 8:00 |\n| ${second} | 7:00 | 7:00 | 7:00 | 7:00 | 7:00 |\n`;
    expect(record(table('Bo Stone')).week_tables).toHaveLength(2);
    expect(record(table('Week 42')).week_tables).toHaveLength(1);
    expect(record(table('Ada Roe'))).toMatchObject({ week_tables: [], left_out: [{ facts: 2 }] });
  });
});
