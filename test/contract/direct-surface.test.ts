/** Rows of the direct surface that no test of a single route covers: what the surface as a whole does and never does. */
import { afterEach, describe, expect, it } from 'vitest';
import { RuntimeError } from '../../runtime/pool/errors.ts';
import type { ServedModel } from '../../server/serving/served-model.ts';
import { FakeEmbeddingEngine } from '../support/runtime/fake-embedding-engine.ts';
import { FakeEngine } from '../support/runtime/fake-engine.ts';
import { FakeImageEngine } from '../support/runtime/fake-image-engine.ts';
import { FakeModel } from '../support/runtime/fake-model.ts';
import { startInlineEngine } from '../support/runtime/inline-engine.ts';
import { messages, startConfidentialApp } from '../support/server/confidential-app.ts';
import { chatBody, modelId, parseEvents, startTestApp, type TestApp, terms } from '../support/server/test-app.ts';

let running: TestApp | undefined;

async function start(...options: Parameters<typeof startTestApp>): Promise<TestApp> {
  running = await startTestApp(...options);
  return running;
}

afterEach(async () => {
  await running?.close();
  running = undefined;
});

const answering = { script: (chat: { answer(...texts: string[]): unknown }) => void chat.answer('Good', ' day') };

it('I-002: adds an agent’s prompt on the confidential surface, and nothing to a chat on the direct one', async () => {
  const app = await startConfidentialApp(answering);
  running = app;
  expect((await app.post(chatBody({ messages }))).status).toBe(200);
  expect((await app.ask({ messages })).status).toBe(200);
  const [direct, agent] = app.engine.chats.map(({ request }) => request.input.messages);
  expect(direct).toEqual(messages);
  expect(agent![0]!.content).toMatch(/^You are a parcel officer\./);
});

it('I-006: charges a chat for the tokens of its prompt and of its answer', async () => {
  const { post, accounts } = await start({
    script: (chat) => void chat.start({ promptTokens: 7 }).text('Good').text(' day').finish(),
  });
  expect((await post(chatBody())).json().usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 2 });
  const { balance } = await accounts.findAccount('tests');
  expect([balance.spent, balance.held]).toEqual([7 * 1 + 2 * 2, 0]);
});

it('I-008: offers no way to read, list or delete an answer, stored or not', async () => {
  const { post, app, secret } = await start(answering);
  const { id } = (await post(chatBody({ store: true }))).json();
  const headers = { authorization: `Bearer ${secret}` };
  for (const path of [`/v1/chat/completions/${id}`, `/v1/chat/completions/${id}/messages`, `/v1/responses/${id}`]) {
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await app.inject({ method, url: path, headers })).statusCode, `${method} ${path}`).toBe(404);
    }
  }
  expect((await app.inject({ url: '/v1/chat/completions', headers })).statusCode).toBe(405);
});

describe('a chat', () => {
  it.each(['model', 'messages'])('I-014: is refused with 400 without `%s`', async (field) => {
    const { post, engine } = await start(answering);
    const { status, json } = await post(chatBody({ [field]: undefined }));
    expect([status, json().error]).toEqual([400, expect.stringContaining(`\`${field}\``)]);
    expect(engine.chats).toEqual([]);
  });

  it('I-022: is streamed only if `stream` is true', async () => {
    const { post } = await start(answering);
    const typeOf = async (stream: unknown) => {
      const { status, headers } = await post(chatBody({ stream }));
      return `${status} ${String(headers['content-type']).split(';')[0]}`;
    };
    expect([await typeOf(undefined), await typeOf(false)]).toEqual(Array(2).fill('200 application/json'));
    expect([await typeOf(true), await typeOf('yes')]).toEqual(['200 text/event-stream', '400 application/json']);
  });

  it.each([
    ['I-016', 'temperature', [0, 2], [-0.01, 2.01, '1'], 1],
    ['I-017', 'top_p', [0, 1], [-0.01, 1.01, '1'], 1],
    ['I-019', 'max_tokens', [1, 100], [0, -1, 1.5, '1'], undefined],
    ['I-020', 'presence_penalty', [-2, 2], [-2.01, 2.01, '1'], 0],
    ['I-020', 'frequency_penalty', [-2, 2], [-2.01, 2.01, '1'], 0],
  ] as const)('%s: hands `%s` within its range to the model, and refuses every other value', async (...row) => {
    const [, field, ends, wrong, usual] = row;
    const { post, engine } = await start(answering);
    for (const value of ends) expect((await post(chatBody({ [field]: value }))).status).toBe(200);
    expect((await post(chatBody())).status).toBe(200);
    for (const value of wrong) {
      const { status, json } = await post(chatBody({ [field]: value }));
      expect([status, json().error]).toEqual([400, expect.stringMatching(new RegExp(`^\`${field}\` must be `))]);
    }
    const received = engine.chats.map(({ request }) => {
      const { temperature, topP, presencePenalty, frequencyPenalty } = request.sampling;
      const max_tokens = request.maxTokens;
      const byField = { temperature, top_p: topP, max_tokens };
      return { ...byField, presence_penalty: presencePenalty, frequency_penalty: frequencyPenalty }[field];
    });
    expect(received.slice(0, 2)).toEqual([...ends]);
    expect(received).toHaveLength(3);
    if (usual !== undefined) expect(received[2]).toBe(usual);
  });

  it.each([
    ['a string', ' STOP'],
    ['an array', ['nowhere', ' STOP']],
  ])('I-021 and I-025: ends before a stop sequence given as %s, with the reason `stop`', async (_form, stop) => {
    const text = 'one two STOP three';
    const shift = { cells: 0 };
    const next = (cells: readonly number[]) => {
      shift.cells ||= cells.length;
      return text.charCodeAt(cells.length - shift.cells);
    };
    const engine = startInlineEngine(new FakeModel({ next }));
    const model: ServedModel = { kind: 'chat', id: modelId, engine, created: 1, fingerprint: 'fp', terms };
    const { post } = await start({ overrides: { models: new Map([[modelId, model]]) } });
    const { choices } = (await post(chatBody({ stop, max_tokens: 40 }))).json();
    expect(choices).toMatchObject([{ index: 0, message: { content: 'one two' }, finish_reason: 'stop' }]);
    await engine.drain({ signal: AbortSignal.abort() });
  });

  it('I-019 and I-025: ends after `max_tokens` tokens with the reason `length`, and has none before', async () => {
    const engine = startInlineEngine(new FakeModel());
    const model: ServedModel = { kind: 'chat', id: modelId, engine, created: 1, fingerprint: 'fp', terms };
    const { post } = await start({ overrides: { models: new Map([[modelId, model]]) } });
    const { choices, usage } = (await post(chatBody({ max_tokens: 3 }))).json();
    expect([choices[0]?.finish_reason, usage?.completion_tokens]).toEqual(['length', 3]);
    const events = parseEvents((await post(chatBody({ max_tokens: 3, stream: true }))).text).slice(0, -1);
    const reasons = events.map(({ data }) => JSON.parse(data).choices[0].finish_reason);
    expect(reasons.at(-1)).toBe('length');
    expect(new Set(reasons.slice(0, -1))).toEqual(new Set([null]));
    await engine.drain({ signal: AbortSignal.abort() });
  });
});

const inputs = [
  ['/v1/chat/completions', chatBody(), { temperature: 3 }],
  ['/v1/embeddings', { model: 'embedding-TEE', input: 'a' }, { encoding_format: 'hex' }],
  ['/v1/images/generations', { prompt: 'a circle', size: '256x256' }, { n: 11 }],
] as const;

it.each(inputs)('I-067 and I-074: %s answers all five errors in one shape', async (url, body, wrong) => {
  const fault = new RuntimeError('ERR_INTERNAL', 'inner words');
  const engines = { embeddings: new FakeEmbeddingEngine(), images: new FakeImageEngine() };
  Object.defineProperty(engines.embeddings, 'refusal', { get: () => fault });
  engines.images.failAfter = { step: 0, error: fault };
  const served = { created: 1, fingerprint: 'fp', terms };
  const chat = new FakeEngine({ script: (one) => one.fail(fault) });
  const models: readonly ServedModel[] = [
    { kind: 'chat', id: modelId, engine: chat, ...served },
    { kind: 'embedding', id: 'embedding-TEE', engine: engines.embeddings, embedding: {}, ...served },
    { kind: 'image', id: 'image-TEE', engine: engines.images, ...served },
  ];
  const { app, accounts, secret } = await start({
    overrides: { models: new Map(models.map((model) => [model.id, model])) },
  });
  const plan = (change: { requestsPerMinute?: number | null; tokensPerMonth?: number | null }) =>
    accounts.changePlan({ id: 'operator', change, now: Date.now() });
  const answered: unknown[] = [];
  const post = async (payload: object, key = secret) => {
    const response = await app.inject({ method: 'POST', url, headers: { authorization: `Bearer ${key}` }, payload });
    const { error, details } = response.json();
    expect([typeof error, details.status, details.endpoint]).toEqual(['string', response.statusCode, url]);
    answered.push(response.statusCode);
  };
  await post({ ...body, ...wrong });
  await post(body, 'nonsense');
  await plan({ tokensPerMonth: 0 });
  await post(body);
  await plan({ tokensPerMonth: null, requestsPerMinute: 0 });
  await post(body);
  await plan({ requestsPerMinute: null });
  await post(body);
  expect(answered).toEqual([400, 401, 403, 429, 500]);
});

it.each([
  ['url', undefined],
  ['url', 'url'],
  ['b64_json', 'b64_json'],
])('I-036 and I-039: an image is answered as `%s` and nothing else for response_format %s', async (member, format) => {
  const engine = new FakeImageEngine();
  const model: ServedModel = { kind: 'image', id: 'image-TEE', engine, created: 1, fingerprint: 'fp', terms };
  const { app, secret } = await start({ overrides: { models: new Map([[model.id, model]]) } });
  const response = await app.inject({
    method: 'POST',
    url: '/v1/images/generations',
    headers: { authorization: `Bearer ${secret}` },
    payload: { prompt: 'a circle', size: '256x256', n: 2, response_format: format },
  });
  expect(response.headers['content-type']).toContain('application/json');
  const one = { [member]: expect.any(String) };
  expect(response.json()).toEqual({ created: 1_800_000_000, data: [one, one] });
});
