/** What the confidential surface rejects: oversized requests, and requests without an enclave or before the model is loaded. */
import { afterEach, describe, expect, it } from 'vitest';
import { inlineTools, testAgent, testSurface } from '../../../support/agents/test-agent.ts';
import { type ConfidentialApp, messages, startConfidentialApp } from '../../../support/server/confidential-app.ts';
import { modelId, startTestApp, type TestApp } from '../../../support/server/test-app.ts';

let running: ConfidentialApp | TestApp | undefined;

async function start(...options: Parameters<typeof startConfidentialApp>): Promise<ConfidentialApp> {
  const app = await startConfidentialApp(...options);
  running = app;
  return app;
}

afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe('the limits of the confidential routes', () => {
  const user = (content: unknown) => ({ role: 'user', content });

  it.each([
    ['101 messages', { messages: Array.from({ length: 101 }, () => user('a')) }, 'messages'],
    ['200,001 characters', { messages: [user('a'.repeat(100_000)), user('b'.repeat(100_001))] }, '200000 characters'],
    ['200,001 characters in parts', { messages: [user([{ type: 'text', text: 'a'.repeat(200_001) }])] }, 'characters'],
    ['a temperature above 1', { messages, temperature: 1.01 }, 'temperature'],
    ['an unknown model', { messages, model: 'parcel' }, 'parcel-clerk, fake-TEE'],
  ])('reject %s', async (_what, fields, named) => {
    const { ask, engine } = await start();
    const { status, json } = await ask(fields);
    expect([status, json().error]).toEqual([400, expect.stringContaining(named)]);
    expect(engine.chats).toEqual([]);
  });

  it.each([
    ['100 messages', { messages: Array.from({ length: 100 }, () => user('a')) }],
    [
      '200,000 characters',
      { messages: [user('a'.repeat(199_000)), user([{ type: 'text', text: '👋'.repeat(1000) }])] },
    ],
    ['a temperature of 1', { messages, temperature: 1 }],
    ['a temperature of 0', { messages, temperature: 0 }],
  ])('accept %s', async (_what, fields) => {
    const { ask } = await start({ script: (chat) => void chat.answer('yes') });
    expect((await ask(fields)).status).toBe(200);
  });
});

describe('without an attested enclave', () => {
  const body = JSON.stringify({ model: testAgent.slug, messages });
  const ask = (app: TestApp) =>
    app.app.inject({
      method: 'POST',
      url: '/v1/confidential/chat/completions',
      headers: { authorization: `Bearer ${app.secret}`, 'content-type': 'application/json' },
      payload: body,
    });

  it('requests to every model are rejected', async () => {
    const tools = inlineTools();
    running = await startTestApp({ overrides: { confidential: testSurface(tools) } });
    const { statusCode, headers, json } = await ask(running as TestApp).then((r) => ({
      ...r,
      statusCode: r.statusCode,
      headers: r.headers,
      json: r.json(),
    }));
    expect([statusCode, headers['retry-after'], json.details.code]).toEqual([503, '30', 'ERR_NOT_ATTESTED']);
    expect(headers['x-agent']).toBeUndefined();
    expect((running as TestApp).engine.chats).toEqual([]);
    expect(tools.tasks).toEqual([]);
  });

  it('a missing key is rejected first', async () => {
    running = await startTestApp({ overrides: { confidential: testSurface() } });
    const { statusCode } = await running.app.inject({ method: 'POST', url: '/v1/confidential/chat/completions' });
    expect(statusCode).toBe(401);
  });
});

describe('while the model loads', () => {
  it.each([testAgent.slug, modelId])('%s is rejected before any tool runs', async (model) => {
    const tools = inlineTools();
    const { ask } = await start({ tools, state: { kind: 'loading', fraction: 0.5 } });
    const { status, headers, json } = await ask({ model, messages });
    expect([status, headers['retry-after'], json().details.code]).toEqual([503, '30', 'ERR_NOT_READY']);
    expect(tools.tasks).toEqual([]);
  });
});
