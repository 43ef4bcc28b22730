import { describe, expect, it } from 'vitest';
import type { AgentTool } from '../../../../agents/agent/agent.ts';
import { parseRational, type Rational } from '../../../../agents/tools/financial/rational.ts';
import { rateBridgeTool } from '../../../../agents/tools/tax/bridge-tool.ts';
import { certainBridges, certainInvoice, certainRanges } from '../../../../agents/tools/tax/certainty.ts';
import type { Invoice } from '../../../../agents/tools/tax/invoice.ts';
import type { Reconciliation } from '../../../../agents/tools/tax/reconciliation-result.ts';
import { taxStatementsTool } from '../../../../agents/tools/tax/statements-tool.ts';

const number = (text: string): Rational => parseRational(text)!;
const place = { start: 0, end: 1 };
const amount = (text: string) => ({ value: number(text), ...place });

type Shown = Readonly<Record<string, readonly unknown[]>> & {
  readonly left_out: readonly { readonly because: string }[];
};

const run = (tool: AgentTool, text: string) => tool.run([{ message: 0, text }]).result as unknown as Shown;
const reasons = ({ left_out: omitted }: Shown) => omitted.map(({ because }) => because).join('; ');

function bridge(period: string, rate: string, effective: string, computed = effective): Reconciliation {
  return {
    period,
    unit: { zeros: 3, currency: 'EUR' },
    statutory: { amount: number('21000'), rate: number(rate) },
    items: [{ label: 'Credits', amount: number('-1000'), ...place }],
    effective: { amount: number(effective) },
    computed: { amount: number(computed) },
    ...place,
  };
}

describe('reconciliations that the document does not confirm', () => {
  it('are given with a usual statutory rate and a sum that is close to the total', () => {
    const one = bridge('2026', '21', '20000', '20100');
    expect(certainBridges([one, bridge('2025', '21', '19000')]).doubts).toEqual([]);
    expect(certainBridges([one]).facts).toEqual([one]);
  });

  it('lack the statutory line if no statutory rate has its value', () => {
    const { facts, doubts } = certainBridges([bridge('2026', '1.5', '20000')]);
    expect(facts).toMatchObject([{ statutory: {}, items: [{ label: 'Credits' }], computed: {} }]);
    expect(facts[0]!.statutory).toEqual({});
    expect(doubts).toEqual(['rate']);
  });

  it('lack the sum if it differs from the total by more than a fifth', () => {
    const { facts, doubts } = certainBridges([bridge('2026', '21', '20000', '-16000')]);
    expect(facts[0]!.computed).toEqual({});
    expect(doubts).toEqual(['sum']);
  });

  it('are left out if two columns of one period show different totals', () => {
    expect(certainBridges([bridge('2025', '21', '20000'), bridge('2025', '21', '19000')])).toEqual({
      facts: [],
      doubts: ['period', 'period'],
    });
  });

  it('are counted in the report', () => {
    const table = (title: string) =>
      `Tax reconciliation (EUR thousand)\n\n| | 2025 | ${title} |\n|---|---|---|\n| Profit before tax | 100,000 | 90,000 |\n| Tax at the statutory rate of 21 % | 21,000 | 18,900 |\n| Tax credits | (1,000) | (900) |\n| Income tax expense | 20,000 | 18,000 |\n`;
    const two = run(rateBridgeTool, table('2025'));
    expect([two.bridges, reasons(two)]).toEqual([[], 'several columns are of one period']);
    expect(run(rateBridgeTool, table('2024')).bridges).toHaveLength(2);
  });
});

describe('ranges of a profit level indicator', () => {
  const range = (lower: string, median: string, upper: string) => ({
    lower: number(lower),
    median: number(median),
    upper: number(upper),
  });

  it.each([
    ['that are in order and within bounds', range('1.9', '3.4', '5.2'), []],
    ['whose median is below the lower quartile', range('7.2', '3.4', '9.1'), ['order']],
    ['that are amounts', range('7900', '7950', '7990'), ['indicator']],
  ])('%s', (_, one, doubts) => {
    expect(certainRanges([one]).doubts).toEqual(doubts);
  });
});

describe('amounts of an invoice', () => {
  const invoice = (amounts: Partial<Invoice['amounts']>): Invoice => ({
    type: 'invoice',
    dates: [],
    notes: [],
    amounts: { rates: [], isInclusive: false, ...amounts },
    errors: [],
    missing: [],
    ...place,
  });
  const rate = (tax: string, net?: string) => ({
    rate: number('21'),
    tax: amount(tax),
    hasOwnNet: net !== undefined,
    ...(net === undefined ? {} : { net: amount(net) }),
  });

  it('are given if a tax on the net amount can be so large', () => {
    const one = invoice({ net: amount('100'), tax: amount('21'), gross: amount('121'), rates: [rate('21', '100')] });
    expect(certainInvoice(one)).toEqual({ invoice: one, doubts: [] });
  });

  it('lack totals with a tax that is larger', () => {
    const { invoice: read, doubts } = certainInvoice(invoice({ tax: amount('7948'), gross: amount('7954') }));
    expect(read.amounts).toEqual({ rates: [], isInclusive: false });
    expect(doubts).toEqual(['tax']);
  });

  it('lack the lines of one rate that state different taxes', () => {
    const { invoice: read, doubts } = certainInvoice(
      invoice({ net: amount('1376'), rates: [rate('288.96'), rate('307.86')] }),
    );
    expect(read.amounts.rates).toEqual([]);
    expect(doubts).toEqual(['repeated', 'repeated']);
  });
});

describe('statements of a memorandum', () => {
  it('lack taxes withheld from payments in general', () => {
    const general = run(taxStatementsTool, 'The withholding tax on interest paid from Switzerland is 35 %.');
    expect(general.withholding_taxes).toEqual([]);
    expect(reasons(general)).toMatch(/payments in general/);
    const own = run(taxStatementsTool, 'Withholding tax of 15 % was withheld from the royalty: EUR 6,900.');
    expect([own.withholding_taxes?.length, reasons(own)]).toEqual([1, '']);
  });

  it('lack deadlines that should have been met', () => {
    const missed = run(taxStatementsTool, 'The VAT return due by 15 July 2026 should have been filed electronically.');
    expect(missed.deadlines).toEqual([]);
    expect(reasons(missed)).toMatch(/would or should have been/);
    expect(
      run(taxStatementsTool, 'The VAT return due by 15 July 2026 must be filed electronically.').deadlines,
    ).toHaveLength(1);
  });
});
