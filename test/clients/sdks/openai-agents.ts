/** OpenAI's Agents SDK for JavaScript, over responses and chat. */
import { Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, run, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Check } from '../client.ts';
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

// Traces would go to OpenAI.
setTracingDisabled(true);

const City = z.object({ city: z.enum(cities) });
const modelSettings = { temperature: 0, maxTokens: 200 };

type Model = OpenAIChatCompletionsModel | OpenAIResponsesModel;
type Connect = (client: OpenAI, model: string) => Model;

function checks(over: string, connectTo: Connect): readonly Check[] {
  const connect = ({ openAiUrl: baseURL, apiKey }: Place, model: string) =>
    connectTo(new OpenAI({ baseURL, apiKey, maxRetries: 0 }), model);
  const greeter = (place: Place, model: string = models.chat) =>
    new Agent({ name: 'Greeter', model: connect(place, model), modelSettings });
  return [
    {
      proves: ['text'],
      title: `runs an agent over ${over}`,
      async run(place) {
        expect((await run(greeter(place), hello)).finalOutput).toMatch(/cloister/i);
      },
    },
    {
      proves: ['stream'],
      title: `streams the whole answer of an agent over ${over}`,
      async run(place) {
        const streamed = await run(greeter(place), hello, { stream: true });
        let text = '';
        for await (const piece of streamed.toTextStream({ compatibleWithNodeStreams: true })) text += piece;
        expect(text).toBe((await run(greeter(place), hello)).finalOutput);
      },
    },
    {
      proves: ['tools'],
      title: `runs a tool and sends its result over ${over}`,
      async run(place) {
        const inputs: unknown[] = [];
        const weather = tool({
          ...{ name: 'get_weather', description: 'The weather of a city.', parameters: City },
          execute: (input) => noteWeather(inputs, input),
        });
        const forecaster = new Agent({ name: 'Forecaster', model: connect(place, models.scripted), tools: [weather] });
        expect((await run(forecaster, weatherQuestion)).finalOutput).toBe(sunny);
        expect(inputs).toEqual([{ city: 'Bern' }]);
      },
    },
    {
      proves: ['typed'],
      title: `parses the output of an agent by its schema over ${over}`,
      async run(place) {
        const model = connect(place, models.chat);
        const finder = new Agent({ name: 'Finder', model, modelSettings, outputType: City });
        const { finalOutput } = await run(finder, weatherQuestion);
        expect(City.parse(finalOutput)).toEqual(finalOutput);
      },
    },
    {
      proves: ['errors'],
      title: `throws errors for an unknown model, a prompt that is too long and a wrong key over ${over}`,
      async run(place) {
        await expect(run(greeter(place, 'gpt-9'), hello)).rejects.toMatchObject({ status: 404 });
        const long = run(greeter(place), tooLong);
        await expect(long).rejects.toMatchObject({ code: 'context_length_exceeded' });
        await expect(run(greeter({ ...place, apiKey: 'clst_wrong' }), hello)).rejects.toMatchObject({ status: 401 });
      },
    },
  ];
}

export const openAiAgents: TestedClient = {
  name: 'OpenAI Agents SDK (JavaScript)',
  package: '@openai/agents',
  checks: [
    ...checks('responses', (client, model) => new OpenAIResponsesModel(client, model)),
    ...checks('chat', (client, model) => new OpenAIChatCompletionsModel(client, model)),
    {
      proves: ['text', 'tools'],
      title: 'runs examples/13-openai-agents.ts',
      async run(place) {
        expect(await runExample('13-openai-agents.ts', place, { MODEL: models.scripted })).toContain(sunny);
      },
    },
  ],
};
