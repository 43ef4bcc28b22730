/** OpenAI's client for JavaScript: chat, responses, completions, embeddings and images. */
import OpenAI, { AuthenticationError, BadRequestError, NotFoundError } from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import type { RunnableToolFunctionWithParse } from 'openai/lib/RunnableFunction';
import { expect } from 'vitest';
import { z } from 'zod';
import {
  cities,
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

const connect = ({ openAiUrl, apiKey }: Place) => new OpenAI({ baseURL: openAiUrl, apiKey, maxRetries: 0 });
const messages = [{ role: 'user' as const, content: hello }];
const chat = { model: models.chat, messages, temperature: 0 };
const City = z.object({ city: z.enum(cities) });

export const openaiClient: TestedClient = {
  name: 'openai (JavaScript)',
  package: 'openai',
  checks: [
    {
      proves: ['text'],
      title: 'gets an answer of a chat, a response and a completion',
      async run(place) {
        const client = connect(place);
        const answer = await client.chat.completions.create(chat);
        expect(answer.choices[0]?.message.content).toMatch(/cloister/i);
        const response = await client.responses.create({ model: models.chat, input: hello, temperature: 0 });
        expect(response.output_text).toBe(answer.choices[0]?.message.content);
        const prompt = { model: models.chat, prompt: 'Hello', max_tokens: 8 };
        const { usage } = await client.completions.create(prompt);
        expect(usage?.completion_tokens).toBeGreaterThan(0);
      },
    },
    {
      proves: ['stream'],
      title: 'assembles the streams of a chat and a response to the whole answers',
      async run(place) {
        const client = connect(place);
        const whole = await client.chat.completions.create(chat);
        const streamed = await client.chat.completions.stream(chat).finalChatCompletion();
        expect(streamed.choices[0]?.message.content).toBe(whole.choices[0]?.message.content);
        const stream = client.responses.stream({ model: models.chat, input: hello, temperature: 0 });
        expect((await stream.finalResponse()).output_text).toBe(whole.choices[0]?.message.content);
      },
    },
    {
      proves: ['tools'],
      title: 'runs a tool in a chat and sends its result',
      async run(place) {
        const inputs: unknown[] = [];
        const weather: RunnableToolFunctionWithParse<object> = {
          type: 'function',
          function: {
            name: 'get_weather',
            description: 'The weather of a city.',
            parameters: citySchema,
            parse: JSON.parse,
            function: (input) => noteWeather(inputs, input),
          },
        };
        const runner = connect(place).chat.completions.runTools({
          model: models.scripted,
          messages: [{ role: 'user', content: weatherQuestion }],
          tools: [weather],
        });
        expect(await runner.finalContent()).toBe(sunny);
        expect(inputs).toEqual([{ city: 'Bern' }]);
      },
    },
    {
      proves: ['tools'],
      title: 'gets a call in a response and sends its output',
      async run(place) {
        const client = connect(place);
        const tools = [{ type: 'function' as const, name: 'get_weather', parameters: citySchema, strict: true }];
        const question = { role: 'user' as const, content: weatherQuestion };
        const first = await client.responses.create({ model: models.scripted, input: [question], tools });
        const call = first.output.find((item) => item.type === 'function_call');
        expect(JSON.parse(call!.arguments)).toEqual({ city: 'Bern' });
        const output = { type: 'function_call_output' as const, call_id: call!.call_id, output: 'sunny' };
        const input = [question, ...first.output, output] as OpenAI.Responses.ResponseInput;
        expect((await client.responses.create({ model: models.scripted, input, tools })).output_text).toBe(sunny);
      },
    },
    {
      proves: ['typed'],
      title: 'parses answers of a chat and a response by their schema',
      async run(place) {
        const client = connect(place);
        const parsed = await client.chat.completions.parse({
          ...{ ...chat, messages: [{ role: 'user', content: weatherQuestion }], max_tokens: 200 },
          response_format: zodResponseFormat(City, 'place'),
        });
        expect(City.parse(parsed.choices[0]?.message.parsed)).toEqual(parsed.choices[0]?.message.parsed);
        const response = await client.responses.parse({
          ...{ model: models.chat, input: weatherQuestion, temperature: 0, max_output_tokens: 200 },
          text: { format: zodTextFormat(City, 'place') },
        });
        expect(City.parse(response.output_parsed)).toEqual(response.output_parsed);
      },
    },
    {
      proves: ['errors'],
      title: 'throws its own errors for an unknown model, a prompt that is too long and a wrong key',
      async run(place) {
        const client = connect(place);
        const unknown = client.chat.completions.create({ ...chat, model: 'gpt-9' });
        await expect(unknown).rejects.toBeInstanceOf(NotFoundError);
        const long = client.chat.completions.create({ ...chat, messages: [{ role: 'user', content: tooLong }] });
        await expect(long).rejects.toBeInstanceOf(BadRequestError);
        await expect(long).rejects.toMatchObject({ code: 'context_length_exceeded' });
        const stranger = connect({ ...place, apiKey: 'clst_wrong' });
        await expect(stranger.models.list()).rejects.toBeInstanceOf(AuthenticationError);
      },
    },
    {
      proves: ['embeddings'],
      title: 'gets embeddings in the order of the texts',
      async run(place) {
        const input = ['A refund is paid within five days.', 'The train leaves at noon.'];
        const { data } = await connect(place).embeddings.create({ model: models.embedding, input });
        expect(data.map(({ index }) => index)).toEqual([0, 1]);
        for (const { embedding } of data) expect(Math.hypot(...embedding)).toBeCloseTo(1, 3);
      },
    },
    {
      proves: ['images'],
      title: 'gets an image',
      async run(place) {
        const { data } = await connect(place).images.generate({
          ...{ model: models.image, prompt: 'a yellow house with a red roof', size: '256x256' },
          response_format: 'b64_json',
        });
        expect(Buffer.from(data![0]!.b64_json!, 'base64').subarray(1, 4).toString()).toBe('PNG');
      },
    },
    {
      proves: ['text', 'stream', 'tools'],
      title: 'runs examples/08-responses.ts',
      async run(place) {
        expect(await runExample('08-responses.ts', place)).toMatch(/weather\(\{"city": ?"(Lyon|Oslo)"\}\)/);
      },
    },
  ],
};
