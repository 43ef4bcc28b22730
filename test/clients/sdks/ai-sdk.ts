/** Vercel's AI SDK with its providers for OpenAI, Anthropic and compatible servers. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embedMany, generateText, jsonSchema, type LanguageModel, Output, stepCountIs, streamText, tool } from 'ai';
import { expect } from 'vitest';
import type { Check } from '../client.ts';
import {
  citySchema,
  hello,
  models,
  noteWeather,
  type Place,
  sunny,
  type TestedClient,
  tooLong,
  weatherQuestion,
} from '../client.ts';
import { runExample } from './example.ts';

type Connect = (place: Place, model: string) => LanguageModel;

const city = jsonSchema<{ city: string }>(citySchema);
// The server stores nothing: without this, the provider refers to items of the first answer by their ids.
const providerOptions = { openai: { store: false } };
const common = { providerOptions, maxOutputTokens: 200, maxRetries: 0 };

function checks(connect: Connect): readonly Check[] {
  return [
    {
      proves: ['text'],
      title: 'gets an answer with its usage',
      async run(place) {
        const answer = await generateText({
          ...common,
          model: connect(place, models.chat),
          prompt: hello,
          temperature: 0,
        });
        expect(answer.text).toMatch(/cloister/i);
        expect(answer.finishReason).toBe('stop');
        expect(answer.usage.outputTokens).toBeGreaterThan(0);
      },
    },
    {
      proves: ['stream'],
      title: 'streams the whole answer',
      async run(place) {
        const request = { ...common, model: connect(place, models.chat), prompt: hello, temperature: 0 };
        let streamed = '';
        for await (const piece of streamText(request).textStream) streamed += piece;
        expect(streamed).toBe((await generateText(request)).text);
      },
    },
    {
      proves: ['tools'],
      title: 'runs a tool and sends its result, whole and in a stream',
      async run(place) {
        const inputs: unknown[] = [];
        const execute = (input: unknown) => noteWeather(inputs, input);
        const tools = { get_weather: tool({ description: 'The weather of a city.', inputSchema: city, execute }) };
        const model = connect(place, models.scripted);
        const request = { ...common, model, prompt: weatherQuestion, tools, stopWhen: stepCountIs(3) };
        expect((await generateText(request)).text).toBe(sunny);
        const streamed = streamText(request);
        await streamed.consumeStream();
        expect(await streamed.text).toBe(sunny);
        expect(inputs).toEqual([{ city: 'Bern' }, { city: 'Bern' }]);
      },
    },
    {
      proves: ['typed'],
      title: 'gets an object that matches a schema',
      async run(place) {
        const wanted = { prompt: weatherQuestion, output: Output.object({ schema: city }) };
        const { output } = await generateText({
          ...common,
          ...wanted,
          model: connect(place, models.chat),
          temperature: 0,
        });
        expect(output).toEqual({ city: expect.any(String) });
      },
    },
    {
      proves: ['errors'],
      title: 'throws errors with a status for an unknown model, a prompt that is too long and a wrong key',
      async run(place) {
        const ask = (model: LanguageModel, prompt = hello) => generateText({ ...common, model, prompt });
        await expect(ask(connect(place, 'gpt-9'))).rejects.toMatchObject({ statusCode: 404 });
        const long = ask(connect(place, models.chat), tooLong);
        await expect(long).rejects.toMatchObject({ statusCode: 400, message: expect.stringMatching(/token/) });
        const stranger = connect({ ...place, apiKey: 'clst_wrong' }, models.chat);
        await expect(ask(stranger)).rejects.toMatchObject({ statusCode: 401 });
      },
    },
  ];
}

const openai = ({ openAiUrl, apiKey }: Place) => createOpenAI({ baseURL: openAiUrl, apiKey });
const compatible = ({ openAiUrl: baseURL, apiKey }: Place) =>
  createOpenAICompatible({ name: 'cloister', baseURL, apiKey, includeUsage: true, supportsStructuredOutputs: true });

export const aiSdkClients: readonly TestedClient[] = [
  {
    name: 'AI SDK, compatible servers',
    package: '@ai-sdk/openai-compatible',
    checks: checks((place, model) => compatible(place).chatModel(model)),
  },
  {
    name: 'AI SDK, OpenAI: responses',
    package: '@ai-sdk/openai',
    checks: [
      ...checks((place, model) => openai(place).responses(model)),
      {
        proves: ['embeddings'],
        title: 'gets embeddings',
        async run(place) {
          const model = openai(place).embedding(models.embedding);
          const { embeddings } = await embedMany({ model, values: ['a', 'b'], maxRetries: 0 });
          expect(embeddings.map(({ length }) => length)).toEqual([256, 256]);
        },
      },
      {
        proves: ['text', 'stream', 'tools'],
        title: 'runs examples/10-ai-sdk.ts',
        async run(place) {
          expect(await runExample('10-ai-sdk.ts', place, { MODEL: models.scripted })).toContain(sunny);
        },
      },
    ],
  },
  {
    name: 'AI SDK, OpenAI: chat',
    package: '@ai-sdk/openai',
    checks: checks((place, model) => openai(place).chat(model)),
  },
  {
    name: 'AI SDK, Anthropic',
    package: '@ai-sdk/anthropic',
    checks: checks(({ origin, apiKey }, model) => createAnthropic({ baseURL: `${origin}/v1`, apiKey })(model)),
  },
];
