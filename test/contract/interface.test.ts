/**
 * `interface-1.0.0.json` is what version 1.0.0 of the inference API promised its clients. Later versions within `/v1` may add to it
 * and take nothing away, so the file does not change after the first release.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startConfidentialApp } from '../support/server/confidential-app.ts';
import { type Description, findBreaks, type Promised, readInterface } from './interface.ts';

const promised = JSON.parse(readFileSync(new URL('./interface-1.0.0.json', import.meta.url), 'utf8')) as Record<
  string,
  Promised
>;

it('I-009: the interface has every operation, field and answer of 1.0.0, and requires nothing more', async () => {
  const app = await startConfidentialApp();
  const { text } = await app.get('/v1/openapi.json', app.secret);
  await app.close();
  const description = JSON.parse(text) as Description & { info: { version: string } };
  expect(description.info.version).toMatch(/^1\./);
  expect(findBreaks(promised, readInterface(description))).toEqual([]);
});

it('a missing operation, field or answer, and a new requirement, break the interface; an addition does not', () => {
  const old = { 'post /a': { accepts: ['x', 'y'], requires: ['x'], answers: ['application/json z'] } };
  const added = { accepts: ['w', 'x', 'y'], requires: ['x'], answers: ['application/json v', 'application/json z'] };
  expect(findBreaks(old, { 'post /a': added, 'get /b': added })).toEqual([]);
  expect(findBreaks(old, {})).toEqual(['post /a is missing']);
  expect(findBreaks(old, { 'post /a': { accepts: ['x'], requires: ['v', 'x'], answers: [] } })).toEqual([
    'post /a no longer accepts y',
    'post /a now requires v',
    'post /a no longer answers application/json z',
  ]);
});
