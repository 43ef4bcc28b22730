import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServedRerankerModel } from '../../../../server/serving/served-model.ts';
import { FakeEmbeddingEngine } from '../../../support/runtime/fake-embedding-engine.ts';
import { startTestApp, type TestApp, terms } from '../../../support/server/test-app.ts';

const canary = 'canary-77aa1';
const modelId = 'fake-reranker-TEE';
/** The logits of the first documents. */
const logits = [-1, 2, 0.5, 2];
const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));

let engine: FakeEmbeddingEngine;
let server: TestApp;

beforeEach(async () => {
  engine = new FakeEmbeddingEngine();
  engine.logitOf = (index) => logits[index] ?? -3;
  const model: ServedRerankerModel = { kind: 'reranker', id: modelId, engine, created: 1, fingerprint: 'fp', terms };
  server = await startTestApp({ overrides: { models: new Map([[modelId, model]]) } });
});

afterEach(() => server.close());

async function post(path: 'rerank' | 'score' | 'embeddings', fields: Record<string, unknown>) {
  return await server.app.inject({
    method: 'POST',
    url: `/v1/${path}`,
    headers: { authorization: `Bearer ${server.secret}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ model: modelId, ...fields }),
  });
}

const documents = ['one', 'two', 'three', 'four'];

describe('POST /v1/rerank', () => {
  it("answers in Cohere's and Jina's form, best first, ties in the order of the request", async () => {
    const response = await post('rerank', { query: 'q', documents });
    expect(response.statusCode).toBe(200);
    const tokens = documents.reduce((sum, document) => sum + 1 + document.length, 0);
    const answer = response.json();
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^rerank-/),
      object: 'list',
      model: modelId,
      meta: { api_version: { version: '2' }, billed_units: { input_tokens: tokens } },
      usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens },
    });
    expect(answer.results.map(({ index }: { index: number }) => index)).toEqual([1, 3, 2, 0]);
    for (const { index, relevance_score: score } of answer.results) expect(score).toBeCloseTo(sigmoid(logits[index]!));
    expect(answer.results[0]).not.toHaveProperty('document');
  });

  it('passes each document with the query to the engine, and accepts documents as objects', async () => {
    await post('rerank', { query: 'q', documents: ['one', { text: 'two', title: 'ignored' }], max_tokens_per_doc: 7 });
    expect(engine.requests[0]).toMatchObject({
      input: [
        { first: 'q', second: 'one' },
        { first: 'q', second: 'two' },
      ],
      ...{ field: 'documents', truncate: true, secondTokensMax: 7 },
    });
  });

  it('returns the best `top_n` results, with their documents on request, and logits without the activation', async () => {
    const fields = { query: 'q', documents, top_n: 2, return_documents: true, use_activation: false };
    const { results } = (await post('rerank', fields)).json();
    expect(results).toEqual([
      { index: 1, relevance_score: 2, document: { text: 'two' } },
      { index: 3, relevance_score: 2, document: { text: 'four' } },
    ]);
  });

  it.each([
    ['no query', { documents }, '`query`'],
    ['an empty query', { query: '', documents }, '`query`'],
    ['no documents', { query: 'q', documents: [] }, '`documents`'],
    ['an empty document', { query: 'q', documents: ['a', ''] }, '`documents[1]`'],
    ['1,001 documents', { query: 'q', documents: Array(1001).fill('a') }, 'at most 1000'],
    ['top_n -1', { query: 'q', documents, top_n: -1 }, '`top_n`'],
    [
      'a top_k that contradicts top_n',
      { query: 'q', documents, top_n: 1, top_k: 2 },
      '`top_k` must agree with `top_n`',
    ],
    [
      'a document without the ranked fields',
      { query: 'q', documents: ['a', { title: canary }] },
      '`documents[1]` must be',
    ],
    [
      'a ranked field of another type',
      { query: 'q', documents: [{ text: { canary } }] },
      '`documents[0]` must have texts',
    ],
    ['a truncation', { query: 'q', documents, truncate_prompt_tokens: 5 }, 'send `max_tokens_per_doc` instead, got 5'],
    ['an older name', { query: 'q', documents, activation: false }, '`activation` is not supported: send `use_activ'],
  ])('refuses %s with 400', async (_, fields, message) => {
    const response = await post('rerank', fields);
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toContain(message);
    expect(response.body).not.toContain(canary);
  });

  it.each([{ top_n: 0 }, { truncate_prompt_tokens: -1 }, { rank_fields: ['text'] }])(
    'returns all results with %j',
    async (fields) => {
      const { results } = (await post('rerank', { query: 'q', documents, ...fields })).json();
      expect(results).toHaveLength(4);
    },
  );

  it("takes Voyage's top_k", async () => {
    expect((await post('rerank', { query: 'q', documents, top_k: 1 })).json().results).toHaveLength(1);
  });

  it('joins the fields of documents that rank_fields names, in this order', async () => {
    const first = { title: 'Refund', body: 'Five days', year: 2026, secret: 'x' };
    const body = { query: 'q', documents: [first, { body: 'Noon' }, 'text'], rank_fields: ['body', 'year', 'title'] };
    await post('rerank', { ...body, return_documents: true });
    const seconds = engine.requests[0]!.input.map((pair) => (pair as { second: string }).second);
    expect(seconds).toEqual(['Five days\n2026\nRefund', 'Noon', 'text']);
  });

  it("is served on the path of Cohere's clients", async () => {
    const headers = { authorization: `Bearer ${server.secret}` };
    const payload = { model: modelId, query: 'q', documents };
    const response = await server.app.inject({ method: 'POST', url: '/v2/rerank', headers, payload });
    expect([response.statusCode, response.json().results[0].index]).toEqual([200, 1]);
  });

  it('refuses a model of another kind, as the embedding route refuses a reranker', async () => {
    const response = await post('rerank', { query: canary, documents, model: 'other-TEE' });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      error: `\`model\` is not served here; these are: ${modelId}`,
      details: { code: 'ERR_MODEL_UNKNOWN' },
    });
    expect((await post('embeddings', { input: 'a' })).statusCode).toBe(400);
  });

  it('is listed in GET /v1/models with its capability', async () => {
    const headers = { authorization: `Bearer ${server.secret}` };
    const { data } = (await server.app.inject({ url: '/v1/models', headers })).json();
    expect(data).toEqual([expect.objectContaining({ id: modelId, capabilities: { rerank: true } })]);
  });
});

describe('POST /v1/score', () => {
  it("scores one text against several in vLLM's form", async () => {
    const response = await post('score', { text_1: 'q', text_2: ['one', 'two'] });
    expect(response.json()).toEqual({
      id: expect.stringMatching(/^score-/),
      object: 'list',
      created: expect.any(Number),
      model: modelId,
      data: [
        { index: 0, object: 'score', score: expect.closeTo(sigmoid(-1)) },
        { index: 1, object: 'score', score: expect.closeTo(sigmoid(2)) },
      ],
      usage: { prompt_tokens: 8, completion_tokens: 0, total_tokens: 8 },
    });
  });

  it.each([
    ['queries', 'documents'],
    ['data_1', 'data_2'],
  ])('pairs two lists of the same length, under the names %s and %s', async (first, second) => {
    await post('score', { [first]: ['a', 'b'], [second]: ['c', 'd'], truncate_prompt_tokens: -1 });
    expect(engine.requests[0]).toMatchObject({
      input: [
        { first: 'a', second: 'c' },
        { first: 'b', second: 'd' },
      ],
      ...{ field: second, truncate: true },
    });
  });

  it.each([
    ['lists of different lengths', { text_1: ['a', 'b'], text_2: ['c'] }, '`text_1` must have one text, or as many as'],
    [
      'both names of a field',
      { text_1: 'a', queries: 'a', text_2: 'c' },
      'one of `text_1`, `queries` and `data_1` is required, got 2',
    ],
    ['no second text', { text_1: 'a' }, 'one of `text_2`, `documents` and `data_2` is required, got none'],
    ['another truncation', { text_1: 'a', text_2: 'b', truncate_prompt_tokens: 9 }, '`truncate_prompt_tokens`'],
  ])('refuses %s with 400', async (_, fields, message) => {
    const response = await post('score', fields);
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toContain(message);
  });
});
