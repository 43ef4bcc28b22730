/** Requests that the HTTP server rejects before routing, written byte by byte: each gets its status and our error body. */
import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOwnHost } from '../../server/http/own-host.ts';
import { metricsHandler, serveOperator } from '../../server/operator/operator-server.ts';
import { exchangeRaw, type RawAnswer } from '../support/server/raw-http.ts';
import { chatBody, startTestApp, type TestApp } from '../support/server/test-app.ts';

let running: TestApp;
let port: number;

beforeAll(async () => {
  running = await startTestApp({ script: (chat) => void chat.answer('fine') });
  port = Number(new URL(await running.listen()).port);
});
afterAll(() => running.close());

const exchange = (...pieces: readonly (string | Buffer)[]) =>
  exchangeRaw(pieces, { port, ca: running.identity.certificate });

const post = (...headers: readonly string[]) =>
  ['POST /v1/chat/completions HTTP/1.1', `Authorization: Bearer ${running.secret}`, ...headers, '', ''].join('\r\n');
const host = 'Host: localhost';
const json = 'Content-Type: application/json';

async function expectRefusal(answer: RawAnswer, status: number, code: string): Promise<void> {
  expect([answer.status, answer.body?.details]).toEqual([status, expect.objectContaining({ status, code })]);
  expect(answer.body.error).toMatch(/\w/);
  expect(answer.head).toMatch(/^x-request-id: \S+$/im);
  expect(answer.head).toMatch(/^cache-control: no-store/im);
  expect((await running.post(chatBody())).status).toBe(200);
}

describe('the HTTP server answers', () => {
  it.each([
    ['a request line that is not HTTP', () => ['canary canary canary\r\n\r\n']],
    ['a header without a colon', () => [post(host, 'canary canary')]],
    ['two lengths', () => [post(host, json, 'Content-Length: 2', 'Content-Length: 3')]],
    ['a length and chunks at once', () => [post(host, json, 'Content-Length: 2', 'Transfer-Encoding: chunked')]],
    ['a chunk size that is no number', () => [post(host, json, 'Transfer-Encoding: chunked'), 'canary\r\n']],
    ['two Host headers', () => [post(host, 'Host: canary.example', json, 'Content-Length: 2'), '{}']],
    ['the same Host header twice', () => [post(host, host, json, 'Content-Length: 2'), '{}']],
    ['no Host header', () => [post(json, 'Content-Length: 2'), '{}']],
  ])('%s with 400', async (_what, pieces) => {
    const answer = await exchange(...pieces());
    await expectRefusal(answer, 400, 'ERR_REQUEST_INVALID');
    expect(JSON.stringify(answer.body)).not.toContain('canary');
  });

  it('two Host headers with 400 and the reason', async () => {
    const { body } = await exchange(post(host, 'Host: canary.example', json, 'Content-Length: 2'), '{}');
    expect(JSON.stringify(body)).toContain('the request must have one `Host` header');
  });

  it('headers of more than 16 KiB with 431', async () => {
    await expectRefusal(await exchange(post(host, `X-Note: ${'a'.repeat(20_000)}`)), 431, 'ERR_HEADERS_TOO_LARGE');
  });

  it('a path of more than 16 KiB with 431', async () => {
    const line = `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n\r\n`;
    await expectRefusal(await exchange(line), 431, 'ERR_HEADERS_TOO_LARGE');
  });

  it('chunk extensions of more than 16 KiB with 413', async () => {
    const chunk = `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`;
    await expectRefusal(
      await exchange(post(host, json, 'Transfer-Encoding: chunked'), chunk),
      413,
      'ERR_BODY_TOO_LARGE',
    );
  });

  it.each([
    ['whose length says so', (bytes: number) => [`Content-Length: ${bytes}`]],
    ['in chunks', () => ['Transfer-Encoding: chunked']],
  ])('a body that is too large, %s, with 413 although all of it is sent', async (_what, length) => {
    const bytes = 12 * 1024 * 1024;
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, ' '), Buffer.from('\r\n')]);
    const [header = ''] = length(bytes);
    const body = header.startsWith('T') ? [...Array(12).fill(chunk), '0\r\n\r\n'] : [Buffer.alloc(bytes, ' ')];
    await expectRefusal(await exchange(post(host, json, header), ...body), 413, 'ERR_BODY_TOO_LARGE');
  });

  it('a body of another type with 415, also if the client sends all of it first', async () => {
    const head = post(host, 'Content-Type: text/plain', `Content-Length: ${3 * 1024 * 1024}`);
    await expectRefusal(await exchange(head, Buffer.alloc(3 * 1024 * 1024, ' ')), 415, 'ERR_BODY_TYPE');
  });
});

describe("the operator's port", () => {
  let operator: Awaited<ReturnType<typeof serveOperator>>;
  beforeAll(async () => {
    operator = await serveOperator([metricsHandler(new Registry())], {
      port: 0,
      host: '127.0.0.1',
      ownHosts: { names: ['api.internal'], anyAddress: false },
    });
  });
  afterAll(() => {
    operator.server.close();
  });

  const get = async (...hosts: readonly string[]) => {
    const socket = connectPlain(Number(new URL(operator.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const lines = ['GET /metrics HTTP/1.1', ...hosts.map((one) => `Host: ${one}`), 'Connection: close', '', ''];
    let text = '';
    socket.on('data', (data: Buffer) => (text += data));
    socket.write(lines.join('\r\n'));
    await once(socket, 'close');
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text };
  };

  it.each(['localhost', 'localhost:9443', 'LOCALHOST', '127.0.0.1:9443', '127.8.8.8', '[::1]:9443', 'api.internal'])(
    'answers requests to %s',
    async (name) => {
      expect((await get(name)).status).toBe(200);
    },
  );

  it.each([
    'attacker.example',
    'attacker.example:9443',
    'localhost.attacker.example',
    '127.0.0.1.example',
    '',
    '10.0.0.1',
  ])('rejects requests to "%s" with 403', async (name) => {
    const { status, text } = await get(name);
    expect(status).toBe(403);
    expect(text).toContain('"code":"ERR_HOST_UNKNOWN"');
    expect(text).not.toContain('attacker');
  });

  it.each([[[]], [['localhost', 'localhost']], [['localhost', 'attacker.example']]])(
    'refuses requests with the Host headers %j with 400',
    async (hosts) => {
      expect((await get(...hosts)).status).toBe(400);
    },
  );

  it('compares a configured IPv6 host in brackets', () => {
    const own = { names: ['2001:db8::1'], anyAddress: false };
    expect(isOwnHost('[2001:db8::1]:9443', own)).toBe(true);
    expect(isOwnHost('2001:db8::1', own)).toBe(false);
    expect(isOwnHost('[2001:db8::2]', own)).toBe(false);
  });

  it('on another interface may be called by every address, but only by its own names', () => {
    const own = { names: ['api.internal'], anyAddress: true };
    const answers = ['10.0.0.1:9443', '[2001:db8::2]:9443', 'API.internal', 'localhost'].map((name) =>
      isOwnHost(name, own),
    );
    expect(answers).toEqual([true, true, true, true]);
    for (const name of ['attacker.example', '10.0.0.1.example', '10.0.0.256', '10.1', '2130706433', '', undefined])
      expect(isOwnHost(name, own)).toBe(false);
  });
});
