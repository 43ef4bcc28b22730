/** docs/reference/configuration.md lists every setting with its values and its default. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flagName, settings } from '../../server/program/settings.ts';
import { root } from './markdown.ts';

const rows = new Map(
  readFileSync(join(root, 'docs/reference/configuration.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `--'))
    .flatMap((line) => {
      const [flags, values, fallback] = line.slice(2, -2).split(' | ') as [string, string, string];
      return [...flags.matchAll(/`--([a-z-]+)`/g)].map(([, flag]) => [flag!, { values, fallback }] as const);
    }),
);

/** Defaults that depend on the machine. */
const ofMachine = new Map([
  ['threads', 'cores'],
  ['image-threads', 'half the cores'],
]);

describe('the table of settings', () => {
  it('has a row for every setting and for nothing else', () => {
    expect([...rows.keys()].sort()).toEqual(Object.keys(settings).map(flagName).sort());
  });

  it.each(Object.entries(settings))('states values and default of %s', (key, { range, fallback }) => {
    const row = rows.get(flagName(key));
    expect(row?.values.replaceAll('\\|', '|')).toBe(range);
    const shown = typeof fallback === 'boolean' ? (fallback ? 'on' : 'off') : fallback;
    if (shown !== undefined) expect(row?.fallback).toBe(ofMachine.get(flagName(key)) ?? String(shown));
  });
});
