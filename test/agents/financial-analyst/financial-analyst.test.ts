import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportsOf } from '../../../agents/agent/reports.ts';
import { financialAnalyst } from '../../../agents/financial-analyst/index.ts';
import { describeAgent } from '../../support/agents/agent-golden.ts';
import { documentOf, resultBytes } from '../../support/agents/agent-inputs.ts';

describeAgent({
  agent: financialAnalyst,
  documents: join(import.meta.dirname, 'documents'),
  units: [
    'Revenue 1,234 1,100\n',
    '| Revenue | 1 | 2 |\n',
    '| 2024 | 2023 |\n',
    'Revenue was EUR 5 million in 2024. ',
    'revenue EUR 5 million and ',
    'Q1 2024 ',
    'in EUR thousand\n',
    'Revenue\t1\t2\n',
    '"Revenue","1","2"\n',
    'Revenue,1,2\n',
    'Revenue ..... 1\n',
    'depreciation amortisation and ',
    '31.12.2024 ',
    '- 1  2\n',
  ],
  flood: (index) =>
    `In ${1990 + (index % 60)} revenue was EUR ${index + 1}.5 million and net income EUR ${index}.25 million; equity ${index} 1,2${index % 10}0`,
});

describe('financial-analyst: the largest statements', () => {
  it('stay within 64 KiB with every item in eight years and sixteen digits', () => {
    const items = (
      'Revenue|Cost of sales|Gross profit|SG&A|Depreciation|EBITDA|EBIT|Interest expense|Profit before tax|Income tax|Net income|' +
      'Cash|Short-term investments|Receivables|Inventories|Current assets|PPE|Securities|Non-current assets|Total assets|' +
      'Payables|Short-term debt|Current liabilities|Long-term debt|Non-current liabilities|Total debt|Total liabilities|' +
      'Retained earnings|Equity|Operating cash flow|Capex|Dividends paid|Shares outstanding|Share price|Market cap'
    ).split('|');
    const years = [2024, 2023, 2022, 2021, 2020, 2019, 2018, 2017];
    const row = (item: string, digit: number) =>
      `| ${item} | ${years.map((year) => `${digit}.${year}11112223333`.replace('.', '')).join(' | ')} |`;
    const table = `| | ${years.join(' | ')} |\n${items.map((item, index) => row(item, (index % 9) + 1)).join('\n')}\n`;
    // The second table contradicts the first everywhere.
    const text = `in EUR billion\n${table}\n${table.replaceAll('2223333', '9')}`;
    for (const { name, findings } of reportsOf(financialAnalyst, [documentOf(text)])) {
      expect(resultBytes(findings.result), name).toBeLessThanOrEqual(64 * 1024);
      expect(findings.digest.length, name).toBeLessThanOrEqual(60);
    }
  });
});
