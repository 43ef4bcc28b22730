/** Headings of columns that name months, fiscal years and units, and comparisons in sentences. Texts are our own. */
import { describe, expect, it } from 'vitest';
import type { LineItem } from '../../../../agents/tools/financial/line-items.ts';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { readStatements } from '../../../../agents/tools/financial/statements.ts';

const read = (text: string, item: LineItem): Record<string, string> =>
  Object.fromEntries(
    [...(readStatements([{ message: 0, text }]).figures.get(item) ?? [])].map(([period, { value }]) => [
      period,
      toText(value),
    ]),
  );

describe('headings of statements', () => {
  it.each(['January - June', 'Jan to Jun', 'Januar bis Juni', 'janvier à juin'])(
    'read "%s 2025" as a half-year',
    (span) => {
      const text = [
        'Half-Year Report 2025',
        '',
        'Consolidated income statement',
        `CHF 1'000                ${`${span} 2024`.padStart(24)}    ${`${span} 2025`.padStart(24)}`,
        `Net sales                ${"84'320".padStart(24)}    ${"97'745".padStart(24)}`,
        `Net result               ${"2'644".padStart(24)}    ${"7'102".padStart(24)}`,
      ].join('\n');
      expect(Object.values(read(text, 'revenue'))).toEqual(['84320000', '97745000']);
      expect(Object.values(read(text, 'net_income'))).toEqual(['2644000', '7102000']);
    },
  );

  it('read a fiscal year that ends in the next calendar year by the sentence that says so', () => {
    const text = [
      'Fiscal 2024 ended on February 1, 2025 and had 52 weeks.',
      '',
      'CONSOLIDATED STATEMENTS OF OPERATIONS',
      '(In millions)',
      '                                                Fiscal Year Ended',
      '                                             February 1,   February 3,',
      '                                                    2025          2024',
      'Net sales                                        1,702.4       1,811.9',
      'Net income                                          82.2          14.4',
      '',
      'CONSOLIDATED STATEMENTS OF CASH FLOWS',
      '(In millions)',
      '                                             Fiscal 2024   Fiscal 2023',
      'Net cash provided by operating activities           31.8         121.4',
      'Net cash used in investing activities              (58.9)        (66.3)',
    ].join('\n');
    const flows = read(text, 'operating_cash_flow');
    expect(Object.keys(flows)).toEqual(Object.keys(read(text, 'revenue')));
    expect(Object.values(flows)).toEqual(['121400000', '31800000']);
  });

  it('do not take flows of cash from borrowings for a debt', () => {
    expect(
      read(
        '(In millions)\n\n|  | 2025 | 2024 |\n|---|---|---|\n| Borrowings, net of share repurchases | 19.3 | (40.0) |',
        'total_debt',
      ),
    ).toEqual({});
  });
});

describe('comparisons in sentences', () => {
  it('give a loss of the previous year its sign', () => {
    const text = 'Annual report, year ended 31 March 2025\n\nProfit for the year was £29.3m, against a loss of £20.8m.';
    expect(Object.values(read(text, 'net_income'))).toContain('-20800000');
  });

  it('assign the amounts of a list to the items before it, and are silent about lists of another length', () => {
    const text =
      'Annual report, year ended 31 March 2025\n\nTotal assets were £538.7m and total equity £214.5m (2024: £561.2m and £196.4m).';
    expect(read(text, 'equity')).toEqual({ 2025: '214500000', 2024: '196400000' });
    expect(read(text, 'total_assets')).toEqual({ 2025: '538700000', 2024: '561200000' });
    const uneven = text.replace('Total assets were', 'Cash was £9.9m, total assets were');
    expect(Object.values(read(uneven, 'equity'))).toEqual(['214500000']);
  });
});
