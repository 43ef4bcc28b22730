/** The contents of the receipts of every route, which never include request or response text (I-004). */
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { findEvent, formatReceipt, type SignedReceipt, verifyReceipt } from '../../../../attestation/aci/receipt.ts';
import { RuntimeError } from '../../../../runtime/pool/errors.ts';
import { FakeEmbeddingEngine } from '../../../support/runtime/fake-embedding-engine.ts';
import type { FakeChat } from '../../../support/runtime/fake-engine.ts';
import { FakeImageEngine } from '../../../support/runtime/fake-image-engine.ts';
import { type AttestedApp, startAttestedApp } from '../../../support/server/attested-app.ts';
import { chatBody, terms } from '../../../support/server/test-app.ts';

const canary = 'canary-5d1e07';
let running: AttestedApp;
afterEach(() => running.close());

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await running.app.inject({
    method: 'POST',
    url: `/v1${path}`,
    headers: { authorization: `Bearer ${running.secret}`, 'content-type': 'application/json', ...headers },
    payload,
  });
  const receipt = await running.receiptOf(answer.headers as Record<string, unknown>);
  await verifyReceipt(receipt, await running.verified(), {
    requestBody: new TextEncoder().encode(payload),
    responseBody: new Uint8Array(answer.rawPayload),
  });
  return { answer, receipt };
}

describe('the receipt for images', () => {
  const facts = { created: 1, fingerprint: 'fp', terms: { ...terms, pricing: { ...terms.pricing, perImage: 100 } } };
  const start = async () => {
    const model = { kind: 'image' as const, id: 'fake-image-TEE', engine: new FakeImageEngine(), ...facts };
    running = await startAttestedApp({ models: new Map([[model.id, model]]) });
  };
  const body = { prompt: canary, size: '256x256', n: 2, seed: 7 };

  it('has the digest of each file that the response links to', async () => {
    await start();
    const { answer, receipt } = await post('/images/generations', body);
    const hashes = [];
    for (const { url } of answer.json().data) {
      const { rawPayload } = await running.app.inject({ url: new URL(url).pathname });
      hashes.push(`sha256:${createHash('sha256').update(rawPayload).digest('hex')}`);
    }
    const linked = receipt.events.filter(({ type }) => type === 'cloister.linked-file');
    expect(linked.map(({ body_hash }) => body_hash)).toEqual(hashes);
    expect(findEvent(receipt, 'cloister.usage')).toMatchObject({ images: 2, price_micro_dollars: 200 });
  });

  it('states the parameters of the images', async () => {
    await start();
    const { receipt } = await post('/images/generations', { ...body, response_format: 'b64_json' });
    expect(receipt.model).toBe('fake-image-TEE');
    expect(findEvent(receipt, 'cloister.inference')).toMatchObject({
      parameter_choices: 2,
      parameter_width: 256,
      parameter_steps: 50,
      parameter_guidance_scale: '7.5',
      parameter_seed: 7,
    });
  });

  it.each([
    ['a raw file', { prompt: canary, size: '256x256' }, { accept: 'image/png' }],
    ['a stream', { ...body, stream: true }, {}],
  ])('is also issued for %s', async (_, fields, headers) => {
    await start();
    const { receipt } = await post('/images/generations', fields, headers as Record<string, string>);
    expect(findEvent(receipt, 'cloister.answer')).toMatchObject({ status: 200, complete: true });
    expectNothingSaid(receipt);
  });
});

describe('the receipt for embeddings', () => {
  it('counts texts and tokens without including them', async () => {
    const engine = new FakeEmbeddingEngine();
    const model = {
      kind: 'embedding' as const,
      id: 'fake-embedding-TEE',
      engine,
      created: 1,
      fingerprint: 'fp',
      terms,
    };
    running = await startAttestedApp({ models: new Map([[model.id, { ...model, embedding: {} }]]) });
    const { answer, receipt } = await post('/embeddings', { model: model.id, input: [canary, 'two'] });
    expect(receipt).toMatchObject({ model: model.id, endpoint: '/v1/embeddings', chatId: undefined });
    expect(findEvent(receipt, 'cloister.inference')).toMatchObject({ parameter_texts: 2, parameter_format: 'float' });
    expect(findEvent(receipt, 'cloister.usage')).toMatchObject({
      prompt_tokens: answer.json().usage.prompt_tokens,
      completion_tokens: 0,
    });
    expectNothingSaid(receipt);
  });
});

describe('no request or response text is in the receipt for', () => {
  const message = [{ role: 'user', content: canary }];
  const tool = { type: 'function', function: { name: 'look_up', description: canary } };
  const cases: [string, unknown][] = [
    ['a chat', chatBody({ messages: message, user: canary, stop: [canary], metadata: { canary } })],
    ['a stream', chatBody({ messages: message, stream: true })],
    ['a chat with tools', chatBody({ messages: message, tools: [tool] })],
    ['an unknown model that is named like a prompt', chatBody({ model: canary })],
    ['a value that is a prompt', chatBody({ temperature: canary })],
    ['a key that is a prompt', { [canary]: canary }],
    ['a body that is not JSON', `{"${canary}`],
  ];
  it.each(cases)('%s', async (_, body) => {
    running = await startAttestedApp({ script: (chat) => void chat.answer(canary) });
    expectNothingSaid((await post('/chat/completions', body)).receipt);
  });

  it('a defect whose message quotes the prompt', async () => {
    const script = (chat: FakeChat) => chat.start().fail(Object.assign(new Error(canary), { code: canary }));
    running = await startAttestedApp({ script });
    const { receipt } = await post('/chat/completions', chatBody({ messages: message, stream: true }));
    expect(findEvent(receipt, 'cloister.usage')).toMatchObject({ finish_reason: 'ERR_INTERNAL' });
    expectNothingSaid(receipt);
  });

  it('a request that the engine rejects with its own message', async () => {
    running = await startAttestedApp({ script: (chat) => chat.fail(new RuntimeError('ERR_CONTEXT_OVERFLOW', canary)) });
    expectNothingSaid((await post('/chat/completions', chatBody({ messages: message }))).receipt);
  });
});

function expectNothingSaid(receipt: SignedReceipt): void {
  expect(formatReceipt(receipt)).not.toContain(canary);
  expect(running.log()).not.toContain(String(receipt.receiptId));
}
