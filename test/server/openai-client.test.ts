/** The official clients, unmodified, over real TLS. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText } from 'ai';
import OpenAI, { APIError, BadRequestError } from 'openai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RuntimeError } from '../../runtime/pool/errors.ts';
import type { FakeEngineOptions } from '../support/runtime/fake-engine.ts';
import { modelId, startTestApp, type TestApp } from '../support/server/test-app.ts';

const messages = [{ role: 'user' as const, content: 'Hello' }];

let running: TestApp | undefined;

/** Trusts the certificate of this run, as `curl --cacert` does. */
async function connect(options: FakeEngineOptions) {
  running = await startTestApp(options);
  const baseURL = await running.listen();
  setDefaultCACertificates([...getCACertificates('bundled'), running.identity.certificate]);
  const apiKey = running.secret;
  return {
    engine: running.engine,
    openai: new OpenAI({ baseURL, apiKey, maxRetries: 0 }),
    sdk: createOpenAICompatible({ name: 'cloister', baseURL, apiKey, includeUsage: true })(modelId),
  };
}

afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe('the openai client (I-001)', () => {
  it('gets an answer', async () => {
    const { openai } = await connect({ script: (chat) => void chat.answer('Good', ' day') });
    const answer = await openai.chat.completions.create({ model: modelId, messages });
    expect(answer.choices[0]?.message.content).toBe('Good day');
    expect(answer.usage?.total_tokens).toBe(7);
  });

  it('gets a stream, which its helper assembles', async () => {
    const { openai } = await connect({ script: (chat) => void chat.answer('Grüß', ' Gott', ' 👋') });
    const stream = openai.chat.completions.stream({
      model: modelId,
      messages,
      stream_options: { include_usage: true },
    });
    const { choices, usage } = await stream.finalChatCompletion();
    expect(choices[0]?.message.content).toBe('Grüß Gott 👋');
    expect(choices[0]?.finish_reason).toBe('stop');
    expect(usage?.completion_tokens).toBe(3);
  });

  it('gets tool calls from a stream', async () => {
    const { openai } = await connect({
      script: (chat) =>
        void chat
          .start()
          .delta({ toolCalls: [{ index: 0, id: 'call_1', name: 'add', arguments: '{"a":' }] })
          .delta({ toolCalls: [{ index: 0, arguments: '1}' }] })
          .finish('tool_calls'),
    });
    const tools = [{ type: 'function' as const, function: { name: 'add', parameters: { type: 'object' } } }];
    const stream = openai.chat.completions.stream({ model: modelId, messages, tools });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: 'add', arguments: '{"a":1}' } });
  });

  it('gets completions of prompts, whole and as a stream', async () => {
    const { openai } = await connect({ script: (chat) => void chat.answer('Good', ' day') });
    const body = { model: modelId, prompt: ['One', 'Two'], echo: true };
    const { choices, usage } = await openai.completions.create(body);
    expect(choices.map(({ text }) => text)).toEqual(['OneGood day', 'TwoGood day']);
    expect(usage?.total_tokens).toBe(14);
    const stream = await openai.completions.create({ model: modelId, prompt: [1, 2], stream: true });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.text ?? '';
    expect(text).toBe('Good day');
  });

  it('gets a response', async () => {
    const { openai } = await connect({ script: (chat) => void chat.answer('Good', ' day') });
    const response = await openai.responses.create({ model: modelId, input: 'Hello' });
    expect(response.output_text).toBe('Good day');
    expect(response.usage?.total_tokens).toBe(7);
  });

  it('gets the events of a response with reasoning and a call, which its helper assembles', async () => {
    const { openai } = await connect({
      script: (chat) =>
        void chat
          .start()
          .delta({ reasoning: 'I add.' })
          .text('Let me')
          .text(' see.')
          .delta({ toolCalls: [{ index: 0, id: 'c', name: 'add', arguments: '{"a":' }] })
          .delta({ toolCalls: [{ index: 0, arguments: '1}' }] })
          .finish('tool_calls'),
    });
    const tools = [{ type: 'function' as const, name: 'add', parameters: { type: 'object' }, strict: true }];
    const stream = openai.responses.stream({ model: modelId, input: 'Hello', tools });
    const { output, output_text: text } = await stream.finalResponse();
    expect(text).toBe('Let me see.');
    expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
    expect(output[2]).toMatchObject({ call_id: 'c', name: 'add', arguments: '{"a":1}' });
  });

  it('throws an API error with its status and our message', async () => {
    const { openai } = await connect({});
    const refused = openai.chat.completions.create({ model: modelId, messages, temperature: 3 });
    await expect(refused).rejects.toBeInstanceOf(BadRequestError);
    await expect(refused).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('`temperature` must be a number from 0 to 2, got 3'),
      requestID: expect.any(String),
    });
  });

  it('throws an error that arrives mid-stream (I-029)', async () => {
    const { openai } = await connect({
      script: (chat) => chat.start().text('Par').fail(new RuntimeError('ERR_ENGINE_LOST', 'the engine stopped')),
    });
    const stream = await openai.chat.completions.create({ model: modelId, messages, stream: true });
    let text = '';
    const reading = (async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    })();
    await expect(reading).rejects.toThrow(APIError);
    await expect(reading).rejects.toThrow('the engine stopped');
    expect(text).toBe('Par');
  });

  it('cancels generation by closing a stream (I-029)', async () => {
    const { openai, engine } = await connect({ script: (chat) => void chat.start().text('one') });
    const stream = await openai.chat.completions.create({ model: modelId, messages, stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    const chat = await engine.nextChat();
    await chat.cancelled;
    expect(chat.isOver).toBe(true);
    await vi.waitFor(() => expect(running?.log()).toContain('"status":499'));
  });

  it('cancels generation by aborting a non-streamed request', async () => {
    const { openai, engine } = await connect({});
    const giveUp = new AbortController();
    const answer = openai.chat.completions.create({ model: modelId, messages }, { signal: giveUp.signal });
    const chat = await engine.nextChat();
    giveUp.abort();
    await expect(answer).rejects.toThrow('aborted');
    await chat.cancelled;
  });

  it('lists the models', async () => {
    const { openai } = await connect({});
    const { data } = await openai.models.list();
    expect(data.map(({ id }) => id)).toEqual([modelId]);
    expect(await openai.models.retrieve(modelId)).toMatchObject({ id: modelId, object: 'model' });
  });
});

describe('the AI SDK', () => {
  it('gets an answer', async () => {
    const { sdk } = await connect({ script: (chat) => void chat.answer('Good', ' day') });
    const { text, usage, finishReason } = await generateText({ model: sdk, prompt: 'Hello' });
    expect([text, usage.totalTokens, finishReason]).toEqual(['Good day', 7, 'stop']);
  });

  it('gets a stream with reasoning', async () => {
    const { sdk } = await connect({
      script: (chat) => void chat.start().delta({ reasoning: 'Hm.' }).text('Good').text(' day').finish(),
    });
    const result = streamText({ model: sdk, prompt: 'Hello' });
    let text = '';
    for await (const part of result.textStream) text += part;
    expect(text).toBe('Good day');
    expect(await result.reasoningText).toBe('Hm.');
    expect((await result.usage).outputTokens).toBe(3);
  });

  it('receives an error that arrives mid-stream', async () => {
    const { sdk } = await connect({
      script: (chat) => chat.start().text('Par').fail(new RuntimeError('ERR_ENGINE_LOST', 'the engine stopped')),
    });
    const errors: unknown[] = [];
    const result = streamText({ model: sdk, prompt: 'Hello', onError: ({ error }) => void errors.push(error) });
    await result.consumeStream();
    expect(errors).toHaveLength(1);
  });
});
