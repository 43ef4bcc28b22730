/** Figures of filings in inline XBRL. Texts and figures are our own. */
import { describe, expect, it } from 'vitest';
import type { LineItem } from '../../../../agents/tools/financial/line-items.ts';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { readStatements } from '../../../../agents/tools/financial/statements.ts';

const statementsOf = (text: string) => readStatements([{ message: 0, text }]);
const read = (text: string, item: LineItem): Record<string, string> =>
  Object.fromEntries(
    [...(statementsOf(text).figures.get(item) ?? [])].map(([period, { value }]) => [period, toText(value)]),
  );

const context = (id: string, start: string | undefined, end: string, segment = '') =>
  `<xbrli:context id="${id}"><xbrli:entity>${segment}</xbrli:entity><xbrli:period>${start === undefined ? `<xbrli:instant>${end}</xbrli:instant>` : `<xbrli:startDate>${start}</xbrli:startDate><xbrli:endDate>${end}</xbrli:endDate>`}</xbrli:period></xbrli:context>`;
const header = `<div style="display:none"><ix:header><ix:resources>${[
  context('q', '2025-06-29', '2025-09-27'),
  context('y', '2024-12-29', '2025-09-27'),
  context('b', undefined, '2025-09-27'),
  context('part', '2024-12-29', '2025-09-27', '<xbrli:segment><a:b>c</a:b></xbrli:segment>'),
].join(
  '',
)}<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit></ix:resources></ix:header></div>`;
const amount = (name: string, text: string, { scale = 6, context: ref = 'y', sign = '' } = {}) =>
  `<ix:nonFraction name="us-gaap:${name}" contextRef="${ref}" unitRef="usd" scale="${scale}"${sign === '' ? '' : ` sign="${sign}"`}>${text}</ix:nonFraction>`;
const page = (rows: readonly (readonly string[])[], caption = 'Statements of operations') =>
  `<html><body>${header}<p>${caption}</p><table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table></body></html>`;

describe('a tagged amount', () => {
  it('has its scale, although no caption, or another one, names a unit', () => {
    const rows = [
      ['', '2025'],
      ['Net sales', amount('Revenues', '5,210')],
      ['Other revenue, with no concept of a taxonomy', amount('Odd', '17')],
    ];
    expect(read(page(rows), 'revenue')).toEqual({ '9M 2025-09-27': '5210000000' });
    expect(read(page(rows, 'Statements of operations (in thousands)'), 'revenue')).toEqual({
      '9M 2025-09-27': '5210000000',
    });
    expect(statementsOf(page(rows)).currencies).toEqual(['USD']);
  });

  it('has the sign of its concept, although the statement prints another one', () => {
    const rows = [
      ['', 'Nine months'],
      ['Income before taxes', amount('IncomeLossFromContinuingOperationsBeforeIncomeTaxes', '280', { sign: '-' })],
      ['Income taxes', `(${amount('IncomeTaxExpenseBenefit', '30')})`],
      ['Result for the period', amount('NetIncomeLoss', '310', { sign: '-' })],
    ];
    expect(read(page(rows), 'pre_tax_income')).toEqual({ '9M 2025-09-27': '-280000000' });
    expect(read(page(rows), 'income_tax')).toEqual({ '9M 2025-09-27': '30000000' });
    expect(read(page(rows), 'net_income')).toEqual({ '9M 2025-09-27': '-310000000' });
  });

  it('has the period of its context, although no heading names one', () => {
    const rows = [
      ['', 'Quarter', 'To date'],
      ['Revenue', amount('Revenues', '1,700', { context: 'q' }), amount('Revenues', '5,210')],
    ];
    expect(read(page(rows), 'revenue')).toEqual({ '3M 2025-09-27': '1700000000', '9M 2025-09-27': '5210000000' });
  });

  it('of a segment is not the company’s, and the change of a balance is no balance', () => {
    expect(
      read(
        page([
          ['', '2025'],
          ['Revenue', amount('Revenues', '9', { context: 'part' })],
          ['x', '1'],
        ]),
        'revenue',
      ),
    ).toEqual({});
    const changes = [
      ['', '2025'],
      ['Inventories', amount('IncreaseDecreaseInInventories', '44', { sign: '-' })],
      ['Receivables', amount('AccountsReceivableNetCurrent', '51', { context: 'b' })],
    ];
    expect(read(page(changes), 'inventories')).toEqual({});
    expect(read(page(changes), 'receivables')).toEqual({ '2025-09-27': '51000000' });
  });

  it('with a label of unknown words is the item of its concept', () => {
    expect(
      read(
        page([
          ['', '2025'],
          ['Takings of our shops', amount('Revenues', '12')],
        ]),
        'revenue',
      ),
    ).toEqual({
      '9M 2025-09-27': '12000000',
    });
  });

  it('keeps the scale of the table where a row has another one', () => {
    const rows = [
      ['', '2025'],
      ['Revenue', amount('Revenues', '12')],
      ['Goods and services sold', amount('CostOfRevenue', '7')],
      ['Basic earnings per share', amount('EarningsPerShareBasic', '0.42', { scale: 0 })],
    ];
    expect(read(page(rows), 'eps_basic')).toEqual({ '9M 2025-09-27': '0.42' });
    expect(read(page(rows), 'cost_of_sales')).toEqual({ '9M 2025-09-27': '7000000' });
  });
});
