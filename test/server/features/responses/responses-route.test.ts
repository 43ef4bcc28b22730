/** `POST /v1/responses`: requests, answers and streams of OpenAI's Responses API. */
import { afterEach, describe, expect, it } from 'vitest';
import type { FakeChat, FakeEngineOptions } from '../../../support/runtime/fake-engine.ts';
import { modelId, parseEvents, startTestApp, type TestApp } from '../../../support/server/test-app.ts';

let running: TestApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function send(fields: Record<string, unknown>, options: FakeEngineOptions = {}, url = '/openai/v1/responses') {
  running ??= await startTestApp(options);
  const response = await running.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${running.secret}` },
    payload: { model: modelId, input: 'Hello', ...fields },
  });
  return { status: response.statusCode, text: response.body, json: () => response.json() };
}

const answering = (answer: (chat: FakeChat) => unknown) => ({ script: (chat: FakeChat) => void answer(chat) });
const goodDay = answering((chat) => chat.answer('Good', ' day'));
const tools = [{ type: 'function', name: 'add', parameters: { type: 'object' }, strict: true }];

const received = () => running!.engine.chats[0]!.request;

describe('an answer', () => {
  it('is a response with items and usage, and says that nothing is stored', async () => {
    const { status, json } = await send({ store: false, max_output_tokens: 50 }, goodDay);
    expect(status).toBe(200);
    expect(json()).toMatchObject({
      id: expect.stringMatching(/^resp_/),
      object: 'response',
      status: 'completed',
      error: null,
      incomplete_details: null,
      model: modelId,
      store: false,
      max_output_tokens: 50,
      output: [
        {
          id: expect.stringMatching(/^msg_/),
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Good day', annotations: [], logprobs: [] }],
        },
      ],
      usage: {
        input_tokens: 5,
        input_tokens_details: { cached_tokens: 2 },
        output_tokens: 2,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 7,
      },
    });
  });

  it('has reasoning, text and calls as items in their order', async () => {
    const { json } = await send(
      { tools },
      answering((chat) =>
        chat
          .start()
          .delta({ reasoning: 'I add.' })
          .delta({ toolCalls: [{ index: 0, id: 'c0', name: 'add', arguments: '{"a":1}' }] })
          .finish('tool_calls'),
      ),
    );
    expect(json().output).toMatchObject([
      { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'I add.' }] },
      { type: 'function_call', status: 'completed', call_id: 'c0', name: 'add', arguments: '{"a":1}' },
    ]);
  });

  it('is incomplete if the limit of tokens ended it', async () => {
    const { json } = await send(
      {},
      answering((chat) => chat.start().text('a').finish('length')),
    );
    expect(json()).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
    });
  });
});

describe('the request in an answer', () => {
  const sent = {
    instructions: 'Be brief.',
    max_output_tokens: 50,
    metadata: { note: 'mine' },
    parallel_tool_calls: false,
    temperature: 0.5,
    top_p: 0.9,
    tool_choice: { type: 'function', name: 'add' },
  };

  it('is repeated, except its input', async () => {
    const format = { type: 'json_schema', name: 'n', schema: { type: 'object' } };
    const { json } = await send({ ...sent, tools, reasoning: { effort: 'low' }, text: { format } }, goodDay);
    expect(json()).toMatchObject({
      ...sent,
      tools: [{ ...tools[0], description: null }],
      reasoning: { effort: 'low', summary: null },
      text: { format: { ...format, strict: true } },
    });
    expect(json()).not.toHaveProperty('input');
  });

  it('has the defaults of what was not sent', async () => {
    expect((await send({}, goodDay)).json()).toMatchObject({
      instructions: null,
      max_output_tokens: null,
      metadata: {},
      parallel_tool_calls: true,
      reasoning: { effort: null, summary: null },
      temperature: 1,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_logprobs: 0,
      top_p: 1,
    });
  });
});

describe('log probabilities', () => {
  const wave = [...new TextEncoder().encode('👋')];
  const report = (token: string, bytes: readonly number[]) => ({ token, bytes, logprob: -0.5, top: [] });
  const script = (chat: FakeChat) =>
    chat
      .start()
      .delta({ reasoning: 'Hm', logprobs: [report('Hm', [72, 109])] })
      .delta({ logprobs: [report('\ufffd', wave.slice(0, 2))] })
      .delta({ content: '👋', logprobs: [report('\ufffd', wave.slice(2))] })
      .delta({ content: '!', logprobs: [{ ...report('!', [33]), top: [{ token: '?', bytes: [63], logprob: -1 }] }] })
      .delta({ logprobs: [report('END', [69, 78, 68])] })
      .finish();
  const wanted = { include: ['message.output_text.logprobs'], top_logprobs: 1 };

  it('are those of the tokens of the text', async () => {
    const { json } = await send(wanted, answering(script));
    expect(received().sampling.logprobs).toBe(1);
    const [{ logprobs }] = json().output[1].content;
    expect(logprobs.map(({ token }: { token: string }) => token)).toEqual(['\ufffd', '\ufffd', '!', 'END']);
    expect(logprobs[2]).toEqual({
      token: '!',
      bytes: [33],
      logprob: -0.5,
      top_logprobs: [{ token: '?', bytes: [63], logprob: -1 }],
    });
  });

  it('come with the text that they belong to, and all at its end', async () => {
    const { text } = await send({ ...wanted, stream: true }, answering(script));
    const events = parseEvents(text).map(({ data }) => JSON.parse(data));
    const tokens = (type: string) =>
      events
        .filter((event) => event.type === type)
        .map(({ logprobs }) => logprobs.map((one: { token: string }) => one.token));
    expect(tokens('response.output_text.delta')).toEqual([['\ufffd', '\ufffd'], ['!']]);
    expect(tokens('response.output_text.done')).toEqual([['\ufffd', '\ufffd', '!', 'END']]);
  });

  it('need `include`', async () => {
    const { status, json } = await send({ top_logprobs: 1 }, goodDay);
    expect(status).toBe(400);
    expect(json().error.message).toContain('`top_logprobs` needs "message.output_text.logprobs" in `include`');
    expect((await send({ include: ['reasoning.encrypted_content'] })).status).toBe(200);
    expect(received().sampling.logprobs).toBeUndefined();
  });
});

describe('POST /v1/responses/input_tokens', () => {
  const path = '/openai/v1/responses/input_tokens';

  it('counts the tokens of the input, computes nothing and costs nothing', async () => {
    const { status, json } = await send({ instructions: 'Be brief.', tools }, {}, path);
    expect(status).toBe(200);
    expect(json()).toEqual({ object: 'response.input_tokens', input_tokens: 'Be brief.Hello'.length });
    expect(running!.engine.chats).toEqual([]);
    const { accountId } = running!.accounts.findCaller(running!.secret)!;
    const standing = await running!.accounts.readStanding({ accountId, now: 1_800_000_000_000 });
    expect(standing).toMatchObject({ balance: { available: 100_000_000, held: 0 } });
  });

  it('checks the body like the route of responses', async () => {
    expect((await send({ previous_response_id: 'resp_1' }, {}, path)).status).toBe(400);
    expect((await send({ input: [] }, {}, path)).status).toBe(400);
  });
});

describe('a stream', () => {
  it('has the events of each item with sequence numbers without gaps', async () => {
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
    expect(events.every(({ event, data }, index) => event === data.type && data.sequence_number === index)).toBe(true);
    expect(events.map(({ event, data }) => [event, data.output_index])).toEqual([
      ['response.created', undefined],
      ['response.in_progress', undefined],
      ['response.output_item.added', 0],
      ['response.content_part.added', 0],
      ['response.reasoning_text.delta', 0],
      ['response.reasoning_text.done', 0],
      ['response.content_part.done', 0],
      ['response.output_item.done', 0],
      ['response.output_item.added', 1],
      ['response.content_part.added', 1],
      ['response.output_text.delta', 1],
      ['response.output_text.delta', 1],
      ['response.output_text.done', 1],
      ['response.content_part.done', 1],
      ['response.output_item.done', 1],
      ['response.output_item.added', 2],
      ['response.function_call_arguments.delta', 2],
      ['response.function_call_arguments.done', 2],
      ['response.output_item.done', 2],
      ['response.completed', undefined],
    ]);
    const { response } = events.at(-1)!.data;
    expect(response.output).toEqual(
      events.filter(({ event }) => event === 'response.output_item.done').map(({ data }) => data.item),
    );
    expect(events[0]!.data.response).toMatchObject({ id: response.id, status: 'in_progress', output: [] });
    expect(events[0]!.data.response).not.toHaveProperty('usage');
  });
});

describe('a request', () => {
  it('passes instructions and items to the engine as messages', async () => {
    await send(
      {
        instructions: 'Be brief.',
        input: [
          { role: 'user', content: [{ type: 'input_text', text: '1 + 2?' }] },
          { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'I add.' }] },
          {
            type: 'message',
            role: 'assistant',
            content: [{ type: 'output_text', text: 'Let me see.', annotations: [] }],
          },
          { type: 'function_call', call_id: 'c', name: 'add', arguments: '{"a":1}' },
          { type: 'function_call', call_id: 'd', name: 'add', arguments: '' },
          { type: 'function_call_output', call_id: 'c', output: '3' },
          { type: 'function_call_output', call_id: 'd', output: [{ type: 'input_text', text: '4' }] },
          { role: 'developer', content: 'In English.' },
        ],
        tools,
        tool_choice: { type: 'function', name: 'add' },
        parallel_tool_calls: false,
        reasoning: { effort: 'none' },
        text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' } } },
      },
      goodDay,
    );
    const { input } = received();
    expect(input).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: '1 + 2?' },
        {
          role: 'assistant',
          content: 'Let me see.',
          reasoning_content: 'I add.',
          tool_calls: [
            { id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
            { id: 'd', type: 'function', function: { name: 'add', arguments: '{}' } },
          ],
        },
        { role: 'tool', content: '3', tool_call_id: 'c' },
        { role: 'tool', content: '4', tool_call_id: 'd' },
        { role: 'system', content: 'In English.' },
      ],
      tools: [{ type: 'function', function: { name: 'add', parameters: { type: 'object' } } }],
      toolChoice: 'required',
      parallelToolCalls: false,
      jsonSchema: expect.any(String),
      reasoning: false,
      effort: 'none',
    });
  });

  it('joins instructions and the developer messages before the first answer', async () => {
    const input = [
      { role: 'developer', content: 'You edit files.' },
      { role: 'user', content: 'Hello' },
      { role: 'developer', content: 'It is noon.' },
    ];
    await send({ instructions: 'Be brief.', input }, goodDay);
    expect(received().input.messages).toEqual([
      { role: 'system', content: 'Be brief.\nYou edit files.\nIt is noon.' },
      { role: 'user', content: 'Hello' },
    ]);
  });

  it.each([
    ['a stored response', { previous_response_id: 'resp_1' }, '`previous_response_id` names a response without state'],
    ['background work', { background: true }, '`background` must be false'],
    [
      'an image in a message that is not the user’s',
      { input: [{ role: 'developer', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }] }] },
      '`input[0].content[0]` must not be an image',
    ],
    ['a tool of OpenAI’s servers', { tools: [{ type: 'web_search' }] }, '`tools[0].type` must be'],
    ['a namespace of tools', { tools: [...tools, { type: 'namespace' }] }, '`tools[1]` is a namespace of tools, and'],
    ['a stored item', { input: [{ type: 'item_reference', id: 'x' }] }, '`input[0]` names a stored item'],
    [
      'an item of another kind',
      { input: [{ type: 'computer_call', id: 'x' }] },
      '`input[0]` is of the type "computer_call"',
    ],
    [
      'a tool that is not among the tools',
      { tools, tool_choice: { type: 'function', name: 'sub' } },
      '`tool_choice.name` must name one of `tools`',
    ],
  ])('is refused with %s', async (_, fields, message) => {
    const { status, json } = await send(fields);
    expect(status).toBe(400);
    expect(json().error).toMatchObject({ type: 'invalid_request_error', message: expect.stringContaining(message) });
  });
});
