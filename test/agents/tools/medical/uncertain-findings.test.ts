/** What a record states of limits, other people, other days and unanswered questions is no finding about the patient. */
import { describe, expect, it } from 'vitest';
import { laboratoryValues } from '../../../../agents/tools/medical/lab-review.ts';
import { medicationReview } from '../../../../agents/tools/medical/medication-review.ts';
import { patientFacts } from '../../../../agents/tools/medical/vital-signs.ts';

const documentsOf = (text: string) => [{ message: 0, text }];
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
const facts = (text: string) => plain(patientFacts.run(documentsOf(text)).result);
const problems = (text: string): Record<string, string> =>
  Object.fromEntries(
    facts(text).problems.items.map(({ name, status }: Record<string, string>) => [name!.toLowerCase(), status]),
  );
const procedures = (text: string) =>
  facts(text).procedures.items.map(({ name, status }: Record<string, string>) => [name, status]);
const vitals = (text: string) =>
  facts(text).vitals.items.map(({ sign, value, date }: Record<string, unknown>) => [sign, value, date]);
const labs = (text: string) => plain(laboratoryValues.run(documentsOf(text)).result).values.items;
const medications = (text: string) => plain(medicationReview.run(documentsOf(text)).result).medications.items;
const allergies = (text: string) => plain(medicationReview.run(documentsOf(text)).result).allergies.items;

describe('a laboratory value', () => {
  it('is no criterion, target or range', () => {
    expect(labs('Dose reduction where creatinine ≥ 150 µmol/L.')).toEqual([]);
    expect(labs('Individuelle streefwaarde HbA1c < 58 besproken.')).toEqual([]);
    expect(labs('For pregnant women TSH 0.2 - 3.0 mU/L applies.')).toEqual([]);
  });

  it('has no date of another sentence if its own day has no year', () => {
    const text = 'Labs of 09/14/2031 follow; on 09/02 the sodium was 139 mmol/L. MRN 1, PCP, seen by NP at the ER.';
    expect(labs(text)[0].date ?? '').not.toBe('2031-09-14');
  });

  it('is judged by the range that the document prints for it elsewhere', () => {
    const text = 'Potassium  4.9 mmol/L (3.6-4.8)\n\nIn May the potassium was 4.85 mmol/L.\n';
    expect(labs(text).map(({ flag }: { flag: string }) => flag)).toEqual(['high', 'high']);
  });
});

describe('a vital sign', () => {
  it('has the day of its entry in a journal', () => {
    const text = '14-01-2031  visit\nBP 150/90, pulse 98\n\n12-01-2031  telephone\nBP 132/84 at home\n';
    expect(vitals(text)).toEqual([
      ['systolic', 150, '2031-01-14'],
      ['diastolic', 90, '2031-01-14'],
      ['pulse', 98, '2031-01-14'],
      ['systolic', 132, '2031-01-12'],
      ['diastolic', 84, '2031-01-12'],
    ]);
  });

  it('is not read from an entry in error', () => {
    expect(vitals('Entered in error, these are the values of bed 4: BP 181/99, pulse 120.')).toEqual([]);
  });
});

describe('a problem', () => {
  it('is not of the patient if it is of a relative behind it', () => {
    expect(problems('Die Zöliakie der Mutter ist bekannt.')).not.toMatchObject({ zöliakie: 'affirmed' });
  });

  it('is not proved where the text says so', () => {
    expect(problems('Eine Pankreatitis ist damit nicht bewiesen.')).toMatchObject({ pankreatitis: 'negated' });
  });

  it('is answered by the box for yes or for no', () => {
    const form = [
      'HISTORY                 Ja    Nein',
      'Asthma                  [x]   [ ]',
      'Epilepsie               [ ]   [x]   Schwester',
      'Diabetes                [ ]   [ ]',
    ].join('\n');
    const found = problems(form);
    expect(found).toMatchObject({ asthma: 'affirmed', epilepsie: 'negated' });
    expect(found).not.toHaveProperty('diabetes');
  });

  it('is not present if only a quotation affirms it and the author denies it', () => {
    const text =
      'The referral said: "She has had palpitations since Easter and is afraid of a heart attack like the one of her uncle."\nToday she denies palpitations.\n';
    expect(problems(text)).toMatchObject({ palpitations: 'negated' });
  });
});

describe('an examination', () => {
  it('is not done if it is offered or declined', () => {
    expect(procedures('You are due for a colonoscopy.')).toEqual([['colonoscopy', 'planned']]);
    expect(procedures("I don't want the colonoscopy.")).toEqual([['colonoscopy', 'not-done']]);
  });
});

describe('a list of allergies', () => {
  it('ends with the sentence that begins another subject', () => {
    const text = 'Allergies: ibuprofen (hives), latex. Last mammogram 04/2030, clear. Sulfa (rash).\n';
    expect(allergies(text)).toMatchObject([{ substance: 'ibuprofen' }, { substance: 'latex' }, { substance: 'Sulfa' }]);
  });

  it('gives no cross-reference as a reaction', () => {
    const [allergy] = allergies('Allergies: iodine - see above.\n');
    expect(allergy?.reaction).toBeUndefined();
  });
});

describe('a medicine', () => {
  it('has ended by a column for its end or a remark', () => {
    const table = [
      '| Drug | Dose | Frequency | End | Remarks |',
      '|---|---|---|---|---|',
      '| Sertraline 50 mg | 50 mg | once daily | 03-2028 | |',
      '| Ramipril 5 mg | 5 mg | once daily | - | completed |',
      '| Metformin 500 mg | 500 mg | twice daily | - | |',
      '',
      'Visit: 2030-05-04',
    ].join('\n');
    expect(medications(table).map(({ status }: { status: string }) => status)).toEqual([
      'stopped',
      'stopped',
      'current',
    ]);
  });

  it('is taken at the times whose columns are filled', () => {
    const table = [
      '| Medikament | Mo | Mi | Ab | Na |',
      '|---|---|---|---|---|',
      '| Bisoprolol 5 mg | 1/2 | | | |',
      '| Metformin 500 mg | 1 | | 1 | |',
      '| Gabapentin 100 mg | | 1 | | 2 |',
    ].join('\n');
    expect(medications(table)).toMatchObject([
      { dose: '2.5 mg', schedule: 'once-daily' },
      { dose: '500 mg', schedule: 'twice-daily' },
      { schedule: 'twice-daily' },
    ]);
  });

  it('has no dose from an article', () => {
    expect(medications('Méropénem : si une infection grave survenait.')[0]?.dose).toBeUndefined();
  });

  it('is read from the notation of Dutch prescriptions', () => {
    expect(medications('Medicatie:\nmetoprolol tablet 50 mg 2D1T\n')).toMatchObject([{ schedule: 'twice-daily' }]);
  });
});
