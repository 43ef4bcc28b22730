import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RuntimeError } from '../../runtime/errors.ts';
import type { ChatEvent } from '../../runtime/request.ts';
import { type AccountStore, openAccountStore } from '../../server/accounts/store.ts';
import { admitRequest, chatCountsMax, type ModelTerms, metered } from '../../server/plugins/admission.ts';
import { requireKey } from '../../server/plugins/authentication.ts';
import { sendErrorReplies } from '../../server/plugins/error-replies.ts';
import { balanceRoutes } from '../../server/routes/balance.ts';
import { usageRoutes } from '../../server/routes/usage.ts';
import { makeAccount, noon, type TestAccount } from '../support/account-stores.ts';

const pricing = { promptPerMillion: 1_000_000, completionPerMillion: 1_000_000 };
const limits = { contextLength: 100, maxOutputTokens: 40 };
const terms = new Map<string, ModelTerms>([
  ['small-TEE', { plans: ['*'], pricing, ...limits }],
  ['big-TEE', { plans: ['pro'], pricing, ...limits }],
]);

let accounts: AccountStore;
let app: FastifyInstance;
let account: TestAccount;
/** Request ids are `r1`, `r2`, … */
let requests = 0;
/** What the engine tells of the next request. */
let script: () => AsyncGenerator<ChatEvent>;

beforeEach(async () => {
  accounts = await openAccountStore(':memory:', { clock: () => noon });
  account = await makeAccount(accounts, { microDollars: 1_000 });
  script = answer;
  app = fastify({ genReqId: () => `r${++requests}` });
  app.decorateRequest('outcome', undefined);
  sendErrorReplies(app);
  requireKey(app, accounts);
  const dependencies = { accounts, terms, requestTimeoutMs: 60_000, now: () => noon };
  app.post('/chat', async (request, reply) => {
    const { model } = request.body as { model: string };
    const countsMax = chatCountsMax(request.body, { choices: 1, maxTokens: undefined }, terms.get(model)!);
    const admission = await admitRequest({ request, reply }, { surface: 'chat', model, countsMax }, dependencies);
    const codeOf = (error: unknown) => String((error as { code?: string }).code);
    const events: string[] = [];
    for await (const event of metered(script(), admission, { now: () => noon, codeOf })) {
      events.push(event.kind);
      if (event.kind === 'delta' && event.content === 'leave') break;
    }
    return { events, spent: (await accounts.findAccount('acme')).balance.spent };
  });
  usageRoutes(app, { accounts, now: () => noon });
  balanceRoutes(app, { accounts, now: () => noon });
});
afterEach(async () => {
  await app.close();
  await accounts.close();
});

function delta(content: string, tokens: number): ChatEvent {
  return { kind: 'delta', choice: 0, content, reasoning: '', toolCalls: [], logprobs: [], tokens };
}

async function* answer(): AsyncGenerator<ChatEvent> {
  yield { kind: 'started', promptTokens: 7, cachedTokens: 0, queuedMs: 0 };
  yield delta('yes', 2);
  yield { kind: 'finished', choice: 0, reason: 'stop', completionTokens: 3, reasoningTokens: 0 };
}

async function ask(model = 'small-TEE', secret = account.secret) {
  const headers = { authorization: `Bearer ${secret}` };
  return await app.inject({ method: 'POST', url: '/chat', headers, payload: { model } });
}

async function get(url: string, secret = account.secret) {
  return await app.inject({ url, headers: { authorization: `Bearer ${secret}` } });
}

async function endOf(id: string): Promise<string> {
  return (await get(`/usage/requests/${id}`)).json().finish_reason;
}

async function balance() {
  const { available, held, spent } = (await accounts.findAccount('acme')).balance;
  return { available, held, spent };
}

describe('a chat through the seam', () => {
  it('is charged before its end is seen', async () => {
    const response = await ask();
    expect(response.json()).toEqual({ events: ['started', 'delta', 'finished'], spent: 10 });
    expect(await balance()).toEqual({ available: 990, held: 0, spent: 10 });
  });

  it('that is left by its caller pays for the tokens that were sent', async () => {
    script = async function* () {
      yield { kind: 'started', promptTokens: 7, cachedTokens: 0, queuedMs: 0 };
      yield delta('leave', 5);
      yield delta('never read', 50);
    };
    await ask();
    const left = `r${requests}`;
    expect(await balance()).toEqual({ available: 988, held: 0, spent: 12 });
    expect(await endOf(left)).toBe('cancelled');
  });

  it('that breaks in the middle pays for what was sent, and says why it ended', async () => {
    script = async function* () {
      yield { kind: 'started', promptTokens: 7, cachedTokens: 0, queuedMs: 0 };
      yield delta('yes', 1);
      throw new RuntimeError('ERR_ENGINE_LOST', 'the thread is gone');
    };
    expect((await ask()).statusCode).toBe(503);
    const broken = `r${requests}`;
    expect(await balance()).toEqual({ available: 992, held: 0, spent: 8 });
    expect(await endOf(broken)).toBe('ERR_ENGINE_LOST');
  });

  it('that is refused before its first token costs nothing (I-082)', async () => {
    // biome-ignore lint/correctness/useYield: an engine that refuses tells nothing
    script = async function* () {
      throw new RuntimeError('ERR_CONTEXT_OVERFLOW', 'too long');
    };
    expect((await ask()).statusCode).toBe(400);
    expect(await balance()).toEqual({ available: 1_000, held: 0, spent: 0 });
  });

  it('is bounded by the bytes of its body and by what the model holds', () => {
    const wide = { contextLength: 100_000, maxOutputTokens: 500 };
    const body = { messages: [{ role: 'user', content: 'é'.repeat(1_000) }] };
    const bytes = Buffer.byteLength(JSON.stringify(body));
    expect(chatCountsMax(body, { choices: 2, maxTokens: 30 }, wide)).toEqual({
      promptTokens: bytes + 1_024,
      completionTokens: 60,
    });
    expect(chatCountsMax(body, { choices: 1, maxTokens: 9_999 }, limits)).toEqual({
      promptTokens: 100,
      completionTokens: 40,
    });
  });
});

describe('a refusal', () => {
  it('for want of money is 402, and says how much there is (I-075)', async () => {
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

  it('for a quota that is used up is 403 with usage (I-071)', async () => {
    await accounts.changePlan({ id: 'operator', change: { tokensPerMonth: 150 }, now: noon });
    expect((await ask()).statusCode).toBe(200);
    await accounts.changePlan({ id: 'operator', change: { tokensPerMonth: 140 }, now: noon });
    const response = await ask();
    expect(response.statusCode).toBe(403);
    expect(response.json().details).toMatchObject({ usage: { tokens_used: 10, tokens_limit: 140 } });
  });

  it('for a model that is not in the plan is 400 and names those that are (I-013)', async () => {
    await accounts.moveToPlan({ account: 'acme', plan: 'team' });
    const response = await ask('big-TEE');
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toBe('`model` is not in the plan Team; these are: small-TEE');
  });

  it('for a key without the scope is 403 and names it (C-015)', async () => {
    const wanted = { account: 'acme', name: 'key', scopes: ['balance'], now: noon };
    const { secret } = await accounts.createKey(wanted);
    const response = await ask('small-TEE', secret);
    expect([response.statusCode, response.json().details.scope]).toEqual([403, 'inference']);
    expect((await get('/balance', secret)).statusCode).toBe(200);
    const other = await accounts.createKey({ ...wanted, scopes: ['inference'] });
    for (const url of ['/balance', '/usage', '/usage/statements/2030-06-15', '/usage/requests/r1']) {
      expect((await get(url, other.secret)).json().details.scope).toBe('balance');
    }
  });

  it('costs nothing, whatever it was for', async () => {
    await accounts.changePlan({ id: 'operator', change: { requestsPerMinute: 0 }, now: noon });
    await ask();
    expect(await balance()).toEqual({ available: 1_000, held: 0, spent: 0 });
  });
});

describe('GET /usage', () => {
  it('answers sums as JSON', async () => {
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

  it('answers sums as CSV', async () => {
    await ask();
    const response = await get('/usage?group_by=key&format=csv&from=2030-06-01&to=2030-06-30');
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(response.body.split('\r\n')).toEqual([
      'day,model,key_id,requests,prompt_tokens,completion_tokens,images,steps,price_micro_dollars,price',
      `,,${account.keyId},1,7,3,0,0,10,0.000010`,
      '',
    ]);
  });

  it.each([
    ['group_by=weather', 'must be one or more of day, model, key'],
    ['format=xml', '"json", "csv"'],
    ['from=June', 'a day is written YYYY-MM-DD'],
    ['from=2030-06-16&to=2030-06-15', '`to` must not be before `from`'],
    ['from=2030-06-01&from=2030-06-02', 'must be a string'],
  ])('refuses ?%s', async (query, message) => {
    const response = await get(`/usage?${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toContain(message);
  });

  it('ties a request to the day’s statement by its request id', async () => {
    await ask();
    const id = `r${requests}`;
    const row = (await get(`/usage/requests/${id}`)).json();
    expect(row).toMatchObject({ request_id: id, price_micro_dollars: 10, finish_reason: 'stop' });
    const statement = (await get('/usage/statements/2030-06-15')).json();
    expect(statement).toMatchObject({ requests: 1, price_micro_dollars: 10, root: row.statement.root });
    expect((await get('/usage/requests/nothing')).statusCode).toBe(404);
    expect((await get('/usage/statements/today')).statusCode).toBe(400);
  });
});

describe('GET /balance', () => {
  it('answers what is left of money and plan', async () => {
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
