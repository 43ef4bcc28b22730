import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { findCodes } from '../../../../agents/tools/medical/codes.ts';
import { conditionOf, findConditions } from '../../../../agents/tools/medical/conditions.ts';
import { findPatient } from '../../../../agents/tools/medical/patient.ts';
import { computeScores } from '../../../../agents/tools/medical/scores.ts';
import { medicalTimeline } from '../../../../agents/tools/medical/timeline.ts';
import { patientFacts } from '../../../../agents/tools/medical/vital-signs.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const patient = (text: string) =>
  Object.fromEntries(Object.entries(findPatient([documentOf(text)])).map(([key, fact]) => [key, fact.value]));
const scores = (text: string) => computeScores([documentOf(text)]);

describe('facts about the patient', () => {
  it.each([
    ['A 67-year-old man', { ageYears: 67, sex: 'male' }],
    ['Sex: F, Age: 45', { ageYears: 45, sex: 'female' }],
    ['72 yo F, RR 22/min', { ageYears: 72, sex: 'female', respiratoryRate: 22 }],
    ['Mrs. Novak, 82 y/o', { ageYears: 82, sex: 'female' }],
    ['72jährige Patientin', { ageYears: 72, sex: 'female' }],
    ['65letý pacient', { ageYears: 65, sex: 'male' }],
    ['Weight 82.5 kg, height 176 cm', { weightKg: 82.5, heightCm: 176 }],
    ['Height: 1,76 m', { heightCm: 176 }],
    ['BP 152/96 mmHg, HR 104 bpm', { systolicMmHg: 152, diastolicMmHg: 96, heartRate: 104 }],
    ['QT 420 ms, QTc 468 ms', { qtMs: 420, statedQtcMs: 468 }],
    [
      'HR 112 bpm on arrival, later after treatment and rest of two days, with oxygen and diuretics. ECG: rate 88 bpm, QT 400 ms',
      { heartRate: 112, ecgRate: 88, qtMs: 400 },
    ],
    ['SpO2 91 %, temperature 38.6 °C', { saturationPercent: 91, temperatureC: 38.6 }],
    ['a mass of 12 kg was lifted', {}],
  ])('reads %s', (text, expected) => {
    expect(patient(text)).toEqual(expected);
  });

  it('reports no sex if the texts contradict each other', () => {
    expect(patient('Mr. Smith and Mrs. Smith')).toEqual({});
  });

  it('begins with the notice that this is not a diagnosis', () => {
    expect(patientFacts.run([documentOf('')]).digest[0]).toContain('not a diagnosis');
  });
});

describe('conditions', () => {
  it.each([
    ['History of atrial fibrillation.', 'atrial fibrillation', false],
    ['No history of stroke.', 'stroke or TIA', true],
    ['The patient denies diabetes.', 'diabetes', true],
    ['No fever. Hypertension is treated.', 'hypertension', false],
    ['Bekannte Herzinsuffizienz', 'heart failure', false],
    ['bez hypertenze', 'hypertension', true],
    ['No diabetes, prior TIA.', 'stroke or TIA', false],
    ['No diabetes, hypertension or stroke.', 'stroke or TIA', true],
    ['Without prior stroke.', 'stroke or TIA', true],
  ] as const)('reads %s', (text, condition, denied) => {
    expect(conditionOf(findConditions(parseDocument(documentOf(text))), condition)?.denied).toBe(denied);
  });

  it('ignores facts about relatives', () => {
    expect(findConditions(parseDocument(documentOf('Family history of stroke; mother had diabetes.')))).toEqual([]);
  });
});

describe('scores from records', () => {
  it('computes eGFR from conventional units too', () => {
    const text = '55-year-old man, creatinine 1.2 mg/dL';
    expect(scores(text)[0]).toMatchObject({
      score: expect.stringContaining('eGFR'),
      result: { 'mL/min/1.73 m²': 71, category: 'G2' },
    });
  });

  it('lists missing inputs', () => {
    expect(scores('creatinine 1.2 mg/dL')[0]).toMatchObject({ notComputable: 'not computable: age, sex missing' });
    expect(scores('Known cirrhosis. Bilirubin 3 mg/dL.')).toMatchObject([
      { notComputable: 'not computable: creatinine, inr missing' },
    ]);
  });

  it('computes CHA₂DS₂-VASc only for atrial fibrillation, and lists the items counted as absent', () => {
    expect(scores('78-year-old woman with hypertension')).toEqual([]);
    const [found] = scores('78-year-old woman with atrial fibrillation and hypertension, no diabetes, prior TIA.');
    expect(found).toMatchObject({ result: { points: 6 } });
    expect(found!.inputs).toContainEqual(expect.objectContaining({ name: 'diabetes', value: 'denied' }));
    expect(found!.inputs).toContainEqual({ name: 'heart failure', value: 'not mentioned, counted as absent' });
  });

  it('gives the three MELD scores', () => {
    const text =
      'Woman, 54 years old. Sex: F. Liver cirrhosis. Bilirubin 3.0 mg/dL, creatinine 2.0 mg/dL, INR 1.5, sodium 130 mmol/L, albumin 25 g/L.';
    expect(scores(text).find(({ score }) => score.startsWith('MELD'))).toMatchObject({
      result: { MELD: 22, 'MELD-Na': 26, 'MELD 3.0': 28 },
    });
  });

  it('uses the most recent value of a quantity', () => {
    const text = '55-year-old man.\n2026-02-01 creatinine 1.2 mg/dL\n2026-01-01 creatinine 2.4 mg/dL';
    expect(scores(text)[0]).toMatchObject({ result: { 'mL/min/1.73 m²': 71 } });
  });
});

describe('codes', () => {
  it('recognises ICD-10 and ATC by their shape', () => {
    expect(findCodes('Dx: I48.9, E11.65, N18; ATC B01AF02').map(({ code, meaning }) => [code, meaning])).toEqual([
      ['I48.9', 'diseases of the circulatory system'],
      ['E11.65', 'endocrine, nutritional and metabolic diseases'],
      ['N18', 'diseases of the genitourinary system'],
      ['B01AF02', 'apixaban'],
    ]);
  });

  it.each(['Room B12 and gate A10', 'T12 vertebra', 'version 1.2', 'X99.99999'])('finds no code in %s', (text) => {
    expect(findCodes(text)).toEqual([]);
  });
});

it('orders events by their dates', () => {
  const { digest } = medicalTimeline.run([documentOf('Discharged on 12 March 2026.\nAdmitted on 3 March 2026.')]);
  expect(digest).toEqual([
    '2026-03-03: Admitted on 3 March 2026. [m0:41-53]',
    '2026-03-12: Discharged on 12 March 2026. [m0:14-27]',
  ]);
});
