/** LlamaIndex.TS with its package for OpenAI. */
import { OpenAI, OpenAIEmbedding, OpenAIResponses } from '@llamaindex/openai';
import { agent } from '@llamaindex/workflow';
import { tool } from 'llamaindex';
import { expect } from 'vitest';
import { z } from 'zod';
import {
  cities,
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

const City = z.object({ city: z.enum(cities) });
const messages = [{ role: 'user' as const, content: hello }];
const options = ({ openAiUrl: baseURL, apiKey }: Place, model: string) => ({
  ...{ model, apiKey, baseURL, temperature: 0, maxRetries: 0 },
});
const connect = (place: Place, model: string = models.chat) => new OpenAI(options(place, model));

export const llamaIndex: TestedClient = {
  name: 'LlamaIndex.TS',
  package: '@llamaindex/openai',
  checks: [
    {
      proves: ['text'],
      title: 'gets an answer of a chat and a response',
      async run(place) {
        const { message } = await connect(place).chat({ messages });
        expect(message.content).toMatch(/cloister/i);
        const response = await new OpenAIResponses(options(place, models.chat)).chat({ messages });
        expect(response.message.content).toMatch(/cloister/i);
      },
    },
    {
      proves: ['stream'],
      title: 'streams the whole answer',
      async run(place) {
        const model = connect(place);
        let streamed = '';
        for await (const { delta } of await model.chat({ messages, stream: true })) streamed += delta;
        expect(streamed).toBe((await model.chat({ messages })).message.content);
      },
    },
    {
      proves: ['tools'],
      title: 'has an agent that runs a tool and sends its result',
      async run(place) {
        const inputs: unknown[] = [];
        const weather = tool({
          ...{ name: 'get_weather', description: 'The weather of a city.', parameters: City },
          execute: (input) => noteWeather(inputs, input),
        });
        const { data } = await agent({ llm: connect(place, models.scripted), tools: [weather] }).run(weatherQuestion);
        expect(data.result).toBe(sunny);
        expect(inputs).toEqual([{ city: 'Bern' }]);
      },
    },
    {
      proves: ['typed'],
      title: 'gets an answer that matches a schema',
      async run(place) {
        const asked = [{ role: 'user' as const, content: weatherQuestion }];
        const { message } = await connect(place).chat({ messages: asked, responseFormat: City });
        expect(City.parse(JSON.parse(message.content as string))).toEqual({ city: expect.any(String) });
      },
    },
    {
      proves: ['errors'],
      title: 'throws errors for an unknown model, a prompt that is too long and a wrong key',
      async run(place) {
        await expect(connect(place, 'gpt-9').chat({ messages })).rejects.toMatchObject({ status: 404 });
        const long = connect(place).chat({ messages: [{ role: 'user', content: tooLong }] });
        await expect(long).rejects.toMatchObject({ code: 'context_length_exceeded' });
        const stranger = connect({ ...place, apiKey: 'clst_wrong' });
        await expect(stranger.chat({ messages })).rejects.toMatchObject({ status: 401 });
      },
    },
    {
      proves: ['embeddings'],
      title: 'gets embeddings',
      async run(place) {
        const client = new OpenAIEmbedding(options(place, models.embedding));
        expect(await client.getTextEmbedding('a')).toHaveLength(256);
      },
    },
    {
      proves: ['text', 'stream', 'tools'],
      title: 'runs examples/12-llamaindex.ts',
      async run(place) {
        expect(await runExample('12-llamaindex.ts', place, { MODEL: models.scripted })).toContain(sunny);
      },
    },
  ],
};
