import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportsOf } from '../../../agents/agent/reports.ts';
import { hrAnalyst } from '../../../agents/hr-analyst/index.ts';
import { describeAgent } from '../../support/agents/agent-golden.ts';
import { documentOf, resultBytes } from '../../support/agents/agent-inputs.ts';

describeAgent({
  agent: hrAnalyst,
  documents: join(import.meta.dirname, 'documents'),
  units: [
    '2024-03-04 08:00-17:00\n',
    'Employee: a\n2024-03-04 08:00-17:00\n',
    '08:00 ',
    'break ',
    '| Date | Start | End |\n',
    '| 04.03.2024 | 08:00 | 17:00 |\n',
    'Week 1: 50 hours\n',
    'notice period of 3 months ',
    'severance of half a month of pay ',
    'salary EUR 1 per month ',
    '40 hours per week ',
    'must male ',
    'complain ',
    'punish ',
  ],
  flood: (index) => {
    const day = `2024-${String((index % 12) + 1).padStart(2, '0')}-${String((index % 28) + 1).padStart(2, '0')}`;
    return `Employee: P${index}\n${day} 06:00-23:0${index % 10}\nWe hire young men ${index}. Notice period ${index % 99} months.`;
  },
});

describe('hr-analyst: the largest files', () => {
  const repeat = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index)).join('');
  const date = (index: number) => new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10);
  const wide = '漢'.repeat(60);

  it.each([
    ['records', repeat(40, (i) => `Employee: ${wide} ${i}\n${repeat(120, (day) => `${date(day)} 06:00-23:30\n`)}`)],
    ['weeks', repeat(40, (i) => `Employee: ${wide} ${i}\n${repeat(52, (week) => `Week ${week + 1}: 55 hours\n`)}`)],
    [
      'terms',
      repeat(
        300,
        (i) =>
          `${wide}: the notice period is ${i + 1} months and the probation is ${i + 7} months, salary EUR ${i} per month.\n`,
      ),
    ],
    [
      'mentions',
      repeat(
        500,
        () =>
          `${wide} we hire only young, male, married, native speakers; she was bullied, threatened, excluded from meetings.\n`,
      ),
    ],
  ])('stay within 64 KiB: %s', (_, text) => {
    for (const { name, findings } of reportsOf(hrAnalyst, [documentOf(text)])) {
      expect(resultBytes(findings.result), name).toBeLessThanOrEqual(64 * 1024);
      expect(findings.digest.length, name).toBeLessThanOrEqual(60);
    }
  });
});
