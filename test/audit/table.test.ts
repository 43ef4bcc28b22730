/** docs/audit/README.md: every row has its test or its reason, and every test its mutation. `npm run audit` runs those. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { factors } from '../../attestation/score/factors.ts';
import { mutations } from './mutations/index.ts';
import { hasTest, readAuditTable, root } from './table.ts';

const rows = readAuditTable();
const ids = rows.flatMap((row) => row.ids);

describe('the table of the audit', () => {
  it('lists each id once', () => {
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('has a row for every factor of the score and every finding of the review', () => {
    const findings = Array.from({ length: 28 }, (_, index) => `TOB-WAPI-${index + 1}`);
    const wanted = [...factors.map(({ name }) => name), ...findings];
    expect(wanted.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('names tests that exist', () => {
    const missing = rows.filter(({ test }) => test !== undefined && !hasTest(test));
    expect(missing.map(({ ids: [id], test }) => `${id}: ${test!.file} › ${test!.title}`)).toEqual([]);
  });

  it('gives a reason if it names no test', () => {
    expect(rows.filter(({ test, reason }) => test === undefined && !/^(n\/a|open): .{20}/.test(reason!))).toEqual([]);
  });

  it('names files that exist', () => {
    const named = rows.flatMap(({ defence }) => [...defence.matchAll(/`([^`]+\.[a-z]+)`/g)].map(([, file]) => file!));
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

describe('the mutations of the audit', () => {
  it('remove a defence of each row that has a test, except compiled defences', () => {
    const mutated = new Set(mutations.map(({ row }) => row));
    const unmutated = rows.filter(({ test, ids: own }) => test !== undefined && !own.some((id) => mutated.has(id)));
    expect(unmutated.filter(({ defence }) => !/`[^`]+\.(cc|h)`/.test(defence)).map(({ ids: [id] }) => id)).toEqual([]);
    const withTest = new Set(rows.filter(({ test }) => test !== undefined).flatMap(({ ids: own }) => own));
    expect([...mutated].filter((id) => !withTest.has(id))).toEqual([]);
  });

  it.each(mutations.map((mutation) => [`${mutation.row} in ${mutation.file}`, mutation] as const))(
    'match the source exactly once: %s',
    (_, { file, source, replacement }) => {
      expect(readFileSync(join(root, file), 'utf8').split(source)).toHaveLength(2);
      expect(replacement).not.toBe(source);
    },
  );
});
