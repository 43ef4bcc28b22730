/** Related parties, deadlines, hallmarks and tests of prices in layouts other than the usual ones, and near misses. */
import { describe, expect, it } from 'vitest';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { findDeadlines } from '../../../../agents/tools/tax/filings.ts';
import { findHallmarkFindings } from '../../../../agents/tools/tax/hallmark-findings.ts';
import { findParts } from '../../../../agents/tools/tax/invoice-parts.ts';
import { readLayout } from '../../../../agents/tools/tax/layout.ts';
import { findAppliedMethods, findStatedTests } from '../../../../agents/tools/tax/pricing-statements.ts';
import { listedTransactions } from '../../../../agents/tools/tax/related-lists.ts';
import { findRelatedTransactions } from '../../../../agents/tools/tax/related-parties.ts';
import { proseTransactions } from '../../../../agents/tools/tax/related-prose.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const layout = (text: string) => readLayout(documentOf(text));

describe('related parties', () => {
  it.each<[string, string, string[]]>([
    [
      'income and expense in columns of their own',
      'Geschäftsbeziehungen mit nahestehenden Personen (in TEUR)\n\n| Nahestehende Person | Art | Erträge | Aufwendungen |\n|---|---|---:|---:|\n| Lohbach AG | Darlehenszinsen | – | 310 |\n| Lohbach Polska Sp. z o.o. | Warenlieferungen | 4.250 | – |\n',
      ['Lohbach AG interest-expense 310', 'Lohbach Polska Sp. z o.o. goods-sale 4250'],
    ],
    [
      'parties below the name of the transaction',
      'Related party transactions in GBP million\nSales of goods to:\n  Harewood Retail Ltd          18.2\nInterest received from:\n  Harewood plc                  0.4\n',
      ['Harewood Retail Ltd goods-sale 18.2', 'Harewood plc interest-income 0.4'],
    ],
    [
      'a column for each party',
      'Transfer pricing\n\n| Type | Tolland GmbH | Tolland SAS |\n|---|---:|---:|\n| Sales of goods (EUR thousand) | 1,250 | 2,340 |\n| Service fees received (EUR thousand) | 85 | – |\n',
      ['Tolland GmbH goods-sale 1250', 'Tolland SAS goods-sale 2340', 'Tolland GmbH service-income 85'],
    ],
    [
      'blocks',
      'Local file\n1. Purchase of lenses\n   Counterparty: Rowan Optik GmbH\n   Amount: EUR 4,180,000\n',
      ['Rowan Optik GmbH goods-purchase 4180000'],
    ],
    [
      'goods whose name says nothing',
      'Transfer pricing of Ferrand AG. In 2025 it bought packaging from Ferrand Pack GmbH for EUR 130,000.',
      ['Ferrand Pack GmbH goods-purchase 130000'],
    ],
    [
      'shares',
      'Transfer pricing of Ferrand AG. In 2025 it bought the shares from Ferrand Pack GmbH for EUR 130,000.',
      [],
    ],
  ])('%s', (_, text, expected) => {
    const read = layout(text);
    expect(
      [...findRelatedTransactions(read), ...listedTransactions(read), ...proseTransactions(read)].map(
        ({ counterparty, type, amount }) => `${counterparty} ${type} ${toText(amount)}`,
      ),
    ).toEqual(expected);
  });
});

describe('deadlines of one sentence or line', () => {
  it.each<[string, string[]]>([
    [
      'Please note: the CT600 must reach HMRC by 30 September 2026; the rent is due by 1 July 2026; the VAT return is due by 7 October 2026.',
      ['corporate-tax-return 2026-09-30', 'vat-return 2026-10-07'],
    ],
    [
      '* Corporation tax for FY2025: 1 October 2026. Company tax return for FY2025: 31 December 2026.\n',
      ['corporate-tax-payment 2026-10-01', 'corporate-tax-return 2026-12-31'],
    ],
    ['* CbC report: filed in Sweden by 31 December 2026.\n', ['country-by-country-report 2026-12-31']],
    ['The master file has to be ready in time; the local file within 30 days of a request.', ['local-file 30 day']],
  ])('%s', (text, expected) => {
    expect(
      findDeadlines(layout(text)).map(
        ({ kind, date, period }) => `${kind} ${date ?? `${period?.count} ${period?.unit}`}`,
      ),
    ).toEqual(expected);
  });
});

describe('hallmarks and tests of prices', () => {
  it('take the finding from its column, not from that of the main benefit test', () => {
    const text =
      'DAC6\n\n| Hallmark | Finding | MBT applies |\n|---|---|---|\n| A3 documentation | not met | yes |\n| C4 assets | met | no |\n';
    expect(findHallmarkFindings(layout(text)).map(({ id, status }) => `${id} ${status}`)).toEqual([
      'A3 not-met',
      'C4 met',
    ]);
  });

  it('leave out the arrangement of another client', () => {
    expect(findHallmarkFindings(layout('DAC6. A client in Spain met hallmark B1.'))).toEqual([]);
  });

  it('leave out the method of former years, and complete the short name of the tested party', () => {
    const text =
      'Taxpayer: Kestrel Works s.r.o.\n\nUntil 2022 the cost plus method was used. The TNMM was selected as the most appropriate method; Kestrel Works is the tested party.\n';
    expect(findAppliedMethods(layout(text)).map(({ method, testedParty }) => `${method} ${testedParty}`)).toEqual([
      'tnmm Kestrel Works s.r.o.',
    ]);
  });

  it('read quartiles in columns, without the sets that were replaced', () => {
    const text =
      '| Set | Q1 | Median | Q3 |\n|---|---|---|---|\n| Preliminary set | 1.9% | 4.0% | 8.8% |\n| Final set | 2.4% | 4.1% | 7.0% |\n\nThe margin of 3.2% lies within the range.\n';
    expect(
      findStatedTests(layout(text)).map(
        ({ lower, upper, result, position }) => `${toText(lower)} ${toText(upper)} ${toText(result!)} ${position}`,
      ),
    ).toEqual(['2.4 7 3.2 inside']);
  });

  it('begin the first invoice at its separator', () => {
    const read = layout(
      'Liebe Frau Pichl,\n\nSchöne Grüße, Gerda Wag\n\n======== Beleg 1 (Rechnung) ========\nWag e.U., Graz\nRechnung Nr. 2026/0214\nSumme EUR 20,00\n',
    );
    const [part] = findParts(read);
    expect(read.lines[part!.from]!.segments[0]!.text).toContain('Beleg 1');
  });
});
