import { describe, expect, it } from 'vitest';
import { toPercent, toText } from '../../../../agents/tools/financial/rational.ts';
import { findRateBridges } from '../../../../agents/tools/tax/rate-bridge.ts';
import { findRateReconciliations } from '../../../../agents/tools/tax/rate-reconciliation.ts';

const bridge = (text: string) =>
  findRateBridges(text).map(({ period, effectiveRate, items, unexplained, rateDifference }) => ({
    period,
    rate: toPercent(effectiveRate),
    items: items.map(({ label, amount }) => `${label} ${toText(amount)}`),
    unexplained: toText(unexplained),
    rateDifference: rateDifference === undefined ? undefined : toText(rateDifference),
  }));

const closing = `                                   2024    2023
Profit before tax                  1,000     800
Tax at the statutory rate of 25%     250     200
Non-deductible expenses               30      10
Exempt income                        (20)      -
Income tax expense                   260     210
`;

describe('rate bridges', () => {
  it('give each item in its column, and close', () => {
    expect(bridge(closing)).toEqual([
      {
        period: '2024',
        rate: '26.0',
        items: ['Non-deductible expenses 30', 'Exempt income -20'],
        unexplained: '0',
        rateDifference: '0',
      },
      {
        period: '2023',
        rate: '26.3',
        items: ['Non-deductible expenses 10', 'Exempt income 0'],
        unexplained: '0',
        rateDifference: '0',
      },
    ]);
  });

  it('reconcile the example of IAS 12.85, written out as a numerical reconciliation', () => {
    // IAS 12, paragraph 85: accounting profit 3,000 (1,500 in A at 30 %, 1,500 in B at 20 %), 100 not deductible in A.
    const text = `                                                X2
Accounting profit                             3,000
Tax at the domestic rate of 30%                 900
Tax effect of expenses that are not deductible   30
Effect of lower tax rates in country B         (150)
Tax expense                                     780
`;
    expect(bridge(text)).toMatchObject([{ rate: '26.0', unexplained: '0', rateDifference: '0' }]);
  });

  it('show what no item explains', () => {
    expect(bridge(closing.replace('260     210', '290     210'))[0]).toMatchObject({ rate: '29.0', unexplained: '30' });
  });

  it('show an expected tax that does not fit the stated rate', () => {
    expect(bridge(closing.replace('of 25%', 'of 24%'))[0]).toMatchObject({ rateDifference: '10' });
  });

  it('turn the signs where tax is printed as a deduction', () => {
    const text =
      'Profit before tax | 1,000\nTax at the applicable rate of 20% | (200)\nOther | (10)\nIncome tax | (210)\n';
    expect(bridge(text)).toMatchObject([{ rate: '21.0', items: ['Other 10'], unexplained: '0' }]);
  });

  it('need a profit before tax above and a total below', () => {
    expect(bridge('Tax at the statutory rate of 25%  250\nIncome tax expense  260\n')).toEqual([]);
    expect(bridge('Profit before tax  1,000\nTax at the statutory rate of 25%  250\nOther  10\n')).toEqual([]);
  });
});

describe('reconciliations of rates', () => {
  const read = (text: string) =>
    findRateReconciliations(text).map(({ applicable, items, effective, unexplained }) => [
      toText(applicable),
      items.map(({ label, points }) => `${label} ${toText(points)}`),
      toText(effective),
      toText(unexplained),
    ]);

  it('close the example of IAS 12.85, written in percentages', () => {
    const text =
      'Domestic tax rate  30.0%\nExpenses that are not deductible  1.0%\nLower tax rates in country B  (5.0)%\nEffective tax rate  26.0%\n';
    expect(read(text)).toEqual([
      ['30', ['Expenses that are not deductible 1', 'Lower tax rates in country B -5'], '26', '0'],
    ]);
  });

  it('show points that no line explains, column by column', () => {
    const text =
      '| Statutory tax rate | 25 % | 25 % |\n| Exempt income | -2 % | -1 % |\n| Effective tax rate | 24 % | 24 % |\n';
    expect(read(text).map((row) => row.at(-1))).toEqual(['1', '0']);
  });

  it('are none where two rates only stand together', () => {
    expect(read('Statutory tax rate 25 %\nEffective tax rate 24 %\n')).toEqual([]);
  });
});
