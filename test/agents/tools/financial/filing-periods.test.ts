/** The periods of filings whose quarters end on a Saturday, and statements of cash flows in columns of blanks. Texts are our own. */
import { describe, expect, it } from 'vitest';
import { readCovenants } from '../../../../agents/tools/financial/covenants.ts';
import type { LineItem } from '../../../../agents/tools/financial/line-items.ts';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { readStatements } from '../../../../agents/tools/financial/statements.ts';

const statementsOf = (text: string) => readStatements([{ message: 0, text }]);
const read = (text: string, item: LineItem): Record<string, string> =>
  Object.fromEntries(
    [...(statementsOf(text).figures.get(item) ?? [])].map(([period, { value }]) => [period, toText(value)]),
  );

const cashFlows = [
  '                      BRIGHTWATER PUMPS CORP.',
  '            CONDENSED STATEMENTS OF CASH FLOWS',
  '                 (In thousands)  (Unaudited)',
  '',
  '                                              Six Months Ended',
  '                                         ---------------------',
  '                                         June 28,     June 29,',
  '                                           2025         2024',
  '                                         --------     --------',
  'Operating activities:',
  '  Net income                              $ 6,214      $ 5,903',
  '  Adjustments to reconcile net income to net cash',
  '    from operating activities:',
  '      Depreciation and amortization         3,318        3,127',
  '      Changes in operating assets and liabilities:',
  '        Accounts receivable                  (980)         412',
  '        Inventories                           640         (777)',
  '                                         --------     --------',
  'Net cash provided by operating activities   9,192        8,665',
  'Purchases of equipment                     (2,050)      (1,944)',
  'Net cash used in investing activities      (2,050)      (1,944)',
  'Net cash used in financing activities      (3,000)      (3,000)',
  '                                         --------     --------',
  'Cash at end of period                    $ 14,142     $ 11,031',
].join('\n');

describe('a statement of cash flows in columns of blanks', () => {
  it('gives its flows, and no change in a balance as the balance', () => {
    expect(read(cashFlows, 'operating_cash_flow')).toEqual({ '6M 2025-06-28': '9192000', '6M 2024-06-29': '8665000' });
    expect(read(cashFlows, 'depreciation')).toEqual({ '6M 2025-06-28': '3318000', '6M 2024-06-29': '3127000' });
    expect(read(cashFlows, 'cash')).toEqual({ '2025-06-28': '14142000', '2024-06-29': '11031000' });
    expect(read(cashFlows, 'receivables')).toEqual({});
    expect(read(cashFlows, 'inventories')).toEqual({});
    expect(statementsOf(cashFlows).currencies).toEqual(['USD']);
  });
});

describe('a quarter without a day', () => {
  it('ends on the day that the document names for its month', () => {
    const text = `${cashFlows}\n\nNet sales for the second quarter of 2025 were $41.7 million.`;
    expect(read(text, 'revenue')).toEqual({ '3M 2025-06-28': '41700000' });
  });

  it('ends on the last day of its month if the document names no other', () => {
    expect(read('Net sales for the second quarter of 2025 were $41.7 million.', 'revenue')).toEqual({
      'Q2 2025': '41700000',
    });
  });
});

describe('the test date of a covenant', () => {
  const testsOf = (text: string) =>
    readCovenants(statementsOf(text).readings[0]!).facts.map(({ testDate }) => testDate);
  const sentence =
    'At June 28, 2025 our leverage ratio was 2.1 to 1.0, compared with the maximum of 3.5 to 1.0 that our credit agreement permits.';

  it('is the day of its sentence, and no day of two rows of a heading', () => {
    expect(testsOf(`${cashFlows}\n\n${sentence}`)).toEqual(['2025-06-28']);
  });

  it('is the day that the document calls the test date', () => {
    expect(testsOf(`Test date: June 30, 2025.\n\n${sentence}`)).toEqual(['2025-06-30']);
  });
});
