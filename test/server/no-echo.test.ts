/** No error, log line or metric repeats text of a request: a random word replaces each part of each body, query and path. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServedModel } from '../../server/serving/served-model.ts';
import { FakeEmbeddingEngine } from '../support/runtime/fake-embedding-engine.ts';
import { FakeEngine } from '../support/runtime/fake-engine.ts';
import { FakeImageEngine } from '../support/runtime/fake-image-engine.ts';
import { asText, expectNoEcho, sendTo, tracesOf } from '../support/server/echo-probe.ts';
import { everyChatField, everyFieldOf } from '../support/server/every-field.ts';
import { modelId, startTestApp, type TestApp, terms } from '../support/server/test-app.ts';

/** Each body has every known field. */
const bodies: readonly { readonly url: string; readonly body: object }[] = [
  { url: '/v1/chat/completions', body: everyChatField },
  { url: '/v1/quote', body: everyChatField },
  {
    url: '/v1/tokenize',
    body: { model: modelId, messages: everyChatField.messages, tools: everyChatField.tools },
  },
  ...Object.entries(everyFieldOf).map(([url, body]) => ({ url, body })),
  {
    url: '/v1/embeddings',
    body: {
      model: 'fake-embedding-TEE',
      input: ['a', 'b'],
      encoding_format: 'float',
      dimensions: 2,
      truncate: true,
      user: 'x',
    },
  },
  {
    url: '/v1/rerank',
    body: {
      ...{ model: 'fake-reranker-TEE', query: 'a', documents: ['b', { text: 'c' }], top_n: 1, return_documents: false },
      ...{ max_tokens_per_doc: 5, truncate: true, use_activation: true, user: 'x', rank_fields: ['text'], top_k: 1 },
    },
  },
  {
    url: '/v1/score',
    body: {
      ...{ model: 'fake-reranker-TEE', text_1: 'a', text_2: ['b', 'c'], truncate: true, use_activation: true },
      ...{ truncate_prompt_tokens: -1, user: 'x' },
    },
  },
  {
    url: '/v1/images/generations',
    body: {
      ...{ prompt: 'a circle', n: 1, size: '256x256', response_format: 'b64_json', output_format: 'png', seed: 1 },
      ...{ guidance_scale: 3, num_inference_steps: 20, negative_prompt: 'blue', stream: false, partial_images: 0 },
      output_compression: 100,
    },
  },
];

let running: TestApp;
beforeAll(async () => {
  const shared = { created: 1, fingerprint: 'fp', terms };
  const engine = new FakeEngine({ script: (chat) => void chat.answer('fine') });
  const reranker = new FakeEmbeddingEngine();
  reranker.logitOf = (index) => index;
  const models: readonly ServedModel[] = [
    { kind: 'chat', id: modelId, engine, ...shared },
    {
      kind: 'embedding',
      id: 'fake-embedding-TEE',
      engine: new FakeEmbeddingEngine(),
      embedding: { dimensions: [2] },
      ...shared,
    },
    { kind: 'reranker', id: 'fake-reranker-TEE', engine: reranker, ...shared },
    { kind: 'image', id: 'fake-image-TEE', engine: new FakeImageEngine(), ...shared },
  ];
  running = await startTestApp({ overrides: { models: new Map(models.map((model) => [model.id, model])) } });
});
afterAll(() => running.close());

const post = (url: string, body: unknown) => sendTo(running, { method: 'POST', url, body });
const get = (url: string) => sendTo(running, { method: 'GET', url });
const traces = () => tracesOf(running);

it.each(bodies)('$url accepts a body with all its fields', async ({ url, body }) => {
  const { status, text } = await post(url, body);
  expect(text).not.toMatch(/^{"error"/);
  expect(status).toBe(200);
});

it.each(bodies)('error responses of $url repeat no text of the body', async ({ url, body }) => {
  await expectNoEcho({ request: body, send: (changed) => post(url, changed), traces });
});

it('the error response to a usage query repeats no text of the query', async () => {
  const request = { from: '2026-11-01', to: '2026-11-20', group_by: 'day,model', format: 'csv' };
  const send = (query: unknown) => get(`/v1/usage?${new URLSearchParams(query as Record<string, string>)}`);
  expect((await send(request)).status).toBe(200);
  await expectNoEcho({ request, send, traces, disguises: asText });
});

it.each([
  '/v1/usage/statements/',
  '/v1/usage/requests/',
  '/v1/models/',
  '/v1/confidential/models/',
  '/v1/images/',
  '/v1/aci/receipts/',
  '/v1/',
  '/',
])('the error response for a path below %s repeats no text of it', async (path) => {
  const send = (part: unknown) => get(`${path}${encodeURIComponent(String(part))}`);
  await expectNoEcho({ request: 'x', send, traces, disguises: asText, numRuns: 20 });
});
