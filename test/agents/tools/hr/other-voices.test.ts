/** Values that stand in an employment document without being its terms, each next to a value that is one. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { clauseFacts } from '../../../../agents/tools/hr/clause-facts.ts';
import { findTerms } from '../../../../agents/tools/hr/employment-terms.ts';
import { workingTimeTool } from '../../../../agents/tools/hr/tools.ts';

const front = 'Employment contract of an employee.\n\n';
const valuesIn = (text: string, kind: string) =>
  clauseFacts(parseDocument({ message: 0, text: front + text }))
    .filter((fact) => fact.kind === kind)
    .map(({ value }) => value);

const changes = [
  '| Term | Until 30 June 2026 | From 1 July 2026 |',
  '|---|---|---|',
  '| Hours | 39 per week | 26 per week |',
  '| Salary | £41,200 per annum | £27,466 per annum (full-time equivalent £41,200) |',
  '| Holiday | 27 days | 18 days |',
  '| Notice (both sides) | one month | three months |',
].join('\n');

describe('values that are not terms of the document', () => {
  it('takes the new column of a table of changes', () => {
    expect(valuesIn(changes, 'working_time')).toEqual([{ hours: 26, per: 'week' }]);
    expect(valuesIn(changes, 'pay')).toEqual([{ amount: 27_466, currency: 'gbp', per: 'year' }]);
    expect(valuesIn(changes, 'annual_leave')).toMatchObject([{ amount: 18 }]);
    expect(valuesIn(changes, 'notice')).toMatchObject([
      { by: 'employer', duration: { count: 3, unit: 'month' } },
      { by: 'employee', duration: { count: 3, unit: 'month' } },
    ]);
  });

  it('takes both columns if none of them is new', () => {
    const table = '| Term | Old site | Remarks |\n|---|---|---|\n| Hours | 39 hours per week | none |';
    expect(valuesIn(table, 'working_time')).toEqual([{ hours: 39, per: 'week' }]);
  });

  it('leaves out a quoted leaflet and an earlier message', () => {
    const text = [
      'Die Kündigungsfrist beträgt für beide Seiten sechs Wochen.',
      '',
      'Auszug aus dem Merkblatt:',
      '"Die Kündigungsfrist der Arbeitnehmer beträgt drei Monate,',
      'wenn nichts vereinbart ist."',
      '',
      'On 2 May 2026, A. Moor wrote:',
      '> I would like to work 21 hours a week, from 10:15 to 18:45.',
      '> Is that possible?',
    ].join('\n');
    expect(valuesIn(text, 'notice')).toMatchObject([
      { by: 'employer', duration: { count: 6, unit: 'week' } },
      { by: 'employee', duration: { count: 6, unit: 'week' } },
    ]);
    expect(valuesIn(text, 'working_time')).toEqual([]);
  });

  it('reads a quotation that no line announces, and one that does not end', () => {
    expect(valuesIn('"You work 30 hours a week."', 'working_time')).toEqual([{ hours: 30, per: 'week' }]);
    expect(valuesIn('Hours:\n"You work 30 hours a week.\n\nMore text.', 'working_time')).toEqual([
      { hours: 30, per: 'week' },
    ]);
  });

  it.each([
    ['[ ] Company car   [X] Travel pass, €49 per month', ['transport-allowance']],
    ['[X] Company car   [ ] Travel pass, €49 per month', ['car']],
  ])('reads the ticked options of %j', (text, benefits) => {
    expect(valuesIn(text, 'benefit').map(({ benefit }) => benefit)).toEqual(benefits);
  });

  it('leaves out core times and limits of the law', () => {
    expect(valuesIn('Arbeitszeit: gleitend; Blockzeiten 09:30 - 11:00 und 14:00 - 15:30', 'working_time')).toEqual([]);
    expect(
      valuesIn(
        'Arbeitszeit: 37 Std. wöchentlich. Höchstgrenze § 9 AZG: 12 Std. täglich, 60 Std. wöchentlich',
        'working_time',
      ),
    ).toEqual([{ hours: 37, per: 'week' }]);
  });

  it('leaves out the trial of an arrangement and the start of continuous employment', () => {
    const kindsIn = (text: string) => findTerms({ message: 0, text: front + text }).map(({ kind }) => kind);
    const trial = 'If the arrangement fails during a trial period of three months we may end it.';
    expect(valuesIn(trial, 'term')).toEqual([]);
    expect(kindsIn(trial)).not.toContain('probation');
    expect(kindsIn('Your continuous employment began on 4 May 2017.')).not.toContain('start_date');
    expect(kindsIn('Your employment began on 4 May 2017.')).toContain('start_date');
  });
});

it('reads a record in French with one table per agent, and no person in its title or forecast', () => {
  const text = [
    'VIGILE NORD PRIVEE',
    'Semaine 25 - du lundi 15/06/2026 au dimanche 21/06/2026',
    '',
    'AGENT : MOREL Ines              matricule 2026-004       contrat 35 h',
    ' Jour       Prevu           Debut    Fin      Pause (non payee)    Effectif',
    ' lun 15/06  08h00-16h00     08h00    16h00    0h30                 7h30',
    ' mar 16/06  08h00-15h00     08h00    15h00    neant                7h00',
    ' mer 17/06  CP              CP       CP       -                    CP (7h00 payees)',
    '                                              TOTAL                14h30    paye : 21h30',
    '',
    'ANNEXE',
    ' Nom                       lun 15   mar 16   mer 17   jeu 18   ven 19    total',
    ' PREVISION sem. 24          7,00     7,00     7,00     7,00     7,00    35,00',
  ].join('\n');
  const { people, week_tables: tables } = workingTimeTool.run([{ message: 0, text }]).result as unknown as {
    people: readonly { worker: string; days: readonly { date: string; hours: string }[] }[];
    week_tables?: readonly unknown[];
  };
  expect(people.map(({ worker, days }) => [worker, days.map(({ date, hours }) => `${date} ${hours}`)])).toEqual([
    ['MOREL Ines', ['2026-06-15 7:30', '2026-06-16 7:00']],
  ]);
  expect(tables ?? []).toEqual([]);
});
