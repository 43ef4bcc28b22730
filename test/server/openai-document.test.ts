/** Answers and events of the routes for text, with every kind of contents, against OpenAI's published schemas. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RuntimeError } from '../../runtime/pool/errors.ts';
import { deviations, unexplained } from '../support/openai/deviations.ts';
import {
  hasOpenAiDocument,
  type OpenAiSchemas,
  openAiDocumentNote,
  openAiSchemas,
} from '../support/openai/openai-document.ts';
import type { FakeChat } from '../support/runtime/fake-engine.ts';
import { modelId, parseEvents, startTestApp, type TestApp } from '../support/server/test-app.ts';

type Json = Record<string, unknown>;
type Script = (chat: FakeChat) => void;

const report = {
  token: 'Hi',
  logprob: -0.5,
  bytes: [72, 105],
  top: [{ token: 'Hi', logprob: -0.5, bytes: [72, 105] }],
};
const call = { index: 0, id: 'call_1', name: 'add', arguments: '{"a":' };

/** An answer of each kind. */
const scripts: Readonly<Record<string, Script>> = {
  text: (chat) => chat.answer('Good', ' day'),
  'nothing at all': (chat) => chat.answer(),
  'text cut by its length': (chat) => chat.start().text('Good').finish('length'),
  reasoning: (chat) => chat.start().delta({ reasoning: 'I think.' }).text('Yes').finish('stop', 0, 1),
  'reasoning cut by its length': (chat) => chat.start().delta({ reasoning: 'I think' }).finish('length', 0, 1),
  'log probabilities': (chat) =>
    chat
      .start()
      .delta({ content: 'Hi', logprobs: [report] })
      .finish(),
  'calls of tools': (chat) =>
    chat
      .start()
      .delta({ toolCalls: [call] })
      .delta({ toolCalls: [{ index: 0, arguments: '1}' }] })
      .delta({ toolCalls: [{ ...call, index: 1, id: 'call_2', arguments: '{}' }] })
      .finish('tool_calls'),
  'reasoning, text and a call': (chat) =>
    chat
      .start()
      .delta({ reasoning: 'I add.' })
      .text('Let me see.')
      .delta({ toolCalls: [{ ...call, arguments: '{}' }] })
      .finish('tool_calls'),
};

const tool = {
  name: 'add',
  description: 'Adds.',
  parameters: { type: 'object', properties: { a: { type: 'number' } } },
};
const answerFormat = { name: 'answer', schema: { type: 'object', additionalProperties: false }, strict: true };
const messages = [{ role: 'user', content: 'Hello' }];

/** Bodies whose members the answer repeats or depends on. */
const requests: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  '/chat/completions': {
    plain: { messages },
    'usage chunks': { messages, stream_options: { include_usage: true } },
    tools: { messages, tools: [{ type: 'function', function: tool }], tool_choice: 'auto' },
    'log probabilities': { messages, logprobs: true, top_logprobs: 1 },
    'structured output': { messages, response_format: { type: 'json_schema', json_schema: answerFormat } },
  },
  '/responses': {
    plain: { input: 'Hello' },
    'kept state': { input: 'Hello', store: true },
    'everything that answers repeat': {
      input: messages,
      ...{ instructions: 'Be brief.', metadata: { a: 'b' }, max_output_tokens: 50, temperature: 0.5, top_p: 0.5 },
      ...{ reasoning: { effort: 'low' }, parallel_tool_calls: false },
    },
    tools: { input: 'Hello', tools: [{ type: 'function', ...tool }], tool_choice: 'required' },
    'a named tool': {
      input: 'Hello',
      ...{ tools: [{ type: 'function', name: 'add' }], tool_choice: { type: 'function', name: 'add' } },
    },
    'allowed tools': {
      input: 'Hello',
      tools: [{ type: 'function', ...tool, strict: false }],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'add' }] },
    },
    'log probabilities': { input: 'Hello', include: ['message.output_text.logprobs'], top_logprobs: 1 },
    'structured output': { input: 'Hello', text: { format: { type: 'json_schema', ...answerFormat } } },
    'JSON objects': { input: 'Hello', text: { format: { type: 'json_object' } } },
  },
  '/completions': {
    plain: { prompt: 'Hello' },
    'usage chunks': { prompt: ['One', 'Two'], stream_options: { include_usage: true }, echo: true },
    'log probabilities': { prompt: [1, 2], logprobs: 1 },
  },
};

const schemaOf = {
  '/chat/completions': ['CreateChatCompletionResponse', 'CreateChatCompletionStreamResponse'],
  '/responses': ['Response', 'ResponseStreamEvent'],
  '/completions': ['CreateCompletionResponse', 'CreateCompletionResponse'],
} as const;
type Route = keyof typeof schemaOf;

let schemas: OpenAiSchemas;
let app: TestApp;
let script: Script = () => undefined;

beforeAll(async () => {
  if (!hasOpenAiDocument) return;
  schemas = openAiSchemas();
  app = await startTestApp({ script: (chat) => script(chat) });
});
afterAll(() => app?.close());

async function post(url: string, body: Json) {
  const answer = await app.app.inject({
    ...{ method: 'POST', url, headers: { authorization: `Bearer ${app.secret}` } },
    payload: { model: modelId, ...body },
  });
  return { status: answer.statusCode, text: answer.body };
}

/** Violations of a whole answer, or of the events of a stream. */
function violationsOf(route: Route, text: string, isStream: boolean): string[] {
  const [whole, event] = schemaOf[route];
  if (!isStream) return schemas.violations(whole, JSON.parse(text));
  const events = parseEvents(text).filter(({ data }) => data !== '[DONE]');
  expect(events).not.toHaveLength(0);
  return events.flatMap(({ data }) => {
    const value = JSON.parse(data);
    return route === '/responses' ? schemas.violationsByType(event, value) : schemas.violations(event, value);
  });
}

describe.skipIf(!hasOpenAiDocument)(`answers, by OpenAI's document${openAiDocumentNote}`, () => {
  const cases = (Object.keys(schemaOf) as Route[]).flatMap((route) =>
    ['/v1', '/openai/v1'].flatMap((base) => [false, true].map((stream) => [base, route, stream] as const)),
  );

  it.each(cases)('%s%s, stream: %s', async (base, route, stream) => {
    const found = new Set<string>();
    for (const [request, body] of Object.entries(requests[route]!)) {
      for (const [kind, given] of Object.entries(scripts)) {
        if (route === '/completions' && kind.includes('call')) continue;
        script = given;
        const { status, text } = await post(`${base}${route}`, { ...body, stream });
        expect(status, `${request}, ${kind}: ${text}`).toBe(200);
        for (const line of unexplained(violationsOf(route, text, stream))) found.add(line);
      }
    }
    expect([...found]).toEqual([]);
  });

  it.each(['/v1', '/openai/v1'])('%s/responses/input_tokens, and models', async (base) => {
    const counted = await post(`${base}/responses/input_tokens`, { input: 'Hello' });
    expect(schemas.violations('TokenCountsResource', JSON.parse(counted.text))).toEqual([]);
    const get = async (path: string) => {
      const answer = await app.app.inject({
        url: `${base}${path}`,
        headers: { authorization: `Bearer ${app.secret}` },
      });
      return answer.json<object>();
    };
    expect(schemas.violations('ListModelsResponse', await get('/models'))).toEqual([]);
    expect(schemas.violations('Model', await get(`/models/${modelId}`))).toEqual([]);
  });

  it('refusals below /openai/v1, and those of /v1 except their form (I-067)', async () => {
    const bodies: Record<string, Json> = {
      '/chat/completions': { messages, temperature: 3 },
      '/responses': { input: 'Hello', previous_response_id: 'resp_unknown' },
      '/completions': { prompt: 'Hello', model: 'unknown' },
      '/embeddings': { input: 'Hello' },
      '/images/generations': { prompt: 'Hello' },
      '/responses/resp_unknown/cancel': {},
    };
    for (const [route, body] of Object.entries(bodies)) {
      const theirs = await post(`/openai/v1${route}`, body);
      expect(theirs.status, route).toBeGreaterThanOrEqual(400);
      expect(schemas.violations('ErrorResponse', JSON.parse(theirs.text)), route).toEqual([]);
      const ours = schemas.violations('ErrorResponse', JSON.parse((await post(`/v1${route}`, body)).text));
      expect(ours, route).toHaveLength(1);
      expect(unexplained(ours), route).toEqual([]);
    }
    const noKey = await app.app.inject({ url: '/openai/v1/models' });
    expect(schemas.violations('ErrorResponse', noKey.json())).toEqual([]);
  });

  it('an error after the first event of a response', async () => {
    script = (chat) => chat.start().text('Par').fail(new RuntimeError('ERR_ENGINE_LOST', 'the engine stopped'));
    for (const base of ['/v1', '/openai/v1']) {
      const { text } = await post(`${base}/responses`, { input: 'Hello', stream: true });
      const events = parseEvents(text).map(({ data }) => JSON.parse(data));
      expect(events.at(-1)).toMatchObject({ type: 'error', code: 'ERR_ENGINE_LOST', message: 'the engine stopped' });
      expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
      expect(unexplained(events.flatMap((event) => schemas.violationsByType('ResponseStreamEvent', event)))).toEqual(
        [],
      );
    }
  });

  it('an answer that its account cancels', async () => {
    let started: FakeChat | undefined;
    script = (chat) => {
      started = chat.start().text('Good');
    };
    const baseURL = await app.listen();
    setDefaultCACertificates([...getCACertificates('bundled'), app.identity.certificate]);
    const openai = new OpenAI({ baseURL, apiKey: app.secret, maxRetries: 0 });
    let id = '';
    let cancelled: object | undefined;
    const events: { readonly type: string }[] = [];
    for await (const event of await openai.responses.create({ model: modelId, input: 'Hello', stream: true })) {
      events.push(event);
      if (event.type === 'response.created') id = event.response.id;
      if (event.type === 'response.output_text.delta') cancelled = await openai.responses.cancel(id);
    }
    expect(started?.isOver).toBe(true);
    expect(cancelled).toMatchObject({ status: 'cancelled' });
    expect(schemas.violations('Response', cancelled)).toEqual([]);
    expect(unexplained(events.flatMap((event) => schemas.violationsByType('ResponseStreamEvent', event)))).toEqual([]);
  });
});

it("the page on clients lists every deviation from OpenAI's document", () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/clients.md'), 'utf8');
  const rows = deviations.map(({ answers, why }) => `| ${answers} | ${why} |`);
  expect(page).toContain(['| answers | reason |', '|---|---|', ...rows].join('\n'));
});
