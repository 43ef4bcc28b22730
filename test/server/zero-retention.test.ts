/** I-004: requests with a canary end in every possible way; afterwards only the response contains the canary. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEngine } from '../../runtime/chat/engine-client.ts';
import { RuntimeError } from '../../runtime/pool/errors.ts';
import type { FakeChat } from '../support/runtime/fake-engine.ts';
import type { FakeEngineWorkerData } from '../support/runtime/fake-engine-worker.ts';
import { patientWatch } from '../support/runtime/thread-watch.ts';
import { chatBody, modelId, startTestApp, type TestApp, terms } from '../support/server/test-app.ts';

const canary = 'canary-7f3a9d21';

let running: TestApp;
let folder: string;

/** Set by each test; runs when its request arrives. */
let script: (chat: FakeChat) => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-retention-'));
  script = (chat) => void chat.answer(canary);
  running = await startTestApp({ statePath: join(folder, 'accounts.sqlite'), script: (chat) => script(chat) });
});
afterEach(() => running.close());

const body = (fields: Record<string, unknown> = {}) =>
  chatBody({ messages: [{ role: 'user', content: canary }], user: canary, ...fields });

async function expectForgotten({ keyParts = [] as string[] } = {}): Promise<void> {
  const log = running.log();
  const metrics = await running.metrics.registry.metrics();
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  expect(log).toContain('"msg":"request"');
  for (const secret of [canary, running.secret, running.secret.slice(5), ...keyParts]) {
    expect(log).not.toContain(secret);
    expect(metrics).not.toContain(secret);
    for (const file of files) expect(file).not.toContain(secret);
  }
  const { accountId } = running.accounts.findCaller(running.secret) ?? {};
  expect(log).not.toContain(accountId);
  expect(metrics).not.toContain(accountId);
}

describe('I-004: the server retains nothing of', () => {
  it('a whole answer', async () => {
    expect((await running.post(body())).text).toContain(canary);
    await expectForgotten();
  });

  it('a stream', async () => {
    expect((await running.post(body({ stream: true }))).text).toContain(canary);
    await expectForgotten();
  });

  it.each([
    ['/v1/completions', { prompt: canary, user: canary, stop: canary }],
    ['/v1/completions', { prompt: [canary, canary], stream: true, echo: true }],
    ['/v1/tokenize', { prompt: canary }],
    ['/v1/detokenize', { tokens: [...canary].map((character) => character.charCodeAt(0)) }],
    ['/v1/responses', { input: canary, instructions: canary, metadata: { note: canary } }],
    ['/v1/messages', { max_tokens: 9, system: canary, messages: [{ role: 'user', content: canary }], stream: true }],
  ])('a request to %s', async (url, fields) => {
    const headers = { authorization: `Bearer ${running.secret}`, 'anthropic-version': '2023-06-01' };
    const payload = { model: modelId, ...fields };
    const response = await running.app.inject({ method: 'POST', url, headers, payload });
    expect(response.statusCode).toBe(200);
    if (url !== '/v1/tokenize') expect(response.body).toContain(canary);
    await expectForgotten();
  });

  it.each([
    ['a wrong value', () => body({ temperature: canary })],
    ['a wrong role', () => body({ messages: [{ role: canary, content: canary }] })],
    ['an unknown model', () => body({ model: canary })],
    ['a wrong stop', () => body({ stop: [canary, 1] })],
    ['a wrong tool', () => body({ tools: [{ type: 'function', function: { name: `${canary} !` } }] })],
    ['a wrong bias', () => body({ logit_bias: { [canary]: 1 } })],
    ['a wrong tool choice', () => body({ tool_choice: canary })],
    ['a wrong format', () => body({ response_format: { type: canary } })],
    ['a key that is text', () => ({ [canary]: canary })],
    ['JSON that breaks off', () => `{"messages": "${canary}`],
    ['no JSON at all', () => canary],
    ['a body that is too large', () => `"${canary.repeat(500_000)}"`],
  ])('%s, and the error does not echo it', async (_, make) => {
    const { status, text } = await running.post(make());
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).not.toContain(canary);
    await expectForgotten();
  });

  it.each(['ERR_CONTEXT_OVERFLOW', 'ERR_QUEUE_FULL', 'ERR_INTERNAL', 'ERR_DEADLINE'] as const)(
    'a request that the engine refuses with %s',
    async (code) => {
      script = (chat) => chat.fail(new RuntimeError(code, 'refused'));
      expect((await running.post(body())).text).not.toContain(canary);
      await expectForgotten();
    },
  );

  it('a defect whose message quotes the prompt', async () => {
    script = (chat) => {
      const cause = new Error(`bad token in ${canary}`);
      chat.fail(Object.assign(new TypeError(`cannot read ${canary}\n at ${canary}`, { cause }), { code: canary }));
    };
    const { status, text } = await running.post(body());
    expect([status, text.includes(canary)]).toEqual([500, false]);
    expect(running.log()).toContain('"type":"TypeError"');
    await expectForgotten();
  });

  it('a stream that the client closes early', async () => {
    script = (chat) =>
      chat
        .start()
        .text(canary)
        .fail(new Error(`lost ${canary}`));
    const { text } = await running.post(body({ stream: true }));
    expect(text.split('event: error')[1]).not.toContain(canary);
    await expectForgotten();
  });

  it.each<[string, FakeEngineWorkerData]>([
    ['ends', { crashOn: canary }],
    ['fails', { faultOn: canary }],
  ])('a request on which the thread of its model %s', async (_, workerData) => {
    const ready = Promise.withResolvers<void>();
    const engine = startEngine({
      workerUrl: new URL('../support/runtime/fake-engine-worker.ts', import.meta.url),
      workerData,
      ...{ verifyWeights: async () => undefined, watch: patientWatch },
      onState: ({ kind }) => kind === 'ready' && ready.resolve(),
    });
    await ready.promise;
    await running.close();
    const model = { kind: 'chat', id: modelId, engine, created: 1, fingerprint: 'fp', terms } as const;
    const statePath = join(folder, 'crash.sqlite');
    running = await startTestApp({ statePath, overrides: { models: new Map([[modelId, model]]) } });
    for (const stream of [false, true]) {
      const { status, text, json } = await running.post(body({ stream }));
      expect(status).toBe(503);
      expect(['ERR_ENGINE_LOST', 'ERR_NOT_READY']).toContain(json().details.code);
      expect(text).not.toContain(canary);
    }
    await engine.drain({ signal: AbortSignal.abort() });
    await expectForgotten();
  });

  it('a path, a query or a header', async () => {
    const headers = {
      'x-service-key': running.secret,
      'user-agent': canary,
      'x-forwarded-for': canary,
      cookie: canary,
    };
    for (const url of [`/${canary}`, `/v1/models/${canary}`, `/v1/models?q=${canary}`, `/health/live?${canary}`]) {
      expect((await running.app.inject({ url, headers })).body).not.toContain(canary);
    }
    await expectForgotten();
  });

  it('a rejected key', async () => {
    const wrong = `clst_${'K'.repeat(43)}`;
    expect((await running.post(body(), { authorization: `Bearer ${wrong}` })).text).not.toContain(wrong);
    expect((await running.post(body(), { authorization: `Bearer ${canary}` })).text).not.toContain(canary);
    await expectForgotten({ keyParts: [wrong, 'KKKKKKKK'] });
  });
});

it('a log line records the event and no content', async () => {
  await running.post(body());
  const lines = running
    .log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      reqId: expect.stringMatching(/^[\w-]{16}$/),
      method: 'POST',
      route: '/v1/chat/completions',
      status: 200,
      ms: expect.any(Number),
      msg: 'request',
    },
  ]);
});
