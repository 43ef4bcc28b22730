import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { decimal, toPercent, toText } from '../../../../agents/tools/financial/rational.ts';
import { findJurisdictions } from '../../../../agents/tools/tax/jurisdictions.ts';
import { carveOutRatesOf, computeTopUp } from '../../../../agents/tools/tax/pillar-two.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const rates = (year: number) => {
  const found = carveOutRatesOf(year);
  return found === undefined ? undefined : [toPercent(found.payroll), toPercent(found.tangible)];
};

describe('the top-up tax', () => {
  it('has the carve-out rates of articles 9.2.1 and 9.2.2 by year', () => {
    expect([2023, 2024, 2025, 2026, 2028, 2029, 2032, 2033, 2040].map(rates)).toEqual([
      ['10.0', '8.0'],
      ['9.8', '7.8'],
      ['9.6', '7.6'],
      ['9.4', '7.4'],
      ['9.0', '7.0'],
      ['8.2', '6.6'],
      ['5.8', '5.4'],
      ['5.0', '5.0'],
      ['5.0', '5.0'],
    ]);
    expect(rates(2022)).toBeUndefined();
  });

  it('is the missing rate times the excess profit', () => {
    const result = computeTopUp({
      fiscalYear: 2024,
      income: decimal('1000'),
      coveredTaxes: decimal('100'),
      payroll: decimal('200'),
      tangibleAssets: decimal('500'),
    });
    // ETR 10 %; exclusion 200 × 9.8 % + 500 × 7.8 % = 58.6; 5 % × 941.4.
    expect([toPercent(result.effectiveRate!), toText(result.substanceExclusion), toText(result.topUpTax)]).toEqual([
      '10.0',
      '58.6',
      '47.07',
    ]);
  });

  it('is 0 at a rate of 15 %, for a loss, and if the exclusion exceeds the profit', () => {
    const tax = (income: string, coveredTaxes: string, payroll = '0') =>
      toText(
        computeTopUp({
          fiscalYear: 2024,
          income: decimal(income),
          coveredTaxes: decimal(coveredTaxes),
          payroll: decimal(payroll),
        }).topUpTax,
      );
    expect([tax('100', '15'), tax('-100', '0'), tax('100', '0', '2000')]).toEqual(['0', '0', '0']);
  });

  it('falls by the domestic top-up tax, never below zero, and rises by the additional one', () => {
    const tax = (more: { additionalTopUp?: string; domesticTopUp?: string }) =>
      toText(
        computeTopUp({
          fiscalYear: 2024,
          income: decimal('100'),
          coveredTaxes: decimal('5'),
          ...(more.additionalTopUp === undefined ? {} : { additionalTopUp: decimal(more.additionalTopUp) }),
          ...(more.domesticTopUp === undefined ? {} : { domesticTopUp: decimal(more.domesticTopUp) }),
        }).topUpTax,
      );
    expect([tax({}), tax({ additionalTopUp: '2' }), tax({ domesticTopUp: '4' }), tax({ domesticTopUp: '40' })]).toEqual(
      ['10', '12', '6', '0'],
    );
  });

  it('is de minimis only below both limits of article 5.5', () => {
    const minimis = (averageRevenue: string, averageIncome: string) =>
      computeTopUp({
        fiscalYear: 2024,
        income: decimal('1'),
        coveredTaxes: decimal('0'),
        averageRevenue: decimal(averageRevenue),
        averageIncome: decimal(averageIncome),
      }).deMinimis;
    expect([minimis('9999999', '999999'), minimis('10000000', '1'), minimis('1', '1000000')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('figures of jurisdictions', () => {
  const read = (text: string) =>
    findJurisdictions(parseDocument(documentOf(text))).map(({ name, fiscalYear, figures }) => [
      name,
      fiscalYear,
      ...[...figures].map(([item, value]) => `${item} ${toText(value)}`),
    ]);

  it('are read from rows, in the unit of the caption', () => {
    const text =
      'Fiscal year 2025 (EUR million)\n| Jurisdiction | Net GloBE income | Adjusted covered taxes |\n|---|---|---|\n| Ireland | 10 | 1.5 |\n| Total | 10 | 1.5 |\n';
    expect(read(text)).toEqual([['Ireland', 2025, 'income 10000000', 'coveredTaxes 1500000']]);
  });

  it('are read from columns', () => {
    const text = 'GloBE 2024\n| EUR | Ireland | Malta |\n| GloBE income | 10 | (4) |\n| Covered taxes | 1 | 0 |\n';
    expect(read(text)).toEqual([
      ['Ireland', 2024, 'income 10', 'coveredTaxes 1'],
      ['Malta', 2024, 'income -4', 'coveredTaxes 0'],
    ]);
  });

  it('are read from single lines if there is no table', () => {
    const text =
      'FY2024\nNet GloBE income: EUR 100 million\nAdjusted covered taxes: EUR 9 million\nEligible payroll costs: EUR 20 million\n';
    expect(read(text)).toEqual([
      ['jurisdiction not named', 2024, 'income 100000000', 'coveredTaxes 9000000', 'payroll 20000000'],
    ]);
  });
});
