import { describe, expect, it } from 'vitest';
import { unitDoubt } from '../../../../agents/tools/financial/consistency.ts';
import type { LineItem } from '../../../../agents/tools/financial/line-items.ts';
import { ratioTable } from '../../../../agents/tools/financial/ratio-table.ts';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { computeRatio } from '../../../../agents/tools/financial/ratios.ts';
import { inputOf } from '../../../../agents/tools/financial/statement-inputs.ts';
import { readStatements } from '../../../../agents/tools/financial/statements.ts';

/** Values of an item by period, as texts. */
function read(text: string, item: LineItem): Record<string, string> {
  const { figures } = readStatements([{ message: 0, text }]);
  return Object.fromEntries([...(figures.get(item) ?? [])].map(([period, { value }]) => [period, toText(value)]));
}

describe('numbers in statements', () => {
  it.each([
    ['English', 'Item  2024  2023\nRevenue  1,234,567  1,100,000.50\n', { 2024: '1234567', 2023: '1100000.5' }],
    ['German', 'Posten  2024  2023\nUmsatzerlöse  1.234.567,5  1.100.000\n', { 2024: '1234567.5', 2023: '1100000' }],
    [
      'French',
      "Poste | 2024 | 2023\nChiffre d'affaires | 1 234 567 | 1 100 000\n",
      { 2024: '1234567', 2023: '1100000' },
    ],
    [
      'Czech',
      'Položka | 2024 | 2023\nTržby celkem | 1 234 567,25 | 1 100 000\n',
      { 2024: '1234567.25', 2023: '1100000' },
    ],
    ['Swiss', "Item | 2024 | 2023\nRevenue | 1'234'567 | 1'100'000\n", { 2024: '1234567', 2023: '1100000' }],
  ])('are read in %s notation', (_, text, expected) => {
    expect(read(text, 'revenue')).toEqual(expected);
  });

  it('are negative in parentheses and after minus signs', () => {
    const text = '| | 2024 | 2023 |\n| Net income | (1,250) | −300 |\n';
    expect(read(text, 'net_income')).toEqual({ 2024: '-1250', 2023: '-300' });
  });

  it('are positive for costs, however printed', () => {
    const text = '| | 2024 | 2023 |\n| Cost of sales | (900) | 800 |\n';
    expect(read(text, 'cost_of_sales')).toEqual({ 2024: '900', 2023: '800' });
  });

  it('are negative if the label says loss, with or without a sign', () => {
    const text = '| | 2024 | 2023 |\n| Net loss | 1,250 | (300) |\n';
    expect(read(text, 'net_income')).toEqual({ 2024: '-1250', 2023: '-300' });
    expect(read('| | 2024 |\n| Net income (loss) | 1,250 |\n', 'net_income')).toEqual({ 2024: '1250' });
    expect(read('Die Gesellschaft hatte 2023 einen Jahresfehlbetrag von 0,8 Mio. EUR.', 'net_income')).toEqual({
      2023: '-800000',
    });
  });

  it('read a single separator before three digits as a thousands separator', () => {
    expect(read('| | 2024 |\n| Revenue | 1.250 |\n| Cash | 3.500 |\n', 'revenue')).toEqual({ 2024: '1250' });
  });

  it('read a dash as zero', () => {
    expect(read('| | 2024 | 2023 |\n| Inventories | – | 12 |\n', 'inventories')).toEqual({ 2024: '0', 2023: '12' });
  });
});

describe('units', () => {
  it.each([
    ['(in EUR thousand)', '5000'],
    ['in thousands of euros', '5000'],
    ['Angaben in TEUR', '5000'],
    ["en milliers d'euros", '5000'],
    ['v tis. Kč', '5000'],
    ['(€ million)', '5000000'],
    ['in Mio. EUR', '5000000'],
    ["en millions d'euros", '5000000'],
    ['v mil. Kč', '5000000'],
    ["$'000", '5000'],
    ['in USD billions', '5000000000'],
    ['amounts in EUR', '5'],
  ])('%s multiplies', (caption, expected) => {
    expect(read(`${caption}\n| | 2024 |\n| Revenue | 5 |\n`, 'revenue')).toEqual({ 2024: expected });
  });

  it('are not taken from prose about thousands of people', () => {
    const text = 'We serve tens of thousands of customers and\nhave millions of users\n| | 2024 |\n| Revenue | 5 |\n';
    expect(read(text, 'revenue')).toEqual({ 2024: '5' });
  });

  it('change at a later caption', () => {
    const text = 'in EUR million\nItem  2024\nRevenue  5\n\nin EUR thousand\nItem  2024\nCash  7\n';
    expect([read(text, 'revenue'), read(text, 'cash')]).toEqual([{ 2024: '5000000' }, { 2024: '7000' }]);
  });

  it('do not apply to counts of shares that are excluded or printed in full', () => {
    const text = '(in thousands, except number of shares)\n| | 2024 |\n| Shares outstanding | 900 |\n| Cash | 1 |\n';
    expect([read(text, 'shares_outstanding'), read(text, 'cash')]).toEqual([{ 2024: '900' }, { 2024: '1000' }]);
    expect(read('in EUR thousand\n| | 2024 |\n| Number of shares | 21,700,000 |\n', 'shares_outstanding')).toEqual({
      2024: '21700000',
    });
  });
});

describe('columns', () => {
  it('exclude note numbers and percentages of change', () => {
    const text = '              Note   2024    2023   Change\nRevenue        4    1,250   1,100    13.6%\n';
    expect(read(text, 'revenue')).toEqual({ 2024: '1250', 2023: '1100' });
  });

  it('are separated even by single blanks', () => {
    expect(read('Item 2024 2023\nRevenue 850 120\n', 'revenue')).toEqual({ 2024: '850', 2023: '120' });
  });

  it('are read by dates, quarters and financial years', () => {
    expect(read('| | 31.12.2024 | 31.12.2023 |\n| Cash | 1 | 2 |\n', 'cash')).toEqual({ 2024: '1', 2023: '2' });
    expect(read('| | Q1 2024 | Q1 2023 |\n| Revenue | 1 | 2 |\n', 'revenue')).toEqual({
      'Q1 2024': '1',
      'Q1 2023': '2',
    });
    // A balance has a day and no length.
    expect(read('| | Q1 2024 | Q1 2023 |\n| Cash | 1 | 2 |\n', 'cash')).toEqual({
      '2024-03-31': '1',
      '2023-03-31': '2',
    });
    expect(read('| | FY2023/24 | FY2022/23 |\n| Cash | 1 | 2 |\n', 'cash')).toEqual({ 2024: '1', 2023: '2' });
    expect(read('| | Berichtsjahr | Vorjahr |\n| Umsatz | 1 | 2 |\n', 'revenue')).toEqual({ current: '1', prior: '2' });
  });

  it('may be items, with periods as rows', () => {
    const text = '| Year | Revenue | Net income |\n| 2023 | 100 | 8 |\n| 2024 | 120 | 9 |\n';
    expect([read(text, 'revenue'), read(text, 'net_income')]).toEqual([
      { 2023: '100', 2024: '120' },
      { 2023: '8', 2024: '9' },
    ]);
  });

  it('prefer the group over the company if both are printed', () => {
    const text =
      '| | Group 2024 | Group 2023 | Company 2024 | Company 2023 |\n|---|---|---|---|---|\n| Revenue | 100 | 90 | 7 | 6 |\n';
    expect(read(text, 'revenue')).toEqual({ 2024: '100', 2023: '90' });
    expect(readStatements([{ message: 0, text }]).conflicts).toEqual([]);
  });

  it('exclude amounts that could belong to more than one period', () => {
    expect(read('Item  2024  2023\nRevenue  100\n', 'revenue')).toEqual({});
  });

  it('accept labels with enumerators, notes and units', () => {
    const text = '| | 2024 |\n| B. II. Forderungen aus Lieferungen und Leistungen (Anhang 4) | 7 |\n';
    expect(read(text, 'receivables')).toEqual({ 2024: '7' });
  });
});

describe('sentences', () => {
  it('assign amounts to the years that follow them', () => {
    const text = 'Revenue was EUR 12.5 million in 2024, compared with EUR 11.2 million in 2023.';
    expect(read(text, 'revenue')).toEqual({ 2024: '12500000', 2023: '11200000' });
  });

  it('assign an amount to the year before a colon, and leave the other undated', () => {
    expect(read('Revenue was EUR 12.4m (2023: EUR 11.1m).', 'revenue')).toEqual({
      undated: '12400000',
      2023: '11100000',
    });
    expect(read('In 2024 and 2023 revenue was EUR 12 million and EUR 11 million.', 'revenue')).toEqual({
      2024: '12000000',
      2023: '11000000',
    });
  });

  it('separate two items of one sentence', () => {
    const text = 'In 2024 revenue reached EUR 30 million and net income EUR 2 million.';
    expect([read(text, 'revenue'), read(text, 'net_income')]).toEqual([{ 2024: '30000000' }, { 2024: '2000000' }]);
  });

  it('need no currency if a multiplier follows the number', () => {
    expect(read('Revenue of 12.5 million was reached in 2024.', 'revenue')).toEqual({ 2024: '12500000' });
  });

  it('do not report changes as levels', () => {
    expect(read('Revenue rose by EUR 2 million in 2024.', 'revenue')).toEqual({});
  });

  it('come after tables, and a different value is a conflict', () => {
    const text = '| | 2024 |\n| Revenue | 500 |\n\nRevenue was EUR 600 in 2024.';
    const { conflicts } = readStatements([{ message: 0, text }]);
    expect(read(text, 'revenue')).toEqual({ 2024: '500' });
    expect(conflicts.map(({ item, other }) => [item, toText(other.value)])).toEqual([['revenue', '600']]);
  });

  it('are the same figure if they differ only by rounding', () => {
    const text = '| | 2024 |\n| Revenue | 12,483,221 |\n\nRevenue was EUR 12.5 million in 2024.';
    expect(readStatements([{ message: 0, text }]).conflicts).toEqual([]);
  });
});

describe('derived figures', () => {
  const text = '| | 2024 |\n| Revenue | 100 |\n| Cost of sales | (60) |\n| Total assets | 200 |\n| Equity | 80 |\n';
  const statements = readStatements([{ message: 0, text }]);

  it('are computed by addition and marked as derived', () => {
    expect(inputOf(statements, 'gross_profit', '2024')).toMatchObject({ derived: 'revenue − cost_of_sales' });
    expect(toText(inputOf(statements, 'total_liabilities', '2024')!.value)).toBe('120');
    expect(inputOf(statements, 'ebit', '2024')).toBeUndefined();
  });

  it('have the sign of the tax that profit before and after tax implies', () => {
    const printed = '| | 2024 |\n| Profit before tax | 100 |\n| Income tax | (30) |\n| Net profit | 70 |\n';
    const credit = '| | 2024 |\n| Profit before tax | 100 |\n| Income tax | 30 |\n| Net profit | 130 |\n';
    expect([read(printed, 'income_tax'), read(credit, 'income_tax')]).toEqual([{ 2024: '30' }, { 2024: '-30' }]);
  });
});

describe('statements as companies print them', () => {
  // Apple Inc., Form 10-K for fiscal 2023, consolidated statements, some lines.
  const text = `CONSOLIDATED STATEMENTS OF OPERATIONS
(In millions, except number of shares, which are reflected in thousands, and per-share amounts)
Years ended
September 30, 2023  September 24, 2022  September 25, 2021
Total net sales    383,285    394,328    365,817
Total cost of sales    214,137    223,546    212,981
Income before provision for income taxes    113,736    119,103    109,207
Provision for income taxes    16,741    19,300    14,527
Net income  $  96,995  $  99,803  $  94,680
Shares outstanding    15,550,061    15,943,425    16,426,786
`;

  it('are read with units, exceptions and dollar signs in separate columns', () => {
    expect(read(text, 'net_income')).toEqual({ 2023: '96995000000', 2022: '99803000000', 2021: '94680000000' });
    expect(read(text, 'shares_outstanding')).toMatchObject({ 2023: '15550061000' });
  });

  it('give the gross margin and effective tax rate that Apple publishes: 44.1 % and 14.7 %', () => {
    const statements = readStatements([{ message: 0, text }]);
    const percent = (id: string) => {
      const { computed } = computeRatio(statements, ratioTable.find((ratio) => ratio.id === id)!, '2023');
      return 'value' in computed ? computed.value : undefined;
    };
    expect([percent('gross_margin'), percent('effective_tax_rate')]).toEqual(['44.1', '14.7']);
  });

  it('may have a mark before the name and a line number after it', () => {
    const czech = `v tis. Kč
| Označení | Text | Řádek | Běžné období | Minulé období |
|---|---|---|---|---|
| I. | Tržby z prodeje výrobků a služeb | 001 | 120 450 | 101 320 |
| *** | Výsledek hospodaření za účetní období | 055 | 10 449 | 7 047 |
`;
    expect(read(czech, 'revenue')).toEqual({ current: '120450000', prior: '101320000' });
    expect(read(czech, 'net_income')).toEqual({ current: '10449000', prior: '7047000' });
  });

  it('are flagged if revenue and assets are in different units', () => {
    const mixed = '| | 2024 |\n| Revenue | 383285 |\n| Total assets | 352583000000 |\n';
    expect(unitDoubt(readStatements([{ message: 0, text: mixed }]))).toBe('2024');
  });
});
