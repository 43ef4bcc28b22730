import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionsMax } from '../../../accounts/keys/sessions.ts';
import { type ConfidentialApp, startConfidentialApp } from '../../support/server/confidential-app.ts';

let running: ConfidentialApp;
beforeAll(async () => {
  running = await startConfidentialApp();
});
afterAll(() => running.close());

/** The clock of the application under test. */
const now = 1_800_000_000_000;
const host = 'cloister.example';
const page = { host, origin: `https://${host}` };

type Method = 'GET' | 'POST' | 'DELETE';

async function call(method: Method, url: string, { headers = {}, body }: { headers?: object; body?: object } = {}) {
  const answer = await running.app.inject({
    ...{ method, url },
    headers: { ...page, ...headers },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<Record<string, unknown>>() };
}

async function signIn(body: object) {
  const { status, headers, body: session } = await call('POST', '/v1/sessions', { body });
  const setCookie = String(headers['set-cookie'] ?? '');
  return { status, session, setCookie, headers: { cookie: setCookie.split(';')[0]! } };
}

async function link(): Promise<string> {
  const { accountId } = running.accounts.findCaller(running.secret) as { accountId: string };
  return (await running.accounts.makeLoginLink({ accountId, now })).secret;
}

describe('signing in', () => {
  it('with a link opens a session for pages, once', async () => {
    const secret = await link();
    const { status, session, setCookie, headers } = await signIn({ link: secret });
    expect(status).toBe(200);
    expect(session).toMatchObject({ object: 'session', can_manage_keys: true });
    for (const word of ['__Host-', 'HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/'])
      expect(setCookie).toContain(word);
    expect(setCookie).not.toContain(secret);
    expect((await call('GET', '/v1/session', { headers })).body).toEqual(session);
    expect((await call('GET', '/v1/models', { headers })).status).toBe(200);
    expect(await signIn({ link: secret })).toMatchObject({
      status: 401,
      session: { details: { code: 'ERR_LINK_INVALID' } },
    });
  });

  it('with a key opens a session that has the rights of the key and ends with it', async () => {
    const account = 'session-of-a-key';
    await running.accounts.createAccount({ name: account, now: Date.now() });
    const { key, secret } = await running.accounts.createKey({
      ...{ account, name: 'page', scopes: ['inference'], now: Date.now() },
    });
    const { status, session, headers } = await signIn({ key: secret });
    expect(status).toBe(200);
    expect(session).toMatchObject({ account, scopes: ['inference'], can_manage_keys: false });
    expect(await call('GET', '/v1/balance', { headers })).toMatchObject({ status: 403 });
    expect(await call('GET', '/v1/keys', { headers })).toMatchObject({ status: 401 });
    await running.accounts.revokeKey(key.id, { now: Date.now() });
    expect(await call('GET', '/v1/session', { headers })).toMatchObject({
      ...{ status: 401, body: { details: { code: 'ERR_SESSION_REQUIRED' } } },
    });
  });

  it('is refused without a key or link, with both, with a wrong one, and from other sites', async () => {
    expect(await signIn({})).toMatchObject({ status: 400 });
    expect(await signIn({ link: 'a', key: 'b' })).toMatchObject({ status: 400 });
    expect(await signIn({ link: 'a'.repeat(43) })).toMatchObject({ status: 401 });
    expect(await signIn({ key: 'clst_unknown' })).toMatchObject({ status: 401 });
    const foreign = { origin: 'https://other.example' };
    const body = { key: running.secret };
    expect(await call('POST', '/v1/sessions', { headers: foreign, body })).toMatchObject({
      ...{ status: 403, body: { details: { code: 'ERR_ORIGIN_REFUSED' } } },
    });
  });

  it('ends the oldest session of the same key, and none of people or other keys', async () => {
    const account = 'many-sessions';
    await running.accounts.createAccount({ name: account, now });
    const keys = await Promise.all(
      ['one', 'two'].map((name) => running.accounts.createKey({ account, name, now: Date.now() })),
    );
    const { id } = await running.accounts.findAccount(account);
    const person = await signIn({ link: (await running.accounts.makeLoginLink({ accountId: id, now })).secret });
    const other = await signIn({ key: keys[1]!.secret });
    const opened = [];
    for (let count = 0; count <= sessionsMax; count++) opened.push(await signIn({ key: keys[0]!.secret }));
    const isLive = async ({ headers }: { headers: object }) =>
      (await call('GET', '/v1/session', { headers })).status === 200;
    expect([await isLive(person), await isLive(other)]).toEqual([true, true]);
    const live = await Promise.all(opened.map(isLive));
    expect(live.filter((one) => one)).toHaveLength(sessionsMax);
  });

  it('ends when the page signs out', async () => {
    const { headers } = await signIn({ link: await link() });
    const ended = await call('DELETE', '/v1/session', { headers });
    expect(ended.status).toBe(200);
    expect(String(ended.headers['set-cookie'])).toContain('Max-Age=0');
    expect((await call('GET', '/v1/session', { headers })).status).toBe(401);
  });
});

describe('a request with a session', () => {
  it('is refused if it changes something and comes from another site', async () => {
    const { headers } = await signIn({ link: await link() });
    for (const origin of ['https://other.example', undefined]) {
      const answer = await running.app.inject({
        ...{ method: 'POST', url: '/v1/embeddings', payload: {} },
        headers: { host, ...headers, ...(origin === undefined ? {} : { origin }) },
      });
      expect(answer.json()).toMatchObject({ details: { code: 'ERR_ORIGIN_REFUSED' } });
    }
  });

  it('is judged by its key if it has one', async () => {
    const { headers } = await signIn({ link: await link() });
    const both = { ...headers, authorization: 'Bearer clst_unknown' };
    expect(await call('GET', '/v1/models', { headers: both })).toMatchObject({
      ...{ status: 401, body: { details: { code: 'ERR_KEY_INVALID' } } },
    });
  });

  it('needs the whole secret: neither a link nor a key is a cookie', async () => {
    for (const value of [await link(), running.secret, '', 'a'.repeat(43)]) {
      const headers = { cookie: `__Host-cloister_session=${value}` };
      expect((await call('GET', '/v1/session', { headers })).status).toBe(401);
    }
  });
});

describe('keys of an account', () => {
  it('are made, listed and revoked in a session that a link opened', async () => {
    const { headers } = await signIn({ link: await link() });
    const body = { name: 'notebook', scopes: ['inference'], expires_in_days: 30 };
    const made = await call('POST', '/v1/keys', { headers, body });
    expect(made).toMatchObject({ status: 201, body: { name: 'notebook', scopes: ['inference'], revoked_at: null } });
    const { id, secret } = made.body as { id: string; secret: string };
    const authorization = `Bearer ${secret}`;
    expect((await call('GET', '/v1/models', { headers: { authorization } })).status).toBe(200);
    const { data } = (await call('GET', '/v1/keys', { headers })).body as { data: { id: string }[] };
    expect(data.find((key) => key.id === id)).toBeDefined();
    expect(JSON.stringify(data)).not.toContain(secret);
    expect(await call('DELETE', `/v1/keys/${id}`, { headers })).toMatchObject({ status: 200 });
    expect((await call('GET', '/v1/models', { headers: { authorization } })).status).toBe(401);
    expect(await call('DELETE', `/v1/keys/${id}`, { headers })).toMatchObject({ status: 404 });
  });

  it('cannot be managed with a key', async () => {
    const headers = { authorization: `Bearer ${running.secret}` };
    for (const [method, url] of [
      ['GET', '/v1/keys'],
      ['POST', '/v1/keys'],
      ['DELETE', '/v1/keys/x'],
    ] as const) {
      const body = method === 'POST' ? { name: 'more' } : undefined;
      expect(await call(method, url, { headers, ...(body && { body }) })).toMatchObject({
        ...{ status: 401, body: { details: { code: 'ERR_SESSION_REQUIRED' } } },
      });
    }
  });

  it('of other accounts are unknown', async () => {
    const account = 'owner-of-a-key';
    await running.accounts.createAccount({ name: account, now: Date.now() });
    const { key, secret } = await running.accounts.createKey({ account, name: 'own', now: Date.now() });
    const { headers } = await signIn({ link: await link() });
    expect(await call('DELETE', `/v1/keys/${key.id}`, { headers })).toMatchObject({ status: 404 });
    expect(running.accounts.findCaller(secret)).toBeDefined();
  });
});
