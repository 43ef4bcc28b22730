/** Vercel's AI SDK with its providers for OpenAI and Anthropic, unmodified, over real TLS: each API of the server in a loop of tools. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, type LanguageModel, Output, stepCountIs, streamText, tool } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeChat } from '../support/runtime/fake-engine.ts';
import { modelId, startTestApp, type TestApp } from '../support/server/test-app.ts';

let running: TestApp;
let models: Readonly<Record<string, LanguageModel>>;

beforeAll(async () => {
  running = await startTestApp({ script: (chat) => void answer(chat) });
  const baseURL = await running.listen();
  setDefaultCACertificates([...getCACertificates('bundled'), running.identity.certificate]);
  const apiKey = running.secret;
  const openai = createOpenAI({ baseURL: baseURL.replace('/v1', '/openai/v1'), apiKey });
  models = {
    responses: openai.responses(modelId),
    chat: openai.chat(modelId),
    completion: openai.completion(modelId),
    messages: createAnthropic({ baseURL, apiKey })(modelId),
  };
});
afterAll(() => running.close());

/** Calls a tool that it is asked to use, once; gives JSON where a schema wants it; otherwise says good day. */
function answer(chat: FakeChat): unknown {
  const { prompt } = chat;
  if (!('messages' in prompt)) return chat.answer('Good', ' day');
  const last = prompt.messages.at(-1)!;
  const [offered] = prompt.tools;
  if (last.role === 'tool') return chat.answer('It is ', last.content);
  if (offered !== undefined && prompt.toolChoice !== 'none') {
    const call = { index: 0, id: 'call_1', name: offered.function.name, arguments: '{"city":' };
    return chat
      .start()
      .delta({ reasoning: 'I look.' })
      .text('Let me see. ')
      .delta({ toolCalls: [call] })
      .delta({ toolCalls: [{ index: 0, arguments: '"Bern"}' }] })
      .finish('tool_calls');
  }
  return prompt.jsonSchema === undefined ? chat.answer('Good', ' day') : chat.answer('{"city":', '"Bern"}');
}

const city = jsonSchema<{ city: string }>({
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
});
const tools = {
  get_weather: tool({
    description: 'The weather of a city.',
    inputSchema: city,
    execute: async (input) => `sunny in ${input.city}`,
  }),
};
// Nothing is stored: without this, the provider refers to items of the first answer by their ids.
const providerOptions = { openai: { store: false } };
const asking = { prompt: 'The weather?', tools, stopWhen: stepCountIs(3), providerOptions, maxOutputTokens: 100 };

describe.each(['responses', 'chat', 'completion', 'messages'])('the AI SDK over %s', (api) => {
  const model = () => models[api]!;

  it('gets an answer with its usage', async () => {
    const { text, usage, finishReason } = await generateText({ model: model(), prompt: 'Hello', maxOutputTokens: 100 });
    expect([text, usage.totalTokens, finishReason]).toEqual(['Good day', 7, 'stop']);
  });

  it('gets a stream', async () => {
    const result = streamText({ model: model(), prompt: 'Hello', maxOutputTokens: 100 });
    let text = '';
    for await (const part of result.textStream) text += part;
    expect([text, (await result.usage).outputTokens]).toEqual(['Good day', 2]);
  });
});

describe.each(['responses', 'chat', 'messages'])('the AI SDK with tools over %s', (api) => {
  const model = () => models[api]!;

  it('runs a tool and sends its result', async () => {
    const { text, steps } = await generateText({ model: model(), ...asking });
    expect(text).toBe('It is sunny in Bern');
    expect(steps.map(({ toolCalls }) => toolCalls.map(({ input }) => input))).toEqual([[{ city: 'Bern' }], []]);
  });

  it('runs a tool in a stream', async () => {
    const result = streamText({ model: model(), ...asking });
    let text = '';
    for await (const part of result.textStream) text += part;
    expect(text).toBe('Let me see. It is sunny in Bern');
    expect(await result.steps).toHaveLength(2);
  });

  it('gets an object that matches a schema', async () => {
    const wanted = { prompt: 'Where?', output: Output.object({ schema: city }), maxOutputTokens: 100 };
    expect((await generateText({ model: model(), ...wanted })).output).toEqual({ city: 'Bern' });
  });
});

describe('the AI SDK over messages', () => {
  it('gets the thinking and sends it back', async () => {
    const { steps } = await generateText({ model: models.messages!, ...asking });
    expect(steps[0]!.reasoningText).toBe('I look.');
    const { prompt } = running.engine.chats.at(-1)!;
    expect(prompt).toMatchObject({ messages: [{}, { role: 'assistant', reasoning_content: 'I look.' }, {}] });
  });
});

describe('the AI SDK over responses', () => {
  it('is told to send items instead of references to stored ones', async () => {
    const stored = { ...asking, model: models.responses!, providerOptions: {} };
    await expect(generateText(stored)).rejects.toThrow('names a stored item, and nothing is stored here');
  });
});
