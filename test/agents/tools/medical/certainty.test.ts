import { describe, expect, it } from 'vitest';
import { laboratoryValues } from '../../../../agents/tools/medical/lab-review.ts';
import { medicationReview } from '../../../../agents/tools/medical/medication-review.ts';
import { patientFacts } from '../../../../agents/tools/medical/vital-signs.ts';

interface Omitted {
  readonly leftOut: readonly { readonly because: string; readonly facts: number }[];
}
interface Items<Item> {
  readonly items: readonly Item[];
}

const resultOf = (tool: typeof laboratoryValues, text: string) => tool.run([{ message: 0, text }]).result as unknown;
const reasons = ({ leftOut }: Omitted) => leftOut.map(({ because }) => because).join('; ');

function labs(text: string) {
  const result = resultOf(laboratoryValues, text) as Omitted & {
    readonly values: Items<{ readonly label: string; readonly writtenNumber: number; readonly date?: string }>;
  };
  return { values: result.values.items, reasons: reasons(result) };
}

describe('laboratory values that the record does not confirm', () => {
  it.each([
    ['a comparison in a sentence', 'Labs: Anti-CCP > 340 U/ml.', 'Labs: Anti-CCP 340 U/ml.', /compares/],
    ['a value behind a limit', 'Labs: Na 148. Limit K 5.0 mmol/L.', 'Labs: Na 148. K 5.0 mmol/L.', /a goal/],
    ['a value with an arrow to a later one', 'Labs: Na 148, Cr 212 -> 148.', 'Labs: Na 148, Cr 212.', /arrow/],
  ])('leaves out %s', (_, text, twin, reason) => {
    expect(labs(text).reasons).toMatch(reason);
    expect(labs(twin).reasons).toBe('');
    expect(labs(text).values).toHaveLength(labs(twin).values.length - 1);
  });

  it('leaves out an undated value next to a dated one of the same quantity', () => {
    const dated = '| Test | Unit | 16.03.2026 |\n|---|---|---|\n| Bilirubin | µmol/L | 68 |\n';
    const both = labs(`${dated}\nBilirubin 41 µmol/L.\n`);
    expect(both.values).toMatchObject([{ writtenNumber: 68, date: '2026-03-16' }]);
    expect(both.reasons).toMatch(/have no date/);
    expect(labs('Bilirubin 41 µmol/L.').values).toMatchObject([{ writtenNumber: 41 }]);
  });

  it('gives no date to a value of a row with a number that was not read', () => {
    const table = (last: string) =>
      `| Test | Unit | 16.03.2026 | 12.01.2026 | |\n|---|---|---|---|---|\n| Ferritin | µg/L | 14 | 22 | ${last} |\n`;
    expect(labs(table('')).values.map(({ date }) => date)).toEqual(['2026-03-16', '2026-01-12']);
    expect(labs(table('31')).values.map(({ date }) => date)).toEqual([undefined, undefined]);
  });
});

function vitals(text: string) {
  const result = resultOf(patientFacts, text) as Omitted & {
    readonly vitals: Items<{ readonly sign: string; readonly value: number; readonly date?: string }>;
  };
  return { values: result.vitals.items, reasons: reasons(result) };
}

describe('vital signs that the record does not confirm', () => {
  const chart = (pressure: string, pulse: string) =>
    `| Date | Shift | BP | Pulse | Temp | SpO2 | Sign |\n|---|---|---|---|---|---|---|\n| 2026-03-16 | M | 138/72 | 78 | 36.2 | 95 | LM |\n| 2026-03-17 | M | ${pressure} | ${pulse} | 36.8 | 94 | LM |\n`;
  const second = (text: string) =>
    vitals(text)
      .values.filter(({ date }) => date === '2026-03-17')
      .map(({ sign }) => sign);

  it('gives the signs of a row of values', () => {
    expect(second(chart('142/76', '81'))).toContain('pulse');
    expect(vitals(chart('142/76', '81')).reasons).toBe('');
  });

  it('leaves out a pulse that is no whole number', () => {
    expect(second(chart('142/76', '36.8'))).not.toContain('pulse');
    expect(vitals(chart('142/76', '36.8')).reasons).toMatch(/whole numbers/);
  });

  it('leaves out a row with words in the place of a value', () => {
    expect(second(chart('did not cooperate', '81'))).toEqual([]);
    expect(vitals(chart('did not cooperate', '81')).reasons).toMatch(/contains words/);
  });

  it('leaves out a sign with an arrow to a later value', () => {
    expect(vitals('Vitals: HR 118 -> 92.').values).toEqual([]);
    expect(vitals('Vitals: HR 118 -> 92.').reasons).toMatch(/arrow/);
    expect(vitals('Vitals: HR 118.').values).toMatchObject([{ value: 118 }]);
  });
});

function medicines(text: string) {
  const result = resultOf(medicationReview, text) as Omitted & {
    readonly medications: Items<{ readonly written: string; readonly status: string }>;
  };
  return {
    current: result.medications.items.filter(({ status }) => status === 'current').map(({ written }) => written),
    reasons: reasons(result),
  };
}

describe('medicines that the record does not confirm', () => {
  it.each([
    [
      'those with figures that were not understood',
      'Current medications:\n- simvastatin 40 mg 1/4 since 10-2011\n',
      'Medications:\nsimvastatin 40 mg daily\n',
      /not understood/,
    ],
    [
      'those with a part of a number in thousands',
      'Medications:\ncolecalciferol 20 IE daily, as 20.000 IE\n',
      'Medications:\ncolecalciferol 20 IE daily\n',
      /in thousands/,
    ],
  ])('leaves out %s', (_, text, twin, reason) => {
    expect(medicines(text).current).toEqual([]);
    expect(medicines(text).reasons).toMatch(reason);
    expect(medicines(twin)).toMatchObject({ current: [expect.any(String)], reasons: '' });
  });

  it('leaves out a mention without a dose of a medicine that another place states with one', () => {
    const both = medicines('Current medications:\n- simvastatin 40 mg daily\n\nCurrent medications:\n- simvastatin\n');
    expect(both.current).toHaveLength(1);
    expect(both.reasons).toMatch(/repeat a medicine/);
    expect(medicines('Current medications:\n- simvastatin\n').current).toHaveLength(1);
  });
});
