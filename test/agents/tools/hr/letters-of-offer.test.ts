/** Letters of offer in two columns, and lengths of time that a sentence about a probation or a notice states of something else. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { clauseFacts } from '../../../../agents/tools/hr/clause-facts.ts';
import { findTerms } from '../../../../agents/tools/hr/employment-terms.ts';
import { checkPolicy } from '../../../../agents/tools/hr/policy-checklist.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const head = 'Employment contract\n\n';
const factsIn = (text: string, kind: string) =>
  clauseFacts(parseDocument(documentOf(head + text)))
    .filter((fact) => fact.kind === kind)
    .map(({ value }) => value);
const termsIn = (text: string) => findTerms(documentOf(head + text)).map(({ kind, value }) => `${kind} ${value}`);
const probationIn = (text: string) => factsIn(text, 'term').filter(({ part }) => part === 'probation');
const months = (count: number) => [{ part: 'probation', duration: { count, unit: 'month' } }];

describe('lengths that are not those of a probation', () => {
  it.each([
    [
      'You may work from home up to two days a week once your probation is complete. Your probation lasts six months.',
      6,
    ],
    ['You get two days off per month during probation. Your probationary period is three months.', 3],
    [
      'Nach der Probezeit können Sie zwei Tage pro Woche im Homeoffice arbeiten. Die Probezeit beträgt sechs Monate.',
      6,
    ],
    [
      "Après la période d'essai, le télétravail est possible deux jours par semaine. La période d'essai est de trois mois.",
      3,
    ],
    ['During probation you earn 1.5 days of leave for each month worked. Probation: 6 months.', 6],
    ['Probation reviews take place every 4 weeks. Your probation is for 3 months.', 3],
    ['The first three months are a probationary period.', 3],
    ['During your probation, which lasts six months, you report to the depot.', 6],
    ['Prøvetiden er 3 måneder.', 3],
  ])('reads %s', (text, count) => {
    expect(probationIn(text)).toEqual(months(count));
    expect(termsIn(text).filter((term) => term.startsWith('probation') && term !== `probation P${count}M`)).toEqual([]);
  });

  it.each([
    'You accrue one day of holiday per month during probation.',
    'Während der Probezeit erhalten Sie einen Tag Urlaub pro Monat.',
    'You must tell us two days before any absence during probation.',
    'Notice                  After probation: from you, two months; from us, three months.',
  ])('reads no length in "%s"', (text) => {
    expect(probationIn(text)).toEqual([]);
    expect(termsIn(text).filter((term) => term.startsWith('probation'))).toEqual([]);
  });
});

describe('notice', () => {
  it('is no period of hours, and not the time to withdraw from an agreement about hours', () => {
    const text =
      "Hours: 37.5 a week. You have signed the enclosed opt-out of the 48-hour limit; you may withdraw it by giving three months' notice.";
    expect(termsIn(text).filter((term) => term.startsWith('notice'))).toEqual([]);
    expect(factsIn(text, 'notice')).toEqual([]);
  });

  it('is read from its own sentence of a row about the probation', () => {
    const text =
      "Probation: Six months, which we may extend by up to three months. During it either side may end the employment on one week's notice.";
    expect(factsIn(text, 'notice')).toMatchObject([
      { duration: { count: 1, unit: 'week' } },
      { duration: { count: 1 } },
    ]);
  });
});

describe('pay', () => {
  it.each([
    ['Salary: £52,500 per annum, paid monthly in arrears on or about the 28th of each month.', 'GBP 52500 per year'],
    ['Your salary is £52,500 a year, which is paid on the 28th of each month.', 'GBP 52500 per year'],
    ['Annual salary: £40,000 payable in twelve equal monthly instalments.', 'GBP 40000 per year'],
    ['Salaire : 42 000 € bruts par an, versé mensuellement.', 'EUR 42000 per year'],
    ['Your salary is $2,000 per month, reviewed annually.', 'USD 2000 per month'],
  ])('has the period of its amount, and not that of its payment: %s', (text, value) => {
    expect(termsIn(text)).toContain(`salary ${value}`);
  });

  it('is read where a later sentence of its row speaks of increases', () => {
    const text =
      'Salary              £52,500 per annum, paid monthly in arrears. Salaries are reviewed each January;\n                    there is no obligation to increase them.\nCar allowance       £4,800 a year, paid in equal monthly instalments.\n';
    expect(factsIn(text, 'pay')).toEqual([{ amount: 52_500, currency: 'gbp', per: 'year' }]);
  });
});

const letter = `Hartwell & Dunne Logistics Limited

17 April 2026

Dear Priya,

Offer of employment: Transport Planning Manager

We are delighted to offer you employment on the terms below.

Hours                   37.5 hours a week, Monday to Friday. You have signed the enclosed
                        opt-out of the 48-hour limit.
Holiday                 25 days a year plus the usual public holidays, rising by one day for each completed year of service
                        to a maximum of 30 days.
Probation               Six months, which we may extend by up to three months. During it either side may end the employment on one
                        week's notice.
Notice                  After probation: from you, two months; from us, three months.
`;

describe('a letter in two columns', () => {
  it('has a statement for each label, also where values are wrapped', () => {
    const facts = clauseFacts(parseDocument(documentOf(letter)));
    const values = (kind: string) => facts.filter((fact) => fact.kind === kind).map(({ value }) => value);
    expect(values('term')).toEqual(months(6));
    expect(values('notice')).toEqual([
      { by: 'employer', during: 'probation', duration: { count: 1, unit: 'week' } },
      { by: 'employee', during: 'probation', duration: { count: 1, unit: 'week' } },
      { by: 'employee', during: 'after-probation', duration: { count: 2, unit: 'month' } },
      { by: 'employer', during: 'after-probation', duration: { count: 3, unit: 'month' } },
    ]);
  });

  it('covers leave, notice, the post and the parties', () => {
    const absent = checkPolicy([documentOf(letter)]).flatMap(({ topic, count }) => (count === 0 ? [topic.id] : []));
    for (const id of ['leave', 'termination', 'job', 'parties', 'hours', 'probation']) expect(absent).not.toContain(id);
    expect(absent).toContain('training');
  });

  it('does not cover what it does not state', () => {
    const absent = checkPolicy([documentOf('Employment contract\n\nYour salary is £30,000 a year.\n')]).flatMap(
      ({ topic, count }) => (count === 0 ? [topic.id] : []),
    );
    expect(absent).toEqual(expect.arrayContaining(['parties', 'job', 'leave', 'termination', 'probation']));
  });
});
