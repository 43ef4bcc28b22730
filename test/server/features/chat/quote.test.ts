/** `POST /v1/quote`: the price of a chat before it is sent. */
import { afterEach, describe, expect, it } from 'vitest';
import { chatBody, modelId, startTestApp, type TestApp } from '../../../support/server/test-app.ts';

let running: TestApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function quote(fields: Record<string, unknown> = {}) {
  running ??= await startTestApp({ script: (chat) => void chat.answer('a', 'b') });
  const response = await running.app.inject({
    method: 'POST',
    url: '/v1/quote',
    headers: { authorization: `Bearer ${running.secret}` },
    payload: chatBody(fields),
  });
  return { status: response.statusCode, headers: response.headers, json: () => response.json() };
}

describe('a quote', () => {
  it('has the tokens of the prompt, the maximum tokens of the answers, and the price of both', async () => {
    const { status, json } = await quote({ max_tokens: 10, n: 2 });
    expect(status).toBe(200);
    // The prompt costs one micro-dollar per token, the answer two.
    expect(json()).toEqual({
      object: 'quote',
      model: modelId,
      prompt_tokens: 'Hello'.length,
      completion_tokens_max: 20,
      price_max_micro_dollars: 45,
      price_max: '0.000045',
      requests_running: 0,
      requests_waiting: 0,
    });
  });

  it('leaves the rest of the context to an answer without a limit', async () => {
    expect((await quote()).json()).toMatchObject({ completion_tokens_max: 4096 - 5 + 1 });
  });

  it('generates no answer and charges nothing, but counts as a request', async () => {
    const before = await quote();
    const after = await quote();
    expect(running!.engine.chats).toEqual([]);
    const { accounts, secret } = running!;
    const { accountId } = accounts.findCaller(secret)!;
    const standing = await accounts.readStanding({ accountId, now: 1_800_000_000_000 });
    expect(standing).toMatchObject({ balance: { available: 100_000_000, held: 0 } });
    const left = (headers: Record<string, unknown>) => Number(headers['x-ratelimit-remaining'] ?? 0);
    expect(left(after.headers)).toBeLessThanOrEqual(left(before.headers));
  });

  it('refuses what a chat refuses', async () => {
    expect((await quote({ temperature: 3 })).status).toBe(400);
    expect((await quote({ model: 'other' })).json()).toMatchObject({ details: { code: 'ERR_MODEL_UNKNOWN' } });
  });
});
