/** Accounting of requests over HTTP on both databases, with an engine that the test drives. */
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Accounts } from '../../accounts/store.ts';
import type { AppDependencies } from '../../server/start/app.ts';
import {
  describePostgres,
  describeStores,
  makeAccount,
  noon,
  type TestAccount,
} from '../support/accounts/account-stores.ts';
import { FakeEmbeddingEngine } from '../support/runtime/fake-embedding-engine.ts';
import { chatBody, startTestApp, terms } from '../support/server/test-app.ts';

const waiting = { timeout: 20_000, interval: 50 };

/** The application on these accounts. */
async function serve(accounts: Accounts, changes: Partial<AppDependencies> = {}) {
  const app = await startTestApp({ overrides: { accounts, now: () => noon, ...changes } });
  return {
    ...app,
    async ask(account: TestAccount, stream = false): Promise<Answer> {
      const headers = { authorization: `Bearer ${account.secret}` };
      const payload = chatBody({ stream, max_tokens: 5 });
      const response = await app.app.inject({ method: 'POST', url: '/v1/chat/completions', headers, payload });
      return { status: response.statusCode, text: response.body };
    },
    [Symbol.asyncDispose]: () => app.close(),
  };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

describeStores('a key revoked while its response streams', (store) => {
  it('does not end the response, is charged for it, and is rejected afterwards', async () => {
    const accounts = await store.open();
    const account = await makeAccount(accounts, { microDollars: 10_000 });
    await using app = await serve(accounts);
    const streaming = app.ask(account, true);
    const chat = await app.engine.nextChat();
    chat.start({ promptTokens: 7 }).text('one');
    await accounts.revokeKey(account.keyId, { now: noon });
    await expect.poll(() => accounts.findCaller(account.secret), waiting).toBeUndefined();
    expect((await app.ask(account)).status).toBe(401);
    chat.text('two').finish('stop');
    const { status, text } = await streaming;
    expect([status, text.includes('two'), text.includes('[DONE]')]).toEqual([200, true, true]);
    expect((await accounts.findAccount('acme')).balance).toMatchObject({ available: 9_989, held: 0, spent: 11 });
    expect(await accounts.audit()).toMatchObject({ sum: 0, reservations: 0, faults: [] });
  });
});

describeStores('embedded texts', (store) => {
  it('are charged by token, including the prefix of each', async () => {
    const accounts = await store.open();
    const account = await makeAccount(accounts, { microDollars: 10_000 });
    const id = 'embed-TEE';
    const pricing = { promptPerMillion: 3_000_000, completionPerMillion: 0 };
    const embedding = { dimensions: [3], prefix: 'text: ', queryPrefix: 'query: ' };
    const engine = new FakeEmbeddingEngine();
    const facts = { created: 1, fingerprint: 'fp', embedding, terms: { ...terms, pricing } };
    const models = new Map([[id, { kind: 'embedding' as const, id, engine, ...facts }]]);
    await using app = await serve(accounts, { models });
    const response = await app.app.inject({
      method: 'POST',
      url: '/v1/embeddings',
      headers: { authorization: `Bearer ${account.secret}` },
      payload: { model: id, input: ['one', 'three'] },
    });
    const tokens = 'text: onetext: three'.length;
    expect(response.json().usage).toEqual({ prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens });
    // A client cannot send another request before the charge is committed; a test in the same process can.
    await setImmediate();
    expect((await accounts.findAccount('acme')).balance).toMatchObject({ held: 0, spent: 3 * tokens });
    const requestId = String(response.headers['x-request-id']);
    const proof = await accounts.proveUsage({ accountId: account.accountId, requestId });
    expect(proof?.row).toMatchObject({ promptTokens: tokens, completionTokens: 0, price: 3 * tokens });
  });
});

describePostgres('an outage of the database under a server', (store) => {
  it('rejects requests with 503 until it ends, and charges a stream that was in flight', async () => {
    const accounts = await store.open(undefined, { role: 'server' });
    const account = await makeAccount(accounts, { microDollars: 10_000 });
    await using app = await serve(accounts);
    const streaming = app.ask(account, true);
    const chat = await app.engine.nextChat();
    chat.start({ promptTokens: 7 }).text('one');

    store.postgres?.stop();
    expect((await app.ask(account)).status).toBe(503);
    chat.finish('stop');
    expect((await streaming).status).toBe(200);
    expect(app.engine.chats).toHaveLength(1);

    store.postgres?.start();
    const paid = async () => (await accounts.findAccount('acme').catch(() => undefined))?.balance;
    await expect.poll(paid, waiting).toEqual({ paidIn: 10_000, available: 9_991, held: 0, spent: 9 });
    const again = app.ask(account);
    const next = await app.engine.nextChat();
    next.start({ promptTokens: 1 }).finish('stop');
    expect((await again).status).toBe(200);
    expect(await accounts.audit()).toMatchObject({ sum: 0, reservations: 0, faults: [] });
  });
});
