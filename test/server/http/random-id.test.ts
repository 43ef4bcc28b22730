import { expect, it } from 'vitest';
import { randomId } from '../../../server/http/random-id.ts';

it('returns each id once, also across refills of the random pool', () => {
  const ids = Array.from({ length: 5_000 }, () => randomId(12));
  expect(new Set(ids).size).toBe(ids.length);
});

it.each([
  [12, 16],
  [18, 24],
])('encodes %i bytes as %i URL-safe characters', (bytes, characters) => {
  for (let i = 0; i < 1_000; i++) expect(randomId(bytes)).toMatch(new RegExp(`^[\\w-]{${characters}}$`));
});

it('uses every bit of every byte', () => {
  const seen = Array.from({ length: 12 }, () => ({ ones: 0, zeros: 0xff }));
  for (let i = 0; i < 1_000; i++) {
    for (const [at, byte] of Buffer.from(randomId(12), 'base64url').entries()) {
      seen[at]!.ones |= byte;
      seen[at]!.zeros &= byte;
    }
  }
  expect(seen).toEqual(seen.map(() => ({ ones: 0xff, zeros: 0 })));
});
