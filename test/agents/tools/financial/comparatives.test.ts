import { describe, expect, it } from 'vitest';
import { growthTool, ratiosTool, statementsTool } from '../../../../agents/tools/financial/tools.ts';

type Listed = readonly { readonly item: string; readonly values: readonly Valued[] }[];
interface Valued {
  readonly period: string;
  readonly value: string;
}

/** Reported values of an item by period. */
function reported(text: string, item: string): Record<string, string> {
  const { result } = statementsTool.run([{ message: 0, text }]);
  const { figures } = result as unknown as { figures: Listed };
  const values = figures.find((each) => each.item === item)?.values ?? [];
  return Object.fromEntries(values.map(({ period, value }) => [period, value]));
}

function ratio(text: string, id: string): Record<string, string | undefined> {
  const result = ratiosTool.run([{ message: 0, text }]).result as unknown as readonly {
    readonly id: string;
    readonly values: readonly Partial<Valued>[];
  }[];
  const values = result.find((each) => each.id === id)?.values ?? [];
  return Object.fromEntries(values.map(({ period, value }) => [period!, value]));
}

describe('comparison figures in parentheses', () => {
  const lists = `Group accounts for the year ended 30 June 2025

Profit for the year was €12.0m (2024: €10.0m). At year end, equity was €50.0m and total assets €130.0m (2024: €30.0m and €110.0m).
`;

  it('belong to the items of the sentence in their order', () => {
    expect(reported(lists, 'equity')).toEqual({ 2025: '50000000', 2024: '30000000' });
    expect(reported(lists, 'total_assets')).toEqual({ 2025: '130000000', 2024: '110000000' });
    expect(ratio(lists, 'return_on_equity')).toMatchObject({ 2025: '30.0' });
  });

  it('belong to no item if there are more items than amounts', () => {
    const text =
      'In 2025 revenue was €90m, equity was €50m and total assets €130m (2024: €30m and €110m).\nIn 2023 equity was €5m.';
    expect(reported(text, 'equity')).not.toHaveProperty('2024');
    expect(reported(text, 'total_assets')).not.toHaveProperty('2024');
  });

  const nordic = `# Delårsrapport: interim report January-June 2025

## Second quarter

- Revenue amounted to NOK 410 m (385).
- Earnings per share before and after dilution amounted to NOK 2.10 (1.95).
- Cash flow from operating activities amounted to NOK 71 m (66) in the quarter.
`;

  it('without a year have the unit of the amount and belong to the period a year earlier', () => {
    expect(reported(nordic, 'revenue')).toEqual({ 'Q2 2025': '410000000', 'Q2 2024': '385000000' });
    expect(reported(nordic, 'operating_cash_flow')).toEqual({ 'Q2 2025': '71000000', 'Q2 2024': '66000000' });
    expect(reported(nordic, 'eps_diluted')).toEqual({ 'Q2 2025': '2.1', 'Q2 2024': '1.95' });
  });

  it('without a year are numbers of notes if the document has only one', () => {
    expect(reported('For the year ended 31 December 2025 revenue amounted to NOK 410 m (385).', 'revenue')).toEqual({
      2025: '410000000',
    });
  });

  it('date the amount after the colon and not the one before', () => {
    const text =
      'Report for the year ended 31 May 2025\n\nThe Group held cash of €4.2m; net debt stood at €9.7m (2024: €12.4m). We invested €2.8m in property, plant and equipment (2024: €3.1m).';
    expect(reported(text, 'cash')).toEqual({ 2025: '4200000' });
    expect(reported(text, 'stated_net_debt')).toEqual({ 2025: '9700000', 2024: '12400000' });
    expect(reported(text, 'capex')).toEqual({ 2025: '2800000', 2024: '3100000' });
    expect(reported(text, 'ppe')).toEqual({});
  });
});

describe('the cell of a figure', () => {
  it('prints a number, so that a dash is only an input of formulas', () => {
    const text =
      'EUR thousand;2025;2024\nRevenue;900;800\nNet profit;90;80\nDividends paid;(45);–\nInterest expense;–;12\n';
    expect(reported(text, 'dividends_paid')).toEqual({ 2025: '45000' });
    expect(reported(text, 'interest_expense')).toEqual({ 2024: '12000' });
    expect(ratio(text, 'dividend_payout')).toMatchObject({ 2025: '50.0', 2024: '0.0' });
  });

  it('has the period of the caption in the column of restated amounts', () => {
    const text = `Statement of income for the year ended 31 March 2025 (in thousands of dollars)

| | As originally reported | Adjustment | Restated |
|---|---|---|---|
| Revenue | 500 | (20) | 480 |
| Net income | 60 | (15) | 45 |
`;
    expect(reported(text, 'revenue')).toEqual({ 2025: '480000' });
    expect(reported(text, 'net_income')).toEqual({ 2025: '45000' });
  });

  it('covers the twelve months between two named months', () => {
    const text = `SEK m | Apr-Jun 2025 | Jul 24-Jun 25 | Jan-Dec 2024
Net sales | 120 | 470 | 455
Profit for the period | 9 | 40 | 38

SEK m | 30 Jun 2025 | 30 Jun 2024 | 31 Dec 2024
Total equity | 210 | 190 | 200
`;
    expect(reported(text, 'revenue')).toEqual({
      'Q2 2025': '120000000',
      '12M 2025-06-30': '470000000',
      2024: '455000000',
    });
    expect(ratio(text, 'return_on_equity')).toMatchObject({ '12M 2025-06-30': '20.0', 2024: '19.0' });
  });

  it('follows a deduction if the row above prints the gross amount', () => {
    const text = `| In thousands | 31 Jan 2025 | 31 Jan 2024 |
|---|---|---|
| Property, plant and equipment | 900 | 850 |
| Less: accumulated depreciation | (600) | (570) |
| | 300 | 280 |
| Total assets | 1,200 | 1,100 |
`;
    expect(reported(text, 'ppe')).toEqual({ 2025: '300000', 2024: '280000' });
  });

  it('is not that of the commercial paper alone if a current loan is printed below it', () => {
    const text = `(EUR million) | 2025 | 2024
Current liabilities: | |
Commercial paper | 10 | 12
Term loans | 30 | 20
Total current liabilities | 90 | 80
Non-current liabilities: | |
Term loans | 200 | 210
`;
    expect(reported(text, 'short_term_debt')).toEqual({ 2025: '40000000', 2024: '32000000' });
    expect(reported(text, 'long_term_debt')).toEqual({ 2025: '200000000', 2024: '210000000' });
  });

  it('has the current year if the other net column is that of the year before', () => {
    const text = `Exercice N clos le 30/06/2025

| Actif | Brut | Amortissements | Net | Net N-1 |
|---|---|---|---|---|
| Disponibilités | 1 300 | 0 | 1 300 | 900 |
| Créances clients | 2 500 | 100 | 2 400 | 2 200 |
`;
    expect(reported(text, 'cash')).toEqual({ 2025: '1300', 2024: '900' });
    expect(reported(text, 'receivables')).toEqual({ 2025: '2400', 2024: '2200' });
  });
});

describe('labels in two languages', () => {
  const table = 'EUR Mio.;2023;2024;2025\nUmsatz / Revenue;100;110;99\nUmsatz / Mitarbeiter;5;6;7\nEBIT;10;8;-2\n';

  it('name an item that both sides name', () => {
    expect(reported(table, 'revenue')).toEqual({ 2023: '100000000', 2024: '110000000', 2025: '99000000' });
  });

  it('lead to growth, also from a profit to a loss', () => {
    const { growth } = growthTool.run([{ message: 0, text: table }]).result as unknown as {
      growth: readonly { readonly item: string; readonly to: string; readonly percent?: string }[];
    };
    expect(growth).toContainEqual(expect.objectContaining({ item: 'revenue', to: '2025', percent: '-10.0' }));
    expect(growth).toContainEqual(expect.objectContaining({ item: 'ebit', to: '2025', percent: '-125.0' }));
  });
});

describe('quarters of whole weeks', () => {
  it('are compared with the quarter that ends within a week of the same day', () => {
    const text = `Thirteen weeks ended | 2 August 2025 | 3 August 2024
Net sales | 210 | 200
`;
    const { growth } = growthTool.run([{ message: 0, text }]).result as unknown as {
      growth: readonly { readonly item: string; readonly from: string; readonly percent?: string }[];
    };
    expect(growth).toContainEqual(expect.objectContaining({ item: 'revenue', from: '3M 2024-08-03', percent: '5.0' }));
  });
});
