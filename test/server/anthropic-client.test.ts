/** Anthropic's official client, unmodified, over real TLS. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import Anthropic, { AuthenticationError, BadRequestError, NotFoundError } from '@anthropic-ai/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { RuntimeError } from '../../runtime/pool/errors.ts';
import type { FakeEngineOptions } from '../support/runtime/fake-engine.ts';
import { modelId, startTestApp, type TestApp } from '../support/server/test-app.ts';

const messages = [{ role: 'user' as const, content: 'Hello' }];
const request = { model: modelId, max_tokens: 100, messages };

let running: TestApp | undefined;

async function connect(options: FakeEngineOptions) {
  running = await startTestApp(options);
  const { origin } = new URL(await running.listen());
  setDefaultCACertificates([...getCACertificates('bundled'), running.identity.certificate]);
  return { baseURL: origin, client: new Anthropic({ baseURL: origin, apiKey: running.secret, maxRetries: 0 }) };
}

afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe('the client of Anthropic', () => {
  it('gets an answer', async () => {
    const { client } = await connect({ script: (chat) => void chat.answer('Good', ' day') });
    const answer = await client.messages.create(request);
    expect(answer.content).toEqual([{ type: 'text', text: 'Good day' }]);
    expect(answer._request_id).toEqual(expect.any(String));
  });

  it('gets a stream with thinking and a tool call, which its helper assembles', async () => {
    const { client } = await connect({
      script: (chat) =>
        void chat
          .start()
          .delta({ reasoning: 'I add.' })
          .text('Grüß 👋')
          .delta({ toolCalls: [{ index: 0, id: 'c', name: 'add', arguments: '{"a":' }] })
          .delta({ toolCalls: [{ index: 0, arguments: '1}' }] })
          .finish('tool_calls'),
    });
    const tools = [{ name: 'add', input_schema: { type: 'object' as const } }];
    const stream = client.messages.stream({ ...request, tools });
    const { content, stop_reason: reason, usage } = await stream.finalMessage();
    expect(content).toMatchObject([
      { type: 'thinking', thinking: 'I add.' },
      { type: 'text', text: 'Grüß 👋' },
      { type: 'tool_use', id: 'c', name: 'add', input: { a: 1 } },
    ]);
    expect(reason).toBe('tool_use');
    expect(usage).toMatchObject({ input_tokens: 3, cache_read_input_tokens: 2, output_tokens: 4 });
  });

  it('counts tokens', async () => {
    const { client } = await connect({});
    expect(await client.messages.countTokens({ model: modelId, messages })).toEqual({ input_tokens: 5 });
  });

  it('lists models, and reads one', async () => {
    const { client } = await connect({});
    const ids: string[] = [];
    for await (const { id, type } of client.models.list()) ids.push(`${type} ${id}`);
    expect(ids).toEqual([`model ${modelId}`]);
    expect(await client.models.retrieve(modelId)).toMatchObject({ id: modelId, display_name: modelId });
    await expect(client.models.retrieve('other')).rejects.toBeInstanceOf(NotFoundError);
  });

  it('accepts an auth token in place of the key', async () => {
    const { baseURL } = await connect({ script: (chat) => void chat.answer('a') });
    const client = new Anthropic({ baseURL, apiKey: null, authToken: running!.secret, maxRetries: 0 });
    expect((await client.messages.create(request)).role).toBe('assistant');
  });

  it('throws its own errors', async () => {
    const { client, baseURL } = await connect({});
    await expect(client.messages.create({ ...request, max_tokens: 0 })).rejects.toBeInstanceOf(BadRequestError);
    await expect(client.messages.create({ ...request, model: 'other' })).rejects.toBeInstanceOf(NotFoundError);
    const stranger = new Anthropic({ baseURL, apiKey: 'clst_wrong', maxRetries: 0 });
    await expect(stranger.messages.create(request)).rejects.toBeInstanceOf(AuthenticationError);
  });

  it('throws an error that arrives in mid-stream', async () => {
    const { client } = await connect({
      script: (chat) => {
        chat.start().text('a');
        chat.fail(new RuntimeError('ERR_ENGINE_LOST', 'the engine stopped'));
      },
    });
    await expect(client.messages.stream(request).finalMessage()).rejects.toThrow('the engine stopped');
  });
});
