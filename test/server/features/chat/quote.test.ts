/** `POST /v1/quote`: the price of a chat before it is sent. */
import { afterEach, describe, expect, it } from 'vitest';
import { waitOf } from '../../../../server/features/chat/quote.ts';
import { RecentAnswers } from '../../../../server/features/chat/recent-answers.ts';
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
      wait_estimate_ms: 0,
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

  it.each(['prompt', 'input', 'query'])('refuses a body with %s as that of another route', async (field) => {
    const { status, json } = await quote({ messages: undefined, [field]: 'secret' });
    expect(status).toBe(400);
    expect(json().error).toBe(`\`${field}\` is not of a chat: a quote takes the body of \`/v1/chat/completions\` only`);
  });

  it('refuses what a chat refuses', async () => {
    expect((await quote({ temperature: 3 })).status).toBe(400);
    expect((await quote({ model: 'other' })).json()).toMatchObject({ details: { code: 'ERR_MODEL_UNKNOWN' } });
  });
});

describe('the estimate of the wait', () => {
  const busy = { running: 4, waiting: 3, sequences: 4, answerMs: 1000 };

  it('is the time until a sequence is free, as recent answers take', () => {
    expect(waitOf(busy)).toEqual({ wait_estimate_ms: 1000 });
    expect(waitOf({ ...busy, waiting: 0 })).toEqual({ wait_estimate_ms: 250 });
  });

  it('is 0 with a free sequence, also before the first answer', () => {
    expect(waitOf({ running: 3, waiting: 0, sequences: 4, answerMs: undefined })).toEqual({ wait_estimate_ms: 0 });
  });

  it('is left out if nothing is known', () => {
    expect(waitOf({ ...busy, answerMs: undefined })).toEqual({});
    expect(waitOf({ ...busy, sequences: undefined })).toEqual({});
  });

  it('follows the newest answers of each model', () => {
    const recent = new RecentAnswers();
    expect(recent.meanMs('a')).toBeUndefined();
    recent.add('a', 1000);
    recent.add('b', 5);
    expect(recent.meanMs('a')).toBe(1000);
    for (let answer = 0; answer < 30; answer++) recent.add('a', 100);
    expect(recent.meanMs('a')).toBeCloseTo(101, 0);
  });
});
