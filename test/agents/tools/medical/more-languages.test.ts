/** Tables by times and phases, days of headings, and the words of Nordic, Dutch, Polish and Italian records. */
import { describe, expect, it } from 'vitest';
import { laboratoryValues } from '../../../../agents/tools/medical/lab-review.ts';
import { medicationReview } from '../../../../agents/tools/medical/medication-review.ts';
import { medicalTimeline } from '../../../../agents/tools/medical/timeline.ts';
import { patientFacts } from '../../../../agents/tools/medical/vital-signs.ts';

const documentsOf = (text: string) => [{ message: 0, text }];
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
const medications = (text: string) => plain(medicationReview.run(documentsOf(text)).result).medications.items;
const labs = (text: string) => plain(laboratoryValues.run(documentsOf(text)).result).values.items;
const facts = (text: string) => plain(patientFacts.run(documentsOf(text)).result);
const vitals = (text: string) =>
  facts(text).vitals.items.map(({ sign, value, date }: Record<string, unknown>) => [sign, value, date]);
const problems = (text: string) =>
  facts(text).problems.items.map(({ name, status }: Record<string, unknown>) => [name, status]);
const procedures = (text: string) =>
  facts(text).procedures.items.map(({ name, status, date }: Record<string, unknown>) => [name, status, date]);

describe('a chart of vital signs', () => {
  it('has its signs as rows and times as columns, and the day of the line above', () => {
    const chart =
      'Recovery chart 2026-09-04\n\n| Sign | 11:05 | 11:20 |\n|---|---|---|\n| Pulse | 88 | 81 |\n| BP | 104/62 | 112/70 |\n';
    expect(vitals(chart)).toEqual([
      ['pulse', 88, '2026-09-04'],
      ['pulse', 81, '2026-09-04'],
      ['systolic', 104, '2026-09-04'],
      ['diastolic', 62, '2026-09-04'],
      ['systolic', 112, '2026-09-04'],
      ['diastolic', 70, '2026-09-04'],
    ]);
  });

  it('does not read a column of targets', () => {
    const chart = '| Parameter | Arrival | Target |\n|---|---|---|\n| Pulse | 112 | 80 |\n| SpO2 | 91 | 96 |\n';
    expect(vitals(chart).map(([, value]: number[]) => value)).toEqual([112, 91]);
  });
});

describe('a vital sign', () => {
  it('has the day of the arrival under a heading that says so', () => {
    const record = 'Accesso: 09/02/2026 ore 18:40\n\nPARAMETRI AL TRIAGE\nPA 144/86   FC 102   SpO2 95%   TC 37,9 °C\n';
    expect(vitals(record)).toContainEqual(['pulse', 102, '2026-02-09']);
  });

  it('has the day of its own line, not of the line above', () => {
    const record =
      'Vitals at arrival (21/02/2026 20:10): T 38.4 °C, HR 112 bpm, BP 92/54 mmHg, RR 26/min\n' +
      'Vitals at discharge (25/02/2026): T 36.6 °C, HR 80 bpm, BP 120/72 mmHg\n';
    expect(vitals(record)).toContainEqual(['pulse', 112, '2026-02-21']);
    expect(vitals(record)).toContainEqual(['pulse', 80, '2026-02-25']);
  });

  it('has no day where it is the earlier one in brackets', () => {
    const record = 'Visit: 2026-05-20\nWeight 80.2 kg (before 84.1 kg), pulse 71.\n';
    expect(vitals(record)).toContainEqual(['weight', 84.1, undefined]);
  });

  it.each([
    ['Blodtryck 131/77, puls 68, andningsfrekvens 15, saturation 97 %', [131, 77, 68, 15, 97]],
    ['Ciśnienie tętnicze 131/77 mmHg, tętno 68/min, oddechy 15/min, saturacja 97%', [131, 77, 68, 15, 97]],
    ['Bloeddruk 131/77 mmHg, pols 68/min, ademhalingsfrequentie 15/min, saturatie 97%', [131, 77, 68, 15, 97]],
    ['PA 131x77 mmHg, FC 68 bpm, FR 15 irpm, SatO2 97%', [131, 77, 68, 15, 97]],
  ])('is read in "%s"', (text, values) => {
    expect(
      vitals(text)
        .map(([, value]: number[]) => value)
        .toSorted(),
    ).toEqual(values.toSorted());
  });
});

describe('a laboratory value', () => {
  it('is in a column of a time or a phase, with a unit without a heading behind the range', () => {
    const table =
      'ESAMI               ore 07:50      ore 13:30      v.r.\n' +
      'Potassio            5,8 *          5,0            3,5-5,1     mmol/L\n' +
      'Creatinina          2,2 *          1,8 *          0,6-1,2     mg/dL\n';
    expect(labs(table)).toMatchObject([
      { writtenNumber: 5.8, writtenUnit: 'mmol/L', writtenRange: { low: 3.5, high: 5.1 } },
      { writtenNumber: 5, writtenUnit: 'mmol/L' },
      { writtenNumber: 2.2, writtenUnit: 'mg/dL' },
      { writtenNumber: 1.8, writtenUnit: 'mg/dL' },
    ]);
  });

  it('does not have the day of the earlier values in brackets', () => {
    const text = 'Labor vom 12.05.2026 (Vorwerte vom 02.05.2026 in Klammern): Hb 9,8 g/dl (10,4)';
    expect(labs(text)).toMatchObject([{ writtenNumber: 9.8, date: '2026-05-12' }]);
  });

  it('is in columns of samples only, and has the day of its row next to a dose', () => {
    const table =
      'Wert       Aufnahme    Maximum     Entlassung   Norm\n' +
      'CRP mg/l   12          214         38           <5\n' +
      'PCT µg/l   0,4         2,1         0,3          <0,5\n';
    expect(labs(table).map(({ writtenNumber }: { writtenNumber: number }) => writtenNumber)).toEqual([
      12, 38, 0.4, 0.3,
    ]);
    const course = 'Date         INR    Warfarin dose\n22/05/2026   1.8    3 mg\n29/05/2026   2.4    3 mg\n';
    expect(labs(course)).toMatchObject([{ date: '2026-05-22' }, { date: '2026-05-29' }]);
  });

  it('has the day of a column without a year that is near a day of the record in one order only', () => {
    const text =
      'Progress note 2026-03-08\n\n          03/06     03/07\nWBC       18.2      15.9\nHgb       8.9       8.4\n';
    expect(labs(text)).toMatchObject([
      { writtenNumber: 18.2, date: '2026-03-06' },
      { writtenNumber: 15.9, date: '2026-03-07' },
      { writtenNumber: 8.9, date: '2026-03-06' },
      { writtenNumber: 8.4, date: '2026-03-07' },
    ]);
  });

  it('is not the hour of the sample', () => {
    expect(labs('Labs: hs-Troponin T 3h 214 ng/L')).toMatchObject([{ writtenNumber: 214 }]);
  });

  it('is not magnesium where its label has a unit in milligrams', () => {
    expect(labs('Test,Result,Ref\nPhos mg/dL,7.1,3.5-5.5\nCa mg/dL,8.8,8.4-10.2\n')).toMatchObject([
      { analyte: 'phosphate' },
      { analyte: 'calcium (total)' },
    ]);
  });
});

describe('a problem', () => {
  it('is denied, supposed or of a relative in Swedish, Danish, Dutch and Polish', () => {
    expect(problems('Ingen feber, inga kräkningar. Misstanke om njursten. Mor hade hjärtsvikt.')).toEqual([
      ['feber', 'negated'],
      ['kräkningar', 'negated'],
      ['njursten', 'hypothetical'],
      ['hjärtsvikt', 'family'],
    ]);
    expect(problems('Geen hoesten. Verdenking longontsteking.')).toEqual([
      ['hoesten', 'negated'],
      ['longontsteking', 'hypothetical'],
    ]);
    expect(problems('Neguje kaszel. Podejrzenie zapalenia płuc.')).toEqual([
      ['kaszel', 'negated'],
      ['zapalenia płuc', 'hypothetical'],
    ]);
    expect(problems('Ved kvalme bedes De kontakte afdelingen.')).toEqual([['kvalme', 'hypothetical']]);
  });

  it('is suspected after a spaced "V. a."', () => {
    expect(problems('Z. n. Appendektomie 1987. V. a. Pneumonie.')).toEqual([['Pneumonie', 'hypothetical']]);
  });
});

describe('a procedure', () => {
  it('is done, planned or not done in Swedish and Italian', () => {
    expect(procedures('2026-03-02 laparoskopisk kolecystektomi. Koloskopi planeras 2026-04-20.')).toEqual([
      ['laparoskopisk kolecystektomi', 'done', '2026-03-02'],
      ['Koloskopi', 'planned', '2026-04-20'],
    ]);
    expect(procedures('Gastroscopia non eseguita. TC addome eseguita il 21/03/2026.')).toEqual([
      ['Gastroscopia', 'not-done', undefined],
      ['TC addome', 'done', '2026-03-21'],
    ]);
  });
});

describe('a medicine', () => {
  it('has the counts of Nordic prescriptions', () => {
    const text = 'Aktuella läkemedel vid besöket:\nMetoprolol 50 mg 1 x 2\nAlvedon 500 mg x 3\nFurix 40 mg vid behov\n';
    expect(medications(text)).toMatchObject([
      { medicine: 'metoprolol', dose: '50 mg', schedule: 'twice-daily' },
      { medicine: 'paracetamol', dose: '500 mg', schedule: 'three-times-daily' },
      { medicine: 'furosemide', asNeeded: true },
    ]);
  });

  it('has the units of the direction that follows its strength', () => {
    const text = 'Discharge medications:\n1. Furosemide 20 mg tablet. Take 2 tablets by mouth every morning\n';
    expect(medications(text)).toMatchObject([{ dose: '40 mg', schedule: 'once-daily' }]);
  });

  it('is infused continuously under the title of a pump', () => {
    const text = 'SYRINGE DRIVER SC\nMorphine sulfate 20 mg\nMidazolam 10 mg\n';
    expect(medications(text)).toMatchObject([
      { dose: '20 mg', schedule: 'continuous', route: 'subcutaneous' },
      { dose: '10 mg', schedule: 'continuous', route: 'subcutaneous' },
    ]);
  });

  it('is not stopped by an instruction under a condition', () => {
    const [item] = medications(
      'Medikation:\nMethotrexat 10 mg einmal pro Woche\n\nBei Fieber bitte Methotrexat pausieren.\n',
    );
    expect(item).toMatchObject({ status: 'current', schedule: 'weekly' });
  });
});

describe('an allergy', () => {
  it.each([
    [
      'Allergien/Unverträglichkeiten: Codein (Exanthem), Nickel.',
      [
        ['Codein', 'Exanthem'],
        ['Nickel', undefined],
      ],
    ],
    ['Allergy - codeine: rash', [['codeine', 'rash']]],
    ['Riferisce intolleranza ai FANS con gastralgia.', [['FANS', 'gastralgia']]],
  ])('is read in "%s"', (text, expected) => {
    const { items } = plain(medicationReview.run(documentsOf(text)).result).allergies;
    expect(items.map(({ substance, reaction }: Record<string, unknown>) => [substance, reaction])).toEqual(expected);
  });
});

describe('an event', () => {
  it('is not the birth, the print or the signature of a record in Italian, Swedish or German', () => {
    const text =
      'Paziente nato il 22/04/1961\nUtskriven 2026-05-19 16:20\nDr. Abel      Münster, 27.08.2026\n(elektronisch signiert 27.08.2026)\n';
    expect(plain(medicalTimeline.run(documentsOf(text)).result).events.items).toEqual([]);
  });
});
