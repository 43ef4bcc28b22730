import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newKey } from '../../accounts/keys/keys.ts';
import { chatBody, startTestApp, type TestApp } from '../support/server/test-app.ts';

let running: TestApp;

beforeEach(async () => {
  running = await startTestApp({ script: (chat) => void chat.answer('yes') });
});
afterEach(() => running.close());

async function get(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'OPTIONS' = 'GET') {
  return running.app.inject({ method, url, headers });
}

describe('authentication by API key (I-056…I-058)', () => {
  it('accepts the key as Bearer token, as X-Service-Key, or as both', async () => {
    const bearer = { authorization: `Bearer ${running.secret}` };
    const own = { 'x-service-key': running.secret };
    for (const headers of [bearer, own, { ...bearer, ...own }, { authorization: `bearer  ${running.secret} ` }]) {
      expect((await get('/v1/models', headers)).statusCode).toBe(200);
    }
  });

  it.each([
    ['none', {}, 'ERR_KEY_MISSING'],
    ['another scheme', { authorization: 'Basic abc' }, 'ERR_KEY_MISSING'],
    ['no token', { authorization: 'Bearer' }, 'ERR_KEY_MISSING'],
    ['nonsense', { 'x-service-key': 'nonsense' }, 'ERR_KEY_INVALID'],
    ['an unknown key', { 'x-service-key': newKey() }, 'ERR_KEY_INVALID'],
    ['two keys in one header', { 'x-service-key': `${newKey()}, ${newKey()}` }, 'ERR_KEY_INVALID'],
    ['two different keys', { 'x-service-key': newKey(), authorization: `Bearer ${newKey()}` }, 'ERR_KEY_AMBIGUOUS'],
  ])('answers %s with 401', async (_, headers, code) => {
    const response = await get('/v1/models', headers as Record<string, string>);
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer realm="cloister"');
    expect(response.json()).toMatchObject({ error: expect.any(String), details: { status: 401, code } });
  });

  it('refuses a request that carries one valid and one invalid key', async () => {
    const headers = { 'x-service-key': newKey(), authorization: `Bearer ${running.secret}` };
    expect((await get('/v1/models', headers)).json().details.code).toBe('ERR_KEY_AMBIGUOUS');
  });

  it('refuses a revoked key at the next request', async () => {
    const [key] = await running.accounts.listKeys({});
    expect((await running.post(chatBody())).status).toBe(200);
    await running.accounts.revokeKey(key!.id, { now: 1 });
    expect((await running.post(chatBody())).status).toBe(401);
  });

  it('checks the key before it reads the body', async () => {
    const { status } = await running.post('x'.repeat(9_000_000), { authorization: 'Bearer nobody' });
    expect(status).toBe(401);
  });

  it('requires a key for unknown paths below /v1', async () => {
    expect((await get('/v1/nothing')).statusCode).toBe(401);
  });
});

describe('paths and methods', () => {
  const key = () => ({ authorization: `Bearer ${running.secret}` });

  it('answers an unknown path with 404 and the error body of the contract (I-067)', async () => {
    for (const url of ['/v1/nothing', '/nothing', '/v1', '/v2/models']) {
      const response = await get(url, key());
      expect(response.statusCode).toBe(404);
      expect(response.json()).toMatchObject({ error: expect.any(String), details: { code: 'ERR_ROUTE_UNKNOWN' } });
    }
  });

  it('answers a known path with an unsupported method with 405 and Allow', async () => {
    const chat = await get('/v1/chat/completions', key());
    expect([chat.statusCode, chat.headers.allow]).toEqual([405, 'POST']);
    const models = await running.app.inject({ method: 'DELETE', url: '/v1/models/x', headers: key() });
    expect([models.statusCode, models.headers.allow]).toEqual([405, 'GET, HEAD']);
    const health = await running.app.inject({ method: 'POST', url: '/health/live' });
    expect([health.statusCode, health.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('answers OPTIONS with the methods and without CORS headers (I-064)', async () => {
    const response = await get('/v1/chat/completions', { ...key(), origin: 'https://evil.example' }, 'OPTIONS');
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'POST']);
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('answers HEAD like GET, without a body', async () => {
    const response = await get('/v1/models', key(), 'HEAD');
    expect([response.statusCode, response.body]).toEqual([200, '']);
  });

  it('sets its own request id on every response and ignores the caller’s', async () => {
    const first = await get('/v1/models', { ...key(), 'x-request-id': 'mine', 'request-id': 'mine' });
    const second = await get('/v1/models', key());
    expect(first.headers['x-request-id']).toMatch(/^[\w-]{16}$/);
    expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id']);
  });
});

describe('/v1/models', () => {
  it('lists models in OpenAI’s format with additional model properties', async () => {
    const headers = { authorization: `Bearer ${running.secret}` };
    const model = {
      id: 'fake-TEE',
      object: 'model',
      created: 1_700_000_000,
      owned_by: 'cloister',
      status: 'ready',
      requests_running: 0,
      requests_waiting: 0,
      pricing: { prompt: 1, completion: 2 },
      description: 'Fake 0.0B',
      architecture: 'fake',
      context_length: 4096,
      capabilities: { streaming: true, tools: true, reasoning: true, infill: true, vision: false },
      name: 'fake-TEE',
      mode: 'chat',
      input_cost_per_token: 0.000001,
      output_cost_per_token: 0.000002,
      input_modalities: ['text'],
      output_modalities: ['text'],
      max_input_tokens: 4096,
      max_output_tokens: 4096,
      top_provider: { context_length: 4096, max_completion_tokens: 4096, is_moderated: false },
      supported_parameters: expect.arrayContaining(['temperature', 'tools', 'reasoning_effort']),
    };
    expect((await get('/v1/models', headers)).json()).toEqual({ object: 'list', data: [model] });
    expect((await get('/v1/models/fake-TEE', headers)).json()).toEqual(model);
    const unknown = await get('/v1/models/other', headers);
    expect([unknown.statusCode, unknown.json().error]).toEqual([
      404,
      'the plan Operator has no model with this id; its models are: fake-TEE',
    ]);
  });
});

describe('/health', () => {
  it('is live immediately and ready when the model is ready', async () => {
    running.engine.state = { kind: 'loading', fraction: 0.5 };
    expect((await get('/health/live')).statusCode).toBe(200);
    const loading = await get('/health/ready');
    expect([loading.statusCode, loading.headers['retry-after']]).toEqual([503, '30']);
    const chat = await running.post(chatBody());
    expect([chat.status, chat.headers['retry-after']]).toEqual([503, '30']);
    expect((await get('/v1/models', { 'x-service-key': running.secret })).json().data[0]).toMatchObject({
      status: 'loading',
    });
  });

  it('is not ready when the model failed or the server is stopping', async () => {
    expect((await get('/health/ready')).statusCode).toBe(200);
    running.engine.state = { kind: 'failed', message: 'inner words' };
    const failed = await get('/health/ready');
    expect(failed.statusCode).toBe(503);
    expect(failed.body).not.toContain('inner words');
    running.engine.state = { kind: 'draining' };
    const draining = await get('/health/ready');
    expect([draining.statusCode, draining.headers.connection]).toEqual([503, 'close']);
  });
});
