/** Anthropic's client for JavaScript, over messages. */
import Anthropic, { AuthenticationError, BadRequestError, NotFoundError } from '@anthropic-ai/sdk';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { expect } from 'vitest';
import { z } from 'zod';
import {
  cities,
  citySchema,
  hello,
  models,
  type Place,
  sunny,
  type TestedClient,
  tooLong,
  weatherQuestion,
} from '../client.ts';
import { runExample } from './example.ts';

const connect = ({ origin, apiKey }: Place) => new Anthropic({ baseURL: origin, apiKey, maxRetries: 0 });
const messages = [{ role: 'user' as const, content: hello }];
const request = { model: models.chat, max_tokens: 200, messages };
// The types of this client have no temperature.
const greedy: object = { temperature: 0 };
const City = z.object({ city: z.enum(cities) });
const textOf = ({ content }: { content: readonly { type: string }[] }) =>
  content.map((block) => (block as Partial<Anthropic.TextBlock>).text ?? '').join('');

export const anthropicClient: TestedClient = {
  name: 'Anthropic SDK (JavaScript)',
  package: '@anthropic-ai/sdk',
  checks: [
    {
      proves: ['text'],
      title: 'gets an answer',
      async run(place) {
        const answer = await connect(place).messages.create({ ...request, ...greedy });
        expect(textOf(answer)).toMatch(/cloister/i);
        expect(answer.stop_reason).toBe('end_turn');
      },
    },
    {
      proves: ['stream'],
      title: 'assembles a stream to the whole answer',
      async run(place) {
        const client = connect(place);
        const whole = await client.messages.create({ ...request, ...greedy });
        const stream = client.messages.stream({ ...request, ...greedy });
        expect(await stream.finalText()).toBe(textOf(whole));
      },
    },
    {
      proves: ['tools'],
      title: 'gets a call and sends its result',
      async run(place) {
        const client = connect(place);
        const tools = [{ name: 'get_weather', description: 'The weather of a city.', input_schema: citySchema }];
        const question = { role: 'user' as const, content: weatherQuestion };
        const common = { model: models.scripted, max_tokens: 200, tools };
        const first = await client.messages.create({ ...common, messages: [question] });
        expect(first.stop_reason).toBe('tool_use');
        const call = first.content.find((block) => block.type === 'tool_use')!;
        expect(call.input).toEqual({ city: 'Bern' });
        const content = [{ type: 'tool_result' as const, tool_use_id: call.id, content: 'sunny' }];
        const turns = [
          question,
          { role: 'assistant' as const, content: first.content },
          { role: 'user' as const, content },
        ];
        expect(textOf(await client.messages.create({ ...common, messages: turns }))).toBe(sunny);
      },
    },
    {
      proves: ['typed'],
      title: 'parses an answer by its schema',
      async run(place) {
        const parsed = await connect(place).messages.parse({
          ...{ ...request, ...greedy, messages: [{ role: 'user' as const, content: weatherQuestion }] },
          output_config: { format: zodOutputFormat(City) },
        });
        expect(City.parse(parsed.parsed_output)).toEqual(parsed.parsed_output);
      },
    },
    {
      proves: ['errors'],
      title: 'throws its own errors for an unknown model, a prompt that is too long and a wrong key',
      async run(place) {
        const client = connect(place);
        await expect(client.messages.create({ ...request, model: 'other' })).rejects.toBeInstanceOf(NotFoundError);
        const long = client.messages.create({ ...request, messages: [{ role: 'user', content: tooLong }] });
        await expect(long).rejects.toBeInstanceOf(BadRequestError);
        const stranger = connect({ ...place, apiKey: 'clst_wrong' });
        await expect(stranger.messages.create(request)).rejects.toBeInstanceOf(AuthenticationError);
      },
    },
    {
      proves: ['tokens'],
      title: 'counts as many tokens as a message uses',
      async run(place) {
        const client = connect(place);
        const { input_tokens: counted } = await client.messages.countTokens({ model: models.chat, messages });
        const { usage } = await client.messages.create({ ...request, max_tokens: 1 });
        expect(counted).toBe(usage.input_tokens + (usage.cache_read_input_tokens ?? 0));
      },
    },
    {
      proves: ['text', 'stream', 'tools'],
      title: 'runs examples/09-messages.ts',
      async run(place) {
        expect(await runExample('09-messages.ts', place)).toMatch(/weather\(\{"city": ?"(Lyon|Oslo)"\}\)/);
      },
    },
  ],
};
