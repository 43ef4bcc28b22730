import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AccountStore, openAccountStore } from '../../../accounts/store.ts';
import { RuntimeError } from '../../../runtime/pool/errors.ts';
import { chatCountsMax, embeddingCountsMax, imageCountsMax, termsOf } from '../../../server/serving/model-terms.ts';
import { makeAccount, noon, type TestAccount } from '../../support/accounts/account-stores.ts';
import { type FakeChat, FakeEngine } from '../../support/runtime/fake-engine.ts';
import { FakeImageEngine } from '../../support/runtime/fake-image-engine.ts';
import { chatBody, startTestApp, type TestApp } from '../../support/server/test-app.ts';

const pricing = { promptPerMillion: 1_000_000, completionPerMillion: 1_000_000 };
const limits = { contextLength: 100, maxOutputTokens: 40 };

let accounts: AccountStore;
let server: TestApp;
let account: TestAccount;
let engine: FakeEngine;
/** Id of the last request. */
let last = '';
/** The behaviour of the engine. */
let script: (chat: FakeChat) => void;

beforeEach(async () => {
  accounts = await openAccountStore(':memory:', { clock: () => noon });
  account = await makeAccount(accounts, { microDollars: 1_000 });
  script = answer;
  engine = new FakeEngine({ script: (chat) => script(chat) });
  const facts = { created: 1, fingerprint: 'fp' };
  const image = { promptPerMillion: 0, completionPerMillion: 0, perImage: 100, perStep: 1 };
  server = await startTestApp({
    overrides: {
      accounts,
      now: () => noon,
      models: new Map([
        ['small-TEE', { kind: 'chat', id: 'small-TEE', engine, ...facts, terms: { plans: ['*'], pricing, ...limits } }],
        ['big-TEE', { kind: 'chat', id: 'big-TEE', engine, ...facts, terms: { plans: ['pro'], pricing, ...limits } }],
        [
          'image-TEE',
          {
            kind: 'image',
            id: 'image-TEE',
            engine: new FakeImageEngine(),
            ...facts,
            terms: { plans: ['*'], pricing: image, ...limits },
          },
        ],
      ]),
    },
  });
});
afterEach(async () => {
  await server.close();
  await accounts.close();
});

function answer(chat: FakeChat): void {
  chat.start({ promptTokens: 7 }).text('y').text('e').text('s').finish('stop');
}

async function post(path: string, payload: object, secret = account.secret) {
  const headers = { authorization: `Bearer ${secret}` };
  const response = await server.app.inject({ method: 'POST', url: `/v1${path}`, headers, payload });
  last = String(response.headers['x-request-id']);
  return response;
}

async function ask(model = 'small-TEE', secret = account.secret) {
  return await post('/chat/completions', chatBody({ model }), secret);
}

async function get(url: string, secret = account.secret) {
  return await server.app.inject({ url: `/v1${url}`, headers: { authorization: `Bearer ${secret}` } });
}

async function endOf(id: string): Promise<string> {
  return (await get(`/usage/requests/${id}`)).json().finish_reason;
}

async function balance() {
  const { available, held, spent } = (await accounts.findAccount('acme')).balance;
  return { available, held, spent };
}

describe('an admitted chat', () => {
  it('is charged when its answer is complete', async () => {
    const response = await ask();
    expect(response.json().usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3 });
    expect(await balance()).toEqual({ available: 990, held: 0, spent: 10 });
    expect(await endOf(last)).toBe('stop');
  });

  it('is charged the same when it is streamed', async () => {
    const response = await post('/chat/completions', chatBody({ model: 'small-TEE', stream: true }));
    expect(response.body).toContain('[DONE]');
    expect(response.headers['x-ratelimit-limit-requests']).toBeUndefined();
    expect(await balance()).toEqual({ available: 990, held: 0, spent: 10 });
  });

  it('receives the limits of plan and model', async () => {
    await accounts.changePlan({ id: 'operator', change: { contextTokensMax: 60, priority: 3 }, now: noon });
    await post('/chat/completions', chatBody({ model: 'small-TEE', max_tokens: 5_000 }));
    expect(engine.chats[0]!.request).toMatchObject({ maxTokens: 40, contextMax: 60, priority: 3 });
  });

  it('reserves its maximum cost while it runs', async () => {
    script = (chat) => void chat.start({ promptTokens: 7 }).text('one');
    const call = post('/chat/completions', chatBody({ model: 'small-TEE', max_tokens: 5 }));
    const chat = await engine.nextChat();
    expect(await balance()).toEqual({ available: 1_000 - 105, held: 105, spent: 0 });
    chat.finish('length');
    await call;
    expect(await balance()).toEqual({ available: 992, held: 0, spent: 8 });
  });

  it('is charged for the emitted tokens if its caller disconnects', async () => {
    const { port } = new URL(await server.listen());
    script = (chat) => void chat.start({ promptTokens: 7 }).text('one').text('two');
    const call = request({
      ...{ host: '127.0.0.1', port, path: '/v1/chat/completions', method: 'POST', ca: server.identity.certificate },
      headers: { authorization: `Bearer ${account.secret}`, 'content-type': 'application/json' },
    });
    call.end(JSON.stringify(chatBody({ model: 'small-TEE', stream: true })));
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    await once(response, 'data');
    response.destroy();
    await expect.poll(balance).toEqual({ available: 991, held: 0, spent: 9 });
    expect(await endOf(String(response.headers['x-request-id']))).toBe('ERR_CANCELLED');
  });

  describe('that fails mid-stream', () => {
    beforeEach(() => {
      script = (chat) => {
        chat.start({ promptTokens: 7 }).text('yes');
        chat.fail(new RuntimeError('ERR_ENGINE_LOST', 'the thread is gone'));
      };
    });

    it('is charged for the tokens sent, and records why it ended', async () => {
      await post('/chat/completions', chatBody({ model: 'small-TEE', stream: true }));
      expect(await balance()).toEqual({ available: 992, held: 0, spent: 8 });
      expect(await endOf(last)).toBe('ERR_ENGINE_LOST');
    });

    it('is not charged if nothing was sent (I-082)', async () => {
      expect((await ask()).statusCode).toBe(503);
      expect(await balance()).toEqual({ available: 1_000, held: 0, spent: 0 });
    });
  });

  it('is not charged if it is rejected before its first token (I-082)', async () => {
    script = (chat) => chat.fail(new RuntimeError('ERR_CONTEXT_OVERFLOW', 'too long'));
    expect((await ask()).statusCode).toBe(400);
    expect(await balance()).toEqual({ available: 1_000, held: 0, spent: 0 });
  });
});

describe('the maximum cost', () => {
  const wide = { ...termsOf(undefined, 100_000), maxOutputTokens: 500 };

  it('of a chat is bounded by its prompt and the model’s context', () => {
    expect(chatCountsMax({ promptTokens: 2_000, choices: 2, maxTokens: 30 }, wide)).toEqual({
      promptTokens: 2_000,
      completionTokens: 60,
    });
    expect(chatCountsMax({ promptTokens: 2_000, choices: 2, maxTokens: 9_999 }, { ...wide, ...limits })).toEqual({
      promptTokens: 100,
      completionTokens: 80,
    });
    const agent = { promptTokens: 2_000, choices: 1, maxTokens: 30, addedBytesMax: 500, prompts: 3 };
    expect(chatCountsMax(agent, wide).promptTokens).toBe(3 * (2_000 + 500 + 1_024));
  });

  it('of embeddings counts special tokens, at most the model’s context per text', () => {
    const promptTokens = (input: readonly (string | number[])[], prefixBytes: number, terms = wide) =>
      embeddingCountsMax({ input, prefixBytes }, terms).promptTokens;
    expect(promptTokens(['hé', 'two'], 0)).toBe(3 + 2 + (3 + 2));
    expect(promptTokens(['hé', 'two'], 7)).toBe(3 + 2 + 7 + (3 + 2 + 7));
    expect(promptTokens([[1, 2, 3]], 7)).toBe(3 + 2);
    expect(promptTokens(['x'.repeat(50_000), 'x', 'x'], 0, { ...wide, ...limits })).toBe(100 + 3 + 3);
  });

  it('of images counts the steps of each image', () => {
    expect(imageCountsMax({ count: 4, steps: 50 })).toMatchObject({ images: 4, steps: 200 });
  });
});

describe('an image', () => {
  it('is charged per image and per step', async () => {
    const body = { prompt: 'a red circle', n: 2, size: '256x256', num_inference_steps: 10 };
    expect((await post('/images/generations', body)).statusCode).toBe(200);
    expect(await balance()).toEqual({ available: 780, held: 0, spent: 220 });
    expect((await get(`/usage/requests/${last}`)).json()).toMatchObject({
      images: 2,
      steps: 20,
      finish_reason: 'stop',
    });
  });

  it('is not started if the balance is insufficient', async () => {
    const body = { prompt: 'a red circle', n: 10, size: '256x256' };
    expect((await post('/images/generations', body)).statusCode).toBe(402);
    expect(await balance()).toEqual({ available: 1_000, held: 0, spent: 0 });
  });
});

describe('a rejection', () => {
  it('for insufficient balance is 402 with the balance (I-075)', async () => {
    await makeAccount(accounts, { name: 'poor', microDollars: 5 });
    const { secret } = await accounts.createKey({ account: 'poor', name: 'key', now: noon });
    const response = await ask('small-TEE', secret);
    expect(response.statusCode).toBe(402);
    expect(response.json().details).toMatchObject({ code: 'ERR_BALANCE', balance_micro_dollars: 5 });
  });

  it('for too many requests is 429 with Retry-After and the limits (I-072, I-081)', async () => {
    await accounts.changePlan({ id: 'operator', change: { requestsPerMinute: 1 }, now: noon });
    const first = await ask();
    expect([first.statusCode, first.headers['x-ratelimit-remaining']]).toEqual([200, '0']);
    const second = await ask();
    expect(second.statusCode).toBe(429);
    expect(second.headers).toMatchObject({
      'retry-after': '60',
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-limit-requests': '1',
    });
    expect(second.json().details).toMatchObject({ status: 429, code: 'ERR_RATE_LIMIT', retry_after: 60 });
    expect(second.json().details).not.toHaveProperty('retryAfterSeconds');
  });

  it('for an exhausted quota is 403 with the usage (I-071)', async () => {
    await accounts.changePlan({ id: 'operator', change: { tokensPerMonth: 150 }, now: noon });
    expect((await ask()).statusCode).toBe(200);
    await accounts.changePlan({ id: 'operator', change: { tokensPerMonth: 140 }, now: noon });
    const response = await ask();
    expect(response.statusCode).toBe(403);
    expect(response.json().details).toMatchObject({ usage: { tokens_used: 10, tokens_limit: 140 } });
  });

  it('for a model outside the plan is 400 with the models of the plan (I-013)', async () => {
    await accounts.moveToPlan({ account: 'acme', plan: 'team' });
    const response = await ask('big-TEE');
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toBe('`model` is not in the plan Team; these are: small-TEE');
  });

  it('for a key without the scope is 403 with the scope (C-015)', async () => {
    const wanted = { account: 'acme', name: 'key', scopes: ['balance'], now: noon };
    const { secret } = await accounts.createKey(wanted);
    const response = await ask('small-TEE', secret);
    expect([response.statusCode, response.json().details.scope]).toEqual([403, 'inference']);
    expect((await get('/balance', secret)).statusCode).toBe(200);
    const other = await accounts.createKey({ ...wanted, scopes: ['inference'] });
    for (const url of ['/balance', '/usage', '/usage/statements/2030-06-15', '/usage/requests/any']) {
      expect((await get(url, other.secret)).json().details.scope).toBe('balance');
    }
  });

  it('is never charged, for any reason', async () => {
    await accounts.changePlan({ id: 'operator', change: { requestsPerMinute: 0 }, now: noon });
    await ask();
    expect(await balance()).toEqual({ available: 1_000, held: 0, spent: 0 });
  });
});

describe('GET /usage', () => {
  it('returns totals as JSON', async () => {
    await ask();
    await ask();
    const response = await get('/usage?group_by=day,model');
    expect(response.json()).toEqual({
      object: 'list',
      from: '2030-05-17',
      to: '2030-06-15',
      currency: 'USD',
      data: [
        {
          day: '2030-06-15',
          model: 'small-TEE',
          requests: 2,
          prompt_tokens: 14,
          completion_tokens: 6,
          images: 0,
          steps: 0,
          price_micro_dollars: 20,
          price: '0.000020',
        },
      ],
    });
  });

  it('returns totals as CSV', async () => {
    await ask();
    const response = await get('/usage?group_by=key&format=csv&from=2030-06-01&to=2030-06-30');
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(response.body.split('\r\n')).toEqual([
      'day,model,key_id,requests,prompt_tokens,completion_tokens,images,steps,price_micro_dollars,price,agent',
      `,,${account.keyId},1,7,3,0,0,10,0.000010,`,
      '',
    ]);
  });

  it.each([
    ['group_by=weather', 'must be one or more of day, model, key, agent'],
    ['format=xml', '"json", "csv"'],
    ['from=June', 'a day is written YYYY-MM-DD'],
    ['from=2030-06-16&to=2030-06-15', '`to` must not be before `from`'],
    ['from=2030-06-01&from=2030-06-02', 'must be a string'],
  ])('rejects ?%s', async (query, message) => {
    const response = await get(`/usage?${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toContain(message);
  });

  it('links a request to the day’s statement by its request id', async () => {
    await ask();
    const id = last;
    const row = (await get(`/usage/requests/${id}`)).json();
    expect(row).toMatchObject({ request_id: id, price_micro_dollars: 10, finish_reason: 'stop' });
    const statement = (await get('/usage/statements/2030-06-15')).json();
    expect(statement).toMatchObject({
      requests: 1,
      images: 0,
      steps: 0,
      price_micro_dollars: 10,
      root: row.statement.root,
    });
    expect((await get('/usage/requests/nothing')).statusCode).toBe(404);
    expect((await get('/usage/statements/today')).statusCode).toBe(400);
  });
});

describe('GET /balance', () => {
  it('returns the remaining balance and plan quota', async () => {
    await ask();
    expect((await get('/balance')).json()).toMatchObject({
      object: 'balance',
      currency: 'USD',
      balance: '0.000990',
      balance_micro_dollars: 990,
      held_micro_dollars: 0,
      spent_micro_dollars: 10,
      plan: { id: 'operator', requests_per_minute: null },
      usage: { running_requests: 0, requests_today: 1, tokens_this_month: 10, tokens_held: 0 },
    });
  });
});
