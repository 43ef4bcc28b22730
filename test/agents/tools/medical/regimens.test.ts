import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { findAllergies } from '../../../../agents/tools/medical/allergies.ts';
import { readFrequency } from '../../../../agents/tools/medical/frequencies.ts';
import { medicationReview } from '../../../../agents/tools/medical/medication-review.ts';
import { findMedications } from '../../../../agents/tools/medical/medications.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const medications = (text: string) => findMedications(parseDocument(documentOf(text)));
/** Medicine and status, without those that are only mentioned. */
const stated = (text: string) =>
  medications(text).flatMap(({ drug, status }) => (status === 'mentioned' ? [] : [`${drug.name} ${status}`]));

describe('frequencies', () => {
  it.each([
    ['twice a day', 'twice-daily'],
    ['ONE each MORNING', 'once-daily'],
    ['q.a.m.', 'once-daily'],
    ['4 hourly', 'six-times-daily'],
    ['every 72 hours', 'every-3-days'],
    ['alle 7 Tage', 'weekly'],
    ['1x pro Woche (Montag)', 'weekly'],
    ['alle 6 Monate', 'every-6-months'],
    ['matin et soir', 'twice-daily'],
    ['toutes les 6 heures', 'four-times-daily'],
    ['3 fois par jour', 'three-times-daily'],
    ['x 3/j', 'three-times-daily'],
    ['1-0-1', 'twice-daily'],
    ['0-0-0-18 IE', 'once-daily'],
    ['x1', 'once'],
    ['continuous infusion', 'continuous'],
    ['jeden zweiten Tag', 'every-other-day'],
  ])('reads %s', (words, schedule) => {
    expect(readFrequency(` 5 mg ${words}`)).toMatchObject({ schedule });
  });

  it.each(['q4-6h', '12-11-24', 'totals 6 g a day'])('gives no schedule for %s', (words) => {
    expect(readFrequency(` 5 mg ${words}`)?.schedule).toBeUndefined();
  });
});

describe('doses of one intake', () => {
  it.each([
    ['Paracetamol 500 mg 2 tablets qds', { value: 1000, unit: 'mg' }],
    ['Bisoprolol 5 mg: ½ tablet in the morning', { value: 2.5, unit: 'mg' }],
    ['Furosemide 40 mg : 1/2 cp le matin', { value: 20, unit: 'mg' }],
    ['Methotrexate 2.5 mg tablets: take 6 tablets (15 mg) once a week', { value: 15, unit: 'mg' }],
    ['Prednisolone 5mg tablets   30 mg ONCE daily', { value: 30, unit: 'mg' }],
    ['Fentanyl patch 12 mcg/h every 72 hours', { value: 12, unit: 'µg/h' }],
    ['Salbutamol 100micrograms inhaler TWO puffs when required', { value: 2, unit: 'puff' }],
    ['Insulin glargin 100 E/ml 0-0-0-22 Einheiten', { value: 22, unit: 'IU' }],
    ['Furosemide 20 mg daily (was 40 mg daily)', { value: 20, unit: 'mg' }],
    ['Heparin 60 units/kg IV bolus x1', { value: 60, unit: 'units/kg' }],
    ['Vitamin D3 50,000 IU weekly', { value: 50_000, unit: 'IU' }],
  ])('reads %s', (text, dose) => {
    expect(medications(text)[0]).toMatchObject({ dose });
  });

  it.each([
    'Torasemide 10 mg 1-½-0',
    'Acetaminophen 325-650 mg q6h PRN',
    'Acetaminophen as written totals 6 g a day.',
    'Insulin lispro 4-10 units SC with meals',
  ])('gives no dose for %s', (text) => {
    expect(medications(text)[0]).not.toHaveProperty('dose');
  });

  it('reads the columns of a plan for morning, noon, evening and night', () => {
    const text =
      '| Wirkstoff | Stärke | Form | mo | mi | ab | na |\n|---|---|---|---|---|---|---|\n| Ramipril | 5 mg | Tabl | 1 | 0 | 1 | 0 |\n| Amlodipin | 10 mg | Tabl | 0 | 0 | 1 | 0 |';
    expect(medications(text)).toMatchObject([
      { drug: { name: 'ramipril' }, dose: { value: 5 }, schedule: 'twice-daily', route: 'oral' },
      { drug: { name: 'amlodipine' }, dose: { value: 10 }, schedule: 'once-daily', route: 'oral' },
    ]);
  });
});

describe('whose medicines, and when', () => {
  it.each([
    ['Her mother takes rivaroxaban 20 mg daily.', []],
    ["He took two of his wife's nitroglycerin 0.4 mg.", []],
    ["The roommate's list (simvastatin 40 mg, diltiazem 120 mg) was returned.", []],
    ['If she seizes, lorazepam 4 mg IV.', []],
    ['Not on warfarin. Avoid ibuprofen 400 mg.', []],
    ['She takes ramipril 5 mg daily.', ['ramipril current']],
    ['Plan: start atorvastatin 40 mg daily.', ['atorvastatin planned']],
    ['STOP TAKING: metformin 1000 mg b.i.d., naproxen 220 mg b.i.d.', ['metformin stopped', 'naproxen stopped']],
    ['Medications:\nIbuprofen 800 mg t.i.d. - instructed to stop today.', ['ibuprofen stopped']],
    ['Metoprolol was stopped in favor of carvedilol.', ['metoprolol stopped']],
    [
      'Quinidine was withdrawn, and cilostazol 100 mg twice daily is now taken.',
      ['quinidine stopped', 'cilostazol current'],
    ],
    ['ED MEDICATIONS GIVEN\n 22:05 aspirin 324 mg PO x1', ['aspirin given']],
    ['Abgesetzt: Marcumar, ersetzt durch Eliquis', ['phenprocoumon stopped']],
  ])('reads %s', (text, expected) => {
    expect(stated(text)).toEqual(expected);
  });

  it('ends the old dose of a medicine whose dose is changed', () => {
    const text = 'Medications:\nLevothyroxine 88 mcg daily\n\nPlan:\nIncrease levothyroxine to 100 mcg daily.';
    expect(stated(text)).toEqual(['levothyroxine stopped', 'levothyroxine planned']);
  });

  it('ends a dose of admission that the list of discharge replaces', () => {
    const text = 'Admission medications:\nRamipril 5 mg daily\n\nDischarge medications:\nRamipril 10 mg daily';
    expect(stated(text)).toEqual(['ramipril stopped', 'ramipril current']);
  });

  it('reads a product that the table lacks from the form of a list', () => {
    expect(medications('Medications:\n- Zorbexin 20 mg daily')).toMatchObject([
      { written: 'Zorbexin', dose: { value: 20 }, schedule: 'once-daily' },
    ]);
  });
});

describe('allergies', () => {
  it.each([
    [
      'Allergies: PCN (rash as a child); codeine -> nausea.',
      [
        ['PCN (penicillin)', 'rash'],
        ['codeine', 'nausea'],
      ],
    ],
    ['ALLERGIES: Lisinopril - angioedema. NO LATEX ALLERGY.', [['Lisinopril', 'angioedema']]],
    [
      'Allergien: Ampicillin (Exanthem), Pflaster (Juckreiz).',
      [
        ['Ampicillin', 'Exanthem'],
        ['Pflaster', 'Juckreiz'],
      ],
    ],
    ["Allergie : iode (urticaire). Pas d'allergie à la pénicilline.", [['iode', 'urticaire']]],
    ['Allergies: NKDA', []],
    ['She is intolerant of codeine. History of hives to gadolinium noted.', [['gadolinium', 'hives']]],
    [
      '| Substance | Reaction |\n|---|---|\n| Morphine | confusion |\n| Contrast | none - tolerated 2022 |',
      [['Morphine', 'confusion']],
    ],
  ])('reads %s', (text, expected) => {
    const found = findAllergies(parseDocument(documentOf(text))).map(({ substance, reaction }) => [
      substance,
      reaction,
    ]);
    expect(found).toEqual(expected);
  });

  it('ends with the line of another label', () => {
    const text = 'Allergien: Cefuroxim (Urtikaria), Nickel.\nGewicht: 63 kg\nKalium: 4,9 mmol/l';
    expect(findAllergies(parseDocument(documentOf(text))).map(({ substance }) => substance)).toEqual([
      'Cefuroxim',
      'Nickel',
    ]);
  });
});

describe('the review', () => {
  const review = (text: string) => JSON.parse(JSON.stringify(medicationReview.run([documentOf(text)]).result));

  it('lowers the maximum by age and by another medicine', () => {
    const text = 'An 83-year-old woman.\nCitalopram 40 mg daily\nSimvastatin 40 mg daily\nVerapamil 240 mg daily';
    expect(review(text).aboveUsualMaximum.items).toMatchObject([
      { medicine: 'citalopram', maximum: '20 mg daily', severity: 'high' },
      { medicine: 'simvastatin', maximum: '20 mg daily', reason: 'with verapamil or diltiazem' },
    ]);
  });

  it('gives brands with their ingredient, but not brands of combinations', () => {
    expect(review('Tylenol 500 mg prn\nAugmentin 1 g bid').brands.items).toMatchObject([
      { brand: 'Tylenol', ingredient: 'paracetamol (acetaminophen)' },
    ]);
  });
});
