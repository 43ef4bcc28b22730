import { afterEach, describe, expect, it } from 'vitest';
import { storeUnavailable } from '../../../../accounts/database/store-faults.ts';
import { RuntimeError } from '../../../../runtime/pool/errors.ts';
import { chatBody, modelId, parseEvents, startTestApp, type TestApp } from '../../../support/server/test-app.ts';

let running: TestApp | undefined;

async function start(...options: Parameters<typeof startTestApp>): Promise<TestApp> {
  running = await startTestApp(...options);
  return running;
}

afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe('a whole answer', () => {
  it('is a chat.completion with choices and usage (I-024…I-026)', async () => {
    const { post } = await start({ script: (chat) => void chat.answer('Hello', ' there') });
    const { status, json } = await post(chatBody());
    expect(status).toBe(200);
    expect(json()).toEqual({
      id: expect.stringMatching(/^chatcmpl-[\w-]{24}$/),
      object: 'chat.completion',
      created: 1_800_000_000,
      model: modelId,
      system_fingerprint: 'fp_test',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello there', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 5,
        completion_tokens: 2,
        total_tokens: 7,
        prompt_tokens_details: { cached_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    });
  });

  it('has `n` choices with their index (I-018)', async () => {
    const { post } = await start({ script: (chat) => void chat.answer('yes') });
    const { choices, usage } = (await post(chatBody({ n: 3 }))).json();
    expect(choices.map(({ index, message }) => [index, message.content])).toEqual([
      [0, 'yes'],
      [1, 'yes'],
      [2, 'yes'],
    ]);
    expect(usage?.completion_tokens).toBe(3);
  });

  it('keeps reasoning separate from the content and counts it', async () => {
    const { post } = await start({
      script: (chat) =>
        void chat.start().delta({ reasoning: 'Hmm, ' }).delta({ reasoning: 'yes.' }).text('Yes').finish('stop', 0, 2),
    });
    const { choices, usage } = (await post(chatBody())).json();
    expect(choices[0]?.message).toMatchObject({ content: 'Yes', reasoning_content: 'Hmm, yes.' });
    expect(usage?.completion_tokens_details?.reasoning_tokens).toBe(2);
  });

  it('collects tool calls, with null content', async () => {
    const { post } = await start({
      script: (chat) =>
        void chat
          .start()
          .delta({ toolCalls: [{ index: 0, id: 'call_1', name: 'weather', arguments: '' }] })
          .delta({ toolCalls: [{ index: 0, arguments: '{"city":' }] })
          .delta({ toolCalls: [{ index: 0, arguments: '"Bonn"}' }] })
          .finish('tool_calls'),
    });
    const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }];
    const [choice] = (await post(chatBody({ tools }))).json().choices;
    expect(choice).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bonn"}' } }],
      },
    });
  });

  it('reports log probabilities in OpenAI’s format', async () => {
    const report = { token: 'Hi', bytes: [72, 105], logprob: -0.1 };
    const { post } = await start({
      script: (chat) =>
        void chat
          .start()
          .delta({ content: 'Hi', logprobs: [{ ...report, top: [report] }] })
          .finish(),
    });
    const [choice] = (await post(chatBody({ logprobs: true, top_logprobs: 1 }))).json().choices;
    expect(choice?.logprobs).toEqual({ content: [{ ...report, top_logprobs: [report] }], refusal: null });
  });

  it('assigns the work to the account of the key and passes on the deadline', async () => {
    const { post, engine } = await start({ script: (chat) => void chat.answer('x') });
    await post(chatBody());
    await post(chatBody());
    const [first, second] = engine.chats.map(({ request }) => request);
    expect(first).toMatchObject({ priority: 0, timeoutMs: 60_000 });
    expect(first?.account).toMatch(/^[0-9a-f-]{36}$/);
    expect(second?.account).toBe(first?.account);
  });
});

describe('a stream', () => {
  it('is a sequence of chunks with one id, a role first, a finish_reason last, then [DONE] (I-027, I-028)', async () => {
    const { post } = await start({ script: (chat) => void chat.answer('Hel', 'lo') });
    const { headers, text } = await post(chatBody({ stream: true }));
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const events = parseEvents(text);
    expect(events.at(-1)?.data).toBe('[DONE]');
    const chunks = events.slice(0, -1).map(({ data }) => JSON.parse(data));
    expect(new Set(chunks.map(({ id, object, model }) => `${id} ${object} ${model}`)).size).toBe(1);
    expect(chunks[0]?.object).toBe('chat.completion.chunk');
    expect(chunks.map(({ choices: [choice] }) => [choice.delta, choice.finish_reason])).toEqual([
      [{ role: 'assistant', content: '' }, null],
      [{ content: 'Hel' }, null],
      [{ content: 'lo' }, null],
      [{}, 'stop'],
    ]);
  });

  it('ends with a usage chunk if requested, with null usage in the other chunks (I-028)', async () => {
    const { post } = await start({ script: (chat) => void chat.answer('a') });
    const { text } = await post(chatBody({ stream: true, stream_options: { include_usage: true } }));
    const chunks = parseEvents(text)
      .slice(0, -1)
      .map(({ data }) => JSON.parse(data));
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 1 } });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  it('has a role for every choice and an index for every delta', async () => {
    const { post } = await start({ script: (chat) => void chat.answer('x') });
    const { text } = await post(chatBody({ stream: true, n: 2 }));
    const chunks = parseEvents(text)
      .slice(0, -1)
      .map(({ data }) => JSON.parse(data).choices[0]);
    expect(chunks.filter(({ delta }) => delta.role).map(({ index }) => index)).toEqual([0, 1]);
    expect(chunks.filter(({ delta }) => delta.content).map(({ index }) => index)).toEqual([0, 1]);
  });

  it('streams reasoning, tool calls and log probabilities as deltas', async () => {
    const report = { token: 'A', bytes: [65], logprob: -1 };
    const { post } = await start({
      script: (chat) =>
        void chat
          .start()
          .delta({ reasoning: 'so' })
          .delta({ content: 'A', logprobs: [{ ...report, top: [] }] })
          .delta({ toolCalls: [{ index: 0, id: 'call_1', name: 'f', arguments: '' }] })
          .delta({ toolCalls: [{ index: 0, arguments: '{}' }] })
          .finish('tool_calls'),
    });
    const { text } = await post(chatBody({ stream: true, logprobs: true }));
    const choices = parseEvents(text)
      .slice(1, -1)
      .map(({ data }) => JSON.parse(data).choices[0]);
    expect(choices.map(({ delta }) => delta)).toEqual([
      { reasoning_content: 'so' },
      { content: 'A' },
      { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{}' } }] },
      {},
    ]);
    expect(choices[0].logprobs).toBeNull();
    expect(choices[1].logprobs).toEqual({ content: [{ ...report, top_logprobs: [] }], refusal: null });
  });

  it('sends nothing for an empty delta', async () => {
    const { post } = await start({ script: (chat) => void chat.start().text('').text('a').finish() });
    const { text } = await post(chatBody({ stream: true }));
    expect(parseEvents(text)).toHaveLength(4);
  });

  it('answers an error before the first token with the status of the error', async () => {
    const { post } = await start({
      script: (chat) =>
        chat.fail(new RuntimeError('ERR_QUEUE_FULL', 'too many wait', { details: { retryAfterSeconds: 7 } })),
    });
    const { status, headers, json } = await post(chatBody({ stream: true }));
    expect([status, headers['retry-after']]).toEqual([429, '7']);
    expect(json()).toMatchObject({ error: 'too many wait', details: { status: 429, retry_after: 7 } });
  });

  it('sends an error after the first token as an event, without [DONE] (I-029)', async () => {
    const { post, log } = await start({
      script: (chat) => chat.start().text('par').fail(new RuntimeError('ERR_ENGINE_LOST', 'the engine stopped')),
    });
    const { status, text } = await post(chatBody({ stream: true }));
    expect(status).toBe(200);
    const last = parseEvents(text).at(-1);
    expect(last?.event).toBe('error');
    expect(JSON.parse(last?.data ?? '')).toMatchObject({
      error: 'the engine stopped',
      details: { status: 503, code: 'ERR_ENGINE_LOST' },
    });
    expect(text).not.toContain('[DONE]');
    expect(log()).toContain('"code":"ERR_ENGINE_LOST"');
  });
});

describe('errors of the engine', () => {
  it.each([
    ['ERR_CONTEXT_OVERFLOW', 400, undefined],
    ['ERR_CHAT_TEMPLATE', 400, undefined],
    ['ERR_GRAMMAR_INVALID', 400, undefined],
    ['ERR_TOKEN_UNKNOWN', 400, undefined],
    ['ERR_TOOLS_UNSUPPORTED', 400, undefined],
    ['ERR_QUEUE_FULL', 429, '1'],
    ['ERR_NOT_READY', 503, '30'],
    ['ERR_DRAINING', 503, '5'],
    ['ERR_DEADLINE', 504, undefined],
    ['ERR_ENGINE_LOST', 503, '5'],
    ['ERR_INTERNAL', 500, undefined],
  ] as const)('%s is answered with %i', async (code, expected, retryAfter) => {
    const { post } = await start({ script: (chat) => chat.fail(new RuntimeError(code, 'the reason')) });
    const { status, headers, json } = await post(chatBody());
    expect(status).toBe(expected);
    expect(headers['retry-after']).toBe(retryAfter);
    expect(json().error).toBe(expected === 500 ? 'internal error' : 'the reason');
  });

  it('ends the connection only if another node of a fleet may answer', async () => {
    for (const [code, expected] of [
      ['ERR_DRAINING', 'close'],
      ['ERR_STORE_UNAVAILABLE', 'close'],
      ['ERR_QUEUE_FULL', 'keep-alive'],
    ] as const) {
      const error =
        code === 'ERR_STORE_UNAVAILABLE' ? storeUnavailable(undefined) : new RuntimeError(code, 'the reason');
      const { post } = await start({ script: (chat) => chat.fail(error) });
      expect((await post(chatBody())).headers.connection, code).toBe(expected);
    }
  });

  it('a prompt that is too long is answered with the limit and its token count (I-012)', async () => {
    const error = new RuntimeError('ERR_CONTEXT_OVERFLOW', 'the prompt has 5000 tokens, the limit is 4096', {
      details: { limit: 4096, counted: 5000 },
    });
    const { post } = await start({ script: (chat) => chat.fail(error) });
    const { json } = await post(chatBody());
    expect(json()).toMatchObject({ details: { limit: 4096, counted: 5000, endpoint: '/v1/chat/completions' } });
  });

  it('an unexpected error exposes no details to the caller or the log', async () => {
    const { post, log } = await start({ script: (chat) => chat.fail(new Error('inner secret of /opt/x')) });
    const { status, text } = await post(chatBody());
    expect(status).toBe(500);
    expect(text).not.toContain('secret');
    expect(log()).toContain('internal error');
    expect(log()).not.toContain('secret');
  });
});

it('an unknown model is answered with the ids of available models (I-013)', async () => {
  const { post } = await start();
  const { status, json } = await post(chatBody({ model: 'gpt-4' }));
  expect([status, json().error]).toEqual([400, '`model` is not served here; these are: fake-TEE']);
});
