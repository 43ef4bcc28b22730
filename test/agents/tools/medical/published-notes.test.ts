/** Wordings and layouts that published notes have, with invented content. */
import { describe, expect, it } from 'vitest';
import { laboratoryValues } from '../../../../agents/tools/medical/lab-review.ts';
import { medicationReview } from '../../../../agents/tools/medical/medication-review.ts';
import { medicalTimeline } from '../../../../agents/tools/medical/timeline.ts';
import { patientFacts } from '../../../../agents/tools/medical/vital-signs.ts';

const documentsOf = (text: string) => [{ message: 0, text }];
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
const facts = (text: string) => plain(patientFacts.run(documentsOf(text)).result);
const problems = (text: string) =>
  facts(text).problems.items.map(({ name, status }: Record<string, string>) => `${name}: ${status}`);
const procedures = (text: string) =>
  facts(text).procedures.items.map(({ name, status }: Record<string, string>) => `${name}: ${status}`);
const vitals = (text: string) =>
  facts(text).vitals.items.map(({ sign, value }: Record<string, unknown>) => `${sign} ${value}`);
const labs = (text: string) =>
  plain(laboratoryValues.run(documentsOf(text)).result).values.items.map(
    ({ label, writtenNumber }: Record<string, unknown>) => `${label} ${writtenNumber}`,
  );
const medications = (text: string) =>
  plain(medicationReview.run(documentsOf(text)).result).medications.items.flatMap(
    ({ medicine, schedule, status }: Record<string, string>) =>
      status === 'mentioned' ? [] : [[medicine, schedule, status].filter(Boolean).join(', ')],
  );
const days = (text: string) =>
  plain(medicalTimeline.run(documentsOf(text)).result).events.items.map(({ date }: Record<string, string>) => date);

describe('a medicine without a dose', () => {
  it('is taken if it follows the verb of the present', () => {
    expect(medications('She has gallstones and takes Pepcid.')).toEqual(['famotidine, current']);
    expect(medications('He is still on his metformin.')).toEqual(['metformin, current']);
    expect(medications('Patiente de 61 ans sous bisoprolol.')).toEqual(['bisoprolol, current']);
  });

  it('is not taken in the past, in a denial or in a condition', () => {
    expect(medications('She was taking metformin as a student.')).toEqual([]);
    expect(medications('He is not on metformin.')).toEqual([]);
    expect(medications('If he takes metformin, the scan is moved.')).toEqual([]);
  });

  it('is not ended by a new dose', () => {
    const text = 'He is still on his metformin.\n\nPlan: Increase metformin to 500 mg twice daily.';
    expect(medications(text)).not.toContain('metformin, stopped');
  });
});

describe('a time of the day between commas', () => {
  it('is one intake, and two are two', () => {
    const list = (time: string) => `Traitement de sortie :\nBISOPROLOL 2,5 mg, cpr 1 comprimé, ${time}, voie orale\n`;
    expect(medications(list('Soir'))).toEqual(['bisoprolol, once-daily, current']);
    expect(medications(list('Matin et soir'))).toEqual(['bisoprolol, twice-daily, current']);
  });
});

describe('an item on the education of the patient', () => {
  it('ends with its line', () => {
    const text =
      'ASSESSMENT AND PLAN\n\n1. Ankle sprain.\n- Patient Education and Counseling: We discussed rest.\n- Medical Treatment: She will take ibuprofen 200 mg, 3 times daily.\n';
    expect(medications(text)).toHaveLength(1);
  });
});

describe('a laboratory value', () => {
  it('is read in brackets with its unit', () => {
    expect(labs('Ante la elevación de PSA (9,41 ng/ml) se deriva.')).toEqual(['PSA 9.41']);
    expect(labs('See PSA (9) in the annex.')).toEqual([]);
  });

  it('of glycated haemoglobin needs no sign of per cent', () => {
    expect(labs('Hemoglobin A1c is elevated at 9.')).toHaveLength(1);
    expect(labs('Hemoglobin A1c in 9 weeks.')).toEqual([]);
  });
});

describe('a problem', () => {
  it('is not denied behind "associée à" and "en dehors de"', () => {
    expect(problems('Toux sans hémoptysies associée à des douleurs thoraciques.')).toContain(
      'douleurs thoraciques: affirmed',
    );
    expect(problems('Examen sans fièvre en dehors d’une adénopathie axillaire.')).not.toContain('adénopathie: negated');
  });

  it('is not read from the purpose of a medicine', () => {
    expect(problems('Gabapentin was not effective for pain control.')).toEqual([]);
  });

  it('is not read from the column of reference ranges', () => {
    const text =
      '| Test | Result | Units | Reference Range |\n|---|---|---|---|\n| Hemoglobin A1c | 6.1 | % | 5.7–6.4 prediabetes; ≥6.5 diabetes |\n| Glucose | 99 | mg/dL | 70 – 99 |\n';
    expect(problems(text)).toEqual([]);
  });
});

describe('a procedure', () => {
  it('is done if it was obtained or required', () => {
    expect(procedures('X-ray of the spine, ordered and obtained in the office, is unremarkable.').join()).toContain(
      'done',
    );
    expect(procedures('She did require a stent in the left ureter.')).toEqual(['stent: done']);
    expect(procedures('An MRI will be obtained next week.').join()).not.toContain('done');
  });
});

describe('procedures and problems in Spanish and Italian', () => {
  it('are known by their endings', () => {
    expect(procedures('Se realizó una nefrectomía y una ecografía.')).toEqual(['nefrectomía: done', 'ecografía: done']);
    expect(procedures('È stata eseguita una gastroscopia.')).toEqual(['gastroscopia: done']);
    expect(procedures('Consultó la bibliografía y una fotografía.')).toEqual([]);
    expect(problems('Presenta nefrolitiasis y hepatomegalia.')).toEqual([
      'nefrolitiasis: affirmed',
      'hepatomegalia: affirmed',
    ]);
  });

  it('are planned or not done', () => {
    expect(procedures('Pendiente de colonoscopia.')).toEqual(['colonoscopia: planned']);
    expect(procedures('In programma una gastroscopia.')).toEqual(['gastroscopia: planned']);
    expect(procedures('No se realizó biopsia.')).toEqual(['biopsia: not-done']);
    expect(procedures('Gastroscopia non eseguita.')).toEqual(['Gastroscopia: not-done']);
  });

  it('are no signs of the body and no verbs', () => {
    expect(procedures('FC 96 bpm, TC 38,4 °C.')).toEqual([]);
    expect(procedures('Le prove sono negative.')).toEqual([]);
  });
});

describe('vital signs', () => {
  it('are read over the end of a line and with typographic feet', () => {
    expect(vitals('Der Blutdruck war mit\n135/85 mmHg normal.')).toEqual(['systolic 135', 'diastolic 85']);
    expect(vitals('Blood pressure: 118/76\nHeight: 5’6.\n')).toContain('height 167.6');
  });
});

it('reads the month of a date with a preposition', () => {
  expect(days('Intervenido en marzo de 2011. Revisión en abril de 2012.')).toEqual(['2011-03', '2012-04']);
});
