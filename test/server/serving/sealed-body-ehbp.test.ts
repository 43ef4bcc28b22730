/** The npm client of the protocol, unmodified, over real TLS. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { KeyConfigMismatchError, Transport } from 'ehbp';
import OpenAI from 'openai';
import { afterEach, expect, it, vi } from 'vitest';
import { createSealingKey } from '../../../server/enclave/sealing-key.ts';
import type { ServedModel } from '../../../server/serving/served-model.ts';
import { FakeEmbeddingEngine } from '../../support/runtime/fake-embedding-engine.ts';
import { type FakeChat, FakeEngine } from '../../support/runtime/fake-engine.ts';
import { FakeImageEngine } from '../../support/runtime/fake-image-engine.ts';
import { chatBody, modelId, parseEvents, startTestApp, type TestApp, terms } from '../../support/server/test-app.ts';

const common = { created: 1, fingerprint: 'fp', terms };

let running: TestApp | undefined;

/** Trusts the certificate of this run. */
async function connect(script?: (chat: FakeChat) => void) {
  const engine = new FakeEngine(script === undefined ? {} : { script });
  const models: ServedModel[] = [
    { kind: 'chat', id: modelId, engine, ...common },
    { kind: 'image', id: 'fake-image-TEE', engine: new FakeImageEngine(), ...common },
    {
      kind: 'embedding',
      id: 'fake-embedding-TEE',
      engine: new FakeEmbeddingEngine(),
      embedding: { dimensionsAllowed: [] } as never,
      ...common,
    },
  ];
  running = await startTestApp({ overrides: { models: new Map(models.map((model) => [model.id, model])) } });
  const baseURL = await running.listen();
  setDefaultCACertificates([...getCACertificates('bundled'), running.identity.certificate]);
  const transport = await Transport.create(new URL(baseURL).origin);
  const headers = { authorization: `Bearer ${running.secret}`, 'content-type': 'application/json' };
  const post = (path: string, body: object, more: Record<string, string> = {}) =>
    transport.post(`${baseURL}${path}`, JSON.stringify(body), { headers: { ...headers, ...more } });
  return { engine, transport, baseURL, post, apiKey: running.secret };
}

afterEach(async () => {
  vi.restoreAllMocks();
  await running?.close();
  running = undefined;
});

it('the ehbp client reads a whole response', async () => {
  const { post } = await connect((chat) => void chat.answer('Good', ' day'));
  const response = await post('/chat/completions', chatBody());
  expect(response.headers.get('ehbp-response-nonce')).toMatch(/^[0-9a-f]{64}$/);
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Good day' } }] });
});

it('the ehbp client reads a stream as it is written', async () => {
  const { post, engine } = await connect();
  const answer = post('/chat/completions', chatBody({ stream: true }));
  const chat = await engine.nextChat();
  chat.start().text('Good');
  const reader = (await answer).body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('Good')) text += (await reader.read()).value;
  expect(text).not.toContain('day');
  chat.text(' day').finish();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += piece.value;
  expect(parseEvents(text).at(-1)?.data).toBe('[DONE]');
});

it('the ehbp client reads embeddings', async () => {
  const { post } = await connect();
  const response = await post('/embeddings', { model: 'fake-embedding-TEE', input: ['one', 'two'] });
  expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(2);
});

it('the ehbp client reads an image, raw and streamed', async () => {
  const { post } = await connect();
  const body = { prompt: 'a circle', size: '256x256', response_format: 'b64_json' };
  const raw = await post('/images/generations', body, { accept: 'image/png' });
  expect(raw.headers.get('content-type')).toBe('image/png');
  expect([...new Uint8Array(await raw.arrayBuffer()).subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
  const streamed = await post('/images/generations', { ...body, stream: true });
  expect(parseEvents(await streamed.text()).at(-1)?.event).toBe('image_generation.completed');
});

it('the ehbp client reads an error response', async () => {
  const { post } = await connect();
  const response = await post('/chat/completions', chatBody({ temperature: 9 }));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ details: { code: 'ERR_REQUEST_INVALID' } });
});

it('the ehbp client reads a 401 that is sent before the body is decrypted', async () => {
  const { post, engine } = await connect();
  const response = await post('/chat/completions', chatBody(), { authorization: 'Bearer clst_no' });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ details: { code: 'ERR_KEY_INVALID' } });
  expect(engine.chats).toEqual([]);
});

it('the ehbp client detects that the server has another key', async () => {
  const { baseURL, apiKey, transport } = await connect();
  vi.spyOn(running!.sealingKey, 'receive').mockImplementation((key) => createSealingKey().receive(key));
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const answer = transport.post(`${baseURL}/chat/completions`, JSON.stringify(chatBody()), { headers });
  await expect(answer).rejects.toBeInstanceOf(KeyConfigMismatchError);
});

it('the openai client works through ehbp', async () => {
  const { baseURL, apiKey, transport } = await connect((chat) => void chat.answer('Good', ' day'));
  const fetch = (url: string | URL | Request, init?: RequestInit) => transport.request(url, init);
  const openai = new OpenAI({ baseURL, apiKey, maxRetries: 0, fetch });
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const stream = openai.chat.completions.stream({ model: modelId, messages });
  expect((await stream.finalChatCompletion()).choices[0]?.message.content).toBe('Good day');
});
