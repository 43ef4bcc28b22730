/** Statements and prose in the layouts of public filings. Texts and figures are our own. */
import { describe, expect, it } from 'vitest';
import type { LineItem } from '../../../../agents/tools/financial/line-items.ts';
import { ratioTable } from '../../../../agents/tools/financial/ratio-table.ts';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { computeRatio } from '../../../../agents/tools/financial/ratios.ts';
import { readStatements } from '../../../../agents/tools/financial/statements.ts';

const statementsOf = (text: string) => readStatements([{ message: 0, text }]);
const read = (text: string, item: LineItem): Record<string, string> =>
  Object.fromEntries(
    [...(statementsOf(text).figures.get(item) ?? [])].map(([period, { value }]) => [period, toText(value)]),
  );
const itemsOf = (text: string) => [...statementsOf(text).figures.keys()];

describe('prose', () => {
  it.each([
    'The aggregate market value of common stock held by non-affiliates was $2,628,553,000,000 as of March 29, 2024.',
    'Revenue growth added $4 million to the backlog in 2024.',
    'We recorded stock-based compensation of $10.8 million in 2024.',
    'Proceeds from sales of marketable debt were $12 million in 2024.',
    'The board approved a dividend policy review costing $1 million in 2024.',
    'Unrecognized tax benefits of $3 million relate to cost of sales allocations in 2024.',
  ])('reads no statement figure from: %s', (text) => {
    expect(itemsOf(text)).toEqual([]);
  });

  it('does not take a name after another noun for a line item', () => {
    const text = 'Deferred revenue was $8.2 million in 2024, compared with $16.1 million in 2023.';
    expect(itemsOf(text)).toEqual(['deferred_revenue']);
  });

  it('reads an item that stands alone', () => {
    expect(read("The Company's total net sales were $391.0 billion in 2024.", 'revenue')).toEqual({
      2024: '391000000000',
    });
    expect(read('Inventories were $7.3 million at December 31, 2024.', 'inventories')).toEqual({ 2024: '7300000' });
  });
});

const quarter = `NORTHGATE INSTRUMENTS, INC.
CONDENSED CONSOLIDATED STATEMENTS OF OPERATIONS (Unaudited)
(In thousands, except per share amounts)

                                     Three Months Ended        Six Months Ended
                                          June 30,                 June 30,
                                     2024         2023         2024         2023
Net sales:
   Products                       $  61,564    $  60,584    $ 130,000    $ 120,000
   Services                          24,213       21,213       48,000       42,000
                                  ---------    ---------    ---------    ---------
      Total net sales                85,777       81,797      178,000      162,000

Cost of sales .................      46,099       45,384       90,000       88,000
Operating income (loss)              25,352       (1,200)      50,000       46,000
Net income                        $  21,448    $     300    $  40,100    $  39,000
`;

describe('statements in columns', () => {
  it('keep grouped headings, dollar signs in columns of their own, section labels and the scale', () => {
    expect(read(quarter, 'revenue')).toEqual({
      'Q2 2024': '85777000',
      'Q2 2023': '81797000',
      'H1 2024': '178000000',
      'H1 2023': '162000000',
    });
    expect(read(quarter, 'cost_of_sales')).toMatchObject({ 'Q2 2024': '46099000', 'H1 2023': '88000000' });
    expect(read(quarter, 'ebit')).toMatchObject({ 'Q2 2023': '-1200000' });
    expect(read(quarter, 'net_income')).toMatchObject({ 'Q2 2023': '300000' });
  });

  it('separate three years', () => {
    const text = `(Dollars in thousands)
                              Year Ended December 31,
                          2024         2023         2022
Revenue                $ 9,120      $ 8,400      $ 7,777
Gross profit             4,020        3,900        3,100
Net income (loss)          310         (120)          55
`;
    expect(read(text, 'revenue')).toEqual({ 2024: '9120000', 2023: '8400000', 2022: '7777000' });
    expect(read(text, 'gross_profit')).toEqual({ 2024: '4020000', 2023: '3900000', 2022: '3100000' });
    expect(read(text, 'net_income')).toEqual({ 2024: '310000', 2023: '-120000', 2022: '55000' });
  });

  it('are the same with vertical bars, quoted commas, or HTML with separate cells for signs', () => {
    const bars =
      '| (In thousands) | 2024 | 2023 |\n|---|---|---|\n| Revenue | $ 1,200 | $ 1,100 |\n| Net loss | (30) | (20) |\n';
    const commas = '(In thousands),2024,2023\nRevenue,"$1,200","$1,100"\nNet loss,(30),(20)\n';
    const html =
      '<html><body><table><tr><td>(In thousands)</td><td colspan="2">2024</td><td colspan="2">2023</td></tr>' +
      '<tr><td>Revenue</td><td>$</td><td>1,200</td><td>$</td><td>1,100</td></tr>' +
      '<tr><td>Net loss</td><td></td><td>(30</td><td></td><td>(20</td></tr></table></body></html>';
    for (const text of [bars, commas, html]) {
      expect(read(text, 'revenue')).toEqual({ 2024: '1200000', 2023: '1100000' });
      expect(read(text, 'net_income')).toEqual({ 2024: '-30000', 2023: '-20000' });
    }
  });

  it('never read a year as an amount', () => {
    expect(read('Gross profit  2024  2023\nProducts  400  300\n', 'gross_profit')).toEqual({});
    expect(itemsOf('Gross profit 2024\n\nSee the notes.')).toEqual([]);
  });
});

describe('parts of a year', () => {
  const percent = (text: string, id: string, period: string) =>
    computeRatio(statementsOf(text), ratioTable.find((ratio) => ratio.id === id)!, period).computed;

  it('have margins, but no days or returns that need the flows of a full year', () => {
    const text =
      '| | Q2 2024 |\n|---|---|\n| Revenue | 100 |\n| Receivables | 50 |\n| Net income | 10 |\n| Equity | 200 |\n';
    expect(percent(text, 'net_margin', 'Q2 2024')).toMatchObject({ value: '10.0' });
    for (const id of ['days_sales_outstanding', 'return_on_equity'])
      expect(percent(text, id, 'Q2 2024')).toEqual({
        not_computable: 'Q2 2024 covers 3 months: the ratio needs a full year',
      });
  });
});
