/** The routes of `/v1` under `/openai/v1`, with errors in OpenAI's form. */

import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { RuntimeError } from '../../runtime/pool/errors.ts';
import { chatBody, modelId, parseEvents, startTestApp, type TestApp } from '../support/server/test-app.ts';

let server: TestApp;
afterEach(() => server.close());

async function post(path: string, body: object, key = server.secret) {
  const response = await server.app.inject({
    method: 'POST',
    url: path,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    json: isJson(response.headers) ? response.json() : undefined,
    text: response.body,
  };
}

const isJson = (headers: Readonly<Record<string, unknown>>) => String(headers['content-type']).includes('json');
const path = '/openai/v1/chat/completions';

describe('a request to /openai/v1', () => {
  it('gets the same answer as one to /v1', async () => {
    server = await startTestApp({ script: (chat) => void chat.answer('Hello') });
    const [ours, theirs] = [await post('/v1/chat/completions', chatBody()), await post(path, chatBody())];
    expect(theirs.status).toBe(200);
    expect({ ...theirs.json, id: '' }).toEqual({ ...ours.json, id: '' });
    const models = await server.app.inject({
      url: '/openai/v1/models',
      headers: { authorization: `Bearer ${server.secret}` },
    });
    expect(models.json().data[0].id).toBe(modelId);
  });

  it.each([
    [{ temperature: 3 }, 400, { type: 'invalid_request_error', param: 'temperature', code: 'ERR_REQUEST_INVALID' }],
    [{ model: 'none' }, 404, { type: 'invalid_request_error', param: null, code: 'model_not_found' }],
  ])('with %j is answered %i with the error %j', async (fields, status, error) => {
    server = await startTestApp();
    const reply = await post(path, { ...chatBody(), ...fields });
    expect(reply.status).toBe(status);
    expect(reply.json).toMatchObject({
      error: { ...error, message: expect.any(String) },
      details: { status, endpoint: '/v1/chat/completions' },
    });
  });

  it('is not needed if the operator sets that form for /v1; ACI keeps its own', async () => {
    server = await startTestApp({ overrides: { openAiErrors: true } });
    const body = { ...chatBody(), temperature: 3 };
    const reply = await post('/v1/chat/completions', body);
    expect(reply.status).toBe(400);
    expect(reply.json.error).toMatchObject({ param: 'temperature', code: 'ERR_REQUEST_INVALID' });
    expect((await post('/v1/chat/completions', { ...body, model: 'none', temperature: 1 })).status).toBe(404);
    expect((await post('/v1/messages', { model: 'none' })).json).toMatchObject({ type: 'error' });
    expect((await post('/v1/aci/none', {})).json.error).not.toHaveProperty('param');
  });

  it('without a valid key is an authentication error', async () => {
    server = await startTestApp();
    const reply = await post(path, chatBody(), 'sk-none');
    expect(reply.status).toBe(401);
    expect(reply.json.error).toMatchObject({ type: 'authentication_error', code: 'invalid_api_key' });
  });

  it('beyond the context says so with OpenAI’s code', async () => {
    server = await startTestApp({
      script: (chat) => chat.fail(new RuntimeError('ERR_CONTEXT_OVERFLOW', 'the prompt is too long')),
    });
    expect((await post(path, chatBody())).json.error).toMatchObject({
      code: 'context_length_exceeded',
      message: expect.stringContaining('maximum context length'),
    });
  });

  it('of an account without money is 429 and not to be retried', async () => {
    server = await startTestApp();
    const { key } = await emptyAccount(server);
    const reply = await post(path, chatBody(), key);
    expect(reply.status).toBe(429);
    expect(reply.headers['x-should-retry']).toBe('false');
    expect(reply.json.error).toMatchObject({ type: 'insufficient_quota', code: 'insufficient_quota' });
  });

  it('that fails in a stream ends with the error as an event', async () => {
    server = await startTestApp({
      script: (chat) => chat.start().text('par').fail(new RuntimeError('ERR_ENGINE_LOST', 'the engine stopped')),
    });
    const { text } = await post(path, { ...chatBody(), stream: true });
    const last = JSON.parse(parseEvents(text).at(-1)!.data ?? '');
    expect(last.error).toMatchObject({ type: 'server_error', code: 'ERR_ENGINE_LOST' });
  });

  it('leaves errors of /v1 and of unknown paths below the prefix unchanged', async () => {
    server = await startTestApp();
    expect((await post('/v1/chat/completions', { ...chatBody(), model: 'none' })).json.error).toEqual(
      expect.any(String),
    );
    expect((await post('/openai/else', {})).status).toBe(404);
  });

  it('gives the openai client its typed errors', async () => {
    server = await startTestApp();
    const client = new OpenAI({
      apiKey: server.secret,
      baseURL: 'https://example.com/openai/v1',
      maxRetries: 0,
      fetch: async (url, init) => {
        const { pathname } = new URL(String(url));
        const headers = Object.fromEntries(new Headers(init?.headers as Record<string, string>));
        const reply = await server.app.inject({ method: 'POST', url: pathname, headers, payload: String(init?.body) });
        return new Response(reply.body, { status: reply.statusCode, headers: { 'content-type': 'application/json' } });
      },
    });
    const asked = client.chat.completions.create({ model: 'none', messages: [{ role: 'user', content: 'Hi' }] });
    await expect(asked).rejects.toMatchObject({ status: 404, code: 'model_not_found', type: 'invalid_request_error' });
  });
});

async function emptyAccount({ accounts }: TestApp): Promise<{ key: string }> {
  await accounts.createAccount({ name: 'poor', plan: 'developer', now: Date.now() });
  const { secret } = await accounts.createKey({ account: 'poor', name: 'k', now: Date.now() });
  return { key: secret };
}
