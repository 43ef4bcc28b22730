/** Answers of the real server with the demo models, against OpenAI's published schemas. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unexplained } from '../support/openai/deviations.ts';
import {
  hasOpenAiDocument,
  type OpenAiSchemas,
  openAiDocumentNote,
  openAiSchemas,
} from '../support/openai/openai-document.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';
import { parseEvents } from '../support/server/test-app.ts';

const chat = 'cloister-demo-TEE';
const embedding = 'cloister-demo-embedding-TEE';
const image = 'cloister-demo-image-TEE';
const messages = [{ role: 'user', content: 'Hello! Who are you?' }];
const colour = { type: 'object', properties: { colour: { enum: ['red', 'blue'] } }, required: ['colour'] };
const tool = { name: 'get_weather', parameters: { type: 'object', properties: { city: { enum: ['Bern'] } } } };
const drawing = { prompt: 'a red circle', num_inference_steps: 10, size: '256x256', response_format: 'b64_json' };

let schemas: OpenAiSchemas;
let server: RunningServer;

beforeAll(async () => {
  if (!hasOpenAiDocument) return;
  schemas = openAiSchemas();
  server = await startServer(['--simulate-tdx', '--model', [chat, embedding, image].join()]);
});
afterAll(() => server?.stop());

type Body = Readonly<Record<string, unknown>>;

/** Route, schema of an answer, and bodies. */
const whole: readonly [route: string, schema: string, bodies: readonly Body[]][] = [
  [
    '/chat/completions',
    'CreateChatCompletionResponse',
    [
      { messages },
      { messages, n: 2, max_tokens: 3, logprobs: true, top_logprobs: 3 },
      { messages, response_format: { type: 'json_schema', json_schema: { name: 'colour', schema: colour } } },
      { messages, tools: [{ type: 'function', function: tool }], tool_choice: 'required' },
    ],
  ],
  [
    '/responses',
    'Response',
    [
      { input: 'Hello' },
      { input: 'Hello', max_output_tokens: 2, store: true },
      { input: 'Hello', text: { format: { type: 'json_schema', name: 'colour', schema: colour } } },
      { input: 'Hello', tools: [{ type: 'function', ...tool }], tool_choice: 'required' },
      { input: 'Hello', include: ['message.output_text.logprobs'], top_logprobs: 2 },
    ],
  ],
  ['/completions', 'CreateCompletionResponse', [{ prompt: 'Hello' }, { prompt: ['A', 'B'], logprobs: 2 }]],
  [
    '/embeddings',
    'CreateEmbeddingResponse',
    [
      { model: embedding, input: ['Hello', 'Good day'] },
      { model: embedding, input: 'Hello', encoding_format: 'base64' },
    ],
  ],
  ['/images/generations', 'ImagesResponse', [drawing, { ...drawing, n: 2, response_format: 'url' }]],
];

/** Route, schema of an event, and bodies. */
const streams: typeof whole = [
  ['/chat/completions', 'CreateChatCompletionStreamResponse', whole[0]![2]],
  ['/chat/completions', 'CreateChatCompletionStreamResponse', [{ messages, stream_options: { include_usage: true } }]],
  ['/responses', 'ResponseStreamEvent', whole[1]![2]],
  ['/completions', 'CreateCompletionResponse', whole[2]![2]],
  ['/images/generations', 'ImageGenStreamEvent', [{ ...drawing, partial_images: 1 }, { prompt: 'a red circle' }]],
];

const withTypes = ['ResponseStreamEvent', 'ImageGenStreamEvent'];

async function answered(base: string, route: string, body: Body): Promise<string> {
  const response = await server.post(`${base}${route}`, { model: chat, temperature: 0, ...body });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
}

describe.skipIf(!hasOpenAiDocument)(`the demo models, by OpenAI's document${openAiDocumentNote}`, () => {
  const bases = ['', '/../openai/v1'] as const;

  it.each(whole)('answer %s', async (route, schema, bodies) => {
    for (const base of bases) {
      for (const body of bodies) {
        const text = await answered(base, route, body);
        expect(unexplained(schemas.violations(schema, JSON.parse(text))), JSON.stringify(body)).toEqual([]);
      }
    }
  });

  it.each(streams)('stream %s as %s', async (route, schema, bodies) => {
    for (const base of bases) {
      for (const body of bodies) {
        const events = parseEvents(await answered(base, route, { ...body, stream: true }));
        const lines = events
          .filter(({ data }) => data !== '[DONE]')
          .flatMap(({ data }) => {
            const value = JSON.parse(data);
            return withTypes.includes(schema)
              ? schemas.violationsByType(schema, value)
              : schemas.violations(schema, value);
          });
        expect(events.length).toBeGreaterThan(1);
        expect(unexplained([...new Set(lines)]), JSON.stringify(body)).toEqual([]);
      }
    }
  });

  it('are listed', async () => {
    for (const base of bases) {
      const response = await fetch(`${server.listening.baseUrl}${base}/models`, {
        headers: { authorization: `Bearer ${server.listening.apiKey}` },
      });
      const list = (await response.json()) as { data: object[] };
      expect(list.data).toHaveLength(3);
      expect(schemas.violations('ListModelsResponse', list)).toEqual([]);
    }
  });
});
