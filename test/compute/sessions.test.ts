import { describe, expect, it } from 'vitest';
import { type ComputeApp, computeApps } from '../support/compute/compute-app.ts';

const open = computeApps();
const apiKeys = '/api/svc/api-keys';
const minuteMs = 60_000;
const origin = 'https://web.example';

/** Signs in with a link. @returns headers of the signed-in browser */
async function signIn(app: ComputeApp, accountId: string): Promise<Record<string, string>> {
  const { secret } = await app.world.accounts.makeLoginLink({ accountId, now: app.world.now });
  const answer = await app.get(`/api/svc/session?token=${secret}`);
  expect(answer.status).toBe(200);
  const cookie = String(answer.headers['set-cookie']);
  return { cookie: cookie.split(';')[0]!, origin };
}

describe('signing in', () => {
  it('sets a cookie that no script reads, no other site sends and no plain connection carries', async () => {
    const app = await open();
    const { accountId } = await app.tenant('acme');
    const { secret } = await app.world.accounts.makeLoginLink({ accountId, now: app.world.now });
    const answer = await app.call('POST', '/api/svc/session', { body: { token: secret } });
    const cookie = String(answer.headers['set-cookie']);
    for (const word of ['__Host-', 'HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(word);
    expect(cookie).not.toContain(secret);
    const rows = JSON.stringify(await app.world.store.db.selectFrom('sessions').selectAll().execute());
    expect(rows).not.toContain(/session=([^;]+)/.exec(cookie)?.[1]);
  });

  it('works once per link, and only for ten minutes', async () => {
    const app = await open();
    const { accountId } = await app.tenant('acme');
    const { secret } = await app.world.accounts.makeLoginLink({ accountId, now: app.world.now });
    const path = `/api/svc/session?token=${secret}`;
    expect([(await app.get(path)).status, (await app.get(path)).status]).toEqual([200, 401]);
    const late = await app.world.accounts.makeLoginLink({ accountId, now: app.world.now });
    app.world.sleep(10 * minuteMs);
    expect((await app.get(`/api/svc/session?token=${late.secret}`)).status).toBe(401);
    expect((await app.get('/api/svc/session')).status).toBe(401);
  });

  it('expires after half an hour without use, after twelve hours, and on request', async () => {
    const app = await open();
    const { accountId } = await app.tenant('acme');
    const idle = await signIn(app, accountId);
    app.world.sleep(30 * minuteMs);
    expect((await app.call('GET', apiKeys, { headers: idle })).status).toBe(401);
    const busy = await signIn(app, accountId);
    for (let minutes = 0; minutes < 12 * 60; minutes += 20) {
      expect((await app.call('GET', apiKeys, { headers: busy })).status).toBe(200);
      app.world.sleep(20 * minuteMs);
    }
    expect((await app.call('GET', apiKeys, { headers: busy })).status).toBe(401);
    const short = await signIn(app, accountId);
    expect((await app.call('DELETE', '/api/svc/session', { headers: short })).status).toBe(200);
    expect((await app.call('GET', apiKeys, { headers: short })).status).toBe(401);
  });

  it('ends with the account', async () => {
    const app = await open();
    const { accountId } = await app.tenant('acme');
    const headers = await signIn(app, accountId);
    await app.world.accounts.closeAccount({ account: 'acme', now: app.world.now });
    expect((await app.call('GET', apiKeys, { headers })).status).toBe(401);
  });
});

describe('API keys', () => {
  it('C-085 and C-086 require the session and never accept a key, not even together with a session', async () => {
    const app = await open();
    const { accountId, key } = await app.tenant('acme');
    const headers = await signIn(app, accountId);
    expect((await app.get(apiKeys)).status).toBe(401);
    expect((await app.get(apiKeys, { key })).status).toBe(401);
    expect(await app.call('GET', apiKeys, { key, headers })).toMatchObject({
      status: 401,
      body: { code: 'SESSION_REQUIRED' },
    });
    expect((await app.call('GET', apiKeys, { headers })).status).toBe(200);
  });

  it('C-018, C-087 and C-088 show the secret once', async () => {
    const app = await open();
    const { accountId } = await app.tenant('acme');
    const headers = await signIn(app, accountId);
    const { status, body } = await app.call('POST', apiKeys, { headers, body: { name: 'ci' } });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'ci',
      key: expect.stringMatching(/^clst_/),
      created_at: expect.any(String),
      message: expect.any(String),
    });
    const list = await app.call('GET', apiKeys, { headers });
    expect(list.body.find((one: { id: string }) => one.id === body.id)).toEqual({
      id: body.id,
      name: 'ci',
      keyPreview: `${body.key.slice(0, 7)}…${body.key.slice(-2)}`,
      createdAt: body.created_at,
    });
    expect(JSON.stringify(list.body)).not.toContain(body.key);
    expect((await app.get('/api/svc/balance', { key: body.key })).status).toBe(200);
  });

  it('C-089 and C-090 are revoked by ?id= alone, at once', async () => {
    const app = await open();
    const { accountId, key } = await app.tenant('acme');
    const headers = await signIn(app, accountId);
    const [{ id }] = (await app.call('GET', apiKeys, { headers })).body;
    expect((await app.call('DELETE', `${apiKeys}/${id}`, { headers })).status).toBe(404);
    expect((await app.call('DELETE', apiKeys, { headers, body: { id } })).status).toBe(400);
    const other = (await app.call('POST', apiKeys, { headers, body: { name: 'other' } })).body;
    const both = await app.call('DELETE', `${apiKeys}?id=${id}`, { headers, body: { id: other.id } });
    expect(both.body).toEqual({ id, deleted: true, message: expect.any(String) });
    expect((await app.get('/api/svc/balance', other)).status).toBe(200);
    expect((await app.get('/api/svc/balance', { key })).status).toBe(401);
    expect((await app.call('DELETE', `${apiKeys}?id=${id}`, { headers })).status).toBe(404);
  });

  it('C-016 of another account are treated as missing', async () => {
    const app = await open();
    const [acme, beta] = [await app.tenant('acme'), await app.tenant('beta')];
    const [mine, theirs] = [await signIn(app, acme.accountId), await signIn(app, beta.accountId)];
    const [{ id }] = (await app.call('GET', apiKeys, { headers: theirs })).body;
    expect((await app.call('DELETE', `${apiKeys}?id=${id}`, { headers: mine })).status).toBe(404);
    expect((await app.get('/api/svc/balance', { key: beta.key })).status).toBe(200);
  });

  it.each([undefined, 'https://evil.example', 'null'])('C-091 are not changed from the origin %s', async (other) => {
    const app = await open();
    const { accountId } = await app.tenant('acme');
    const { cookie = '' } = await signIn(app, accountId);
    const headers = { cookie, ...(other === undefined ? {} : { origin: other }) };
    expect(await app.call('POST', apiKeys, { headers, body: { name: 'ci' } })).toMatchObject({
      status: 403,
      body: { code: 'ORIGIN_REFUSED' },
    });
    const [{ id }] = (await app.call('GET', apiKeys, { headers })).body;
    expect((await app.call('DELETE', `${apiKeys}?id=${id}`, { headers })).status).toBe(403);
    expect((await app.call('GET', apiKeys, { headers })).body).toHaveLength(1);
  });

  it('C-092 are ten at most', async () => {
    const app = await open();
    const { accountId } = await app.tenant('acme');
    const headers = await signIn(app, accountId);
    const statuses: number[] = [];
    for (let count = 1; count <= 10; count++) {
      statuses.push((await app.call('POST', apiKeys, { headers, body: { name: 'ci' } })).status);
    }
    expect(statuses).toEqual([...Array(9).fill(201), 409]);
  });

  it('C-015 have the scopes that were named (D6), and C-136 repeat without the secret', async () => {
    const app = await open();
    const { accountId } = await app.tenant('acme');
    const headers = { ...(await signIn(app, accountId)), 'idempotency-key': 'k' };
    const body = { name: 'ci', scopes: ['balance'] };
    const first = await app.call('POST', apiKeys, { headers, body });
    expect((await app.get('/api/svc/pods', { key: first.body.key })).status).toBe(403);
    const again = await app.call('POST', apiKeys, { headers, body });
    expect(first.body.message).toMatch(/^store the key now/);
    const message = expect.stringMatching(/^the key was shown once, .* revoke it and create another$/);
    expect(again.body).toEqual({ ...first.body, key: null, message });
    const wrong = { headers: { ...headers, 'idempotency-key': 'l' }, body: { name: 'ci', scopes: ['all'] } };
    expect((await app.call('POST', apiKeys, wrong)).status).toBe(400);
  });
});
