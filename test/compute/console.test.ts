/** What the renter's console needs of the API: sessions in place of keys, logs, and the cost of pods. */
import { describe, expect, it } from 'vitest';
import { type ComputeApp, computeApps } from '../support/compute/compute-app.ts';
import { confidential, pods, standard, svc } from '../support/compute/compute-scenes.ts';
import { hourMs } from '../support/compute/compute-world.ts';

const open = computeApps();
const origin = 'https://web.example';

/** @returns headers of a page that exchanged a key for a session */
async function exchanged(app: ComputeApp, key: string): Promise<Record<string, string>> {
  const answer = await app.call('POST', `${svc}/session`, { body: { key }, headers: { origin } });
  expect(answer.status).toBe(200);
  return { cookie: String(answer.headers['set-cookie']).split(';')[0]!, origin };
}

describe('C-158: a session', () => {
  it('is used where programs send a key, with the scopes of the key that opened it', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const headers = await exchanged(app, key);
    expect((await app.call('POST', pods, { headers, body: standard })).status).toBe(201);
    expect((await app.call('GET', pods, { headers })).body).toHaveLength(1);
    const few = await app.tenant('few', { scopes: ['machines'], sshKey: false });
    const narrow = await exchanged(app, few.key);
    expect((await app.call('GET', `${svc}/machines`, { headers: narrow })).status).toBe(200);
    const refused = await app.call('GET', pods, { headers: narrow });
    expect(refused).toMatchObject({ status: 403, body: { code: 'MISSING_SCOPE', scope: 'pods' } });
  });

  it('changes nothing for a request from another site', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { cookie = '' } = await exchanged(app, key);
    for (const other of [{}, { origin: 'https://evil.example' }]) {
      const answer = await app.call('POST', pods, { headers: { cookie, ...other }, body: standard });
      expect(answer).toMatchObject({ status: 403, body: { code: 'ORIGIN_REFUSED' } });
    }
    expect(app.world.engine.pods.size).toBe(0);
  });

  it('is not opened by another site, nor with an unknown key', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const exchange = (body: object, headers = {}) => app.call('POST', `${svc}/session`, { body, headers });
    expect((await exchange({ key })).body.code).toBe('ORIGIN_REFUSED');
    expect((await exchange({ key }, { origin: 'https://evil.example' })).body.code).toBe('ORIGIN_REFUSED');
    expect((await exchange({ key: 'nonsense' }, { origin })).body.code).toBe('INVALID_API_KEY');
    expect((await exchange({ key, token: 'a' }, { origin })).status).toBe(400);
    expect((await exchange({}, { origin })).status).toBe(400);
  });

  it('never counts together with a key', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const headers = await exchanged(app, key);
    expect((await app.call('GET', pods, { headers, key: 'nonsense' })).status).toBe(401);
    expect((await app.call('GET', `${svc}/account`, { headers, key })).body.code).toBe('SESSION_REQUIRED');
  });

  it('shows its account, and cannot manage keys if a key opened it', async () => {
    const app = await open();
    const { accountId, key } = await app.tenant('acme');
    const headers = await exchanged(app, key);
    const account = await app.call('GET', `${svc}/account`, { headers });
    expect(account.body).toMatchObject({ account: 'acme', can_manage_keys: false });
    expect((await app.call('GET', `${svc}/api-keys`, { headers })).body.code).toBe('SESSION_REQUIRED');
    const { secret } = await app.world.accounts.makeLoginLink({ accountId, now: app.world.now });
    const opened = await app.call('POST', `${svc}/session`, { body: { token: secret } });
    const cookie = String(opened.headers['set-cookie']).split(';')[0]!;
    const person = await app.call('GET', `${svc}/account`, { headers: { cookie } });
    expect(person.body).toMatchObject({ account: 'acme', can_manage_keys: true });
  });

  it('ends when the person signs out, and with the key that opened it', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const [first, second] = [await exchanged(app, key), await exchanged(app, key)];
    expect((await app.call('DELETE', `${svc}/session`, { headers: first })).status).toBe(200);
    expect((await app.call('GET', pods, { headers: first })).status).toBe(401);
    const [{ id } = { id: '' }] = await app.world.accounts.listKeys({ account: 'acme' });
    await app.world.accounts.revokeKey(id, { now: app.world.now });
    expect((await app.call('GET', pods, { headers: second })).status).toBe(401);
  });
});

describe('C-159: logs', () => {
  it('are the last lines of a running standard pod', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { id } = (await app.call('POST', pods, { key, body: standard })).body.pod;
    await app.world.pass(1_000);
    expect((await app.get(`${pods}/${id}/logs`, { key })).body).toEqual({
      text: 'started\nlistening on port 22',
      truncated: false,
    });
    expect((await app.get(`${pods}/${id}/logs?lines=1`, { key })).body.text).toBe('listening on port 22');
    for (const lines of ['0', '1000', '-1', 'all']) {
      expect((await app.get(`${pods}/${id}/logs?lines=${lines}`, { key })).status).toBe(400);
    }
  });

  it('do not exist for other accounts, confidential pods, pods that ended, and machines that do not answer', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const other = await app.tenant('other');
    const { id } = (await app.call('POST', pods, { key, body: standard })).body.pod;
    await app.world.pass(1_000);
    expect((await app.get(`${pods}/${id}/logs`, other)).status).toBe(404);
    const { podId } = (await app.call('POST', pods, { key, body: confidential })).body;
    expect((await app.get(`${pods}/${podId}/logs`, { key })).body.code).toBe('NOT_SUPPORTED');
    app.world.engine.fateOf = (call) => (call === 'logs' ? 'unreachable' : 'done');
    expect((await app.get(`${pods}/${id}/logs`, { key })).body.code).toBe('UPSTREAM_UNAVAILABLE');
    await app.call('DELETE', `${pods}/${id}`, { key });
    expect((await app.get(`${pods}/${id}/logs`, { key })).status).toBe(404);
  });
});

describe('C-160: the cost of pods', () => {
  it('is what was billed and what is held, also after a pod ended', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { id } = (await app.call('POST', pods, { key, body: standard })).body.pod;
    expect((await app.get(`${pods}/${id}`, { key })).body).toMatchObject({ billed: 0, held: 1 });
    await app.world.pass(1.5 * hourMs);
    expect((await app.get(`${pods}/${id}`, { key })).body).toMatchObject({ billed: 1.5, held: 0 });
    await app.call('DELETE', `${pods}/${id}`, { key });
    expect((await app.get(pods, { key })).body).toEqual([]);
    const { charges, next } = (await app.get(`${svc}/charges`, { key })).body;
    expect(charges).toMatchObject([{ pod_id: id, billed: 1.5, held: 0, reason: 'released' }]);
    expect(next).toBeNull();
    expect((await app.get(`${svc}/charges`, await app.tenant('other'))).body.charges).toEqual([]);
  });

  it('is listed in pages that follow one another without gaps', async () => {
    const app = await open();
    const { accountId, key } = await app.tenant('acme');
    const { id: first } = await app.world.deploy(accountId);
    const { db } = app.world.store;
    const row = await db.selectFrom('compute_pods').selectAll().where('id', '=', first).executeTakeFirstOrThrow();
    // Many with one time of creation.
    const ended = Array.from({ length: 119 }, (_, index) => ({
      ...row,
      id: `pod-${index}`,
      workload_uid: `uid-${index}`,
      state: 'stopped' as const,
    }));
    await db.insertInto('compute_pods').values(ended).execute();
    const stored = await db.selectFrom('compute_pods').select('id').execute();
    const seen: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page: { charges: { pod_id: string }[]; next: string | null } = (
        await app.get(`${svc}/charges${next === '' ? '' : `?before=${next}`}`, { key })
      ).body;
      seen.push(...page.charges.map(({ pod_id }) => pod_id));
      next = page.next;
    }
    expect(seen.toSorted()).toEqual(stored.map(({ id }) => id).toSorted());
    expect((await app.get(`${svc}/charges?before=x`, { key })).status).toBe(400);
  });
});

describe('the console', () => {
  it('is a page of the service, with a policy that allows nothing from elsewhere', async () => {
    const app = await open();
    const page = await app.app.inject({ url: '/svc/console' });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'/);
    const root = await app.app.inject({ url: '/' });
    expect([root.statusCode, root.headers.location]).toEqual([302, '/svc/console']);
    expect((await app.app.inject({ url: '/assets/nothing.js' })).statusCode).toBe(404);
    const asset = /\/assets\/[\w-]+\.js/.exec(page.body)![0];
    const script = await app.app.inject({ url: asset });
    expect(script.headers['cache-control']).toMatch(/immutable/);
  });
});
