import { describe, expect, it } from 'vitest';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { rateBridgeTool } from '../../../../agents/tools/tax/bridge-tool.ts';
import { readLayout } from '../../../../agents/tools/tax/layout.ts';
import { findReconciliations } from '../../../../agents/tools/tax/reconciliation.ts';
import { bridgeErrors } from '../../../../agents/tools/tax/reconciliation-result.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const find = (text: string) => findReconciliations(readLayout(documentOf(text)));
const bridge = (text: string) =>
  find(text).map((each) => ({
    period: each.period,
    items: each.items.map(({ label, amount, points }) =>
      [label, ...[amount, points].flatMap((value) => (value === undefined ? [] : [toText(value)]))].join(' '),
    ),
    errors: bridgeErrors(each).map(({ stated, correct }) => `${toText(stated)} ${toText(correct)}`),
  }));

const closing = `                                   2024    2023
Profit before tax                  1,000     800
Tax at the statutory rate of 25%     250     200
Non-deductible expenses               30      10
Exempt income                        (20)      -
Income tax expense                   260     210
`;

describe('reconciliations in amounts', () => {
  it('contain each item in its column, and balance', () => {
    expect(bridge(closing)).toEqual([
      { period: '2024', items: ['Non-deductible expenses 30', 'Exempt income -20'], errors: [] },
      { period: '2023', items: ['Non-deductible expenses 10'], errors: [] },
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
    expect(bridge(text)).toMatchObject([{ errors: [] }]);
    expect(rateBridgeTool.run([documentOf(text)]).result).toMatchObject({
      bridges: [{ effective_rate_percent: '26.00', unexplained: '0', rate_difference: '0' }],
    });
  });

  it('show a difference that no item explains', () => {
    expect(bridge(closing.replace('260     210', '290     210'))[0]).toMatchObject({ errors: ['290 260'] });
  });

  it('show an expected tax that does not match the stated rate', () => {
    expect(rateBridgeTool.run([documentOf(closing.replace('of 25%', 'of 24%'))]).result).toMatchObject({
      bridges: [{ rate_difference: '10' }, { rate_difference: '8' }],
    });
  });

  it('invert the signs where tax is printed as a deduction', () => {
    const text =
      'Profit before tax | 1,000\nTax at the applicable rate of 20% | (200)\nOther | (10)\nIncome tax | (210)\n';
    expect(bridge(text)).toMatchObject([{ items: ['Other 10'], errors: [] }]);
  });

  it('require a total below the items', () => {
    expect(bridge('Profit before tax  1,000\nTax at the statutory rate of 25%  250\nOther  10\n')).toEqual([]);
  });
});

describe('reconciliations of rates', () => {
  it('balance the example of IAS 12.85, written in percentages', () => {
    const text =
      'Domestic tax rate  30.0%\nExpenses that are not deductible  1.0%\nLower tax rates in country B  (5.0)%\nEffective tax rate  26.0%\n';
    expect(bridge(text)).toMatchObject([
      { items: ['Expenses that are not deductible 1', 'Lower tax rates in country B -5'], errors: [] },
    ]);
  });

  it('show percentage points that no line explains, column by column', () => {
    const text =
      '| Statutory tax rate | 25 % | 25 % |\n| Exempt income | -2 % | -1 % |\n| Effective tax rate | 24 % | 24 % |\n';
    expect(bridge(text).map(({ errors }) => errors)).toEqual([['24 23'], []]);
  });

  it('are not read where two rates are only listed together', () => {
    expect(bridge('Statutory tax rate 25 %\nEffective tax rate 24 %\n')).toEqual([]);
  });
});
