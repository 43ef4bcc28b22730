/** Requests that HTTP itself refuses, written byte by byte to the compute service: they are limited like any other. */
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { computeApps, identity } from '../support/compute/compute-app.ts';
import { exchangeRaw } from '../support/server/raw-http.ts';

const open = computeApps();

async function connected() {
  const { app } = await open();
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return (request: string) => exchangeRaw([request], { port, ca: identity.certificate });
}

const path = 'GET /api/svc/ssh-keys HTTP/1.1\r\n';
const invalid = [
  ['a request line that is not HTTP', 'nonsense\r\n\r\n', 400],
  ['no Host header', `${path}\r\n`, 400],
  ['two Host headers', `${path}Host: localhost\r\nHost: other.example\r\n\r\n`, 400],
  ['headers of more than 16 KiB', `${path}Host: localhost\r\nX-Note: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
] as const;

it.each(invalid)('C-042 shows the limit on the answer to %s', async (_what, request, status) => {
  const answer = await (await connected())(request);
  expect(answer.status).toBe(status);
  expect(answer.head).toMatch(/^x-ratelimit-limit: 10\r$/im);
  expect(answer.head).toMatch(/^x-ratelimit-remaining: 9\r$/im);
  expect(answer.head).toMatch(/^x-ratelimit-reset: \d{10}\r$/im);
});

it.each(invalid)('C-039 answers the 11th of ten seconds with 429: %s', async (_what, request, status) => {
  const send = await connected();
  for (let count = 0; count < 10; count++) expect((await send(request)).status).toBe(status);
  const { status: last, head, body } = await send(request);
  expect([last, body.code]).toEqual([429, 'RATE_LIMITED']);
  expect(head).toMatch(/^retry-after: 10\r$/im);
});
