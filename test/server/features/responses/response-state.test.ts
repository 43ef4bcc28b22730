/** `previous_response_id` and `POST /v1/responses/{id}/cancel`, with the official client, unmodified, over real TLS. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import OpenAI, { APIError } from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { ResponseStates, stateBytesMax, stateLifetimeMs } from '../../../../server/features/responses/state.ts';
import type { FakeEngineOptions } from '../../../support/runtime/fake-engine.ts';
import { modelId, startTestApp, type TestApp } from '../../../support/server/test-app.ts';

let running: TestApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function connect(script?: NonNullable<FakeEngineOptions['script']>) {
  running = await startTestApp(script === undefined ? {} : { script });
  const baseURL = (await running.listen()).replace(/\/v1$/, '/openai/v1');
  setDefaultCACertificates([...getCACertificates('bundled'), running.identity.certificate]);
  return { engine: running.engine, openai: new OpenAI({ baseURL, apiKey: running.secret, maxRetries: 0 }) };
}

const call = { index: 0, id: 'call_1', name: 'add', arguments: '{"a":1}' };
const tools = [
  { type: 'function' as const, name: 'add', parameters: { type: 'object', properties: {} }, strict: false },
];

describe('previous_response_id', () => {
  it('continues the conversation of a whole answer: its input, reasoning, calls and text, but not its instructions', async () => {
    const { openai, engine } = await connect((chat) => {
      chat.start();
      chat
        .delta({ reasoning: 'Polite.' })
        .text('Good day')
        .delta({ toolCalls: [call] });
      chat.finish('tool_calls');
    });
    const first = await openai.responses.create({
      ...{ model: modelId, store: true, instructions: 'Be brief.', tools },
      input: [
        { role: 'developer', content: 'It is noon.' },
        { role: 'user', content: 'Hello' },
      ],
    });
    expect(first.id).toMatch(/^resp_state_/);
    expect(first).toMatchObject({ store: true });
    await openai.responses.create({
      ...{ model: modelId, previous_response_id: first.id, instructions: 'Be loud.', tools },
      input: [{ type: 'function_call_output', call_id: 'call_1', output: '2' }],
    });
    expect(engine.chats[1]!.messages).toEqual([
      { role: 'system', content: 'Be loud.\nIt is noon.' },
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: 'Good day',
        reasoning_content: 'Polite.',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
      },
      { role: 'tool', content: '2', tool_call_id: 'call_1' },
    ]);
  });

  it('continues a stream with the `cloister_state` of its end, again and again, also in branches, under one id', async () => {
    const { openai, engine } = await connect((chat) => void chat.answer('Good', ' day'));
    const say = async (input: string, previous?: string) => {
      const body = { model: modelId, input, store: true, ...(previous && { previous_response_id: previous }) };
      // The helper of the client checks that every event has the same id.
      const answer = (await openai.responses.stream(body).finalResponse()) as { cloister_state?: string; id: string };
      expect(answer).toMatchObject({ id: expect.stringMatching(/^resp_[\w-]{24}$/), store: true });
      return answer.cloister_state!;
    };
    const first = await say('One');
    const second = await say('Two', first);
    await say('Three', second);
    await say('Other', first);
    const said = (index: number) => engine.chats[index]!.messages.map(({ content }) => content);
    expect(said(2)).toEqual(['One', 'Good day', 'Two', 'Good day', 'Three']);
    expect(said(3)).toEqual(['One', 'Good day', 'Other']);
  });

  it('counts the tokens of the whole conversation', async () => {
    const { openai } = await connect((chat) => void chat.answer('Good', ' day'));
    const { id } = await openai.responses.create({ model: modelId, input: 'One', store: true });
    const count = await openai.responses.inputTokens.count({ model: modelId, previous_response_id: id, input: 'Two' });
    expect(count.input_tokens).toBe('OneGood dayTwo'.length);
  });

  it('hands out no state unless the request asks for it', async () => {
    const { openai } = await connect((chat) => void chat.answer('Good', ' day'));
    for (const fields of [{}, { store: false }]) {
      const { id, ...answer } = await openai.responses.create({ model: modelId, input: 'One', ...fields });
      expect(id).toMatch(/^resp_[\w-]{24}$/);
      expect(answer).toMatchObject({ store: false });
    }
  });

  it.each([
    ['the short id of an answer without state', 'resp_ZZZZZZZZZZZZZZZZZZZZZZZZ', 'names a response without state'],
    [
      'a token of another process',
      new ResponseStates(Date.now).seal({ messages: [], images: [] }, { account: 'tests', models: 'x' })!,
      'for one hour',
    ],
  ])('is refused with %s, and says what to send', async (_, previous, message) => {
    const { openai, engine } = await connect((chat) => void chat.answer('Good'));
    const answer = openai.responses.create({ model: modelId, input: 'One', previous_response_id: previous });
    const error = await answer.catch((reason) => reason);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({
      ...{ status: 400, code: 'previous_response_not_found', param: 'previous_response_id' },
      message: expect.stringMatching(`${message}.*in \`input\``),
    });
    expect(error.message).not.toContain(previous);
    expect(engine.chats).toEqual([]);
  });
});

describe('sealed state', () => {
  const owner = { account: 'a', models: 'm' };
  const conversation = {
    messages: [{ role: 'user' as const, content: 'Hello' }],
    images: ['data:image/png;base64,AAAA'],
  };

  it('opens for its account and models only, and not if a byte was changed', () => {
    const states = new ResponseStates(() => 0);
    const token = states.seal(conversation, owner)!;
    expect(states.open(token, owner)).toMatchObject(conversation);
    expect(token).not.toContain('Hello');
    for (const other of [
      { ...owner, account: 'b' },
      { ...owner, models: 'n' },
    ]) {
      expect(() => states.open(token, other)).toThrow('cannot be opened');
    }
    const bytes = Buffer.from(token.slice('resp_state_'.length), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(() => states.open(`resp_state_${changed.toString('base64url')}`, owner)).toThrow('cannot be opened');
    }
    for (const short of ['resp_state_', 'resp_state_AAAA', token.slice(0, -8)]) {
      expect(() => states.open(short, owner)).toThrow('cannot be opened');
    }
  });

  it('expires after an hour, while newer state still opens, also after the keys have changed', () => {
    let now = 1000;
    const states = new ResponseStates(() => now);
    now += stateLifetimeMs - 1;
    const early = states.seal(conversation, owner)!;
    now += 1;
    const late = states.seal(conversation, owner)!;
    now += stateLifetimeMs - 2;
    expect(states.open(early, owner)).toMatchObject(conversation);
    now += 1;
    expect(() => states.open(early, owner)).toThrow('cannot be opened');
    expect(states.open(late, owner)).toMatchObject(conversation);
    now += 5 * stateLifetimeMs;
    expect(() => states.open(late, owner)).toThrow('cannot be opened');
  });

  it('is bounded: a larger conversation gets none, and a longer token is not decoded', () => {
    const states = new ResponseStates(() => 0);
    const content = 'x'.repeat(stateBytesMax - 120);
    const sealed = (text: string, images: string[] = []) =>
      states.seal({ messages: [{ role: 'user', content: text }], images }, owner);
    expect(states.open(sealed(content)!, owner)).toMatchObject({ messages: [{ role: 'user', content }] });
    expect(sealed(`${content}${'y'.repeat(100)}`)).toBeUndefined();
    expect(sealed('Hello', Array(16).fill('x'.repeat(stateBytesMax / 16)))).toBeUndefined();
    expect(() => states.open(`resp_state_${'A'.repeat(stateBytesMax * 2)}`, owner)).toThrow('cannot be opened');
  });
});

describe('POST /v1/responses/{id}/cancel', () => {
  it('ends a running stream of the account, which gets the text so far and no state', async () => {
    const { openai, engine } = await connect();
    const opening = openai.responses.create({ model: modelId, input: 'Hello', stream: true, store: true });
    (await engine.nextChat()).start().text('Good');
    let id = '';
    let cancelled: object | undefined;
    let last: object | undefined;
    for await (const event of await opening) {
      last = event;
      if (event.type === 'response.created') id = event.response.id;
      if (event.type === 'response.output_text.delta') cancelled = await openai.responses.cancel(id);
    }
    expect(cancelled).toMatchObject({ id, object: 'response', status: 'cancelled' });
    expect(last).toMatchObject({
      type: 'response.incomplete',
      response: {
        ...{ id, status: 'cancelled', store: false, output: [{ content: [{ text: 'Good' }] }] },
        usage: { input_tokens: 5, output_tokens: 1 },
      },
    });
  });

  it('answers 404 for an id that is not running, or not of this account', async () => {
    const { openai } = await connect((chat) => void chat.answer('Good'));
    const { id } = await openai.responses.create({ model: modelId, input: 'Hello' });
    const error = await openai.responses.cancel(id).catch((reason) => reason);
    expect(error).toMatchObject({ status: 404, code: 'ERR_RESPONSE_UNKNOWN' });
  });
});
