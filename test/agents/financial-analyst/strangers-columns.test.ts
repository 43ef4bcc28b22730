import { describe, expect, it } from 'vitest';
import { readGuidance } from '../../../agents/tools/financial/guidance.ts';
import type { LineItem } from '../../../agents/tools/financial/line-items.ts';
import { toText } from '../../../agents/tools/financial/rational.ts';
import { readSegments } from '../../../agents/tools/financial/segments.ts';
import { readStatements } from '../../../agents/tools/financial/statements.ts';

const statementsOf = (text: string) => readStatements([{ message: 0, text }]);
const read = (text: string, item: LineItem): Record<string, string> =>
  Object.fromEntries(
    [...(statementsOf(text).figures.get(item) ?? [])].map(([period, { value }]) => [period, toText(value)]),
  );

describe('units of tables', () => {
  it.each([
    ['Dollars in thousands. A is audited, B is the budget of the board.'],
    ['Valores expressos em milhares de euros. Sem auditoria do revisor.'],
    ['EUR thousand unless otherwise stated. Prepared by the treasurer.'],
  ])('are read from one of several sentences: %s', (note) => {
    const text = `${note}\n\n| | 2025 | 2024 |\n|---|---|---|\n| Revenue | 41 210 | 39 004 |\n| Gross profit | 9 120 | 8 870 |\n`;
    expect(read(text, 'revenue')).toEqual({ 2025: '41210000', 2024: '39004000' });
  });

  it('are not read from a sentence that contains other words', () => {
    const text =
      'Donations in thousands of euros went to charity. Nothing else.\n\n| | 2025 | 2024 |\n|---|---|---|\n| Revenue | 4,121,000 | 3,900,400 |\n| Gross profit | 912,000 | 887,000 |\n';
    expect(read(text, 'revenue')).toEqual({ 2025: '4121000', 2024: '3900400' });
  });

  it('leave out the rates of a row with its own unit', () => {
    const text =
      'Metric;Unit;Q1 2025;Q2 2025\nNet sales;EUR m;40.2;41.8\nGross profit;EUR m;12.1;12.9\nGross margin;%;30.1;30.9\nEarnings per share;EUR;0.31;0.33\n';
    expect(read(text, 'gross_profit')).toEqual({ 'Q1 2025': '12100000', 'Q2 2025': '12900000' });
    expect(read(text, 'revenue')).toEqual({ 'Q1 2025': '40200000', 'Q2 2025': '41800000' });
    expect(read(text, 'eps_basic')).toEqual({ 'Q1 2025': '0.31', 'Q2 2025': '0.33' });
  });
});

describe('columns of a table', () => {
  it('of audited years and of a budget are told apart by the letter after the year', () => {
    const text =
      '(in thousands of USD)\n| | FY2024A | FY2025A | FY2026B |\n|---|---|---|---|\n| East | 20 | 22 | 24 |\n| West | 10 | 12 | 13 |\n| Total revenue | 30 | 34 | 37 |\n| Operating income | 4 | 5 | 6 |\n';
    expect(read(text, 'revenue')).toEqual({ 2024: '30000', 2025: '34000', '2026E': '37000' });
    expect(readSegments(statementsOf(text).readings[0]!).figures.map(({ period }) => period)).not.toContain('2026');
  });

  it('of the consensus of analysts are not reported', () => {
    const text =
      'In EUR million\n| | Q2 2025 | Consensus Q3 2025e |\n|---|---|---|\n| Net sales | 120.4 | 125.0 |\n| Operating profit | 12.1 | 13.0 |\n';
    expect(read(text, 'revenue')).toEqual({ 'Q2 2025': '120400000' });
  });

  it('of a fiscal year next to quarters is a whole year, whatever quarter the title names', () => {
    const text =
      'Results for Q2 2025, EUR m\n\n| | Q2 2024 | FY 2024 | Q2 2025 |\n|---|---|---|---|\n| Net sales | 60.1 | 240.2 | 63.0 |\n| Operating profit | 6.0 | 25.1 | 6.4 |\n';
    expect(read(text, 'revenue')).toEqual({ 'Q2 2024': '60100000', 2024: '240200000', 'Q2 2025': '63000000' });
  });

  it('called actual has the day of the title', () => {
    const text =
      '## Balance sheet at June 30, 2025\n\n| $000 | Actual | Adjustments | Pro forma |\n|---|---|---|---|\n| Cash | 310 | (200) | 110 |\n| Total assets | 2,980 | (200) | 2,780 |\n\nThe financial year ends on December 31, 2025.\n';
    expect(read(text, 'total_assets')).toEqual({ '2025-06-30': '2980000' });
  });
});

describe('rows of a balance sheet', () => {
  const balance = (rows: string) =>
    `Balanço (montantes expressos em euros)\n\n| Rubricas | 31-12-2025 |\n|---|---|\n${rows}`;

  it('of deferrals are deferred income only among the liabilities', () => {
    const assets = '| Clientes | 702.114,98 |\n| Diferimentos | 12.004,11 |\n| Total do ativo | 900.000,00 |\n';
    expect(read(balance(assets), 'deferred_revenue')).toEqual({});
    const both = `${assets}| Total do capital próprio | 400.000,00 |\n| Diferimentos | 31.500,00 |\n`;
    expect(read(balance(both), 'deferred_revenue')).toEqual({ 2025: '31500' });
  });

  it('have the maturity that their own label states', () => {
    const text = balance(
      '| Total do ativo | 4.599.974,51 |\n| Financiamentos obtidos (não corrente) | 960.000,00 |\n| Financiamentos obtidos (corrente) | 220.000,00 |\n',
    );
    expect(read(text, 'long_term_debt')).toEqual({ 2025: '960000' });
    expect(read(text, 'short_term_debt')).toEqual({ 2025: '220000' });
  });

  it('with minorities are the equity, without a comma before the word for including', () => {
    const text =
      "Bilanz in TCHF\n\n| | 31.12.2025 |\n|---|---|\n| Bilanzsumme | 212'070 |\n| Eigenkapital inkl. Minderheiten | 141'715 |\n";
    expect(read(text, 'equity')).toEqual({ 2025: '141715000' });
  });
});

describe('an outlook', () => {
  const text =
    'Outlook 2026\n\nFor the financial year 2026 we expect:\n- EBIT between EUR 30 million and EUR 34 million\n- capital expenditure of about EUR 25 million\n\n' +
    'Revenue grew by 5.2 % to EUR 395.4 million in 2025. Organic growth was 4.1 %. Free cash flow amounted to EUR 21.4 million in 2025.\n';

  it('gives no figures of a period that has ended', () => {
    expect(read(text, 'ebit')).toEqual({});
    expect(read(text, 'capex')).toEqual({});
    expect(read(text, 'revenue')).toEqual({ 2025: '395400000' });
  });

  it('gives no forecast from a sentence about what was', () => {
    const measures = readGuidance(statementsOf(text).readings[0]!).map(({ measure }) => measure);
    expect(measures).toEqual(['ebit', 'capex']);
  });
});

it('segments leave out the column of eliminations', () => {
  const text =
    '## Segment information (€m)\n\n| | Coatings | Adhesives | Other/Elim. | Group |\n|---|---|---|---|---|\n| **2025** | | | | |\n| Net sales | 812.4 | 430.1 | (12.2) | 1,230.3 |\n';
  const names = readSegments(statementsOf(text).readings[0]!).figures.map(({ segment }) => segment);
  expect(names).not.toContain('Other/Elim.');
  expect(names).toContain('Coatings');
});

it('debts to banks have the maturity in parentheses', () => {
  const text =
    'Bilancio in migliaia di euro\n\n| | 31.12.2025 |\n|---|---|\n| Totale attivo | 35.355 |\n| Debiti verso banche (oltre 12 mesi) | 6.400 |\n| Debiti verso banche (entro 12 mesi) | 1.800 |\n';
  expect(read(text, 'long_term_debt')).toEqual({ 2025: '6400000' });
  expect(read(text, 'short_term_debt')).toEqual({ 2025: '1800000' });
});
