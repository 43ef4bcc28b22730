import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { findProblems } from '../../../../agents/tools/medical/problems.ts';
import { findProcedures } from '../../../../agents/tools/medical/procedures.ts';
import { findStatedScores } from '../../../../agents/tools/medical/stated-scores.ts';
import { findVitalReadings } from '../../../../agents/tools/medical/vital-readings.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const procedures = (text: string) =>
  findProcedures(parseDocument(documentOf(text))).map(({ name, status, date }) => [
    name,
    status,
    ...(date === undefined ? [] : [date]),
  ]);

describe('procedures', () => {
  it('are planned if their day is after the day on which the record was signed', () => {
    const note =
      'Seen in clinic. Echocardiogram 14/05/2025. Colonoscopy 20/06/2025.\nSigned by Dr. Okafor on 16/05/2025';
    expect(procedures(note)).toEqual([
      ['Echocardiogram', 'done', '2025-05-14'],
      ['Colonoscopy', 'planned', '2025-06-20'],
    ]);
  });

  it.each([
    ['Echocardiogram on 03/25/2025 showed an ejection fraction of 30%.', [['Echocardiogram', 'done', '2025-03-25']]],
    ['He had a cholecystectomy in 2009.', [['cholecystectomy', 'done', '2009']]],
    ['Colonoscopy due, patient declined.', [['Colonoscopy', 'not-done']]],
    ['A CT angiogram was not obtained.', [['CT angiogram', 'not-done']]],
    ['DEXA booked for 22/07/2025.', [['DEXA', 'planned', '2025-07-22']]],
    ['Koloskopie am 23.03.2026 geplant.', [['Koloskopie', 'planned', '2026-03-23']]],
    ['Scanner cérébral non réalisé.', [['Scanner cérébral', 'not-done']]],
    ['Kein Hirninfarkt im CCT.', [['CCT', 'done']]],
    ['TTE 2/28: LVEF 32%, moderate MR, no LV thrombus.', [['TTE', 'done']]],
    ['Mild-to-moderate MR and trace TR. MR 2+, AR 1+. Leichte MR.', []],
    ['Gliclazide MR once daily.', []],
    ['MR hjärna 2024-03-02 utan anmärkning.', [['MR hjärna', 'done', '2024-03-02']]],
    ['2024-03-02 MR hjärna utan anmärkning.', [['MR hjärna', 'done', '2024-03-02']]],
    ['MR of the brain showed no lesion.', [['MR of the brain', 'done']]],
    [
      'PROCEDURES NOT PERFORMED: Left side repair. Orchiectomy.',
      [
        ['Left side repair', 'not-done'],
        ['Orchiectomy', 'not-done'],
      ],
    ],
    ['Her mother had a hysterectomy in 2001.', []],
    ['If varices enlarge, band ligation would be offered.', []],
    ['Lungs CTA bilaterally.', []],
    ['Visit 13/01/2026. Laparotomy 05/06/2024.', [['Laparotomy', 'done', '2024-06-05']]],
    ['Laparotomy 05/06/2024.', [['Laparotomy', 'done']]],
  ])('reads %s', (text, expected) => {
    expect(procedures(text)).toEqual(expected);
  });
});

describe('stated scores', () => {
  const scores = (text: string) =>
    findStatedScores(parseDocument(documentOf(text))).map(({ score, value }) => [score, value]);

  it.each([
    [
      'CHA2DS2-VASc score 4, HAS-BLED = 2.',
      [
        ['CHA2DS2-VASc', 4],
        ['HAS-BLED', 2],
      ],
    ],
    ['GCS E3 V1 M5.', [['GCS', 9]]],
    ['Child-Pugh class B (8 points).', [['Child-Pugh', 8]]],
    [
      'ASA grade II. MMST 27/30 Punkte. Barthel-Index: 85.',
      [
        ['ASA grade', 2],
        ['MMST', 27],
        ['Barthel', 85],
      ],
    ],
    ['ASA 100 mg daily. NEWS2 5 or more: urgent response. HEART score N/A. If CHA2DS2-VASc is 2 or more', []],
  ])('reads %s', (text, expected) => {
    expect(scores(text)).toEqual(expected);
  });

  it('reads the column of a chart', () => {
    const text = 'Time;Pulse;NEWS2\n08:00;84;0\n12:00;102;5';
    expect(scores(text)).toEqual([
      ['NEWS2', 0],
      ['NEWS2', 5],
    ]);
  });
});

describe('problems', () => {
  const problems = (text: string) =>
    findProblems(parseDocument(documentOf(text))).map(({ name, status }) => [name, status]);

  it.each([
    [
      'Denies: trauma, fever, neck stiffness.',
      [
        ['trauma', 'negated'],
        ['fever', 'negated'],
        ['neck stiffness', 'negated'],
      ],
    ],
    ['His mother and a paternal uncle both had bowel cancer.', [['bowel cancer', 'family']]],
    ['Kardiale Dekompensation liegt nicht vor.', [['Kardiale Dekompensation', 'negated']]],
    [
      'PMH: Brugada syndrome, T2DM.',
      [
        ['Brugada syndrome', 'affirmed'],
        ['T2DM', 'affirmed'],
      ],
    ],
    [
      'No hepatomegaly, conjunctival pallor present.',
      [
        ['hepatomegaly', 'negated'],
        ['conjunctival pallor', 'affirmed'],
      ],
    ],
    ['Bei Fieber Paracetamol 500 mg.', [['Fieber', 'hypothetical']]],
    ['Influenza and pneumonia vaccines are up to date.', []],
    [
      'Z.n. Apoplex 2019, Vorhofflimmern',
      [
        ['Apoplex', 'historical'],
        ['Vorhofflimmern', 'affirmed'],
      ],
    ],
  ])('reads %s', (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });
});

describe('vital signs', () => {
  const vitals = (text: string) =>
    findVitalReadings(parseDocument(documentOf(text))).map(({ sign, value }) => `${sign} ${value}`);

  it.each([
    [
      'VS: 136/84, 92, 18, 98.9F, 96% RA.',
      ['systolic 136', 'diastolic 84', 'pulse 92', 'respiratory-rate 18', 'temperature 37.2', 'spo2 96'],
    ],
    ['At discharge: afebrile 36.9 C, 112/68, HR 72', ['systolic 112', 'diastolic 68', 'temperature 36.9', 'pulse 72']],
    ['Weight 68.0 kg (adm wt 74.6 kg)', ['weight 68', 'weight 74.6']],
    ['In the cohort the mean blood pressure was 131/80.', []],
  ])('reads %s', (text, expected) => {
    expect(vitals(text).sort()).toEqual([...expected].sort());
  });

  it('reads columns for systolic and diastolic pressure', () => {
    const text = 'Time;Systolic;Diastolic;Pulse\n08:00;126;74;84\n12:00;118;70;88';
    expect(vitals(text)).toEqual([
      'systolic 126',
      'diastolic 74',
      'pulse 84',
      'systolic 118',
      'diastolic 70',
      'pulse 88',
    ]);
  });
});
