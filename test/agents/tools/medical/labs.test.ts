import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { analyteByKey, analytes } from '../../../../agents/tools/medical/analytes.ts';
import { reviewLabs } from '../../../../agents/tools/medical/lab-flags.ts';
import { laboratoryValues } from '../../../../agents/tools/medical/lab-review.ts';
import { findLabValues } from '../../../../agents/tools/medical/lab-values.ts';
import type { Patient } from '../../../../agents/tools/medical/patient.ts';
import { inOtherUnit, normaliseUnit, toOwnUnit } from '../../../../agents/tools/medical/units.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const read = (text: string) =>
  findLabValues(parseDocument(documentOf(text))).map(({ analyte, value, unit }) => [analyte.key, value, unit]);
const review = (text: string, patient: Patient = {}) => reviewLabs(parseDocument(documentOf(text)), patient);
const flags = (text: string) => review(text).map(({ flag }) => flag);

describe('units', () => {
  it.each([
    // Molar masses: glucose 180.16, cholesterol 386.65, creatinine 113.12, bilirubin 584.66, calcium 40.08 g/mol.
    ['glucose', 100, 'mg/dl', 5.55],
    ['cholesterol', 200, 'mg/dl', 5.17],
    ['creatinine', 1, 'mg/dl', 88.4],
    ['bilirubin', 1, 'mg/dl', 17.1],
    ['calcium', 10, 'mg/dl', 2.5],
    ['haemoglobin', 14, 'g/dl', 140],
    ['alt', 1, 'µkat/l', 60],
    // NGSP and IFCC, Hoelzel et al., Clin Chem 2004;50:166: 7.0 % is 53 mmol/mol.
    ['hba1c', 7, '%', 53],
    ['pco2', 5.33, 'kpa', 40],
  ])('converts %s: %d %s is %d', (key, value, unit, expected) => {
    expect(toOwnUnit(analyteByKey.get(key)!, value, unit)).toBeCloseTo(expected, expected > 50 ? 0 : 1);
  });

  it('convert back to the original value', () => {
    fc.assert(
      fc.property(fc.constantFrom(...analytes), fc.integer({ min: 1, max: 1000 }), (analyte, value) => {
        const other = inOtherUnit(analyte, value);
        if (other === undefined || other.value === 0) return;
        expect(Math.abs(toOwnUnit(analyte, other.value, other.unit)! / value - 1)).toBeLessThan(0.02);
      }),
    );
  });

  it.each([
    ['mg/dL', 'mg/dl'],
    ['umol/L', 'µmol/l'],
    ['μmol/L', 'µmol/l'],
    ['mcg/L', 'µg/l'],
    ['x10^9/L', '10^9/l'],
    ['10⁹/L', '10^9/l'],
    ['10e9/L', '10^9/l'],
    ['G/L', '10^9/l'],
    ['g/L', 'g/l'],
    ['K/µL', '10^9/l'],
    ['10^3/uL', '10^9/l'],
    ['/mm3', '/µl'],
    ['mL/min/1.73m²', 'ml/min/1.73m2'],
    ['ukat/l', 'µkat/l'],
  ])('reads %s', (written, unit) => {
    expect(normaliseUnit(written)).toBe(unit);
  });
});

describe('laboratory values in texts', () => {
  it.each([
    ['Potassium 5.9 mmol/L', ['potassium', 5.9, 'mmol/l']],
    ['K+: 5,9 mmol/l', ['potassium', 5.9, 'mmol/l']],
    ['| Creatinine | 1.4 | mg/dL | 0.7 - 1.2 | H |', ['creatinine', 124, 'mg/dl']],
    ['Kreatinin 132 µmol/l (62-106)', ['creatinine', 132, 'µmol/l']],
    ['HbA1c was 7.0 %', ['hba1c', 53, '%']],
    ['Hb 9.8 g/dL (L)', ['haemoglobin', 98, 'g/dl']],
    ['WBC 12,300 /µL', ['leukocytes', 12.3, '/µl']],
    ['Platelets: 45 x10^9/L', ['platelets', 45, '10^9/l']],
    ['INR 3.4', ['inr', 3.4, '1']],
    ['ALT 1,20 µkat/l', ['alt', 72, 'µkat/l']],
    ['CRP <5 mg/L', ['crp', 5, 'mg/l']],
    ['NT-proBNP\t1250\tpg/mL', ['nt-probnp', 1250, 'pg/ml']],
    ['fT4 (free): 18.5 pmol/L', ['free t4', 18.5, 'pmol/l']],
    ['pH 7.31', ['ph', 7.31, '1']],
    ['Glucose fasting 126 mg/dL', ['glucose', 6.99, 'mg/dl']],
    ['Hemoglobin A1c 8.2%', ['hba1c', 66.1, '%']],
    ['Sodium                         131 mmol/L', ['sodium', 131, 'mmol/l']],
  ])('reads %s', (text, expected) => {
    expect(read(text)).toEqual([expected]);
  });

  it('reads several values of one line', () => {
    expect(read('Na 128 mmol/L, K 3.1 mmol/L, Cl 90 mmol/L')).toEqual([
      ['sodium', 128, 'mmol/l'],
      ['potassium', 3.1, 'mmol/l'],
      ['chloride', 90, 'mmol/l'],
    ]);
  });

  it.each([
    'Vitamin K 10 mg daily',
    'The patient ate 5 apples',
    'Ca. 20 patients',
    'iron tablets 100 mg',
    'CK 12',
    'sodium 128',
    'na 5 dní',
    'K 5.2.2026',
  ])('finds no value in %s', (text) => {
    expect(read(text)).toEqual([]);
  });

  it('prefers the range that the laboratory prints', () => {
    expect(review('Potassium 5.2 mmol/L (3.4-5.4)')).toMatchObject([{ flag: 'normal', rangeSource: 'document' }]);
    expect(review('Potassium 5.2 mmol/L')).toMatchObject([{ flag: 'high', rangeSource: 'usual adult range' }]);
    expect(review('Creatinine 1.4 mg/dL (0.7 - 1.2)')).toMatchObject([
      { flag: 'high', range: { low: 61.88, high: 106.08 } },
    ]);
  });

  it.each([
    ['Na 128 (135-145) mmol/L', { low: 135, high: 145 }],
    ['FT4 45 pmol/l [12-22]', { low: 12, high: 22 }],
    ['CRP 120 mg/L(N <5)', { high: 5 }],
    ['INR 1,9 |      | 0,8 - 1,2', { low: 0.8, high: 1.2 }],
    ['eGFR 45 ml/min (ref: >60)', { low: 60 }],
  ])('reads the range of the laboratory in %s', (text, range) => {
    expect(review(text)).toMatchObject([{ range, rangeSource: 'document' }]);
  });

  it.each([
    ['Potassium 6.8 mmol/L', 'critically high'],
    ['Potassium 2.4 mmol/L', 'critically low'],
    ['Sodium 133 mmol/L', 'low'],
    ['Sodium 140 mmol/L', 'normal'],
    ['CRP <5 mg/L', 'normal'],
    ['D-dimer >5000 µg/L', 'high'],
  ])('flags %s as %s', (text, flag) => {
    expect(flags(text)).toEqual([flag]);
  });

  it('uses the range of the sex if known, and no adult range for a child', () => {
    const fact = <Value>(value: Value) => ({ value, span: { message: 0, start: 0, end: 1 } });
    const text = 'Haemoglobin 125 g/L';
    expect(review(text, { sex: fact('female' as const) })[0]!.flag).toBe('normal');
    expect(review(text, { sex: fact('male' as const) })[0]!.flag).toBe('low');
    expect(review(text, { ageYears: fact(6) })[0]!.flag).toBe('not judged');
  });

  it('reports the trend of a quantity from its first date to its last', () => {
    const text = '2026-01-05 Creatinine 90 µmol/L\n2026-02-05 Creatinine 180 µmol/L';
    expect(laboratoryValues.run([documentOf(text)]).result).toMatchObject({
      trends: {
        items: [
          { name: 'creatinine', from: '90 µmol/L (2026-01-05)', to: '180 µmol/L (2026-02-05)', change: '+100 %' },
        ],
      },
    });
  });

  it('dates a value by the date after it on its line', () => {
    const text = 'Results of 16 March 2026: creatinine 142 µmol/L.\nEarlier: creatinine 98 µmol/L on 12 January 2026.';
    expect(laboratoryValues.run([documentOf(text)]).result).toMatchObject({
      values: { items: [{ date: '2026-03-16' }, { date: '2026-01-12' }] },
    });
  });

  it('has a range with its lower limit below the upper for every quantity', () => {
    for (const { key, range, critical, names } of analytes) {
      for (const { low, high } of [range.female, range.male, critical]) {
        if (low !== undefined && high !== undefined) expect(low, key).toBeLessThan(high);
      }
      expect(Object.values(range.female).every(Number.isFinite), key).toBe(true);
      expect(
        names.every((name) => name === name.toLowerCase()),
        key,
      ).toBe(true);
    }
  });
});
