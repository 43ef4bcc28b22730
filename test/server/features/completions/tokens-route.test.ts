/** `POST /v1/tokenize` and `/v1/detokenize`, in the form of vLLM. */
import { afterEach, describe, expect, it } from 'vitest';
import { modelId, startTestApp, type TestApp } from '../../../support/server/test-app.ts';

let running: TestApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function send(path: 'tokenize' | 'detokenize', fields: Record<string, unknown>) {
  running ??= await startTestApp();
  const response = await running.app.inject({
    method: 'POST',
    url: `/v1/${path}`,
    headers: { authorization: `Bearer ${running.secret}` },
    payload: { model: modelId, ...fields },
  });
  return { status: response.statusCode, headers: response.headers, json: () => response.json() };
}

const hello = [...'Hello'].map((character) => character.charCodeAt(0));

describe('POST /v1/tokenize', () => {
  it('answers the tokens of a text, their number and the context of the model', async () => {
    const { status, json } = await send('tokenize', { prompt: 'Hello' });
    expect(status).toBe(200);
    expect(json()).toEqual({ count: 5, max_model_len: 4096, tokens: hello });
  });

  it('answers the tokens of a chat', async () => {
    const { json } = await send('tokenize', { messages: [{ role: 'user', content: 'Hello' }] });
    expect(json()).toMatchObject({ count: 5, tokens: hello });
  });

  it.each([
    [{}, /`prompt` or `messages` is required/],
    [{ prompt: 'a', messages: [{ role: 'user', content: 'a' }] }, /`prompt` or `messages` is required, and not both/],
    [{ messages: [{ role: 'robot', content: 'a' }] }, /`messages\[0\]\.role`/],
    [{ messages: [{ role: 'user', content: 'a' }], add_generation_prompt: false }, /must be true/],
    [{ messages: [{ role: 'user', content: 'a' }], continue_final_message: true }, /must be false/],
    [{ prompt: 5 }, /`prompt`/],
    [{ prompt: 'a', return_token_strs: true }, /`return_token_strs` is not supported/],
  ])('refuses %j', async (fields, message) => {
    const { status, json } = await send('tokenize', fields);
    expect(status).toBe(400);
    expect(json().error).toMatch(message);
  });
});

describe('POST /v1/detokenize', () => {
  it('answers the text of tokens', async () => {
    expect((await send('detokenize', { tokens: hello })).json()).toEqual({ prompt: 'Hello' });
  });

  it('refuses what are no ids of tokens', async () => {
    for (const tokens of [undefined, 'a', [-1], [1.5], [2 ** 31]]) {
      expect((await send('detokenize', { tokens })).status).toBe(400);
    }
  });
});

it('costs nothing, computes nothing, and counts as a request', async () => {
  const before = await send('tokenize', { prompt: 'Hello' });
  const after = await send('detokenize', { tokens: hello });
  const { accounts, secret, engine } = running!;
  expect(engine.chats).toEqual([]);
  const { accountId } = accounts.findCaller(secret)!;
  const standing = await accounts.readStanding({ accountId, now: 1_800_000_000_000 });
  expect(standing).toMatchObject({ balance: { available: 100_000_000, held: 0 } });
  const left = (headers: Record<string, unknown>) => Number(headers['x-ratelimit-remaining'] ?? 0);
  expect(left(after.headers)).toBeLessThanOrEqual(left(before.headers));
});
