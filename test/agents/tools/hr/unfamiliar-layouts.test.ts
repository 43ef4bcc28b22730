/** Layouts and word orders of employment documents that come from other authors than the readers' own. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { certainClauseFacts } from '../../../../agents/tools/hr/clause-facts.ts';
import { readColumns } from '../../../../agents/tools/hr/timesheet-columns.ts';

/** Each fact as "kind value value"; durations as "3 month". */
const factsIn = (text: string) =>
  certainClauseFacts(parseDocument({ message: 0, text })).facts.map(({ kind, value }) =>
    [
      kind,
      ...Object.values(value).map((part) => (typeof part === 'object' ? `${part.count} ${part.unit}` : part)),
    ].join(' '),
  );
const inContract = (text: string) => factsIn(`Contract of employment of the employee.\n\n${text}\n`);

describe('layouts of employment documents', () => {
  it('reads labels and values on lines in turn', () => {
    const facts = factsIn(
      'SUMMARY FOR THE EMPLOYEE\n\nStart date\n2 June 2025\nSalary\n£29,400 per annum\nHoliday\n26 days\nTrial period\n2 months\n',
    );
    expect(facts).toContain('term employment 2025-06-02');
    expect(facts).toContain('pay 29400 gbp year');
    expect(facts).toContain('annual_leave 26 days');
    expect(facts).toContain('term probation 2 month');
  });

  it('reads values below headings without marks, also those that begin with a number', () => {
    const facts = factsIn(
      'Angaben für Arbeitnehmer der Werkstatt.\n\nUrlaub\n\n29 Arbeitstage pro Jahr\n\nProbezeit\n\nFünf Monate\n\nKündigungsfrist\n\nSechs Wochen zum Monatsende\n',
    );
    expect(facts).toContain('annual_leave 29 days working');
    expect(facts).toContain('term probation 5 month');
    expect(facts).toContain('notice employee after-probation 6 week');
  });

  it('reads the rows of a list under the title of notice', () => {
    const facts = inContract('**Kündigungsfrist:**\n- Probezeit: 10 Tage\n- Nach der Probezeit: 3 Monate');
    expect(facts).toContain('notice employer probation 10 day');
    expect(facts).toContain('notice employee after-probation 3 month');
  });

  it('reads the items of a list with the sentence before it', () => {
    const facts = inContract(
      'For nine months after the end of the employment, the employee shall not:\n(a) compete with the Company in any business;\n(b) solicit any client of the Company.',
    );
    expect(facts).toContain('covenant non-compete 9 month');
    expect(facts).toContain('covenant non-solicitation 9 month');
  });

  it('reads headings of exports without blanks, and no time in the start of a week', () => {
    const columns = readColumns(['WeekStart', 'Date', 'StaffName', 'StartTime', 'EndTime', 'BreakMinutes']);
    expect(columns?.stretches).toEqual([[3, 4]]);
    expect(columns?.pause).toBe(5);
  });
});

describe('wording of employment documents', () => {
  it.each([
    ['Notice: one month (employee), three months (employer).', 'notice employer after-probation 3 month'],
    ['Either party may leave on two weeks’ notice during probation (first 4 months).', 'term probation 4 month'],
    ['De eerste maand geldt als proeftijd.', 'term probation 1 month'],
    [
      'Voor de werknemer geldt een opzegtermijn van één maand en voor de werkgever van drie maanden.',
      'notice employer after-probation 3 month',
    ],
    ['Your salary is £31,000 per annum payable monthly in arrears.', 'pay 31000 gbp year'],
    ['La retribuzione annua lorda è pari ad € 30.100,00 corrisposta in 14 mensilità.', 'pay 30100 eur year'],
    ['The normal work week shall be an average of 36 hours.', 'working_time 36 week'],
    ['Your normal working hours are between 8.30 am and 5 pm, Monday to Friday.', 'working_time 08:30 17:00'],
    ['Work hours on Monday to Friday are 7am to 3.30pm.', 'working_time 07:00 15:30'],
    ['Arbeitsbeginn ist 6:30 Uhr, Arbeitsende 15:00 Uhr.', 'working_time 06:30 15:00'],
    ['Die Wochenarbeitszeit beträgt 37 Stunden, mit Überstunden höchstens 44 Stunden.', 'working_time 37 week'],
    ['La jornada es de 1.720 horas de trabajo efectivo, en cómputo anual.', 'working_time 1720 year'],
    ['You get 22 days of paid vacation per calendar year plus 9 company holidays.', 'annual_leave 22 days'],
    [
      'The employee shall receive a settlement payment in the amount of EUR 41,200.',
      'benefit severance 41200 eur once',
    ],
    ['We make a 100% 401(k) match on employee contributions up to 4% of salary.', 'benefit pension 4'],
    ['Hiermit kündigen wir das Arbeitsverhältnis zum 30.09.2025.', 'term employment 2025-09-30'],
    ['The employment is terminated by mutual consent effective as at 30 November 2025.', 'term employment 2025-11-30'],
    ['Your employment will come to an end on 29 August 2025.', 'term employment 2025-08-29'],
    ['This is the position of Buyer at our office in Akron, Ohio.', 'workplace Akron'],
  ])('reads: %s', (text, fact) => {
    expect(inContract(text)).toContain(fact);
  });

  it.each([
    ['This Agreement is entered into as of March 1, 2024.', 'term'],
    ['If your employment is terminated prior to May 1, 2026, you keep the laptop.', 'term'],
    ['We give you one week’s notice for each complete year of service.', 'notice'],
    ['Employees accrue 6 hours of sick leave for every month of service.', 'benefit'],
    ['If you are absent for four or more days because of sickness you are entitled to SSP.', 'benefit sick-pay 4'],
    ['Location: various sites across Wales', 'workplace'],
    ['You receive severance pay equal to $90,000, two times your target bonus.', 'benefit bonus'],
    ['The 3 month probation applies.', 'notice'],
  ])('reads no %s', (text, start) => {
    expect(inContract(text).filter((fact) => fact.startsWith(start))).toEqual([]);
  });

  it('reads the date of a policy as that of no employment', () => {
    expect(
      factsIn('# Leave Policy\n\n**Effective Date:** 1 January 2025\n\nEmployees get 24 days of annual leave.'),
    ).not.toContain('term employment 2025-01-01');
  });

  it('reads dates of the United States with the month first', () => {
    expect(inContract('Location: Tulsa, OK\n\nStart Date: 08/04/2025\n\nAnnual salary: $61,000')).toContain(
      'term employment 2025-08-04',
    );
  });
});
