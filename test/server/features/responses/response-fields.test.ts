/** Fields that decide what of an answer its client gets, and how much of a conversation the model reads. */
import { afterEach, describe, expect, it } from 'vitest';
import { RuntimeError } from '../../../../runtime/pool/errors.ts';
import type { FakeChat } from '../../../support/runtime/fake-engine.ts';
import { fakeFacts } from '../../../support/runtime/fake-engine.ts';
import { modelId, parseEvents, startTestApp, type TestApp } from '../../../support/server/test-app.ts';

let running: TestApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function start(script: (chat: FakeChat) => unknown) {
  running = await startTestApp({ script: (chat) => void script(chat) });
}

async function ask(fields: object) {
  const { app, secret } = running!;
  const response = await app.inject({
    method: 'POST',
    url: '/openai/v1/responses',
    headers: { authorization: `Bearer ${secret}` },
    payload: { model: modelId, input: 'Hello', ...fields },
  });
  return { status: response.statusCode, text: response.body, json: () => response.json() };
}

const said = (index: number) => running!.engine.chats[index]!.messages;

describe('labels of a request', () => {
  const labels = { prompt_cache_key: 'k', safety_identifier: 's', user: 'u', max_tool_calls: 3 };

  it('are repeated, and absent ones are null', async () => {
    await start((chat) => chat.answer('a'));
    const sent = { ...labels, service_tier: 'flex', text: { verbosity: 'medium' } };
    expect((await ask(sent)).json()).toMatchObject({
      ...labels,
      service_tier: 'default',
      text: { verbosity: 'medium', format: { type: 'text' } },
    });
    expect((await ask({})).json()).toMatchObject({
      ...{ prompt_cache_key: null, safety_identifier: null, max_tool_calls: null, truncation: 'disabled' },
    });
  });

  it.each([
    ['text.verbosity', { text: { verbosity: 'low' } }],
    ['service_tier', { service_tier: 'nonsense' }],
    ['truncation', { truncation: 'middle' }],
  ])('are refused with a value that does not exist here: %s', async (name, fields) => {
    await start((chat) => chat.answer('a'));
    const { status, json } = await ask(fields);
    expect(status).toBe(400);
    expect(json().error.param).toBe(name);
  });
});

describe('an answer that the limit of tokens cut', () => {
  const tools = [{ type: 'function', name: 'add', parameters: { type: 'object' } }];
  const cutCall = (chat: FakeChat) => {
    chat.start().text('I add.');
    chat.delta({ toolCalls: [{ index: 0, id: 'c', name: 'add', arguments: '{"a' }] });
    chat.finish('length');
  };

  it('has state without the incomplete call', async () => {
    await start(cutCall);
    const { id, output } = (await ask({ store: true, tools })).json();
    expect(output).toMatchObject([{ type: 'message' }, { type: 'function_call', status: 'incomplete' }]);
    const continued = await ask({ previous_response_id: id, input: 'Go on', tools });
    expect(continued.status).toBe(200);
    expect(said(1)).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'I add.' },
      { role: 'user', content: 'Go on' },
    ]);
  });

  it('has an incomplete message if it was cut before its first text', async () => {
    await start((chat) => chat.start().finish('length'));
    const item = { type: 'message', status: 'incomplete', role: 'assistant', content: [] };
    expect((await ask({})).json()).toMatchObject({ status: 'incomplete', output: [item] });
  });
});

describe('previous_response_id', () => {
  it('is repeated by a continued answer, and by the last event of a stream', async () => {
    await start((chat) => chat.answer('a'));
    const { id } = (await ask({ store: true })).json();
    expect((await ask({ previous_response_id: id })).json().previous_response_id).toBe(id);
    const { text } = await ask({ previous_response_id: id, stream: true });
    const responses = parseEvents(text).flatMap(({ data }) => JSON.parse(data).response ?? []);
    expect(responses.map(({ previous_response_id: previous }) => previous)).toEqual([null, null, id]);
  });
});

describe('reasoning.encrypted_content', () => {
  const include = ['reasoning.encrypted_content'];
  const thinking = (chat: FakeChat) => {
    chat.start().delta({ reasoning: 'Be polite.' }).text('Hello').finish();
  };

  it('is sealed for its client, and opened when the client sends it back without the text', async () => {
    await start(thinking);
    const [reasoning, message] = (await ask({ include })).json().output;
    expect(reasoning).toMatchObject({ type: 'reasoning', encrypted_content: expect.stringMatching(/^resp_state_/) });
    expect(reasoning.encrypted_content).not.toContain('polite');
    const { content: _, ...sealed } = reasoning;
    const history = [{ role: 'user', content: 'Hi' }, sealed, message, { role: 'user', content: 'More' }];
    expect((await ask({ input: history })).status).toBe(200);
    expect(said(1)[1]).toEqual({ role: 'assistant', content: 'Hello', reasoning_content: 'Be polite.' });
  });

  it('is the same in each event of a stream', async () => {
    await start(thinking);
    const events = parseEvents((await ask({ include, stream: true })).text).map(({ data }) => JSON.parse(data));
    const done = events.find(({ type }) => type === 'response.output_item.done');
    expect(done.item.encrypted_content).toMatch(/^resp_state_/);
    expect(events.at(-1).response.output[0]).toEqual(done.item);
  });

  it('is absent unless the request includes it', async () => {
    await start(thinking);
    expect((await ask({})).json().output[0]).not.toHaveProperty('encrypted_content');
  });

  it('of another server is left out of the conversation', async () => {
    await start(thinking);
    const item = { type: 'reasoning', summary: [], encrypted_content: 'gAAAA' };
    const input = [
      { role: 'user', content: 'Hi' },
      item,
      { role: 'assistant', content: 'a' },
      { role: 'user', content: 'b' },
    ];
    expect((await ask({ input })).status).toBe(200);
    expect(said(0)[1]).toEqual({ role: 'assistant', content: 'a' });
  });
});

describe('truncation', () => {
  const words = (count: number) => 'x'.repeat(count);
  const turns = (...sizes: number[]) =>
    sizes.flatMap((size, index) => [
      ...(index === 0 ? [] : [{ role: 'assistant', content: 'a' }]),
      { role: 'user', content: words(size) },
    ]);
  /** The fake engine counts characters; like the real one, it refuses what exceeds the context. */
  const bounded = (chat: FakeChat) => {
    const counted = chat.messages.reduce((sum, { content }) => sum + content.length, 0);
    const limit = fakeFacts.contextPerSequence;
    if (counted < limit) return chat.answer('fine');
    return chat.fail(new RuntimeError('ERR_CONTEXT_OVERFLOW', 'the prompt is long', { details: { limit, counted } }));
  };

  it('auto drops the oldest turns, and keeps the instructions', async () => {
    await start(bounded);
    const { status, json } = await ask({
      truncation: 'auto',
      instructions: 'Brief.',
      input: turns(3000, 1000, 2000, 90),
    });
    expect(status).toBe(200);
    expect(json().truncation).toBe('auto');
    expect(said(1).map(({ role, content }) => [role, content.length])).toEqual([
      ...[
        ['system', 6],
        ['user', 1000],
        ['assistant', 1],
      ],
      ...[
        ['user', 2000],
        ['assistant', 1],
        ['user', 90],
      ],
    ]);
  });

  it('auto changes nothing that fits', async () => {
    await start(bounded);
    expect((await ask({ truncation: 'auto', input: turns(10, 20) })).status).toBe(200);
    expect(running!.engine.chats).toHaveLength(1);
  });

  it.each([
    ['disabled', turns(3000, 2000)],
    ['auto', turns(10, 5000)],
  ])('%s refuses what does not fit', async (truncation, input) => {
    await start(bounded);
    const { status, json } = await ask({ truncation, input });
    expect(status).toBe(400);
    expect(json().error.code).toBe('context_length_exceeded');
  });
});
