/** Hostile clients: each gets an error response or a closed connection, and the next request is served. */
import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatBody, startTestApp, type TestApp } from '../support/server/test-app.ts';

let running: TestApp;
let port: number;

beforeAll(async () => {
  running = await startTestApp({ script: (chat) => void chat.answer('fine') });
  port = Number(new URL(await running.listen()).port);
});
afterAll(() => running.close());

async function expectServing(): Promise<void> {
  const { status, json } = await running.post(chatBody());
  expect([status, json().choices[0]?.message.content]).toEqual([200, 'fine']);
}

/** Opens TLS, writes bytes as they are, and reads until the server closes. */
async function exchange(bytes: string | Buffer, options: { maxVersion?: 'TLSv1.2' } = {}): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, ca: running.identity.certificate, ...options });
  await once(socket, 'secureConnect');
  socket.write(bytes);
  return readAll(socket);
}

async function readAll(socket: TLSSocket | ReturnType<typeof connectPlain>): Promise<string> {
  let text = '';
  socket.on('data', (data: Buffer) => {
    text += data.toString('latin1');
  });
  await Promise.race([once(socket, 'close'), once(socket, 'error').catch(() => undefined)]);
  return text;
}

describe('the transport (I-003)', () => {
  it('speaks TLS 1.3', async () => {
    const socket = connect({ host: '127.0.0.1', port, ca: running.identity.certificate });
    await once(socket, 'secureConnect');
    expect([socket.getProtocol(), socket.authorized]).toEqual(['TLSv1.3', true]);
    socket.destroy();
  });

  it('rejects TLS 1.2', async () => {
    await expect(exchange('', { maxVersion: 'TLSv1.2' })).rejects.toThrow(/protocol version|handshake failure/);
  });

  it('closes a plain HTTP connection without an answer or a redirect', async () => {
    const socket = connectPlain(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${running.secret}\r\n\r\n`,
    );
    const answer = await readAll(socket);
    expect(answer).not.toMatch(/^HTTP/);
    await expectServing();
  });

  it('answers bytes that are not HTTP with 400 and closes the connection', async () => {
    expect(await exchange(Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10]))).toMatch(/^HTTP\/1\.1 400 /);
    await expectServing();
  });

  it('answers headers of more than 16 KiB with 431 and closes the connection', async () => {
    expect(await exchange(`GET /health/live HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
    await expectServing();
  });

  it('answers a request with both Content-Length and Transfer-Encoding with 400 and closes the connection', async () => {
    const request = `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${running.secret}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    expect(await exchange(request)).toMatch(/^HTTP\/1\.1 400 /);
    await expectServing();
  });

  it('keeps serving after clients disconnect at any point', async () => {
    const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${running.secret}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"model":`;
    for (const length of [0, 1, 20, 100, head.length]) {
      const socket = connect({ host: '127.0.0.1', port, ca: running.identity.certificate });
      await once(socket, 'secureConnect');
      socket.write(head.slice(0, length));
      await new Promise((resolve) => setImmediate(resolve));
      socket.destroy();
    }
    await expectServing();
  });
});

describe('a body', () => {
  it.each([
    ['', 400, 'the request body is empty'],
    ['{', 400, 'the request body is not valid JSON'],
    ['{"model": "fake-TEE",}', 400, 'the request body is not valid JSON'],
    ["{'model': 1}", 400, 'the request body is not valid JSON'],
    ['NaN', 400, 'the request body is not valid JSON'],
    ['null', 400, 'the request body must be an object, got null'],
    ['[]', 400, 'the request body must be an object, got an array of 0'],
    ['"{}"', 400, 'the request body must be an object, got a string'],
  ])('%j is answered with %i', async (body, expected, message) => {
    const { status, json } = await running.post(body);
    expect([status, json().error]).toEqual([expected, message]);
  });

  it('of invalid UTF-8 is rejected, not repaired', async () => {
    const body = Buffer.concat([
      Buffer.from('{"model":"fake-TEE","messages":[{"role":"user","content":"'),
      Buffer.from([0xff, 0xc0, 0x80]),
      Buffer.from('"}]}'),
    ]);
    const { status, json } = await running.post(body);
    expect([status, json().error]).toEqual([400, 'the request body is not valid UTF-8']);
  });

  it('of 10 MB is answered 413', async () => {
    const { status, json } = await running.post(JSON.stringify(chatBody({ pad: 'x'.repeat(10_000_000) })));
    expect([status, json().error]).toEqual([413, 'the request body is too large: at most 8388608 bytes are accepted']);
    expect(json().details).toMatchObject({ code: 'ERR_BODY_TOO_LARGE', limit: 8_388_608 });
    await expectServing();
  });

  it('nested a million levels deep is rejected, also within a field', async () => {
    const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
    expect((await running.post(deep)).status).toBe(400);
    for (const field of ['messages', 'tools', 'temperature', 'stop', 'response_format', 'logit_bias']) {
      expect(
        (await running.post(`{"model":"fake-TEE","messages":[{"role":"user","content":"x"}],"${field}":${deep}}`))
          .status,
      ).toBe(400);
    }
    const objects = `${'{"a":'.repeat(300_000)}1${'}'.repeat(300_000)}`;
    const tool = `{"type":"function","function":{"name":"f","parameters":${objects}}}`;
    const { status, json } = await running.post(
      `{"model":"fake-TEE","messages":[{"role":"user","content":"x"}],"tools":[${tool}]}`,
    );
    expect([status, json().error]).toEqual([
      400,
      '`tools[0].function.parameters` must not be nested more than 64 deep',
    ]);
    await expectServing();
  });

  it('nested deeply in an unknown field is accepted', async () => {
    const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
    const { status } = await running.post(
      `{"model":"fake-TEE","messages":[{"role":"user","content":"x"}],"zzz":${deep}}`,
    );
    expect(status).toBe(200);
  });

  it('with a million keys, or one key a million times, is served or rejected', async () => {
    const keys = Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join(',');
    expect((await running.post(`{"model":"fake-TEE","messages":[{"role":"user","content":"x"}],${keys}}`)).status).toBe(
      200,
    );
    const twice = '"n":1,'.repeat(500_000);
    expect((await running.post(`{${twice}"model":"fake-TEE","messages":[{"role":"user","content":"x"}]}`)).status).toBe(
      200,
    );
  });

  it('cannot modify a prototype', async () => {
    const { status } = await running.post(
      '{"__proto__":{"n":99,"temperature":"x"},"constructor":{"prototype":{"n":99}},"model":"fake-TEE","messages":[{"role":"user","content":"x","__proto__":{"tool_calls":[1]}}]}',
    );
    expect(status).toBe(200);
    expect(({} as { n?: number }).n).toBeUndefined();
  });

  it.each(['1e999', '-1e999', '1e-999', '123456789012345678901234567890', '-0', '0.1e-7', '9007199254740993'])(
    'with the number %s in every numeric field is served or rejected',
    async (number) => {
      const fields = ['temperature', 'top_p', 'n', 'max_tokens', 'seed', 'top_k', 'min_p', 'presence_penalty'];
      for (const field of fields) {
        const { status } = await running.post(
          `{"model":"fake-TEE","messages":[{"role":"user","content":"x"}],"${field}":${number}}`,
        );
        expect([200, 400]).toContain(status);
      }
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/xml', 'nonsense'])(
    'as %s is answered with 415',
    async (type) => {
      const { status, json } = await running.post(chatBody(), { 'content-type': type });
      expect([status, json().error]).toEqual([415, 'send JSON, as Content-Type: application/json']);
    },
  );

  it('as application/json with a charset is served', async () => {
    expect((await running.post(chatBody(), { 'content-type': 'application/json; charset=utf-8' })).status).toBe(200);
  });

  it('that is compressed is answered with 415, which names the header', async () => {
    const { status, json } = await running.post(chatBody(), { 'content-encoding': 'gzip' });
    expect([status, json().error]).toEqual([415, 'send the body uncompressed, without the header Content-Encoding']);
    expect((await running.post(chatBody(), { 'content-encoding': 'identity' })).status).toBe(200);
  });

  it('with lone surrogates, NUL and unusual characters is served', async () => {
    const content = '\u0000\ud800 \udfff \uffff \u202e <|im_start|>system 👩‍👩‍👧';
    expect((await running.post(chatBody({ messages: [{ role: 'user', content }] }))).status).toBe(200);
  });
});

describe('headers and paths', () => {
  it.each([
    ['/v1/models/%zz', 400],
    ['/v1/models/..%2f..%2fetc%2fpasswd', 404],
    [`/v1/models/${'a'.repeat(300)}`, 404],
    ['/v1//models', 404],
    ['/v1/models?x=%00&__proto__=1', 200],
  ])('%s is answered with %i', async (url, expected) => {
    const response = await running.app.inject({ url, headers: { 'x-service-key': running.secret } });
    expect(response.statusCode).toBe(expected);
    if (expected !== 200)
      expect(response.json()).toMatchObject({ error: expect.any(String), details: { status: expected } });
  });

  it('a pipelined second request is answered after the first', async () => {
    const request = `GET /v1/models HTTP/1.1\r\nHost: x\r\nX-Service-Key: ${running.secret}\r\n`;
    const answers = await exchange(`${request}\r\n${request}Connection: close\r\n\r\n`);
    expect(answers.match(/HTTP\/1.1 200/g)).toHaveLength(2);
  });
});
