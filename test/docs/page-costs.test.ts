/** The costs of pages in the documentation are those of the last saved run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Results } from '../../bench/results.ts';

const root = join(import.meta.dirname, '../..');

it('quotes the size, the first contents and the memory of every page as they were measured', () => {
  const folder = join(root, 'bench/results');
  const file = readdirSync(folder)
    .filter((name) => /^[\d-]+-pages\.json$/.test(name))
    .sort()
    .at(-1)!;
  const { cases } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Results;
  const guide = readFileSync(join(root, 'docs/reference/pages.md'), 'utf8');
  const numberOf = (scenario: string, label: string) => {
    const found = cases.find((one) => one.scenario === scenario && one.label === label);
    return found === undefined ? undefined : Object.values(found.samples.cloister![0]!)[0]!;
  };
  const kilobytes = (value: number) => value.toFixed(1);
  for (const { label } of cases.filter(({ scenario }) => scenario === 'size')) {
    const paint = numberOf('first contents', label);
    expect(guide).toContain(`| \`${label}\` | ${kilobytes(numberOf('size', label)!)} | ${paint ?? '–'} |`);
  }
  for (const { label } of cases.filter(({ scenario }) => scenario === 'memory')) {
    expect(guide).toContain(`| ${label} | ${kilobytes(numberOf('memory', label)!)} |`);
  }
  expect(cases.length).toBeGreaterThan(12);
});
