/** Requests with up to 128 choices: chats below `/openai/v1`, and completions. `/v1` keeps the limit of the contract (I-018). */
import { afterEach, describe, expect, it } from 'vitest';
import { operatorPlanId } from '../../../../accounts/plans/plans.ts';
import type { FakeChat } from '../../../support/runtime/fake-engine.ts';
import { chatBody, modelId, parseEvents, startTestApp, type TestApp } from '../../../support/server/test-app.ts';

const chats = '/openai/v1/chat/completions';
const completions = '/v1/completions';

let running: TestApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const answer = (chat: FakeChat) => void chat.answer('yes');

async function send(url: string, fields: Record<string, unknown>, { secret }: { secret?: string } = {}) {
  running ??= await startTestApp({ script: answer });
  const payload = url.endsWith(completions) ? { model: modelId, prompt: 'Hello', ...fields } : chatBody(fields);
  const headers = { authorization: `Bearer ${secret ?? running.secret}` };
  const { statusCode: status, body: text } = await running.app.inject({ method: 'POST', url, headers, payload });
  return { status, text, json: () => JSON.parse(text) };
}

const indexesTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe.each([chats, completions])('%s', (url) => {
  it('has 128 choices with their index, and charges each', async () => {
    const { status, json } = await send(url, { n: 128, max_tokens: 2 });
    expect(status).toBe(200);
    const { choices, usage } = json();
    expect(choices.map(({ index }: { index: number }) => index)).toEqual(indexesTo(128));
    for (const choice of choices) expect(choice.text ?? choice.message.content).toBe('yes');
    expect(usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 128, total_tokens: 133 });
  });

  it('streams 128 choices, each to its end', async () => {
    const { text } = await send(url, { n: 128, stream: true, stream_options: { include_usage: true } });
    const chunks = parseEvents(text)
      .filter(({ data }) => data !== '[DONE]')
      .map(({ data }) => JSON.parse(data));
    const ended = chunks.flatMap(({ choices }) => choices).filter((choice) => choice.finish_reason !== null);
    expect(ended.map(({ index }) => index)).toEqual(indexesTo(128));
    expect(chunks.at(-1).usage.completion_tokens).toBe(128);
  });

  it('reserves the price of all choices before any begins', async () => {
    running = await startTestApp({ script: answer });
    const { accounts } = running;
    await accounts.createAccount({ name: 'poor', plan: operatorPlanId, now: Date.now() });
    await accounts.credit({ account: 'poor', microDollars: 500_000, reference: 'poor', now: Date.now() });
    const { secret } = await accounts.createKey({ account: 'poor', name: 'first', now: Date.now() });
    const refused = await send(url, { n: 128, max_tokens: 4000 }, { secret });
    expect([refused.status, refused.json().details.code]).toEqual([url === chats ? 429 : 402, 'ERR_BALANCE']);
    expect(running.engine.chats).toEqual([]);
    expect((await send(url, { n: 128, max_tokens: 1000 }, { secret })).status).toBe(200);
  });

  it('refuses more', async () => {
    const { status, text } = await send(url, { n: 129 });
    expect(status).toBe(400);
    expect(text).toContain('`n` must be an integer from 1 to 128, got 129');
  });

  it('has log probabilities of more than 10 choices in a stream only', async () => {
    const asked = url === chats ? { logprobs: true, top_logprobs: 20 } : { logprobs: 20 };
    const refused = await send(url, { n: 11, ...asked });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('`n` must be at most 10 with `logprobs`, unless `stream` is true, got 11');
    expect(running!.engine.chats).toEqual([]);
    expect((await send(url, { n: 128, stream: true, ...asked })).status).toBe(200);
    expect((await send(url, { n: 10, ...asked })).status).toBe(200);
  });
});

describe('128 choices of a chat', () => {
  it('may each match a JSON schema', async () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
    const format = { type: 'json_schema', json_schema: { name: 'a', schema } };
    const { status } = await send(chats, { n: 128, response_format: format });
    expect(status).toBe(200);
    expect(running!.engine.chats[0]!.request).toMatchObject({
      choices: 128,
      input: { jsonSchema: JSON.stringify(schema) },
    });
  });

  it('are quoted', async () => {
    const { json } = await send('/openai/v1/quote', { n: 128, max_tokens: 10 });
    expect(json()).toMatchObject({ completion_tokens_max: 1280 });
  });

  it('are refused on `/v1`, in small bodies and in large ones', async () => {
    for (const padding of ['', 'x'.repeat(100_000)]) {
      const refused = await send('/v1/chat/completions', { n: 11, padding });
      expect(refused.status).toBe(400);
      expect(refused.json().error).toBe('`n` must be an integer from 1 to 10, got 11');
      expect((await send(chats, { n: 128, padding })).status).toBe(200);
    }
  });
});
