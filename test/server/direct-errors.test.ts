/** Error responses that chat, embeddings and images have in common (I-067…I-074). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RuntimeError } from '../../runtime/pool/errors.ts';
import type { ServedModel } from '../../server/serving/served-model.ts';
import { FakeEmbeddingEngine } from '../support/runtime/fake-embedding-engine.ts';
import { FakeEngine } from '../support/runtime/fake-engine.ts';
import { FakeImageEngine } from '../support/runtime/fake-image-engine.ts';
import { chatBody, modelId, parseEvents, startTestApp, type TestApp, terms } from '../support/server/test-app.ts';

interface DirectRoute {
  readonly path: string;
  readonly model: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** A field out of its range, and its name. */
  readonly wrong: readonly [name: string, value: unknown];
}

const routes: readonly DirectRoute[] = [
  { path: '/v1/chat/completions', model: modelId, body: chatBody(), wrong: ['temperature', 2.5] },
  {
    path: '/v1/embeddings',
    model: 'embedding-TEE',
    body: { model: 'embedding-TEE', input: 'a' },
    wrong: ['encoding_format', 'hex'],
  },
  {
    path: '/v1/images/generations',
    model: 'image-TEE',
    body: { prompt: 'a circle', size: '256x256' },
    wrong: ['n', 11],
  },
];

let server: TestApp;
let engines: { chat: FakeEngine; embeddings: FakeEmbeddingEngine; images: FakeImageEngine };
/** The error with which the engines fail after admission. */
let fault: RuntimeError;

beforeEach(async () => {
  fault = new RuntimeError('ERR_QUEUE_FULL', 'too many wait', { details: { retryAfterSeconds: 7 } });
  const chat = new FakeEngine({ script: (one) => one.fail(fault) });
  const embeddings = new FakeEmbeddingEngine();
  const images = new FakeImageEngine();
  engines = { chat, embeddings, images };
  Object.defineProperty(embeddings, 'refusal', { get: () => fault });
  Object.defineProperty(images, 'failAfter', { get: () => ({ step: 0, error: fault }) });
  const served = { created: 1, fingerprint: 'fp', terms };
  const models: readonly ServedModel[] = [
    { kind: 'chat', id: modelId, engine: chat, ...served },
    { kind: 'embedding', id: 'embedding-TEE', engine: embeddings, embedding: {}, ...served },
    { kind: 'image', id: 'image-TEE', engine: images, ...served },
  ];
  server = await startTestApp({ overrides: { models: new Map(models.map((model) => [model.id, model])) } });
});

afterEach(() => server.close());

async function post(path: string, body: object, key = server.secret) {
  const response = await server.app.inject({
    method: 'POST',
    url: path,
    headers: { authorization: `Bearer ${key}` },
    payload: body,
  });
  return { status: response.statusCode, headers: response.headers, text: response.body, json: response.json() };
}

const limitPlan = (change: { requestsPerMinute?: number; tokensPerMonth?: number }) =>
  server.accounts.changePlan({ id: 'operator', change, now: Date.now() });

describe.each(routes)('$path', ({ path, model, body, wrong: [name, value] }) => {
  it('answers an invalid parameter with 400 and its name (I-069)', async () => {
    const { status, json } = await post(path, { ...body, [name]: value });
    expect(status).toBe(400);
    expect(json).toEqual({
      error: expect.stringMatching(new RegExp(`^\`${name}\` must be `)),
      details: { status: 400, endpoint: path, code: 'ERR_REQUEST_INVALID' },
    });
  });

  it('answers a missing or invalid key with 401 (I-070)', async () => {
    const { status, json } = await post(path, body, 'clst_wrong');
    expect([status, json.details]).toEqual([401, { status: 401, endpoint: path, code: 'ERR_KEY_INVALID' }]);
  });

  it('answers too many requests with 429 and the delay in header and body (I-072)', async () => {
    await limitPlan({ requestsPerMinute: 0 });
    const { status, headers, json } = await post(path, body);
    expect(status).toBe(429);
    expect(json.details).toMatchObject({ status: 429, endpoint: path, retry_after: Number(headers['retry-after']) });
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(headers['x-ratelimit-limit']).toBe('0');
  });

  it('sends the remaining limits with responses that consumed nothing (I-081)', async () => {
    await limitPlan({ requestsPerMinute: 20 });
    const wrong = await post(path, { ...body, [name]: value });
    expect(wrong.headers).toMatchObject({ 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': '20' });
  });

  it('charges nothing for a failure before the first byte of the response (I-082)', async () => {
    fault = new RuntimeError('ERR_INTERNAL', 'inner words');
    await post(path, body);
    const { balance } = await server.accounts.findAccount('tests');
    expect([balance.held, balance.spent]).toEqual([0, 0]);
  });

  it('answers an internal error with 500 and no details (I-073)', async () => {
    fault = new RuntimeError('ERR_INTERNAL', 'inner words');
    const { status, json, text } = await post(path, body);
    expect([status, json.error, json.details.code]).toEqual([500, 'internal error', 'ERR_INTERNAL']);
    expect(text).not.toContain('inner');
  });

  it('names the plan and the single attempt with its model in errors of admitted requests (I-068)', async () => {
    const { status, json } = await post(path, body);
    expect(status).toBe(429);
    expect(json).toEqual({
      error: 'too many wait',
      details: {
        status: 429,
        endpoint: path,
        code: 'ERR_QUEUE_FULL',
        plan: 'operator',
        attempts: [{ step: 'model', url: model, status: 429, latency_ms: expect.any(Number) }],
        retry_after: 7,
      },
    });
    expect(json.details.attempts[0].latency_ms).toBeGreaterThanOrEqual(0);
  });
});

it.each(routes)(
  '$path reserves nothing for requests that its engine rejects at once (I-082)',
  async ({ path, body }) => {
    const refuse = () => {
      throw new RuntimeError('ERR_NOT_READY', 'the model is still loading');
    };
    Object.assign(engines.chat, { chat: refuse });
    Object.assign(engines.images, { draw: refuse });
    Object.assign(engines.embeddings, { embed: async () => refuse() });
    const { status, headers } = await post(path, body);
    expect([status, headers['retry-after']]).toEqual([503, '30']);
    const { id, balance } = await server.accounts.findAccount('tests');
    expect([balance.held, balance.spent]).toEqual([0, 0]);
    expect(await server.accounts.readStanding({ accountId: id, now: Date.now() })).toMatchObject({
      running: 0,
      tokensHeld: 0,
    });
  },
);

it.each(routes)('$path answers an exhausted quota with 403 and the usage (I-071)', async ({ path, body }) => {
  await limitPlan({ tokensPerMonth: 0 });
  const { status, json } = await post(path, body);
  expect(status).toBe(403);
  expect(json.details).toMatchObject({ status: 403, plan: 'operator', usage: { tokens_used: 0, tokens_limit: 0 } });
});

it('a stream that fails midway names the same plan and attempt (I-029, I-068)', async () => {
  await server.close();
  const script = new FakeEngine({ script: (chat) => chat.start().text('par').fail(fault) });
  const model: ServedModel = { kind: 'chat', id: modelId, engine: script, created: 1, fingerprint: 'fp', terms };
  server = await startTestApp({ overrides: { models: new Map([[model.id, model]]) } });
  const { text } = await server.post(chatBody({ stream: true }));
  const last = parseEvents(text).at(-1);
  expect(last?.event).toBe('error');
  expect(JSON.parse(last?.data ?? '').details).toMatchObject({
    plan: 'operator',
    attempts: [{ step: 'model', url: modelId, status: 429 }],
  });
});
