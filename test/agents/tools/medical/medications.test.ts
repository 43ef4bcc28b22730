import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { drugs } from '../../../../agents/tools/medical/drugs.ts';
import { interactions } from '../../../../agents/tools/medical/interactions.ts';
import { medicationReview } from '../../../../agents/tools/medical/medication-review.ts';
import { findMedications } from '../../../../agents/tools/medical/medications.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const review = (text: string) => JSON.parse(JSON.stringify(medicationReview.run([documentOf(text)]).result));

describe('medication lists', () => {
  it.each([
    ['Metformin 500 mg 1-0-1', 'metformin', { value: 1000, unit: 'mg' }],
    ['Metformin 850 mg 1-1-1', 'metformin', { value: 2550, unit: 'mg' }],
    ['Bisoprolol 5 mg ½-0-0', 'bisoprolol', { value: 2.5, unit: 'mg' }],
    ['Ibuprofen 400 mg TID', 'ibuprofen', { value: 1200, unit: 'mg' }],
    ['paracetamol 1 g every 6 hours', 'paracetamol', { value: 4000, unit: 'mg' }],
    ['Tylenol 500 mg q8h', 'paracetamol', { value: 1500, unit: 'mg' }],
    ['Levothyroxine 75 µg once daily', 'levothyroxine', { value: 75, unit: 'µg' }],
    ['Euthyrox 100 mcg 1-0-0', 'levothyroxine', { value: 100, unit: 'µg' }],
    ['Apixaban 5 mg twice daily', 'apixaban', { value: 10, unit: 'mg' }],
    ['Ramipril 5 mg 1x denně', 'ramipril', { value: 5, unit: 'mg' }],
    ['Pantoprazol 40 mg 1× täglich', 'pantoprazole', { value: 40, unit: 'mg' }],
    ['Metformin 500 mg 2 tablets bid', 'metformin', { value: 2000, unit: 'mg' }],
    ['Methotrexate 15 mg once weekly', 'methotrexate', { value: 2.143, unit: 'mg' }],
    ['Furosemide 40 mg every other day', 'furosemide', { value: 20, unit: 'mg' }],
  ])('computes the daily dose of %s', (text, name, daily) => {
    expect(findMedications(parseDocument(documentOf(text)))).toMatchObject([
      { drug: { name }, status: 'current', daily },
    ]);
  });

  it('computes no daily dose for medicines taken as needed', () => {
    const [found] = findMedications(parseDocument(documentOf('Ibuprofen 400 mg up to TID as needed')));
    expect(found).toMatchObject({ asNeeded: true });
    expect(found).not.toHaveProperty('daily');
  });

  it.each([
    ['Allergies: penicillin V, naproxen', 'allergy'],
    ['Warfarin was stopped in May', 'stopped'],
    ['stopped warfarin', 'stopped'],
    ['We discussed warfarin with the family.', 'mentioned'],
    ['- Warfarin', 'current'],
  ])('reads the state of %s', (text, status) => {
    expect(findMedications(parseDocument(documentOf(text)))[0]).toMatchObject({ status });
  });

  it.each([
    [
      'a stop in parentheses in the next line',
      'Home medicines:\nNaproxen 250 mg as needed\n(stopped on arrival)',
      'stopped',
    ],
    [
      'a start of two ingredients above the list that marks them as new',
      'What to do\n\nInstructions:\nStart taking Entresto 49/51 mg twice a day.\n\nMedications:\n\n| Medication | How to take | Note |\n|---|---|---|\n| sacubitril-valsartan 49-51 mg tablet | Take 1 tablet by mouth 2 times a day | NEW |',
      'planned',
    ],
    [
      'a list of recommendations that repeats the medication before admission',
      'Leki przed przyjęciem: Concor 2,5 mg 1x1, Atoris 20 mg 1x1.\n\nZALECENIA\n1. Concor 2,5 mg 1x1\n',
      'current',
    ],
  ])('reads the state of a medicine after %s', (_, text, status) => {
    expect(findMedications(parseDocument(documentOf(text))).at(status === 'stopped' ? 0 : -1)).toMatchObject({
      status,
    });
  });

  it('reads "1x1" before a comma as once a day', () => {
    const found = findMedications(parseDocument(documentOf('Concor 5 mg 1x1, Polocard 75 mg 1x1.')));
    expect(found.map(({ schedule }) => schedule)).toEqual(['once-daily', 'once-daily']);
  });

  it('does not mix the doses of two medicines on one line', () => {
    expect(findMedications(parseDocument(documentOf('Aspirin 100 mg 1-0-0, atorvastatin 40 mg 0-0-1')))).toMatchObject([
      { drug: { name: 'aspirin' }, dose: { value: 100 } },
      { drug: { name: 'atorvastatin' }, dose: { value: 40 } },
    ]);
  });
});

const scale: Readonly<Record<string, string>> = { contraindicated: 'critical', major: 'high', moderate: 'medium' };

describe('the review', () => {
  it.each([
    // Pairs of the product informations, section 4.5 or 4.3.
    ['Warfarin 5 mg od\nIbuprofen 400 mg tid', 'major', 'bleeding'],
    ['Simvastatin 40 mg nocte\nClarithromycin 500 mg bid', 'major', 'rhabdomyolysis'],
    ['Isosorbide mononitrate 20 mg bid\nSildenafil 50 mg od', 'contraindicated', 'hypotension'],
    ['Ramipril 5 mg od\nSpironolactone 25 mg od', 'major', 'hyperkalaemia'],
    ['Digoxin 125 µg od\nVerapamil 240 mg od', 'major', 'digoxin'],
    ['Allopurinol 300 mg od\nAzathioprine 100 mg od', 'major', 'bone marrow'],
    ['Sertraline 50 mg od\nTramadol 50 mg tid', 'major', 'serotonin'],
    ['Amiodarone 200 mg od\nHaloperidol 5 mg od', 'major', 'QT'],
    ['Valproate 500 mg bid\nMeropenem 1 g q8h', 'major', 'valproate'],
    ['Levodopa 100 mg tid\nMetoclopramide 10 mg tid', 'major', 'levodopa'],
  ])('finds the interaction in %j', (text, grade, effect) => {
    const { items } = review(text).interactions;
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ grade, severity: scale[grade], effect: expect.stringContaining(effect) });
  });

  it('finds none if a medicine was stopped or only discussed', () => {
    expect(review('Warfarin 5 mg od\nIbuprofen stopped').interactions.items).toEqual([]);
    expect(review('Warfarin 5 mg od\nThe patient was told to avoid ibuprofen.').interactions.items).toEqual([]);
  });

  it('finds doses above the usual maximum, duplicates and allergy conflicts', () => {
    const text =
      'Allergies: penicillin V\nParacetamol 1 g 6 x daily\nIbuprofen 400 mg tid\nNaproxen 500 mg bid\nAmoxicillin 1 g tid';
    expect(review(text)).toMatchObject({
      aboveUsualMaximum: { items: [{ medicine: 'paracetamol', daily: '6000 mg daily', maximum: '4000 mg daily' }] },
      duplicates: { items: [{ medicines: ['ibuprofen', 'naproxen'] }] },
      allergyConflicts: { items: [{ medicine: 'amoxicillin', allergy: 'phenoxymethylpenicillin' }] },
    });
  });

  it('warns because of kidney function, potassium and age', () => {
    const text =
      '82-year-old woman. Creatinine 190 µmol/L, potassium 5.6 mmol/L.\nMetformin 1000 mg bid\nRamipril 5 mg od\nZolpidem 10 mg nocte';
    const cautions = review(text).cautions.items.map(
      ({ medicine, reason }: { medicine: string; reason: string }) => `${medicine}: ${reason}`,
    );
    expect(cautions).toEqual([
      expect.stringContaining('metformin: contraindicated below an eGFR of 30'),
      expect.stringContaining('ramipril: raises potassium'),
      expect.stringContaining('zolpidem: risk of falls'),
    ]);
  });
});

describe('the tables', () => {
  it('contain at least sixty pairs, each of existing medicines or groups, and no duplicates', () => {
    const names = new Set(drugs.map(({ name }) => name));
    const groups = new Set(drugs.flatMap((drug) => drug.groups));
    const seen = new Set<string>();
    for (const { pair, severity, effect, advice } of interactions) {
      for (const side of pair)
        expect(side.startsWith('@') ? groups.has(side.slice(1)) : names.has(side), side).toBe(true);
      expect(['contraindicated', 'major', 'moderate']).toContain(severity);
      expect(effect.length * advice.length).toBeGreaterThan(0);
      const key = [...pair].sort().join(' + ');
      expect(seen.has(key), key).toBe(false);
      seen.add(key);
    }
    expect(interactions.length).toBeGreaterThanOrEqual(60);
  });

  it('contain valid ATC codes and doses', () => {
    for (const { name, atc, maxDaily } of drugs) {
      expect(atc, name).toMatch(/^[A-Z]\d{2}[A-Z](?:[A-Z]\d{2})?$/);
      if (maxDaily !== undefined) expect(maxDaily.value, name).toBeGreaterThan(0);
    }
    expect(new Set(drugs.map(({ name }) => name)).size).toBe(drugs.length);
  });
});
