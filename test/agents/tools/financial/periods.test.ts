import { describe, expect, it } from 'vitest';
import { comparePeriods, findPeriods, priorPeriod } from '../../../../agents/tools/financial/periods.ts';

const labels = (text: string) => findPeriods(text).map(({ label }) => label);

describe('periods', () => {
  it.each([
    ['31.12.2024 and 31/12/2023', ['2024', '2023']],
    ['31 December 2024, December 31, 2023', ['2024', '2023']],
    ['2024-12-31', ['2024']],
    ['FY24, FY 2023, FY2022/23', ['2024', '2023', '2023']],
    ['Q1 2024, 2Q23, H1 2024, 9M 2024', ['Q1 2024', 'Q2 2023', 'H1 2024', '9M 2024']],
    ['2025E and 2026F', ['2025E', '2026E']],
    ['2020-2030', ['2020']],
  ])('are found in %s', (text, expected) => {
    expect(labels(text)).toEqual(expected);
  });

  it.each(['1,998 pieces', '12.2024,5', 'A2024', '20245', '24', '2024%', 'no year'])('are not found in %s', (text) => {
    expect(labels(text)).toEqual([]);
  });

  it('have a matching period in the previous year', () => {
    expect(['2024', 'Q1 2024', '2025E', 'current', 'prior', 'undated'].map(priorPeriod)).toEqual([
      '2023',
      'Q1 2023',
      '2024E',
      'prior',
      undefined,
      undefined,
    ]);
  });

  it('are ordered newest first, those without a year last', () => {
    expect(['prior', '2022', 'undated', '2024', 'current', '2023'].sort(comparePeriods)).toEqual([
      '2024',
      '2023',
      '2022',
      'current',
      'prior',
      'undated',
    ]);
  });
});
