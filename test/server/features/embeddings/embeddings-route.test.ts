import { setImmediate } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RuntimeError } from '../../../../runtime/pool/errors.ts';
import type { ServedEmbeddingModel } from '../../../../server/serving/served-model.ts';
import { FakeEmbeddingEngine } from '../../../support/runtime/fake-embedding-engine.ts';
import { startTestApp, type TestApp, terms } from '../../../support/server/test-app.ts';

const canary = 'canary-3e81b';
const fakeModelId = 'fake-embedding-TEE';

let engine: FakeEmbeddingEngine;
let server: TestApp;

beforeEach(async () => {
  engine = new FakeEmbeddingEngine();
  const model: ServedEmbeddingModel = {
    ...{ kind: 'embedding', id: fakeModelId, engine, created: 1, fingerprint: 'fp', terms },
    embedding: { dimensions: [2, 3, 999], prefix: 'text: ', queryPrefix: 'query: ' },
  };
  server = await startTestApp({ overrides: { models: new Map([[fakeModelId, model]]) } });
});

afterEach(() => server.close());

async function embed(fields: Record<string, unknown>, headers: Record<string, string> = {}) {
  return await server.app.inject({
    method: 'POST',
    url: '/v1/embeddings',
    headers: { authorization: `Bearer ${server.secret}`, 'content-type': 'application/json', ...headers },
    payload: JSON.stringify({ model: fakeModelId, ...fields }),
  });
}

/** The vector that the fake engine gives item `index`. */
const vectorOf = (index: number) => Array.from(Float32Array.of(3, 4, index, 0), (one) => one / Math.hypot(3, 4, index));

describe('POST /v1/embeddings', () => {
  it("answers in OpenAI's format, in the order of the input (I-031)", async () => {
    const response = await embed({ input: ['one', 'two', 'three'] });
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    const { object, data, model, usage } = response.json();
    const tokens = 'text: one'.length + 'text: two'.length + 'text: three'.length;
    expect({ object, model, usage }).toEqual({
      object: 'list',
      model: fakeModelId,
      usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens },
    });
    expect(data.map(({ object, index }: { object: string; index: number }) => [object, index])).toEqual([
      ['embedding', 0],
      ['embedding', 1],
      ['embedding', 2],
    ]);
    for (const [index, { embedding }] of data.entries()) {
      for (const [at, value] of vectorOf(index).entries()) expect(embedding[at]).toBeCloseTo(value, 6);
    }
  });

  it.each([
    ['a text', 'hello', ['text: hello']],
    ['texts', ['hello', 'you'], ['text: hello', 'text: you']],
    ['token ids', [5, 6, 7], [[5, 6, 7]]],
    ['arrays of token ids', [[5], [6, 7]], [[5], [6, 7]]],
  ])('accepts %s (I-030)', async (_, input, received) => {
    const response = await embed({ input });
    expect(response.statusCode).toBe(200);
    expect(engine.requests[0]!.input).toEqual(received);
    expect(response.json().data).toHaveLength(received.length);
  });

  it('accepts at most 2,048 items', async () => {
    const input = Array.from({ length: 2048 }, (_, index) => `t${index}`);
    const { data } = (await embed({ input })).json();
    expect(data).toHaveLength(2048);
    expect(data.map(({ index }: { index: number }) => index)).toEqual(input.map((_, index) => index));
    const { statusCode, body } = await embed({ input: [...input, 'more'] });
    expect(statusCode).toBe(400);
    expect(body).toContain('at most 2048, got an array of 2049');
  });

  it('encodes the same numbers as base64 of little-endian floats (I-032)', async () => {
    const input = ['one', 'two'];
    const floats = (await embed({ input })).json().data;
    const base64 = (await embed({ input, encoding_format: 'base64' })).json().data;
    for (const [index, { embedding }] of base64.entries()) {
      const bytes = Buffer.from(embedding, 'base64');
      expect(Array.from({ length: 4 }, (_, at) => bytes.readFloatLE(4 * at))).toEqual(floats[index].embedding);
    }
  });

  it('prepends the prefix of the input type to texts, but not to token ids', async () => {
    await embed({ input: 'a', input_type: 'query' });
    await embed({ input: 'a', input_type: 'document' });
    await embed({ input: [[1]], input_type: 'query' });
    expect(engine.requests.map(({ input }) => input[0])).toEqual(['query: a', 'text: a', [1]]);
  });

  it.each([2, 3])('truncates vectors to %d dimensions and normalizes them', async (dimensions) => {
    const { data } = (await embed({ input: ['a', 'b'], dimensions })).json();
    for (const [index, { embedding }] of data.entries()) {
      const cut = vectorOf(index).slice(0, dimensions);
      expect(embedding).toHaveLength(dimensions);
      for (const [at, value] of cut.entries()) expect(embedding[at]).toBeCloseTo(value / Math.hypot(...cut), 6);
    }
  });

  it('accepts the model’s own dimensions and rejects those that the catalogue does not declare', async () => {
    expect((await embed({ input: 'a', dimensions: 4 })).json().data[0].embedding).toHaveLength(4);
    // 999 is declared, but the model has no more than 4.
    for (const dimensions of [1, 5, 999]) {
      const response = await embed({ input: 'a', dimensions });
      expect(response.statusCode).toBe(400);
      expect(response.json().error).toBe(`\`dimensions\` must be one of 2, 3, 4 for this model, got ${dimensions}`);
    }
  });

  it('passes truncate on, by default false', async () => {
    await embed({ input: 'a' });
    await embed({ input: 'a', truncate: true });
    expect(engine.requests.map(({ truncate }) => truncate)).toEqual([false, true]);
  });

  it.each([
    [{}, '`input`'],
    [{ input: null }, '`input`'],
    [{ input: 7 }, '`input`'],
    [{ input: { text: canary } }, '`input`'],
    [{ input: '' }, '`input` must not be an empty string'],
    [{ input: [] }, '`input` must not be empty'],
    [{ input: [canary, ''] }, '`input[1]` must not be an empty string'],
    [{ input: [canary, null] }, '`input[1]` must be a string, got null'],
    [{ input: [canary, 7] }, '`input[1]`'],
    [{ input: [canary, [7]] }, '`input[1]`'],
    [{ input: [null, canary] }, '`input[0]`'],
    [{ input: [true] }, '`input[0]`'],
    [{ input: [[]] }, '`input[0]` must not be empty'],
    [{ input: [[1], []] }, '`input[1]` must not be empty'],
    [{ input: [[1], canary] }, '`input[1]`'],
    [{ input: [[1, -1]] }, '`input[0][1]` must be an integer from 0 to 2147483647, got -1'],
    [{ input: [[1, 1.5]] }, '`input[0][1]`'],
    [{ input: [[1, canary]] }, '`input[0][1]` must be an integer from 0 to 2147483647, got a string'],
    [{ input: [1, 2 ** 31] }, '`input[1]`'],
    [{ input: [1, null] }, '`input[1]`'],
    [{ input: [[[1]]] }, '`input[0][0]`'],
    [{ input: 'a', encoding_format: 'hex' }, '`encoding_format`'],
    [{ input: 'a', dimensions: 0 }, '`dimensions`'],
    [{ input: 'a', dimensions: '2' }, '`dimensions`'],
    [{ input: 'a', truncate: 'yes' }, '`truncate`'],
    [{ input: 'a', input_type: 'passage' }, '`input_type`'],
    [{ input: 'a', user: 7 }, '`user`'],
    [{ input: 'a', model: 7 }, '`model`'],
  ])('rejects %j naming the field or the item, without repeating its text (I-032, I-069)', async (fields, message) => {
    const response = await embed(fields);
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toContain(message);
    expect(response.body).not.toContain(canary);
    expect(engine.requests).toEqual([]);
  });

  it('ignores unknown fields', async () => {
    expect((await embed({ input: 'a', colour: 'blue', user: 'someone' })).statusCode).toBe(200);
  });

  it('rejects a model of another kind and lists the embedding models', async () => {
    const response = await embed({ input: 'a', model: 'other-TEE' });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ error: expect.stringContaining(fakeModelId) });
    expect(response.json().details).toMatchObject({ code: 'ERR_MODEL_UNKNOWN', endpoint: '/v1/embeddings' });
  });

  it('requires a key (I-070)', async () => {
    expect((await embed({ input: 'a' }, { authorization: 'Bearer clst_wrong' })).statusCode).toBe(401);
  });

  it.each([
    ['ERR_CONTEXT_OVERFLOW', 400, { item: 1, counted: 600, limit: 512 }],
    ['ERR_TOKEN_UNKNOWN', 400, { item: 0, largest: 30_521 }],
    ['ERR_INPUT_EMPTY', 400, { item: 3 }],
    ['ERR_QUEUE_FULL', 429, {}],
    ['ERR_NOT_READY', 503, {}],
    ['ERR_DEADLINE', 504, {}],
  ] as const)('answers the engine error %s with %d', async (code, status, details) => {
    engine.refusal = new RuntimeError(code, 'the reason', { details });
    const response = await embed({ input: 'a' });
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ error: 'the reason', details: { code, status, ...details } });
    expect(response.headers['retry-after'] === undefined).toBe(status !== 429 && status !== 503);
  });

  it('exposes no details of an unexpected error', async () => {
    engine.refusal = new Error(`defect at ${canary}`);
    const response = await embed({ input: 'a' });
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain(canary);
    expect(server.log()).not.toContain(canary);
  });

  it('charges the tokens of a response, and nothing for a rejected request (I-079)', async () => {
    const spent = async () => {
      // A network client could not query before the charge is made; a test in the same process can.
      await setImmediate();
      return (await server.accounts.findAccount('tests')).balance.spent;
    };
    engine.refusal = new RuntimeError('ERR_QUEUE_FULL', 'full');
    await embed({ input: 'a' });
    expect(await spent()).toBe(0);
    engine.refusal = undefined;
    await embed({ input: [[1, 2, 3]] });
    expect(await spent()).toBe(3);
  });

  it('writes no text of a request to log, metrics or headers (I-004)', async () => {
    await embed({ input: canary, user: canary });
    await embed({ input: [canary, canary], encoding_format: canary });
    await embed({ input: 'a', model: canary });
    engine.refusal = new RuntimeError('ERR_INTERNAL', `defect ${canary}`);
    const response = await embed({ input: canary });
    expect(JSON.stringify([response.body, response.headers])).not.toContain(canary);
    expect(server.log()).not.toContain(canary);
    expect(await server.metrics.registry.metrics()).not.toContain(canary);
  });

  it('counts responses and errors by model and code', async () => {
    await embed({ input: 'a' });
    engine.refusal = new RuntimeError('ERR_QUEUE_FULL', 'full');
    await embed({ input: 'a' });
    const metrics = await server.metrics.registry.metrics();
    expect(metrics).toContain(`cloister_embedding_request_latency_seconds_count{model_name="${fakeModelId}"} 1`);
    expect(metrics).toContain(`cloister_embedding_failure_total{model_name="${fakeModelId}",code="ERR_QUEUE_FULL"} 1`);
  });

  it('lists the model with the properties of its vectors', async () => {
    const headers = { authorization: `Bearer ${server.secret}` };
    expect((await server.app.inject({ url: `/v1/models/${fakeModelId}`, headers })).json()).toMatchObject({
      ...{ id: fakeModelId, status: 'ready', dimensions: 4, context_length: 64, capabilities: { embeddings: true } },
      pricing: { prompt: expect.any(Number) },
    });
  });
});

describe('over a connection', () => {
  it('serves the openai client, which requests base64 by default', async () => {
    const baseURL = await server.listen();
    setDefaultCACertificates([...getCACertificates('bundled'), server.identity.certificate]);
    const client = new OpenAI({ baseURL, apiKey: server.secret, maxRetries: 0 });
    const { data, usage } = await client.embeddings.create({ model: fakeModelId, input: ['one', 'two'] });
    expect(data.map(({ embedding }) => embedding)).toEqual(
      [0, 1].map((index) => vectorOf(index).map((value) => expect.closeTo(value, 6))),
    );
    expect(usage.prompt_tokens).toBe(2 * 'text: one'.length);
    const floats = await client.embeddings.create({ model: fakeModelId, input: 'one', encoding_format: 'float' });
    expect(floats.data[0]!.embedding).toEqual(data[0]!.embedding);
  });

  it('has charged for a response before a client that read it can query the usage', async () => {
    const baseURL = await server.listen();
    setDefaultCACertificates([...getCACertificates('bundled'), server.identity.certificate]);
    const client = new OpenAI({ baseURL, apiKey: server.secret, maxRetries: 0 });
    for (let answer = 1; answer <= 20; answer++) {
      await client.embeddings.create({ model: fakeModelId, input: [[1, 2, 3]] });
      expect((await server.accounts.findAccount('tests')).balance).toMatchObject({ held: 0, spent: 3 * answer });
    }
  });

  it('cancels the work of a caller who disconnects', async () => {
    const baseURL = await server.listen();
    setDefaultCACertificates([...getCACertificates('bundled'), server.identity.certificate]);
    engine.gate = new Promise(() => undefined);
    const leaving = new AbortController();
    const asked = fetch(`${baseURL}/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: fakeModelId, input: canary }),
      signal: leaving.signal,
    });
    await vi.waitFor(() => expect(engine.requests).toHaveLength(1));
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await vi.waitFor(() => expect(server.log()).toContain('"status":499'));
    expect(await server.metrics.registry.metrics()).toContain('code="ERR_CANCELLED"} 1');
  });
});
