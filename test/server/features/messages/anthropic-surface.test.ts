/** What clients of Anthropic’s API meet in addition to answers: versions, errors of other paths, models and cache counts. */
import { afterEach, describe, expect, it } from 'vitest';
import type { FakeChat } from '../../../support/runtime/fake-engine.ts';
import { modelId, parseEvents, startTestApp, type TestApp } from '../../../support/server/test-app.ts';

let running: TestApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const version = { 'anthropic-version': '2023-06-01' };

async function ask(
  method: 'GET' | 'POST',
  url: string,
  { headers = version, body }: { headers?: Record<string, string>; body?: object } = {},
) {
  running ??= await startTestApp({ script: (chat: FakeChat) => void chat.answer('Good') });
  const response = await running.app.inject({
    method,
    url,
    headers: { 'x-api-key': running.secret, ...headers },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: response.statusCode, text: response.body, json: () => response.json() };
}

const hello = { model: modelId, max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] };

describe('anthropic-version', () => {
  it.each([
    ['missing', {}, 'is required'],
    ['before the first one', { 'anthropic-version': '1999-01-01' }, 'must be a date from 2023-01-01 on'],
    ['not a date', { 'anthropic-version': 'latest' }, 'must be a date'],
  ])('is refused with 400 if it is %s', async (_, headers, message) => {
    for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
      const { status, json } = await ask('POST', path, { headers, body: hello });
      expect(status).toBe(400);
      expect(json()).toMatchObject({
        type: 'error',
        error: { type: 'invalid_request_error', message: expect.stringContaining(message) },
      });
    }
  });
});

describe('an error', () => {
  it.each([
    ['GET', '/v1/messages', {}, 405, 'invalid_request_error'],
    ['POST', '/v1/messages/batches', {}, 404, 'not_found_error'],
    ['GET', '/v1/models/none', version, 404, 'not_found_error'],
  ] as const)('of %s %s has Anthropic’s form', async (method, url, headers, expected, type) => {
    const { status, json } = await ask(method, url, { headers });
    expect(status).toBe(expected);
    expect(json()).toMatchObject({ type: 'error', error: { type, message: expect.any(String) } });
  });

  it('of a path of models has our form without the header', async () => {
    expect((await ask('GET', '/v1/models/none', { headers: {} })).json()).toMatchObject({ error: expect.any(String) });
  });
});

describe('GET /v1/models with the header', () => {
  const described = {
    ...{ type: 'model', id: modelId, display_name: modelId, created_at: '2023-11-14T22:13:20Z' },
    max_input_tokens: 4096,
  };

  it('lists models in Anthropic’s form', async () => {
    const { json } = await ask('GET', '/v1/models?limit=1000');
    expect(json()).toEqual({ data: [described], has_more: false, first_id: modelId, last_id: modelId });
    expect((await ask('GET', `/v1/models/${modelId}`)).json()).toEqual(described);
  });

  it('has pages', async () => {
    expect((await ask('GET', `/v1/models?after_id=${modelId}`)).json()).toEqual({
      ...{ data: [], has_more: false, first_id: null, last_id: null },
    });
    expect((await ask('GET', '/v1/models?after_id=none')).status).toBe(400);
    expect((await ask('GET', '/v1/models?limit=0')).status).toBe(400);
  });

  it('has OpenAI’s form without the header', async () => {
    expect((await ask('GET', '/v1/models', { headers: {} })).json()).toMatchObject({ object: 'list' });
  });
});

describe('cache_control', () => {
  const mark = { cache_control: { type: 'ephemeral' } };
  const block = (text: string, marked = false) => [{ type: 'text', text, ...(marked && mark) }];
  const history = (marked: number) =>
    ['One', 'Two', 'Three'].map((text, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: block(text, index === marked),
    }));

  /** The fake engine has a token for each character of a prompt, and reads two from its cache. */
  async function usageOf(fields: object) {
    running = await startTestApp({
      script: (chat) => {
        const promptTokens = chat.messages.map(({ content }) => content).join('').length;
        chat.start({ promptTokens, cachedTokens: 2 }).text('Good').finish();
      },
    });
    return (await ask('POST', '/v1/messages', { body: { ...hello, ...fields } })).json().usage;
  }

  it.each([
    ['nothing', { messages: history(-1) }, 0],
    ['the request', { messages: history(-1), ...mark }, 9],
    ['the last message', { messages: history(2) }, 9],
    ['the first message', { messages: history(0) }, 1],
    ['an answer', { messages: history(1) }, 4],
    ['the system text', { messages: history(-1), system: block('Brief', true) }, 3],
  ])('on %s reports the computed tokens of the marked part as created', async (_, fields, created) => {
    const usage = await usageOf(fields);
    const prompt = 'system' in fields ? 16 : 11;
    expect(usage).toMatchObject({ cache_creation_input_tokens: created, cache_read_input_tokens: 2 });
    expect(usage.input_tokens).toBe(prompt - 2 - created);
  });

  it('is reported by the first event of a stream too', async () => {
    running = await startTestApp({ script: (chat) => void chat.answer('Good') });
    const { text } = await ask('POST', '/v1/messages', { body: { ...hello, ...mark, stream: true } });
    const { message } = JSON.parse(parseEvents(text)[0]!.data);
    expect(message.usage).toMatchObject({
      input_tokens: 0,
      cache_creation_input_tokens: 3,
      cache_read_input_tokens: 2,
    });
  });
});
