/**
 * Notes in the layouts that hospitals print: each fact belongs to its own item, row or person. The texts were written for these
 * tests.
 */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../agents/agent/agent.ts';
import { laboratoryValues } from '../../../../agents/tools/medical/lab-review.ts';
import { medicationReview } from '../../../../agents/tools/medical/medication-review.ts';
import { medicalTimeline } from '../../../../agents/tools/medical/timeline.ts';
import { patientFacts } from '../../../../agents/tools/medical/vital-signs.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

// biome-ignore lint/suspicious/noExplicitAny: results are plain JSON
const plain = (result: Json): any => JSON.parse(JSON.stringify(result));
const medicines = (text: string) => plain(medicationReview.run([documentOf(text)]).result);
const affirmed = (text: string): string[] =>
  plain(patientFacts.run([documentOf(text)]).result)
    .conditions.filter(({ denied }: { denied: boolean }) => !denied)
    .map(({ condition }: { condition: string }) => condition);
const labs = (text: string): [string, string, string][] =>
  plain(laboratoryValues.run([documentOf(text)]).result).values.items.map(
    ({ analyte, written, flag }: { analyte: string; written: string; flag: string }) => [analyte, written, flag],
  );

describe('medicines in one sentence', () => {
  it.each([
    ['Amlodipine 10 mg daily, Coreg 12.5 mg b.i.d.', '10 mg'],
    ['Amlodipine 10 mg daily, Zyrixal 12.5 mg b.i.d., and Torvex 5 mg t.i.d.', '10 mg'],
    ['Amlodipine 10 mg daily and Zyrixal 12.5 mg twice daily.', '10 mg'],
    ['Amlodipine 10 mg daily Zyrixal 12.5 mg b.i.d.', '10 mg'],
    ['Amlodipine 10 mg daily\nZyrixal 12.5 mg b.i.d.', '10 mg'],
  ])('does not give amlodipine the frequency of another medicine in %j', (text, daily) => {
    const { medications, aboveUsualMaximum } = medicines(text);
    expect(medications.items[0]).toMatchObject({ medicine: 'amlodipine', daily });
    expect(aboveUsualMaximum.items).toEqual([]);
  });

  it('reads a comma before three digits as thousands, unless the dose begins with zero', () => {
    const { medications, aboveUsualMaximum } = medicines('Acetaminophen 1,000 mg every 4 hours');
    expect(medications.items[0]).toMatchObject({ dose: '1000 mg', daily: '6000 mg' });
    expect(aboveUsualMaximum.items).toMatchObject([{ medicine: 'paracetamol', daily: '6000 mg daily' }]);
    expect(medicines('Bisoprolol 0,125 mg').medications.items[0]).toMatchObject({ dose: '0.125 mg' });
    expect(medicines('Bisoprolol 2,5 mg').medications.items[0]).toMatchObject({ dose: '2.5 mg' });
  });

  it('still reports a dose that is too high', () => {
    expect(medicines('Amlodipine 10 mg b.i.d., Zyrixal 5 mg daily').aboveUsualMaximum.items).toMatchObject([
      { medicine: 'amlodipine', daily: '20 mg daily' },
    ]);
  });

  it('reads a table of medicines row by row', () => {
    const { medications } = medicines('Drug,Dose,Frequency\nAmlodipine,10 mg,daily\nMetformin,500 mg,b.i.d.\n');
    expect(medications.items).toMatchObject([
      { medicine: 'amlodipine', daily: '10 mg' },
      { medicine: 'metformin', daily: '1000 mg' },
    ]);
  });

  it('reads allergies below a separate heading', () => {
    const text = 'ALLERGIES\n- Penicillin V\n- Naproxen\n\nMEDICATIONS\n- Amoxicillin 500 mg t.i.d.\n';
    expect(medicines(text).allergyConflicts.items).toMatchObject([{ medicine: 'amoxicillin' }]);
  });
});

describe('conditions', () => {
  it.each([
    'Review of systems is negative for chest pain, dizziness, headache, tremor, seizure, or stroke.',
    'He denies any history of heart failure, prior myocardial infarction, diabetes, or stroke.',
    'No evidence of atrial fibrillation, flutter, or other arrhythmia, and no signs of heart failure.',
    'Stroke was ruled out by imaging.',
    'Diabetes: no\nHypertension: denied',
    'Father has diabetes.',
    'His mother died of a stroke at 71.',
    'FAMILY HISTORY\nDiabetes in two uncles. Hypertension.',
    'Family history:\nStroke\nDiabetes',
    'FHx: hypertension, diabetes',
    'There is a history of diabetes in his mother.',
    'He was told to return if signs of stroke appear.',
    'She was counselled on the risk of stroke.',
  ])('are not attributed to the patient in: %s', (text) => {
    expect(affirmed(text)).toEqual([]);
  });

  it.each([
    ['No fever was noted, and diabetes is treated with metformin.', ['diabetes']],
    ['Father has diabetes. The patient has hypertension.', ['hypertension']],
    ['He lives with his mother and has diabetes.', ['diabetes']],
    ['FAMILY HISTORY\nDiabetes.\n\nPAST MEDICAL HISTORY\nHypertension.', ['hypertension']],
    ['PMH: hypertension, stroke', ['hypertension', 'stroke or TIA']],
  ])('are attributed to the patient in: %s', (text, expected) => {
    expect(affirmed(text)).toEqual(expected);
  });
});

describe('laboratory tables', () => {
  const rows = [
    ['Sodium', '128', 'mEq/L', '135-145', 'L'],
    ['Potassium, serum', '5.9', 'mEq/L', '3.5-5.1', 'H'],
    ['Chloride', '92', 'mEq/L', '98-107', 'L'],
    ['CO2', '17', 'mEq/L', '22-29', 'L'],
    ['Urea nitrogen (BUN)', '46', 'mg/dL', '7-20', 'H'],
    ['Creatinine', '2.4', 'mg/dL', '0.7-1.3', 'H'],
    ['Glucose (fasting)', '212', 'mg/dL', '70-99', 'H'],
    ['Hgb', '8.9', 'g/dL', '13.5-17.5', 'L'],
    ['WBC', '15.2', 'K/uL', '4.5-11.0', 'H'],
    ['Platelet Count', '88', 'thou/uL', '150-400', 'L'],
  ];
  const header = ['Test', 'Result', 'Units', 'Reference', 'Flag'];
  const table = [header, ...rows];
  const forms = {
    bars: table.map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
    'quoted commas': table.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\n'),
    tabs: table.map((cells) => cells.join('\t')).join('\n'),
    'aligned columns': table.map((cells) => cells.map((cell) => cell.padEnd(24)).join('')).join('\n'),
    HTML: `<table>${table.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}</table>`,
  };

  it.each(Object.entries(forms))('flags all ten abnormal values: %s', (_, text) => {
    const found = labs(text);
    expect(found.map(([, , flag]) => flag.replace('critically ', ''))).toEqual(
      rows.map(([, , , , flag]) => (flag === 'L' ? 'low' : 'high')),
    );
    expect(found).toEqual(labs(forms.bars));
  });

  it('reads columns in another order, units in labels, and results without a unit by the printed range', () => {
    const text = `Component | Ref. range | Value
Sodium (mmol/L) | 135 - 145 | 128
Potassium | 3.5 - 5.1 | 5.9 (H)
Creatinine | 0.7 - 1.3 | 2.4 *
`;
    expect(labs(text).map(([analyte, , flag]) => [analyte, flag])).toEqual([
      ['sodium', 'low'],
      ['potassium', 'high'],
      ['creatinine', 'high'],
    ]);
  });

  it('gives each column of a trend table its own day', () => {
    const text = `Date        | 03/14/2026 | 03/02/2026
Creatinine (mg/dL) | 2.4 | 1.1
`;
    const values = plain(laboratoryValues.run([documentOf(text)]).result).values.items;
    expect(values.map(({ written, date }: { written: string; date: string }) => [written, date])).toEqual([
      ['2.4', '2026-03-14'],
      ['1.1', '2026-03-02'],
    ]);
  });

  it('infers the unit only below a laboratory heading', () => {
    const line = 'Na 128, K 5.8, creatinine 2.1, glucose 240';
    expect(labs(`Labs:\n${line}`).map(([, , flag]) => flag)).toEqual(['low', 'high', 'high', 'high']);
    expect(labs('Na 128, glucose 240')).toEqual([]);
    expect(laboratoryValues.run([documentOf(`Labs: ${line}`)]).digest[0]).toContain('unit not stated');
  });

  it.each([
    'Labs: WBC 8,420 /uL (4,500-11,000)',
    'Labor: Leukozyten 8.420 /µl (4.500-11.000)',
    '| Labor | Wert | Einheit | Norm |\n|---|---|---|---|\n| Leukozyten | 8.420 | /µl | 4.500-11.000 |',
  ])('reads thousands in counts per microlitre and in their range: %j', (text) => {
    const { items } = plain(laboratoryValues.run([documentOf(text)]).result).values;
    expect(items).toMatchObject([{ value: 8.42, flag: 'normal', range: { low: 4.5, high: 11 } }]);
  });

  it('ignores measurements of other fluids', () => {
    expect(labs('Test | Result | Units\nUrine sodium | 12 | mmol/L\nUrine creatinine | 80 | mg/dL\n')).toEqual([]);
  });
});

describe('dates of one note', () => {
  const days = (text: string) => plain(medicalTimeline.run([documentOf(text)]).result).events.items;

  it('are read in the order of day and month that an unambiguous date determines', () => {
    expect(days('Admitted 03/14/2026.\n\nSeen again 04/02/2026.')).toMatchObject([
      { date: '2026-03-14' },
      { date: '2026-04-02' },
    ]);
    expect(days('Admitted 14/03/2026.\n\nSeen again 02/04/2026.')).toMatchObject([
      { date: '2026-03-14' },
      { date: '2026-04-02' },
    ]);
  });

  it('are listed as unclear unless the note declares their order', () => {
    const { events, unclearDates } = plain(medicalTimeline.run([documentOf('Seen 04/02/2026.')]).result);
    expect(events.items).toEqual([]);
    expect(unclearDates).toMatchObject([{ written: '04/02/2026', event: 'Seen 04/02/2026.' }]);
    expect(days('All dates MM/DD/YYYY. Seen 04/02/2026.')[0]).not.toHaveProperty('ambiguous');
  });
});
