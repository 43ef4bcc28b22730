import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportsOf } from '../../../agents/agent/reports.ts';
import { taxAnalyst } from '../../../agents/tax-analyst/index.ts';
import { describeAgent } from '../../support/agents/agent-golden.ts';
import { documentOf, resultBytes } from '../../support/agents/agent-inputs.ts';

describeAgent({
  agent: taxAnalyst,
  documents: join(import.meta.dirname, 'documents'),
  units: [
    'ATU1',
    'IE1A',
    'ES',
    'XI 1.2.',
    'VAT DE1 ',
    'comparable 1%, ',
    'comparable € 1, ',
    '| comparable | 1% |\n',
    'tested party ',
    'tested party 1% ',
    'Profit before tax 100\nTax at the statutory rate 25\n',
    'Tax at 25% 10\n',
    'not disclose ',
    'acquire ',
    'fee tax ',
    'GloBE income: EUR 1\n',
    'Invoice no. 1\n',
    'Total 1.00 ',
    'VAT return by 1.1.2026 ',
    'withholding tax 1% ',
    'permanent establishment in Spain exists ',
    'A1 met ',
    '<td>Tax at 25%<br>1</td>',
    'Effective tax rate 1%\n',
    'NIP 1234567890 ',
    '| Jurisdiction | GloBE income | Covered taxes |\n',
  ],
  flood: (index) =>
    `The comparables ${index} earned ${index % 90}.1 %, ${index % 80}.2 % and ${index % 70}.3 %; success fee ${index} of the tax saving; VAT DE${100_000_000 + index}.`,
});

describe('tax-analyst: the largest files', () => {
  const repeat = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index)).join('');
  const wide = '漢'.repeat(70);

  it.each([
    [
      'comparables',
      repeat(
        8,
        () =>
          `\nComparable companies\n\n| Company | Margin |\n|---|---|\n${repeat(60, (i) => `| ${wide} ${i} | ${i}.123456 % |\n`)}`,
      ),
    ],
    [
      'reconciliations',
      repeat(
        10,
        () =>
          `Profit before tax | 1000 | 900\nTax at the statutory rate of 25% | 250 | 225\n${repeat(39, (i) => `${wide} ${i} | 1 | 2\n`)}Income tax | 260 | 230\n`,
      ),
    ],
    [
      'rates',
      repeat(
        10,
        () => `Statutory tax rate 25% 25%\n${repeat(38, (i) => `${wide} ${i} 1% 2%\n`)}Effective tax rate 26% 27%\n`,
      ),
    ],
    ['VAT ids', repeat(3_000, (i) => `VAT DE${100_000_000 + i} `)],
    [
      'jurisdictions',
      `FY2024\n| Jurisdiction | GloBE income | Covered taxes | Payroll | Tangible assets |\n${repeat(500, (i) => `| ${wide} ${i} | 123456789012345.12 | 12345678901234.5 | 99999999999 | 88888888888 |\n`)}`,
    ],
    [
      'hints',
      repeat(
        1_000,
        () =>
          `success fee ${'漢 '.repeat(5)} tax saving. nominee shareholder. double dip. zero rate. round-trip. HTVI. `,
      ),
    ],
  ])('stay within 64 KiB: %s', (_, text) => {
    for (const { name, findings } of reportsOf(taxAnalyst, [documentOf(text)])) {
      expect(resultBytes(findings.result), name).toBeLessThanOrEqual(64 * 1024);
      expect(findings.digest.length, name).toBeLessThanOrEqual(60);
    }
  });
});
