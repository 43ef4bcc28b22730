import { expect, it } from 'vitest';
import { itemsOf, runTool } from '../../../support/agents/run-tool.ts';

const run = (tool: string, text: string) => runTool('medical-analyst', tool, text);

it('reads a reference range in brackets at the beginning of the next line', () => {
  const values = itemsOf(
    run(
      'laboratory_values',
      'Analítica: Hb 13,1 g/dL [12-16]; creatinina 0,91 mg/dL\n[0,50-0,90] *; Na 139 mmol/L [135-145].',
    ).values,
  );
  expect(values.map(({ label, flag, writtenRange }) => [label, flag, writtenRange])).toEqual([
    ['Hb', 'normal', { low: 12, high: 16 }],
    ['creatinina', 'high', { low: 0.5, high: 0.9 }],
    ['Na', 'normal', { low: 135, high: 145 }],
  ]);
});

it('gives the values of an HTML table the sampling day of its caption, and a value of today the day of the visit', () => {
  const values = itemsOf(
    run(
      'laboratory_values',
      `<p>Visit: 9/23/2025</p><table><caption>Metabolic panel (collected 9/22/2025)</caption>
<tr><th>Component</th><th>Your Value</th><th>Standard Range</th></tr>
<tr><td>Sodium</td><td>134</td><td>135 - 145 mmol/L</td></tr>
<tr><td>Potassium</td><td>4.6</td><td>3.5 - 5.0 mmol/L</td></tr></table>
<p>INR today: 3.4 (goal 2.0 - 3.0)</p>`,
    ).values,
  );
  expect(values.map(({ label, date, writtenUnit }) => [label, date, writtenUnit])).toEqual([
    ['Sodium', '2025-09-22', 'mmol/L'],
    ['Potassium', '2025-09-22', 'mmol/L'],
    ['INR', '2025-09-23', ''],
  ]);
});

it('reads a chart of times to its last column, although the note of a mark below it has columns of its own', () => {
  const vitals = itemsOf(
    run(
      'patient_facts',
      `Date of case: 19/07/2025   Printed 20/07/2025 03:12
VITAL SIGNS
Time    PR    BP       RR   SpO2      Temp    GCS
22:24   118   104/68   28   91 RA     35.2    15
23:05   98    110/70   22   97 8L     -       14*
  * drowsy after analgesia      monitor 22:40 38 mmHg`,
    ).vitals,
  );
  expect(vitals.map(({ sign, value, date }) => `${sign} ${value} ${date}`)).toEqual([
    'pulse 118 2025-07-19',
    'systolic 104 2025-07-19',
    'diastolic 68 2025-07-19',
    'respiratory-rate 28 2025-07-19',
    'spo2 91 2025-07-19',
    'temperature 35.2 2025-07-19',
    'pulse 98 2025-07-19',
    'systolic 110 2025-07-19',
    'diastolic 70 2025-07-19',
    'respiratory-rate 22 2025-07-19',
    'spo2 97 2025-07-19',
  ]);
});

it('counts an examination that was not recommended as not done', () => {
  const procedures = itemsOf(run('patient_facts', 'At the tumor board re-excision was not recommended.').procedures);
  expect(procedures).toMatchObject([{ status: 'not-done' }]);
});

it('counts "h/o respiratory distress" as over', () => {
  const problems = itemsOf(
    run('patient_facts', 'Discharge diagnosis:\nHTN\nh/o aspiration respiratory distress').problems,
  );
  expect(problems).toMatchObject([{ status: 'affirmed' }, { name: 'respiratory distress', status: 'historical' }]);
});
