import fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { endConnections } from '../../../server/http/end-connections.ts';

let isLeaving = false;
const app = fastify();
endConnections(app, () => isLeaving);
app.get('/*', async () => ({}));

afterEach(() => {
  isLeaving = false;
});

const connectionOf = async (url: string) => (await app.inject({ url })).headers.connection;

it('keeps connections while the server takes requests', async () => {
  expect(await connectionOf('/v1/models')).not.toBe('close');
});

it('ends each connection with its next answer while the server leaves, except answers with evidence', async () => {
  isLeaving = true;
  expect(await connectionOf('/v1/models')).toBe('close');
  // A client verifies a connection before it sends another request on it.
  expect(await connectionOf('/v1/aci/attestation')).not.toBe('close');
});
