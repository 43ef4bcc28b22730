/** Layouts and spellings of records: rows with two amounts, limits in columns, lists without doses, Romance languages. */
import { describe, expect, it } from 'vitest';
import { laboratoryValues } from '../../../../agents/tools/medical/lab-review.ts';
import { medicationReview } from '../../../../agents/tools/medical/medication-review.ts';
import { medicalTimeline } from '../../../../agents/tools/medical/timeline.ts';
import { patientFacts } from '../../../../agents/tools/medical/vital-signs.ts';

const documentsOf = (text: string) => [{ message: 0, text }];
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
const medications = (text: string) => plain(medicationReview.run(documentsOf(text)).result).medications.items;
const labs = (text: string) => plain(laboratoryValues.run(documentsOf(text)).result).values.items;
const vitals = (text: string) => plain(patientFacts.run(documentsOf(text)).result).vitals.items;
const events = (text: string) => plain(medicalTimeline.run(documentsOf(text)).result).events.items;

describe('the dose of a row', () => {
  it('is in the column of doses, not in that of strengths', () => {
    const table =
      '| Medication | Strength | Dose | Route | Frequency |\n|---|---|---|---|---|\n' +
      '| Bisoprolol | 5 mg | 2.5 mg | PO | OD |\n| Apixaban | 5 mg | 1 tablet | PO | twice daily |\n';
    expect(medications(table)).toMatchObject([
      { written: 'bisoprolol', dose: '2.5 mg' },
      { written: 'apixaban', dose: '5 mg' },
    ]);
  });

  it('counts units that a number in brackets repeats', () => {
    const list = 'Medications:\n1. Warfarin 2 mg Tablet Sig: Two (2) Tablet PO once daily.\n';
    expect(medications(list)).toMatchObject([{ dose: '4 mg', schedule: 'once-daily' }]);
  });
});

describe('a medicine', () => {
  it('is current in a list of names without doses', () => {
    const list = medications('MEDICATIONS: Include Diovan, Crestor, and Tricor.\n');
    expect(list.map(({ status }: { status: string }) => status)).toEqual(['current', 'current', 'current']);
  });

  it('is known by its stem, the mark of a brand or its regimen', () => {
    const text = 'On dalfampridine ER 10 mg BID. Received Solu Zentin® 500 mg once. Started zelurafenib 200 mg daily.';
    expect(medications(text).map(({ written, dose }: Record<string, string>) => [written, dose])).toEqual([
      ['dalfampridine', '10 mg'],
      ['solu zentin', '500 mg'],
      ['zelurafenib', '200 mg'],
    ]);
  });

  it('is read in the spelling and with the schedules of Romance languages', () => {
    const text = 'Tratamiento habitual: metformina 850 mg cada 12 horas, levotiroxina 75 mcg/24h.';
    expect(medications(text)).toMatchObject([
      { medicine: 'metformin', schedule: 'twice-daily', status: 'current' },
      { medicine: 'levothyroxine', schedule: 'once-daily', status: 'current' },
    ]);
  });
});

describe('a laboratory value', () => {
  it('has its limits in columns of their own, and a date is no range', () => {
    const table = 'Test,Result,Units,Ref Low,Ref High,Collected\nSodium,131,mmol/L,135,145,2024-08-02\n';
    expect(labs(table)).toMatchObject([{ writtenNumber: 131, writtenRange: { low: 135, high: 145 }, flag: 'low' }]);
  });

  it('has the date of the heading line above it', () => {
    expect(labs('Chemistry of 20.05.2024:\nSodium 141 mmol/l, CRP 26.5 mg/l\n')).toMatchObject([
      { date: '2024-05-20' },
      { date: '2024-05-20' },
    ]);
  });

  it('has its own date where the sentence gives two', () => {
    const text = 'Ferritin was 22 ng/mL in March 2024 and 38 ng/mL on 15.09.2024.';
    expect(labs(text)).toMatchObject([
      { writtenNumber: 22, date: '2024-03' },
      { writtenNumber: 38, date: '2024-09-15' },
    ]);
  });

  it('is not judged by ranges of adults in a record of a child', () => {
    const [value] = labs('Patient born on 28.05.2018, seen 20.05.2024.\nCreatinine 0.45 mg/dL\n');
    expect(value).toMatchObject({ writtenNumber: 0.45, flag: 'not judged' });
  });

  it('follows a hyphen in a line of results', () => {
    expect(labs('Results:\nBLOOD WBC-8.9 RBC-3.21* Hgb-9.8* Hct-29.4* MCV-92\n').slice(0, 3)).toMatchObject([
      { writtenNumber: 8.9 },
      { writtenNumber: 3.21 },
      { writtenNumber: 9.8 },
    ]);
  });
});

describe('a vital sign', () => {
  it('is no ideal weight, and no difference of weights', () => {
    expect(vitals('His ideal body weight is 160 pounds.')).toEqual([]);
    expect(vitals('Weight 28.4 kg (3 kg above the 97th percentile).')).toMatchObject([{ value: 28.4 }]);
  });

  it('is read by its form: feet and inches, per cent on room air', () => {
    expect(vitals('She is 5 feet 4 inches. BP 127/72, 95% on room air.')).toMatchObject([
      { sign: 'height', value: 162.6 },
      { sign: 'systolic', value: 127 },
      { sign: 'diastolic', value: 72 },
      { sign: 'spo2', value: 95 },
    ]);
  });

  it('has the date that stands over its column in words', () => {
    const table =
      '<table><tr><th>Date</th><th>Nov 14, 2021</th><th>Apr 7, 2022</th></tr>' +
      '<tr><td>Weight</td><td>86 kg</td><td>88 kg</td></tr></table>';
    expect(vitals(table)).toMatchObject([{ date: '2021-11-14' }, { date: '2022-04-07' }]);
  });
});

describe('an event', () => {
  it('is not the birth, and not the edition of a classification', () => {
    const text = 'Evelyn Adler * 13.08.1948\n\nMelanoma stage IV (AJCC 2017). Admitted 03.04.2024.';
    expect(events(text)).toMatchObject([{ date: '2024-04-03' }]);
  });

  it('has the day first in a Spanish record', () => {
    const text = 'Fecha de ingreso: 03/09/2024. Paciente con disnea. Tratada con oxígeno en urgencias.';
    expect(events(text)).toMatchObject([{ date: '2024-09-03' }]);
  });
});

describe('a problem of a table', () => {
  it('is over where its row says that it is resolved', () => {
    const table =
      '| Problem | Status | Date |\n|---|---|---|\n| Asthma | Active | 1998 |\n| Pneumonia | Resolved | 2018 |\n';
    const { items } = plain(patientFacts.run(documentsOf(table)).result).problems;
    expect(items).toMatchObject([
      { name: 'Asthma', status: 'affirmed' },
      { name: 'Pneumonia', status: 'historical' },
    ]);
  });
});

describe('certainty', () => {
  it('takes no date from another sentence of the line', () => {
    const text = 'Ultrasound on 08/14/2024 showed gallstones. WBC was 14.2, lipase 38 U/L.';
    for (const value of labs(text)) expect(value).not.toHaveProperty('date');
  });

  it('calls a repeated examination with an order planned', () => {
    const { items } = plain(patientFacts.run(documentsOf('Repeat DEXA in March 2027.')).result).procedures;
    expect(items).toMatchObject([{ status: 'planned', date: '2027-03' }]);
  });

  it('affirms a cancer whose date is that of the diagnosis', () => {
    const text = 'Diagnosen:\n1. Mammakarzinom links, ED 03/2023, pT2 pN1.\n';
    const { items } = plain(patientFacts.run(documentsOf(text)).result).problems;
    expect(items).toMatchObject([{ name: 'Mammakarzinom', status: 'affirmed' }]);
  });

  it('claims no status for a therapy that a letter only lists', () => {
    const [first] = medications('Diagnosen: Hypertonie.\nTherapie: Candesartan 8 mg 1-0-0.\n');
    expect(first).toMatchObject({ medicine: 'candesartan', dose: '8 mg', status: 'given' });
  });
});
