/** `POST /v1/messages` and `/v1/messages/count_tokens`: requests, answers, streams and errors of Anthropic's API. */
import { afterEach, describe, expect, it } from 'vitest';
import { RuntimeError } from '../../../../runtime/pool/errors.ts';
import type { FakeChat, FakeEngineOptions } from '../../../support/runtime/fake-engine.ts';
import { modelId, parseEvents, startTestApp, type TestApp } from '../../../support/server/test-app.ts';

let running: TestApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

interface Sent {
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

async function send(
  fields: Record<string, unknown>,
  options: FakeEngineOptions = {},
  { path = '/v1/messages', headers }: Sent = {},
) {
  running ??= await startTestApp(options);
  const response = await running.app.inject({
    method: 'POST',
    url: path,
    headers: headers ?? { 'x-api-key': running.secret, 'anthropic-version': '2023-06-01' },
    payload: { model: modelId, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }], ...fields },
  });
  return { status: response.statusCode, headers: response.headers, text: response.body, json: () => response.json() };
}

const answering = (answer: (chat: FakeChat) => unknown) => ({ script: (chat: FakeChat) => void answer(chat) });
const goodDay = answering((chat) => chat.answer('Good', ' day'));
const tools = [{ name: 'add', description: 'Adds.', input_schema: { type: 'object' } }];

/** The request that the engine received. */
const received = () => running!.engine.chats[0]!.request;

describe('an answer', () => {
  it('is a message with content blocks, a stop reason and usage without cached tokens in input_tokens', async () => {
    const { status, headers, json } = await send({}, goodDay);
    expect(status).toBe(200);
    expect(headers['request-id']).toBe(headers['x-request-id']);
    expect(json()).toEqual({
      id: expect.stringMatching(/^msg_/),
      type: 'message',
      role: 'assistant',
      model: modelId,
      content: [{ type: 'text', text: 'Good day' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 3, cache_creation_input_tokens: 0, cache_read_input_tokens: 2, output_tokens: 2 },
    });
  });

  it('has thinking, text and tool calls as blocks in their order', async () => {
    const { json } = await send(
      { tools },
      answering((chat) =>
        chat
          .start()
          .delta({ reasoning: 'Add' })
          .delta({ reasoning: ' them.' })
          .text('I add.')
          .delta({ toolCalls: [{ index: 0, id: 'c0', name: 'add', arguments: '{"a":' }] })
          .delta({ toolCalls: [{ index: 0, arguments: '1}' }] })
          .delta({ toolCalls: [{ index: 1, id: 'c1', name: 'add', arguments: '{}' }] })
          .finish('tool_calls'),
      ),
    );
    expect(json()).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'Add them.' },
        { type: 'text', text: 'I add.' },
        { type: 'tool_use', id: 'c0', name: 'add', input: { a: 1 } },
        { type: 'tool_use', id: 'c1', name: 'add', input: {} },
      ],
      stop_reason: 'tool_use',
    });
  });

  it('names the stop sequence that ended it', async () => {
    const { json } = await send(
      { stop_sequences: ['END'] },
      answering((chat) =>
        chat
          .start()
          .text('a')
          .send({ kind: 'finished', choice: 0, reason: 'stop', stop: 'END', completionTokens: 1, reasoningTokens: 0 }),
      ),
    );
    expect(json()).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'END' });
  });

  it('ends with max_tokens, without the input of a truncated tool call', async () => {
    const { json } = await send(
      { tools },
      answering((chat) =>
        chat
          .start()
          .delta({ toolCalls: [{ index: 0, id: 'c', name: 'add', arguments: '{"a' }] })
          .finish('length'),
      ),
    );
    expect(json()).toMatchObject({ stop_reason: 'max_tokens', content: [{ type: 'tool_use', input: {} }] });
  });
});

describe('a stream', () => {
  it('has the events of each block between those of the message', async () => {
    const { text } = await send(
      { stream: true, tools },
      answering((chat) =>
        chat
          .start()
          .delta({ reasoning: 'Hm' })
          .text('Yes')
          .text('!')
          .delta({ toolCalls: [{ index: 0, id: 'c', name: 'add', arguments: '{}' }] })
          .finish('tool_calls'),
      ),
    );
    const events = parseEvents(text).map(({ event, data }) => ({ event, data: JSON.parse(data) }));
    expect(events.every(({ event, data }) => event === data.type)).toBe(true);
    expect(events.map(({ event, data }) => [event, data.index, data.delta?.type ?? data.content_block?.type])).toEqual([
      ['message_start', undefined, undefined],
      ['ping', undefined, undefined],
      ['content_block_start', 0, 'thinking'],
      ['content_block_delta', 0, 'thinking_delta'],
      ['content_block_delta', 0, 'signature_delta'],
      ['content_block_stop', 0, undefined],
      ['content_block_start', 1, 'text'],
      ['content_block_delta', 1, 'text_delta'],
      ['content_block_delta', 1, 'text_delta'],
      ['content_block_stop', 1, undefined],
      ['content_block_start', 2, 'tool_use'],
      ['content_block_delta', 2, 'input_json_delta'],
      ['content_block_stop', 2, undefined],
      ['message_delta', undefined, undefined],
      ['message_stop', undefined, undefined],
    ]);
    expect(events[0]!.data.message).toMatchObject({ content: [], stop_reason: null, usage: { input_tokens: 3 } });
    expect(events.at(-2)!.data).toMatchObject({ delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 4 } });
  });

  it('reports a failure as an error event of the API', async () => {
    const { text } = await send(
      { stream: true },
      answering((chat) => {
        chat.start().text('a');
        chat.fail(new RuntimeError('ERR_ENGINE_LOST', 'the engine stopped'));
      }),
    );
    const { event, data } = parseEvents(text).at(-1)!;
    expect(event).toBe('error');
    expect(JSON.parse(data)).toMatchObject({
      type: 'error',
      error: { type: 'overloaded_error', message: 'the engine stopped' },
    });
  });
});

describe('a request', () => {
  it('joins system messages before the first answer, and keeps later ones in their place', async () => {
    const messages = [
      { role: 'user', content: 'Hello' },
      { role: 'system', content: [{ type: 'text', text: 'It is noon.' }] },
      { role: 'assistant', content: 'Good day' },
      { role: 'system', content: 'It is night.' },
      { role: 'user', content: 'Hello' },
    ];
    await send({ system: 'Be brief.', messages }, goodDay);
    expect(received().input.messages).toEqual([
      { role: 'system', content: 'Be brief.\nIt is noon.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Good day' },
      { role: 'system', content: 'It is night.' },
      { role: 'user', content: 'Hello' },
    ]);
  });

  it('tells the model which tool results are errors', async () => {
    const failed = (id: string, content?: string) => ({
      ...{ type: 'tool_result', tool_use_id: id, is_error: true },
      ...(content === undefined ? {} : { content }),
    });
    const results = [
      failed('a', 'no such city'),
      failed('b'),
      failed('c', 'Error 404'),
      { ...failed('d', 'ok'), is_error: false },
    ];
    const calls = results.map(({ tool_use_id: id }) => ({ type: 'tool_use', id, name: 'add', input: {} }));
    const messages = [
      { role: 'user', content: 'Add.' },
      { role: 'assistant', content: calls },
      { role: 'user', content: results },
    ];
    await send({ messages, tools }, goodDay);
    expect(
      received()
        .input.messages.slice(2)
        .map(({ content }) => content),
    ).toEqual(['Error: no such city', 'Error', 'Error 404', 'ok']);
  });

  it('gives the engine system text, tool results and earlier thinking as messages', async () => {
    await send(
      {
        system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: '1 + 2?' }] },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'I add.', signature: 's' },
              { type: 'tool_use', id: 'c', name: 'add', input: { a: 1, b: 2 } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: '3' }] },
              { type: 'text', text: 'Well?' },
            ],
          },
        ],
        tools,
        tool_choice: { type: 'any', disable_parallel_tool_use: true },
        thinking: { type: 'enabled', budget_tokens: 1024 },
        temperature: 0.5,
        top_k: 5,
      },
      goodDay,
    );
    const { input, sampling, maxTokens } = received();
    expect(input).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: '1 + 2?' },
        {
          role: 'assistant',
          content: '',
          reasoning_content: 'I add.',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":1,"b":2}' } }],
        },
        { role: 'tool', content: '3', tool_call_id: 'c' },
        { role: 'user', content: 'Well?' },
      ],
      tools: [{ type: 'function', function: { name: 'add', description: 'Adds.', parameters: { type: 'object' } } }],
      toolChoice: 'required',
      parallelToolCalls: false,
      jsonSchema: undefined,
      reasoning: true,
      effort: 'low',
    });
    expect(sampling).toMatchObject({ temperature: 0.5, topK: 5, seed: 42 });
    expect(maxTokens).toBe(100);
  });

  it.each([
    ['output_config', { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } }],
    ['output_format', { output_format: { type: 'json_schema', schema: { type: 'object' } } }],
  ])('constrains the answer to the JSON schema in %s', async (_, fields) => {
    await send(fields, goodDay);
    expect(JSON.parse(received().input.jsonSchema!)).toEqual({ type: 'object' });
  });

  it.each([
    [{}, undefined],
    [{ thinking: { type: 'adaptive' } }, undefined],
    [{ thinking: { type: 'enabled', budget_tokens: 1 } }, 'minimal'],
    [{ thinking: { type: 'enabled', budget_tokens: 4095 } }, 'low'],
    [{ thinking: { type: 'enabled', budget_tokens: 4096 } }, 'medium'],
    [{ thinking: { type: 'enabled', budget_tokens: 100_000 } }, 'high'],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } }, 'medium'],
    [{ thinking: { type: 'enabled', budget_tokens: 1024 }, output_config: { effort: 'max' } }, 'xhigh'],
  ])('asks the template to think as %j says: %s', async (fields, effort) => {
    await send(fields, goodDay);
    expect(received().input.effort).toBe(effort);
  });

  it.each([
    ['no max_tokens', { max_tokens: undefined }, '`max_tokens` must be'],
    ['a temperature above 1', { temperature: 1.5 }, '`temperature` must be a number from 0 to 1'],
    [
      'an image without a source',
      { messages: [{ role: 'user', content: [{ type: 'image', source: {} }] }] },
      '`messages[0].content[0].source.type` must be a string',
    ],
    [
      'a PDF',
      { messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'base64', data: 'a' } }] }] },
      '`messages[0].content[0].source.type` must be one of "text", "content"',
    ],
    [
      'a message without content',
      { messages: [{ role: 'user', content: [] }] },
      '`messages[0].content` must be an array of at least one content block',
    ],
    ['more than 512 tools', { tools: Array(513).fill(tools[0]) }, '`tools` must be an array of at most 512'],
    [
      'the beginning of an answer',
      { messages: [{ role: 'assistant', content: 'I' }] },
      '`messages` must end with a message of the user',
    ],
    [
      'a tool of Anthropic’s servers',
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      '`tools[0].type` must be',
    ],
    [
      'a tool that is not among the tools',
      { tools, tool_choice: { type: 'tool', name: 'sub' } },
      '`tool_choice.name` must name one of `tools`',
    ],
    ['servers of tools', { mcp_servers: [{ url: 'https://example.com' }] }, '`mcp_servers` is not supported'],
  ])('is refused with %s', async (_, fields, message) => {
    const { status, json } = await send(fields);
    expect(status).toBe(400);
    expect(json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining(message) },
    });
  });
});

describe('an error', () => {
  it('has the form of the API, with the id of the request', async () => {
    const { status, headers, json } = await send({ model: 'other' });
    expect(status).toBe(404);
    expect(json()).toMatchObject({
      type: 'error',
      error: { type: 'not_found_error', message: expect.stringContaining(modelId) },
      request_id: headers['request-id'],
      details: { code: 'ERR_MODEL_UNKNOWN', status: 404 },
    });
  });

  it('has the form of the API for a missing key too', async () => {
    const { status, json } = await send({}, {}, { headers: {} });
    expect(status).toBe(401);
    expect(json()).toMatchObject({
      type: 'error',
      error: { type: 'authentication_error', message: expect.stringContaining('`x-api-key: …`') },
    });
  });

  it('says "prompt is too long" to clients that then shorten the conversation', async () => {
    const { status, json } = await send(
      {},
      answering((chat) => chat.fail(new RuntimeError('ERR_CONTEXT_OVERFLOW', 'the prompt has 5000 tokens'))),
    );
    expect(status).toBe(400);
    expect(json().error).toEqual({
      type: 'invalid_request_error',
      message: 'prompt is too long: the prompt has 5000 tokens',
    });
  });

  it('is 529 while the server cannot serve', async () => {
    const { status, json } = await send({}, { state: { kind: 'draining' } });
    expect(status).toBe(529);
    expect(json()).toMatchObject({
      error: { type: 'overloaded_error' },
      details: { code: 'ERR_DRAINING', status: 529 },
    });
  });
});

describe('the headers of limits', () => {
  const change = { requestsPerMinute: 2, tokensPerMonth: 1_000_000 };
  const limitsOf = (headers: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('anthropic-ratelimit-')));

  it.each([
    ['an answer', {}],
    ['a stream', { stream: true }],
  ])('are those of the plan, with times in RFC 3339, for %s', async (_, fields) => {
    running = await startTestApp(goodDay);
    await running.accounts.changePlan({ id: 'operator', change, now: 1_800_000_000_000 });
    const { status, headers } = await send(fields);
    expect(status).toBe(200);
    expect(limitsOf(headers)).toEqual({
      'anthropic-ratelimit-requests-limit': '2',
      'anthropic-ratelimit-requests-remaining': headers['x-ratelimit-remaining'],
      'anthropic-ratelimit-requests-reset': new Date(Number(headers['x-ratelimit-reset']) * 1000)
        .toISOString()
        .replace('.000', ''),
      'anthropic-ratelimit-tokens-limit': '1000000',
      'anthropic-ratelimit-tokens-remaining': headers['x-ratelimit-remaining-tokens'],
      // The first of the next month.
      'anthropic-ratelimit-tokens-reset': '2027-02-01T00:00:00Z',
    });
  });

  it('come with a refusal and with a count of tokens, and are absent on a plan without limits', async () => {
    running = await startTestApp(goodDay);
    await send({});
    expect(limitsOf((await send({})).headers)).toEqual({});
    await running.accounts.changePlan({ id: 'operator', change, now: 1_800_000_000_000 });
    const counted = await send({}, {}, { path: '/v1/messages/count_tokens' });
    expect(Object.keys(limitsOf(counted.headers))).toHaveLength(6);
    const wrong = await send({ max_tokens: 0 });
    expect(wrong.status).toBe(400);
    expect(Object.keys(limitsOf(wrong.headers))).toHaveLength(6);
    await send({});
    const refused = await send({});
    expect(refused.status).toBe(429);
    expect(refused.json().error.type).toBe('rate_limit_error');
    expect(limitsOf(refused.headers)).toMatchObject({ 'anthropic-ratelimit-requests-remaining': '0' });
  });
});

describe('count_tokens', () => {
  const path = '/v1/messages/count_tokens';

  it('counts the prompt as the engine renders it, without max_tokens and without a charge', async () => {
    const { status, json } = await send({ max_tokens: undefined, system: 'Be brief.' }, {}, { path });
    expect(status).toBe(200);
    expect(json()).toEqual({ input_tokens: 'Be brief.Hello'.length });
    expect(running!.engine.chats).toEqual([]);
  });

  it('checks the body like the route of messages', async () => {
    const { status, json } = await send({ messages: [] }, {}, { path });
    expect(status).toBe(400);
    expect(json()).toMatchObject({ type: 'error' });
  });
});
