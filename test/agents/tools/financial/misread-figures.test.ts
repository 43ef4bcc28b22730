/** Figures that stand where another one is expected: groups, follow-on errors, selected data, withdrawn forecasts. Our own figures. */
import { describe, expect, it } from 'vitest';
import { readCovenants } from '../../../../agents/tools/financial/covenants.ts';
import { readGuidance } from '../../../../agents/tools/financial/guidance.ts';
import type { LineItem } from '../../../../agents/tools/financial/line-items.ts';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { computeRatios } from '../../../../agents/tools/financial/ratios.ts';
import { readRestatements } from '../../../../agents/tools/financial/restatements.ts';
import { readStatements } from '../../../../agents/tools/financial/statements.ts';
import { tieOutFailures } from '../../../../agents/tools/financial/tie-outs.ts';

const statementsOf = (text: string) => readStatements([{ message: 0, text }]);
const read = (text: string, item: LineItem): Record<string, string> =>
  Object.fromEntries(
    [...(statementsOf(text).figures.get(item) ?? [])].map(([period, { value }]) => [period, toText(value)]),
  );
const failuresOf = (text: string) =>
  tieOutFailures(statementsOf(text)).map(({ check, stated, correct }) => `${check} ${stated} ${correct}`);

describe('a table with a column of groups before the labels', () => {
  const text = `Group,Item,2025,2024
Income,Joinery,"4,100","3,900"
Income,Repairs,"900","850"
Income,Turnover,"5,000","4,750"
Costs,Materials,"2,000","1,900"
Costs,Wages,"1,800","1,750"
Result,Operating profit,"1,200","1,100"
`;

  it('has the total as revenue, and no row of the group "Income"', () => {
    expect(read(text, 'revenue')).toEqual({ 2025: '5000', 2024: '4750' });
    expect(read(text, 'ebit')).toEqual({ 2025: '1200', 2024: '1100' });
  });
});

describe('a misprinted subtotal', () => {
  const sheet = `Balance sheet (in thousands)
                                  December 31, 2025     December 31, 2024
Cash                                          1,000                   900
Inventories                                   2,000                 1,800
Total current assets                          3,500                 2,700
Property and equipment                        4,000                 4,200
Goodwill                                        500                   500
Total assets                                  7,500                 7,400
`;

  it('is one failure, without the total above which it is right', () => {
    expect(failuresOf(sheet)).toEqual(['subtotal 3500000 3000000']);
  });

  it('is not reported where a row above has a dash in the column that adds up', () => {
    const liabilities = (total: string) => `Balance sheet (in millions)
                                  February 2, 2025      January 28, 2024
Current liabilities:
Short-term debt                                 316                   -
Accounts payable                             11,938                10,037
Accrued salaries                              2,315                 2,096
Total current liabilities                    ${total}                12,133
`;
    expect(failuresOf(liabilities('14,569'))).toEqual([]);
    expect(failuresOf(liabilities('14,999'))).toEqual(['subtotal 14999000000 14569000000']);
  });

  it('of segments is a segment total', () => {
    const text = `Segment information (in thousands)      2025      2024
Valves                                     3,000     2,800
Pumps                                      1,000       900
Total segments                             4,500     3,700
`;
    expect(failuresOf(text)).toEqual(['segment-total 4500000 4000000']);
  });
});

describe('a fiscal year that ends in January or February', () => {
  const report = (balanceDay: string, year: number) => `| in millions | ${balanceDay} |
| --- | --- |
| Total assets | 96,119 |

| in millions | Fiscal | Fiscal |
|  | ${year} | ${year - 1} |
| --- | --- | --- |
| Net sales | 159,514 | 152,669 |
`;

  it('is named by the year in which it begins, or by that in which it ends, as the balance sheet shows', () => {
    expect(read(report('February 2, 2025', 2024), 'revenue')).toEqual({ 2025: '159514000000', 2024: '152669000000' });
    expect(read(report('January 26, 2025', 2025), 'revenue')).toEqual({ 2025: '159514000000', 2024: '152669000000' });
  });
});

it('quarters of weeks in words are read: thirteen and thirty-nine weeks', () => {
  const text = `(in thousands)

|  | Thirteen Weeks Ended | Thirty-Nine Weeks Ended |
|  | November 2, 2024 | November 2, 2024 |
| --- | --- | --- |
| Net sales | 293,618 | 838,490 |
`;
  expect(Object.values(read(text, 'revenue'))).toEqual(['293618000', '838490000']);
});

describe('the ratio of debt to equity', () => {
  const ratios = (text: string) =>
    computeRatios(statementsOf(text)).flatMap(({ definition, computed }) =>
      definition.id === 'debt_to_equity' && 'value' in computed ? [computed.value] : [],
    );
  const selected = `Selected balance sheet data (in millions)
                        June 30, 2025     December 31, 2024
Total assets                    4,000                 3,900
Long-term debt                  1,200                 1,250
Shareholders' equity            1,500                 1,450
`;

  it('is unknown if selected figures leave out the short-term debt', () => {
    expect(ratios(selected)).toEqual([]);
  });

  it('counts the part of a long-term loan that is due within a year, in Dutch', () => {
    const text = `Balans (x € 1.000)
                                                     31-12-2025     31-12-2024
Groepsvermogen                                           10.000          9.000
Langlopende schulden aan kredietinstellingen              4.000          5.000
Aflossingsverplichting langlopende schulden               1.000          1.000
`;
    expect(read(text, 'short_term_debt')).toEqual({ 2025: '1000000', 2024: '1000000' });
  });
});

describe('a forecast', () => {
  const guidance = (text: string) => statementsOf(text).readings.flatMap(readGuidance);

  it('is not reported after it was revised', () => {
    const text =
      'Results for the year ended March 31, 2025\n\nThe forecast announced on October 30, 2024 (operating profit of 900 million yen for fiscal 2025) was revised on February 6, 2025.\n';
    expect(guidance(text)).toEqual([]);
  });

  it('is no covenant, even in a report that names covenants', () => {
    const text =
      'Both covenants of the facility agreement were met on 31 March 2025.\n\nOutlook. We expect revenue of £410m to £430m; if the order comes, revenue could exceed £450m. Capital expenditure will be about £20m.\n';
    expect(statementsOf(text).readings.flatMap((reading) => readCovenants(reading).facts)).toEqual([]);
  });
});

it('restates the equity of a company without minority interests', () => {
  const text = `Balance sheet, December 31, 2024 (in thousands)

| | As Previously Reported | Adjustments | As Restated |
|---|---:|---:|---:|
| Total assets | 9,000 | (300) | 8,700 |
| Total stockholders' equity | 4,000 | (300) | 3,700 |
`;
  expect(
    statementsOf(text)
      .readings.flatMap(readRestatements)
      .map(({ item, reported, restated }) => `${item} ${toText(reported)} ${toText(restated)}`),
  ).toEqual(['total_assets 9000000 8700000', 'equity 4000000 3700000']);
});
