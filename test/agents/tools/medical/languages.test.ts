import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../../agents/document/document.ts';
import { findMedications } from '../../../../agents/tools/medical/medications.ts';
import { findProblems } from '../../../../agents/tools/medical/problems.ts';
import { findVitalReadings } from '../../../../agents/tools/medical/vital-readings.ts';

const read = (text: string) => readDocument({ message: 0, text });

describe('medicines in further languages', () => {
  it.each([
    ['Terapia domiciliare: Eliquis 5 mg 1 cp ore 8 e 1 cp ore 20', 'twice-daily'],
    ['Leki przyjmowane: Pradaxa 150 mg 2x1', 'twice-daily'],
    ['Tratamiento habitual: enalapril 20 mg 1 comp/24h', 'once-daily'],
    ['Terapia domiciliare: metformina 1000 mg 1 cp a pranzo e 1 cp a cena', 'twice-daily'],
  ])('reads how often %s is taken', (text, schedule) => {
    expect(findMedications(read(text)).map((each) => each.schedule)).toEqual([schedule]);
  });

  it.each(['Hasta diciembre tomó naproxeno 500 mg cada 12 h.', 'Leki przyjmowane: warfaryna odstawiona w marcu.'])(
    'does not report a medicine of the past as taken: %s',
    (text) => {
      expect(findMedications(read(text)).map(({ status }) => status)).toEqual(['stopped']);
    },
  );
});

it.each([
  ['Non storia di angina.', 'negated'],
  ['Il fratello deceduto per ictus.', 'family'],
])('reads the sense of %s', (text, status) => {
  expect(findProblems(read(text)).map((each) => each.status)).toEqual([status]);
});

it('reads the letter of a form as its answer', () => {
  const form = 'Hypertension ........ Y\nDiabetes ........ N\nHeart failure ........ N\nAsthma ........ Y\n';
  expect(findProblems(read(form)).map(({ name, status }) => [name, status])).toEqual([
    ['Hypertension', 'affirmed'],
    ['Diabetes', 'negated'],
    ['Heart failure', 'negated'],
    ['Asthma', 'affirmed'],
  ]);
});

it("takes the record's own conversion, and ends a table of vital signs at the next table", () => {
  expect(findVitalReadings(read('Ht 5\'9" (175 cm) BP 138/74')).map(({ value }) => value)).toContain(175);
  const log = 'Date,Wt kg,BP\n04/22/2025,81.9,162/84\nLABS 04/23/2025,Result,Ref\nHgb g/dL,96,100-115\n';
  expect(
    findVitalReadings(read(log))
      .filter(({ sign }) => sign === 'weight')
      .map(({ value }) => value),
  ).toEqual([81.9]);
});

it('has one heading row in a table of words, and the marked ones in HTML', () => {
  const [table] = read('Medicine | How\n--- | ---\nA | daily\nB | weekly\nC | nightly\n').tables;
  expect([table!.headerRows.length, table!.rows.length]).toEqual([1, 3]);
});

it('does not read a superseded version or a voided draft', () => {
  const text = 'v0.7 (superseded): median 5.05%\nvalid: median 6.48%\n\nDRAFT - NOT VALID AS AN INVOICE\nTotal 99.00\n';
  expect(read(text).percents.map(({ value }) => value)).toEqual(['6.48']);
  expect(read(text).amounts).toEqual([]);
});
