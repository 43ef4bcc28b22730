/** Medicines of the past, which are neither current nor a cause of interactions, and doses that were held and resumed. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { medicationReview } from '../../../../agents/tools/medical/medication-review.ts';
import { findMedications } from '../../../../agents/tools/medical/medications.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const statusesIn = (text: string) =>
  Object.fromEntries(
    findMedications(parseDocument(documentOf(text))).map(({ drug, status }) => [drug.name, status] as const),
  );

const interactionsIn = (text: string) =>
  JSON.parse(JSON.stringify(medicationReview.run([documentOf(text)]).result)).interactions.items;

describe('medicines of the past', () => {
  it.each([
    ['Medications: Entresto 24/26 mg BID.\n\nPreviously on lisinopril 20 mg daily.', 'lisinopril'],
    ['He was previously on lisinopril 20 mg daily. Now on Entresto 24/26 mg BID.', 'lisinopril'],
    [
      'HPI: He used to take lisinopril 20 mg\ndaily but was switched to Entresto 24/26 mg BID in 11/2025.',
      'lisinopril',
    ],
    ['He used to take warfarin 5 mg daily. Current medications: apixaban 5 mg BID.', 'warfarin'],
    ['Formerly took warfarin 5 mg daily.', 'warfarin'],
    ['In the past she took warfarin 5 mg daily.', 'warfarin'],
    ['She had been taking warfarin 5 mg daily until 2021.', 'warfarin'],
    ['Warfarin 5 mg daily in the past, now apixaban 5 mg BID.', 'warfarin'],
    ['Prior to Entresto he was taking lisinopril 20 mg daily.', 'lisinopril'],
    ['He has previously been treated with methotrexate 15 mg weekly.', 'methotrexate'],
    ['Previous medications: lisinopril 20 mg daily.\nCurrent medications: Entresto 24/26 mg BID.', 'lisinopril'],
    ['Früher nahm er Marcumar 3 mg täglich ein.', 'phenprocoumon'],
    ['Zuvor unter Lisinopril 20 mg 1-0-0, jetzt Entresto 24/26 mg 1-0-1.', 'lisinopril'],
    ['Il prenait auparavant du lisinopril 20 mg par jour.', 'lisinopril'],
    ['Antes tomaba enalapril 20 mg al día.', 'enalapril'],
    ['In passato assumeva ramipril 5 mg al giorno.', 'ramipril'],
    ['Voorheen gebruikte hij lisinopril 20 mg per dag.', 'lisinopril'],
    ['Tidigare stod han på lisinopril 20 mg dagligen.', 'lisinopril'],
    ['Dawniej przyjmował ramipryl 5 mg dziennie.', 'ramipril'],
  ])('reads "%s" as stopped', (text, name) => {
    expect(statusesIn(text)).toMatchObject({ [name]: 'stopped' });
  });

  it.each([
    'Medications: Entresto 24/26 mg BID.\n\nPreviously on lisinopril 20 mg daily.',
    'Previous medications: lisinopril 20 mg daily.\nCurrent medications: Entresto 24/26 mg BID.',
    'He used to take warfarin 5 mg daily. Current medications: ibuprofen 400 mg TID.',
  ])('reports no interaction with the medicine of the past: %s', (text) => {
    expect(interactionsIn(text)).toEqual([]);
  });

  it.each([
    ['The patient, previously healthy, is on lisinopril 20 mg daily.', 'current'],
    ['Before admission he was taking lisinopril 20 mg daily.', 'current'],
    ['Lisinopril 20 mg daily (previously 10 mg daily).', 'current'],
    ['Previously on lisinopril 10 mg daily, now on 20 mg daily.', 'mentioned'],
  ])('does not read "%s" as stopped', (text, status) => {
    expect(statusesIn(text)).toEqual({ lisinopril: status });
  });

  it('keeps a medicine of the list that the history names as one of the past', () => {
    const list = 'Medications:\n- apixaban 5 mg BID\n\nHistory: previously on apixaban for a DVT.';
    expect(findMedications(parseDocument(documentOf(list)))[0]).toMatchObject({ status: 'current' });
  });
});

describe('medicines that were held', () => {
  it('ends "held" at the next item of a problem list', () => {
    const text = '# AKI: Held Entresto on admission; restarted 3/3.\n# pAF: Continued apixaban 5 mg BID.\n';
    expect(statusesIn(text)).toEqual({ sacubitril: 'current', apixaban: 'current' });
  });

  it('reads each item of a problem list by its own verb', () => {
    const text =
      '# HTN: Stopped amlodipine.\n# DM: continue metformin 500 mg BID.\n# CKD: hold lisinopril 10 mg daily.\n';
    expect(statusesIn(text)).toEqual({ amlodipine: 'stopped', metformin: 'current', lisinopril: 'stopped' });
  });

  it.each([
    ['Lisinopril 10 mg daily was held on admission and restarted on discharge.', 'current'],
    ['Metformin\nwurde bei Aufnahme pausiert und am 09.02.2025 wieder angesetzt.', 'current'],
    ['Lisinopril 10 mg daily held; to be restarted by PCP.', 'stopped'],
    ['Held metformin on admission.', 'stopped'],
  ])('reads "%s" as %s', (text, status) => {
    expect(Object.values(statusesIn(text))).toEqual([status]);
  });

  it('keeps a marked heading above a list of medicines', () => {
    const text =
      '## Stopped medicines\n\n- amlodipine 5 mg daily\n\n## Discharge medications\n\n- ramipril 5 mg daily\n';
    expect(statusesIn(text)).toEqual({ amlodipine: 'stopped', ramipril: 'current' });
  });
});
