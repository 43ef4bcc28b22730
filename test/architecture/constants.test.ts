import { expect, it } from 'vitest';
import { readSources } from './sources.ts';

it('constants are named in camelCase', () => {
  const shouted = readSources().flatMap(({ path, text }) =>
    [...text.matchAll(/^(?:export )?const ([A-Z][A-Z0-9_]*)\b/gm)].map(([, name]) => `${path}: ${name}`),
  );
  expect(shouted).toEqual([]);
});
