/** Scores take values of one day, or say which days they join. */
import { describe, expect, it } from 'vitest';
import { computeScores } from '../../../../agents/tools/medical/scores.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const scoreIn = (text: string, name: string) =>
  computeScores([documentOf(text)]).find(({ score }) => score.startsWith(name));

const stay = (vitals: string) => `Age: 74. Sex: M.
Admit Date: 02/27/2026             Discharge Date: 03/04/2026

${vitals}

LABS:
                    2/27      3/1       3/4      Ref
Na                  131 L     134 L     137      136-145 mmol/L
Creatinine          2.61 H    2.10 H    1.72 H   0.70-1.30 mg/dL
`;

describe('creatinine clearance', () => {
  it('takes the weight of the day of the creatinine', () => {
    const text = stay(
      'VITALS ON ADMISSION: HR 112  BP 158/94  Wt 101.4 kg\nVITALS ON DISCHARGE: HR 74  BP 118/68  Wt 93.8 kg',
    );
    expect(scoreIn(text, 'creatinine clearance')).toMatchObject({
      result: { 'mL/min': 50 },
      inputs: [
        { name: 'creatinine', date: '2026-03-04' },
        { name: 'age' },
        { name: 'weight', value: '93.8 kg', date: '2026-03-04' },
        { name: 'sex' },
      ],
    });
  });

  it('states both days if the only weight is of another day', () => {
    expect(scoreIn(stay('VITALS ON ADMISSION: HR 112  BP 158/94  Wt 101.4 kg'), 'creatinine clearance')).toMatchObject({
      inputs: [{ date: '2026-03-04' }, {}, { value: '101.4 kg', date: '2026-02-27' }, {}],
    });
  });

  it('is left out if two weights have no date', () => {
    expect(
      scoreIn(stay('Weight 101.4 kg before the diuretic, weight 93.8 kg after it.'), 'creatinine clearance'),
    ).toMatchObject({ notComputable: expect.stringContaining('the date of one of the weights (101.4, 93.8 kg)') });
  });
});

describe('anion gap', () => {
  it('takes the last day on which all three values were measured', () => {
    const text = `LABS:
                    2/27/2026   3/1/2026   3/4/2026   Ref
Na                  131         134        137        136-145 mmol/L
Cl                  98          100        --         98-107 mmol/L
HCO3                20          24         --         22-29 mmol/L
`;
    expect(scoreIn(text, 'anion gap')).toMatchObject({ result: { 'mmol/L': 10 } });
  });

  it('is not computed from values of different days', () => {
    const text = 'On 03/01/2026: Na 134 mmol/L, Cl 100 mmol/L.\n\nOn 03/04/2026: HCO3 24 mmol/L.\n';
    expect(scoreIn(text, 'anion gap')?.result).toBeUndefined();
  });
});
