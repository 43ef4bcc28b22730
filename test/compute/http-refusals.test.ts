/** Requests that violate HTTP, sent as raw bytes: each gets its status and the common error envelope (C-023). */
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { computeApps, identity } from '../support/compute/compute-app.ts';
import { exchangeRaw } from '../support/server/raw-http.ts';

const startApp = computeApps();

async function exchange(...pieces: readonly (string | Buffer)[]) {
  const { app } = await startApp();
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return await exchangeRaw(pieces, { port, ca: identity.certificate });
}

const request = (line: string, ...headers: readonly string[]) => [line, ...headers, '', ''].join('\r\n');

describe('the compute service answers', () => {
  it.each([
    ['a request line that is not HTTP', () => ['canary canary canary\r\n\r\n'], 400, 'INVALID_REQUEST'],
    [
      'two Host headers',
      () => [request('GET /api/svc/ssh-keys HTTP/1.1', 'Host: localhost', 'Host: canary.example')],
      400,
      'INVALID_REQUEST',
    ],
    ['no Host header', () => [request('GET /api/svc/ssh-keys HTTP/1.1')], 400, 'INVALID_REQUEST'],
    [
      'headers of more than 16 KiB',
      () => [request('GET /api/svc/ssh-keys HTTP/1.1', 'Host: localhost', `X-Note: ${'a'.repeat(20_000)}`)],
      431,
      'HEADERS_TOO_LARGE',
    ],
  ] as const)('%s with its status', async (_what, pieces, status, code) => {
    const answer = await exchange(...pieces());
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ success: false, code, status, status_code: status });
    expect(JSON.stringify(answer.body)).not.toContain('canary');
  });
});
