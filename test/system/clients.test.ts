/** Common clients, unmodified, against the real server with the demo model. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../support/server/server.ts';

const demoModelId = 'cloister-demo-TEE';
const hello = [{ role: 'user' as const, content: 'Hello! Who are you?' }];
let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

describe('the openai client', () => {
  const client = () => new OpenAI({ baseURL: server.listening.baseUrl, apiKey: server.listening.apiKey });

  it('gets a coherent answer that stops by itself', async () => {
    const answer = await client().chat.completions.create({ model: demoModelId, messages: hello, temperature: 0 });
    expect(answer.choices[0]?.message.content).toMatch(/cloister/i);
    expect(answer.choices[0]?.finish_reason).toBe('stop');
    expect(answer.usage?.total_tokens).toBe(answer.usage!.prompt_tokens + answer.usage!.completion_tokens);
  });

  it('streams the same text, with usage on request', async () => {
    const whole = await client().chat.completions.create({ model: demoModelId, messages: hello, temperature: 0 });
    const stream = await client().chat.completions.create({
      model: demoModelId,
      messages: hello,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    let usage: OpenAI.CompletionUsage | null | undefined;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      usage = chunk.usage ?? usage;
    }
    expect(text).toBe(whole.choices[0]?.message.content);
    expect(usage?.completion_tokens).toBe(whole.usage?.completion_tokens);
  });

  it('continues the tokens of a chat with the answer of the chat', async () => {
    const chat = await client().chat.completions.create({ model: demoModelId, messages: hello, temperature: 0 });
    const response = await server.post('/tokenize', { model: demoModelId, messages: hello });
    const { tokens, count } = (await response.json()) as { tokens: number[]; count: number };
    expect(count).toBe(chat.usage?.prompt_tokens);
    const shown = await server.post('/detokenize', { model: demoModelId, tokens });
    const { prompt: text } = (await shown.json()) as { prompt: string };
    expect(text).toContain(hello[0]!.content);
    for (const prompt of [tokens, text]) {
      const sampling = { temperature: 0, max_tokens: 200 };
      const { choices } = await client().completions.create({ model: demoModelId, prompt, ...sampling });
      expect(choices[0]?.text).toBe(chat.choices[0]?.message.content);
      expect(choices[0]?.finish_reason).toBe('stop');
    }
  });

  it('gets the requested number of choices', async () => {
    const answer = await client().chat.completions.create({
      model: demoModelId,
      messages: [{ role: 'user', content: 'Tell me a story.' }],
      n: 4,
      temperature: 1.5,
      max_tokens: 12,
      seed: 5,
    });
    expect(answer.choices.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(new Set(answer.choices.map(({ message }) => message.content)).size).toBeGreaterThan(1);
  });

  it('gets JSON that matches its schema', async () => {
    const schema = {
      type: 'object',
      properties: { name: { type: 'string', maxLength: 20 }, age: { type: 'integer' } },
      required: ['name', 'age'],
      additionalProperties: false,
    };
    const answer = await client().chat.completions.create({
      model: demoModelId,
      messages: [{ role: 'user', content: 'Extract the name and age as JSON: Anna Berg is 42 years old.' }],
      response_format: { type: 'json_schema', json_schema: { name: 'person', schema, strict: true } },
      temperature: 0,
      max_tokens: 200,
    });
    const person = JSON.parse(answer.choices[0]!.message.content!);
    expect(Object.keys(person).sort()).toEqual(['age', 'name']);
    expect(Number.isInteger(person.age)).toBe(true);
  });

  it('gets a tool call with valid arguments when it requires one', async () => {
    const answer = await client().chat.completions.create({
      model: demoModelId,
      messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            description: 'Current weather of a city',
            parameters: { type: 'object', properties: { city: { type: 'string', maxLength: 30 } }, required: ['city'] },
          },
        },
      ],
      tool_choice: 'required',
      temperature: 0,
      max_tokens: 200,
    });
    const [choice] = answer.choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    const [call] = choice!.message.tool_calls as OpenAI.ChatCompletionMessageFunctionToolCall[];
    expect(call?.function.name).toBe('get_weather');
    expect(typeof JSON.parse(call!.function.arguments).city).toBe('string');
  });

  it('receives exact log probabilities', async () => {
    const answer = await client().chat.completions.create({
      model: demoModelId,
      messages: hello,
      logprobs: true,
      top_logprobs: 5,
      temperature: 0,
      max_tokens: 5,
    });
    for (const entry of answer.choices[0]!.logprobs!.content!) {
      expect(entry.top_logprobs).toHaveLength(5);
      expect(entry.logprob).toBeCloseTo(entry.top_logprobs[0]!.logprob, 5);
      const mass = entry.top_logprobs.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0);
      expect(mass).toBeGreaterThan(0);
      expect(mass).toBeLessThanOrEqual(1.0001);
    }
  });

  it('receives an error with the name of the invalid field', async () => {
    const wrong = client().chat.completions.create({ model: demoModelId, messages: hello, temperature: 3 });
    await expect(wrong).rejects.toMatchObject({ status: 400, message: expect.stringMatching(/temperature.*0.*2/) });
    const unknown = client().chat.completions.create({ model: 'gpt-9', messages: hello });
    await expect(unknown).rejects.toMatchObject({ status: 400, message: expect.stringContaining(demoModelId) });
    const stranger = new OpenAI({ baseURL: server.listening.baseUrl, apiKey: 'clst_wrong', maxRetries: 0 });
    await expect(stranger.models.list()).rejects.toMatchObject({ status: 401 });
  });

  it('lists the models', async () => {
    const { data } = await client().models.list();
    expect(data.map(({ id }) => id)).toEqual([
      demoModelId,
      'cloister-demo-embedding-TEE',
      'cloister-demo-reranker-TEE',
      'cloister-demo-image-TEE',
    ]);
    expect((await client().models.retrieve(demoModelId)).id).toBe(demoModelId);
  });
});

describe('the AI SDK', () => {
  const model = () =>
    createOpenAICompatible({
      name: 'cloister',
      baseURL: server.listening.baseUrl,
      apiKey: server.listening.apiKey,
    }).chatModel(demoModelId);

  it('gets text, whole and streamed', async () => {
    const { text, finishReason } = await generateText({ model: model(), messages: hello, temperature: 0 });
    expect(text).toMatch(/cloister/i);
    expect(finishReason).toBe('stop');
    let streamed = '';
    for await (const piece of streamText({ model: model(), messages: hello, temperature: 0 }).textStream)
      streamed += piece;
    expect(streamed).toBe(text);
  });
});
