import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { medicalAnalyst } from '../../../agents/medical-analyst/index.ts';
import { analytes } from '../../../agents/tools/medical/analytes.ts';
import { drugs } from '../../../agents/tools/medical/drugs.ts';
import { describeAgent } from '../../support/agents/agent-golden.ts';
import { documentOf } from '../../support/agents/agent-inputs.ts';

const documents = join(import.meta.dirname, 'documents');

const units: Readonly<Record<string, string>> = { '1': '', s: 's' };

describeAgent({
  agent: medicalAnalyst,
  documents,
  flood: (index) => {
    const analyte = analytes[index % analytes.length]!;
    const date = `20${10 + (index % 15)}-0${1 + (index % 9)}-1${index % 10}`;
    return [
      `67-year-old man ${date} ${analyte.names[0]} ${1 + (index % 400)} ${units[analyte.unit] ?? analyte.unit} (1-2) 日本語日本語日本語日本語日本語日本語`,
      `${drugs[index % drugs.length]!.name} ${100 + index} mg 1-1-1`,
      `Dx: ${'ACEFGIJKLMN'[index % 11]}${10 + (index % 50)}.${index % 10} atrial fibrillation; cirrhosis; QT 400 ms, rate 80 bpm`,
      ...(index % 7 === 0 ? [`Allergies: ${drugs[(index * 3) % drugs.length]!.name}`] : []),
    ].join('\n');
  },
  units: [
    'potassium ',
    'potassium 5.9 mmol/L ',
    'K 5 ',
    'Na (Na) ',
    'potassium : : : ',
    'potassium is of at ',
    'K 5.9 mmol/L (3.5-5.0) H ',
    '2026-01-01 creatinine 1.2 mg/dL\n',
    '5.9 mmol/L ',
    'x10^9/L ',
    'metformin ',
    'Metformin 500 mg 1-0-1 ',
    'Metformin 500 mg 1-0-1\n',
    'warfarin ibuprofen ',
    'Allergies: penicillin v ',
    '1-0-1 ',
    '1-',
    '½-',
    '500 mg ',
    'every 8 hours ',
    'as needed ',
    'no stroke ',
    'no no ',
    'diabetes ',
    'atrial fibrillation ',
    'family history of ',
    '67-year-old man ',
    'Age: ',
    'Mrs. A ',
    'weight 80 kg ',
    'BP 120/80 ',
    'HR 80 bpm ',
    'QTc (',
    'QT 400 ms ',
    'I48.9 ',
    'B01AF02 ',
    'Dx: N18 ',
    'SpO2 91 % ',
  ],
});

describe('what the medical analyst reads in the golden documents', () => {
  const resultsOf = (file: string) => {
    const list = [documentOf(readFileSync(join(documents, file), 'utf8'))];
    return Object.fromEntries(
      medicalAnalyst.tools.map((tool) => [tool.name, JSON.parse(JSON.stringify(tool.run(list).result))]),
    );
  };

  it('starts with the notice that this is not a diagnosis', () => {
    const { digest } = medicalAnalyst.tools[0]!.run([documentOf('')]);
    expect(digest[0]).toMatch(/not a diagnosis/);
  });

  it('reports the allergy conflict, the interactions and the cautions of the discharge letter', () => {
    const { medication_review: review } = resultsOf('discharge-letter.txt');
    expect(review.allergyConflicts.items).toMatchObject([{ medicine: 'amoxicillin' }]);
    expect(review.interactions.items.map(({ medicines }: { medicines: string[] }) => medicines.join(' + '))).toEqual([
      'apixaban + ibuprofen',
      'ramipril + spironolactone',
      'ramipril + ibuprofen',
      'furosemide + ibuprofen',
    ]);
    const cautions = review.cautions.items.map(({ medicine }: { medicine: string }) => medicine);
    expect(cautions).toEqual(
      expect.arrayContaining(['ramipril', 'spironolactone', 'metformin', 'zolpidem', 'ibuprofen']),
    );
  });

  it('computes the scores of the discharge letter', () => {
    const { clinical_scores: found } = resultsOf('discharge-letter.txt');
    const byName = Object.fromEntries(
      found.scores.map(({ score, result }: { score: string; result: object }) => [score, result]),
    );
    // Creatinine 1.7 mg/dL, 78 years, woman.
    expect(byName['eGFR (CKD-EPI 2021, creatinine)']).toEqual({ 'mL/min/1.73 m²': 31, category: 'G3b' });
    expect(byName['CHA₂DS₂-VASc']).toMatchObject({ points: 8 });
  });

  it('computes the three MELD scores of the hepatology note', () => {
    const { clinical_scores: found } = resultsOf('hepatology-note.txt');
    const liver = found.scores.find(({ score }: { score: string }) => score.startsWith('MELD'));
    // By hand: 23.37; 23 + 10.56 − 6.07 = 27.49; 28.10.
    expect(liver.result).toEqual({ MELD: 23, 'MELD-Na': 27, 'MELD 3.0': 28 });
  });
});
