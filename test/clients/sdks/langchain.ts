/** LangChain.js with its packages for OpenAI and Anthropic. */
import { ChatAnthropic } from '@langchain/anthropic';
import { ContextOverflowError } from '@langchain/core/errors';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { HumanMessage, type ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Check } from '../client.ts';
import { cities, hello, models, type Place, sunny, type TestedClient, tooLong, weatherQuestion } from '../client.ts';
import { runExample } from './example.ts';

type Connect = (place: Place, model: string) => BaseChatModel;

const City = z.object({ city: z.enum(cities) });

function checks(connect: Connect, over: string): readonly Check[] {
  return [
    {
      proves: ['text'],
      title: `gets an answer with its usage over ${over}`,
      async run(place) {
        const answer = await connect(place, models.chat).invoke(hello);
        expect(answer.text).toMatch(/cloister/i);
        expect(answer).toHaveProperty('usage_metadata.output_tokens', expect.any(Number));
      },
    },
    {
      proves: ['stream'],
      title: `streams the whole answer over ${over}`,
      async run(place) {
        const model = connect(place, models.chat);
        let streamed = '';
        for await (const piece of await model.stream(hello)) streamed += piece.text;
        expect(streamed).toBe((await model.invoke(hello)).text);
      },
    },
    {
      proves: ['tools'],
      title: `gets a call and sends its result over ${over}`,
      async run(place) {
        const weather = tool(({ city }) => `sunny in ${city}`, {
          ...{ name: 'get_weather', description: 'The weather of a city.', schema: City },
        });
        const model = connect(place, models.scripted).bindTools!([weather]);
        const question = new HumanMessage(weatherQuestion);
        const first = await model.invoke([question]);
        const [call] = first.tool_calls!;
        expect(call).toMatchObject({ name: 'get_weather', args: { city: 'Bern' } });
        const result = (await weather.invoke(call as never)) as ToolMessage;
        expect(result.content).toBe('sunny in Bern');
        expect((await model.invoke([question, first, result])).text).toBe(sunny);
      },
    },
    {
      proves: ['typed'],
      title: `parses an answer by its schema over ${over}`,
      async run(place) {
        const model = connect(place, models.chat).withStructuredOutput(City, { name: 'place' });
        const answer = await model.invoke(weatherQuestion);
        expect(City.parse(answer)).toEqual(answer);
      },
    },
    {
      proves: ['errors'],
      title: `recognises a prompt that is too long, an unknown model and a wrong key over ${over}`,
      async run(place) {
        const long = connect(place, models.chat).invoke(tooLong);
        await expect(long).rejects.toSatisfy((error) => ContextOverflowError.isInstance(error));
        await expect(connect(place, 'gpt-9').invoke(hello)).rejects.toMatchObject({ status: 404 });
        const stranger = connect({ ...place, apiKey: 'clst_wrong' }, models.chat);
        await expect(stranger.invoke(hello)).rejects.toMatchObject({ status: 401 });
      },
    },
  ];
}

const openAi =
  (useResponsesApi: boolean): Connect =>
  ({ openAiUrl: baseURL, apiKey }, model) =>
    new ChatOpenAI({
      ...{ model, apiKey, configuration: { baseURL }, useResponsesApi, temperature: 0, maxTokens: 200, maxRetries: 0 },
    });

export const langchainOpenAi: TestedClient = {
  name: 'LangChain.js, OpenAI',
  package: '@langchain/openai',
  checks: [
    ...checks(openAi(false), 'chat'),
    ...checks(openAi(true), 'responses'),
    {
      proves: ['embeddings'],
      title: 'gets embeddings',
      async run({ openAiUrl: baseURL, apiKey }) {
        const client = new OpenAIEmbeddings({
          model: models.embedding,
          apiKey,
          configuration: { baseURL },
          maxRetries: 0,
        });
        expect((await client.embedDocuments(['a', 'b'])).map(({ length }) => length)).toEqual([256, 256]);
      },
    },
    {
      proves: ['text', 'stream', 'tools'],
      title: 'runs examples/11-langchain.ts',
      async run(place) {
        expect(await runExample('11-langchain.ts', place, { MODEL: models.scripted })).toContain(sunny);
      },
    },
  ],
};

export const langchainAnthropic: TestedClient = {
  name: 'LangChain.js, Anthropic',
  package: '@langchain/anthropic',
  checks: checks(
    ({ origin: anthropicApiUrl, apiKey }, model) =>
      new ChatAnthropic({ model, apiKey, anthropicApiUrl, temperature: 0, maxTokens: 200, maxRetries: 0 }),
    'messages',
  ),
};
