import { describe, expect, it } from 'vitest';
import { checkConsistency } from '../../../../agents/tools/financial/consistency.ts';
import { compoundAnnualGrowthRate, growthRate } from '../../../../agents/tools/financial/growth.ts';
import { ratioTable } from '../../../../agents/tools/financial/ratio-table.ts';
import { decimal } from '../../../../agents/tools/financial/rational.ts';
import { computeRatio } from '../../../../agents/tools/financial/ratios.ts';
import { readStatements } from '../../../../agents/tools/financial/statements.ts';

function ratio(id: string, table: string, period = '2024') {
  const definition = ratioTable.find((entry) => entry.id === id)!;
  return computeRatio(readStatements([{ message: 0, text: table }]), definition, period).computed;
}

const table = (rows: Record<string, readonly [number, number?]>) =>
  `| | 2024 | 2023 |\n${Object.entries(rows)
    .map(([label, [now, before]]) => `| ${label} | ${now} | ${before ?? ''} |\n`)
    .join('')}`;

describe('ratios', () => {
  it('have unique ids and name in their formula every item they need', () => {
    expect(new Set(ratioTable.map(({ id }) => id)).size).toBe(ratioTable.length);
    for (const { formula, needs } of ratioTable) {
      for (const need of needs) expect(formula).toContain(need.replace(/[@?].*$/, ''));
    }
  });

  it('return a value and its inputs', () => {
    const text = table({ 'Current assets': [300], Inventories: [120], 'Current liabilities': [150] });
    expect(ratio('current_ratio', text)).toEqual({
      value: '2.00',
      inputs: { current_assets: '300', current_liabilities: '150' },
    });
    expect(ratio('quick_ratio', text)).toMatchObject({ value: '1.20' });
  });

  it('list missing inputs', () => {
    expect(ratio('quick_ratio', table({ 'Current assets': [300] }))).toEqual({
      not_computable: 'inventories, current_liabilities missing',
    });
  });

  it('report a denominator of 0', () => {
    expect(ratio('net_margin', table({ Revenue: [0], 'Net income': [5] }))).toEqual({
      not_computable: 'the denominator is 0',
    });
  });

  it('use average balances if an opening balance exists, and note if not', () => {
    const both = table({ 'Net income': [30], 'Total assets': [400, 200] });
    expect(ratio('return_on_assets', both)).toEqual({
      value: '10.0',
      inputs: { net_income: '30', 'average total_assets': '300' },
    });
    const closing = table({ 'Net income': [30], 'Total assets': [400] });
    expect(ratio('return_on_assets', closing)).toMatchObject({
      value: '7.5',
      notes: ['closing total_assets: no earlier balance sheet'],
    });
  });

  it('are not computed if negative equity makes them meaningless', () => {
    const text = table({ 'Total debt': [50], Equity: [-20] });
    expect(ratio('debt_to_equity', text)).toEqual({ not_computable: 'equity is negative: the ratio has no meaning' });
  });

  it('use years of 365 days', () => {
    expect(ratio('days_sales_outstanding', table({ Receivables: [50], Revenue: [365] }))).toMatchObject({
      value: '50.0',
    });
  });
});

describe('growth', () => {
  it('is not computed for a base of zero or less', () => {
    expect(growthRate(decimal('0'), decimal('5'))).toEqual({ not_computable: 'the base is 0' });
    expect(growthRate(decimal('-1'), decimal('5'))).toEqual({ not_computable: 'the base is negative' });
  });

  it('compounds: 19,000 after 10,000 three years before is 23.86 % a year', () => {
    // Worked example of Investopedia, "Compound Annual Growth Rate (CAGR)": 10,000 to 19,000 in three years.
    expect(compoundAnnualGrowthRate(decimal('10000'), decimal('19000'), 3)).toEqual({ percent: '23.9' });
  });

  it('compounds only between positive values', () => {
    expect(compoundAnnualGrowthRate(decimal('-1'), decimal('2'), 3)).toEqual({
      not_computable: 'both values must be positive',
    });
  });
});

describe('tie-out checks', () => {
  it('find a balance sheet that does not balance', () => {
    const text = table({ 'Total assets': [1000], 'Total liabilities': [600], 'Total equity': [390] });
    expect(checkConsistency(readStatements([{ message: 0, text }]))).toEqual([
      {
        rule: 'total_assets = total_liabilities + equity',
        period: '2024',
        agrees: false,
        total: '1000',
        parts: '990',
        difference: '10',
      },
    ]);
  });

  it('tolerate rounding in the printed unit', () => {
    const text = `in EUR million\n${table({ 'Gross profit': [41], Revenue: [100], 'Cost of sales': [60] })}`;
    expect(checkConsistency(readStatements([{ message: 0, text }]))[0]!.agrees).toBe(true);
  });
});
