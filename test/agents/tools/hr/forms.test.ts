/** Terms of employment in forms, changes, offers and boards of advertisements. */
import { describe, expect, it } from 'vitest';
import { employmentTermsTool, workingTimeTool } from '../../../../agents/tools/hr/tools.ts';

interface Shown {
  readonly clauses: readonly { readonly kind: string; readonly value: Readonly<Record<string, unknown>> }[];
}

function values(text: string, kind: string) {
  const { result } = employmentTermsTool.run([{ message: 0, text }]);
  const { clauses } = result as unknown as Shown;
  return clauses.filter((clause) => clause.kind === kind).map(({ value }) => value);
}

const week = (count: number) => ({ count, unit: 'week' });
const month = (count: number) => ({ count, unit: 'month' });

describe('a form with labels above their values', () => {
  const form = [
    'CONTRACT OF EMPLOYMENT',
    '',
    'Employer',
    '    Alder & Reed Ltd',
    'Place of work',
    '    Leeds',
    'Probationary period',
    '    3 months',
    'Hours',
    '    Per week                 37.5',
    '    Normal start / finish    12:00 / 20:18',
    'Salary',
    '    GBP 31,200 per year',
    'Notice',
    '    During probation         1 week',
    '    After probation          1 month',
  ].join('\n');

  it('states each value under its label', () => {
    expect(values(form, 'workplace')).toEqual([{ place: 'Leeds' }]);
    expect(values(form, 'term')).toEqual([{ part: 'probation', duration: month(3) }]);
    expect(values(form, 'working_time')).toEqual([
      { hours: 37.5, per: 'week' },
      { start: '12:00', end: '20:18' },
    ]);
    expect(values(form, 'notice')).toEqual([
      { by: 'employer', during: 'probation', duration: week(1) },
      { by: 'employee', during: 'probation', duration: week(1) },
      { by: 'employer', during: 'after-probation', duration: month(1) },
      { by: 'employee', during: 'after-probation', duration: month(1) },
    ]);
  });

  it('has the pay of the amendment at its end', () => {
    const changed = `${form}\n\nADDENDUM No. 1 of 2 June 2026: the salary is GBP 33,000 per year from 1 July 2026.\n`;
    expect(values(changed, 'pay')).toEqual([{ amount: 33_000, currency: 'gbp', per: 'year' }]);
  });
});

describe('an offer', () => {
  it('has the terms of the column of today', () => {
    const text =
      'Offer letter\n\n| Item | May 4 | Now |\n|---|---|---|\n| Base salary | $118,000 | $124,500 per year |\n| Sign-on bonus | $7,500 | $10,000 |\n';
    expect(values(text, 'pay')).toEqual([{ amount: 124_500, currency: 'usd', per: 'year' }]);
    expect(values(text, 'benefit')).toEqual([
      { benefit: 'sign-on-bonus', amount: 10_000, currency: 'usd', per: 'once' },
    ]);
  });
});

describe('notice', () => {
  it('is stated by the sentence after the one that names it', () => {
    const text =
      'Staff handbook\n\nYour contract\n\nNew staff have a probation of six months. During it either side can end the contract with one week’s notice. Afterwards you have to give us two months; we give you one month.\n';
    expect(values(text, 'notice')).toEqual([
      { by: 'employer', during: 'probation', duration: week(1) },
      { by: 'employee', during: 'probation', duration: week(1) },
      { by: 'employee', during: 'after-probation', duration: month(2) },
      { by: 'employer', during: 'after-probation', duration: month(1) },
    ]);
  });

  it('is not the length of the probation', () => {
    const text =
      'Arbeitsvertrag\n\n§ 9 Kündigung\nDie Kündigungsfrist beträgt für beide Seiten drei Monate. Die Probezeit von sechs Monaten ist abgelaufen.\n';
    expect(values(text, 'notice').map(({ duration }) => duration)).toEqual([month(3), month(3)]);
  });
});

describe('records of hours', () => {
  const people = (text: string) =>
    (workingTimeTool.run([{ message: 0, text }]).result as unknown as { people: readonly unknown[] }).people.length;

  it('are not read out of a change of a contract', () => {
    expect(
      people(
        'Änderungsvereinbarung zum Arbeitsvertrag vom 15. September 2017\n\n§ 2 Arbeitszeit 1. April 2026 8:00 bis 16:00\n',
      ),
    ).toBe(0);
  });

  it('leave out rows that were withdrawn', () => {
    const text =
      'Datum;Medewerker;Begin;Einde;Pauze;Gewerkt;Status\n12-01-2026;A. Smit;07:00;15:30;0:30;8:00;akkoord\n13-01-2026;A. Smit;07:00;16:30;0:30;9:00;vervallen\n13-01-2026;A. Smit;07:00;15:30;0:30;8:00;akkoord\n';
    const { result } = workingTimeTool.run([{ message: 0, text }]);
    const [person] = (result as unknown as { people: readonly { readonly days: readonly { hours: string }[] }[] })
      .people;
    expect(person!.days.map(({ hours }) => hours)).toEqual(['8:00', '8:00']);
  });
});

describe('a board of advertisements', () => {
  it('states the hours of each of them', () => {
    const text =
      '# Vacancies for kitchen staff\n\n## 1) Cook\n\nFull time, 40 hours per week.\n\n## 2) Clerk\n\n30 hours per week.\n\n## 3) Driver\n\n20 hours per week.\n';
    expect(values(text, 'working_time').map(({ hours }) => hours)).toEqual([40, 30, 20]);
  });
});
