/** API keys, SSH keys and registry passwords: rows C-011 to C-019, C-075, C-077, C-082 to C-084, C-092. */
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type ComputeApp, computeApps } from '../support/compute/compute-app.ts';
import { newSshKey } from '../support/compute/compute-fixtures.ts';
import { confidential, pods, standard, svc } from '../support/compute/compute-scenes.ts';

const open = computeApps();
const unknown = `clst_${'A'.repeat(43)}`;

describe('an API key', () => {
  it.each<[what: string, headers: Record<string, string>]>([
    ['no key', {}],
    ['an empty one', { 'x-api-key': '' }],
    ['a malformed one', { 'x-api-key': 'nonsense' }],
    ['one of another form', { 'x-api-key': `sk-${'A'.repeat(48)}` }],
    ['an unknown one', { 'x-api-key': unknown }],
    ['several', { 'x-api-key': `${unknown}, ${unknown}` }],
    ['one as a bearer token', { authorization: 'Bearer KEY' }],
    ['one under another name', { 'x-service-key': 'KEY' }],
    ['one in the query', { 'x-other': 'KEY' }],
  ])('C-011 and C-013 answer 401 to %s, at the machines and the tiers too', async (_what, headers) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('KEY', key)]));
    for (const path of [pods, `${svc}/balance`, `${svc}/machines`, '/api/confidential/vm/tiers']) {
      const answer = await app.call('GET', `${path}?api_key=${key}`, { headers: sent });
      expect(answer, path).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY', success: false } });
    }
    for (const path of [`${svc}/machines`, '/api/confidential/vm/tiers']) {
      expect((await app.get(path, { key })).status, path).toBe(200);
    }
  });

  it('C-013 is required for the list of machines, with the right scope', async () => {
    const app = await open();
    const { key } = await app.tenant('acme', { scopes: ['pods', 'ssh-keys'], sshKey: false });
    for (const path of [`${svc}/machines`, `${svc}/machines?provider=all`, '/api/confidential/vm/tiers']) {
      expect(await app.get(path, { key })).toMatchObject({ status: 403, body: { scope: 'machines' } });
    }
  });

  it('C-014 and C-015 has all six scopes unless some are named', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const paths = ['pods', 'templates', 'ssh-keys', 'docker-credentials', 'machines', 'balance'];
    for (const path of paths) expect((await app.get(`${svc}/${path}`, { key })).status, path).toBe(200);
  });

  it('C-017 registers an SSH key without a session', async () => {
    const app = await open();
    const { key } = await app.tenant('acme', { scopes: ['ssh-keys'], sshKey: false });
    const body = { name: 'laptop', public_key: newSshKey() };
    const answer = await app.call('POST', `${svc}/ssh-keys`, { key, body });
    expect(answer.status).toBe(201);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('C-018 and C-019 is stored only as its SHA-256, and no later response contains it', async () => {
    const app = await open();
    const { accountId } = await app.tenant('acme');
    const headers = await signIn(app, accountId);
    const { body } = await app.call('POST', `${svc}/api-keys`, { headers, body: { name: 'ci' } });
    expect(body.key).toMatch(/^clst_[\w-]{43}$/);
    expect(app.stored).not.toContain(body.key);
    expect(app.stored).toContain(JSON.stringify(new Uint8Array(hash('sha256', body.key, 'buffer'))));
    const again = await app.call('GET', `${svc}/api-keys`, { headers });
    expect(JSON.stringify(again.body)).not.toContain(body.key.slice(12));
    expect((await app.call('GET', `${svc}/api-keys/${body.id}`, { headers })).status).toBe(404);
    expect(app.log).not.toContain(body.key);
  });

  it('C-019 and C-092 is limited to ten per account, also under concurrent requests', async () => {
    const app = await open();
    const { accountId } = await app.tenant('acme');
    const headers = await signIn(app, accountId);
    const made = await Promise.all(
      Array.from({ length: 20 }, () => app.call('POST', `${svc}/api-keys`, { headers, body: { name: 'ci' } })),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(9);
    for (const { status, body } of made) if (status !== 201) expect([status, body.code]).toEqual([409, 'KEY_LIMIT']);
    expect((await app.call('GET', `${svc}/api-keys`, { headers })).body).toHaveLength(10);
  });
});

describe('a key that was revoked', () => {
  let folder = '';
  const openBoth = computeApps({ kind: 'sqlite', address: async () => ({ kind: 'sqlite', path: join(folder, 'db') }) });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('C-012 answers 401 from the very next request on, in every process', async () => {
    folder = mkdtempSync(join(tmpdir(), 'cloister-revoked-'));
    const [first, second] = [await openBoth(), await openBoth()];
    const { key, accountId } = await first.tenant('acme');
    for (const app of [first, second, first, second]) expect((await app.get(pods, { key })).status).toBe(200);
    const headers = await signIn(first, accountId);
    const [{ id }] = (await first.call('GET', `${svc}/api-keys`, { headers })).body;
    expect((await first.call('DELETE', `${svc}/api-keys?id=${id}`, { headers })).status).toBe(200);
    expect((await second.get(pods, { key })).status).toBe(401);
    expect((await first.get(pods, { key })).status).toBe(401);
  });
});

describe('an SSH key', () => {
  it('C-075 is answered as the list shows it', async () => {
    const app = await open();
    const { key } = await app.tenant('acme', { sshKey: false });
    const body = { name: 'laptop', public_key: newSshKey() };
    const { status, body: added } = await app.call('POST', `${svc}/ssh-keys`, { key, body });
    expect(status).toBe(201);
    expect(added).toEqual({
      id: expect.any(String),
      name: 'laptop',
      // Without its comment, which often names the user's machine.
      publicKey: body.public_key.split(' ').slice(0, 2).join(' '),
      createdAt: new Date(app.world.now).toISOString(),
    });
    expect((await app.get(`${svc}/ssh-keys`, { key })).body).toEqual([added]);
  });

  it.each<[what: string, body: object, field: string]>([
    ['no name', { public_key: newSshKey() }, 'name'],
    ['no key', { name: 'a' }, 'public_key'],
    ['an empty name', { name: '', public_key: newSshKey() }, 'name'],
    ['a name of two lines', { name: 'a\nb', public_key: newSshKey() }, 'name'],
    ['a number for a key', { name: 'a', public_key: 1 }, 'public_key'],
    ['another field', { name: 'a', public_key: newSshKey(), type: 'rsa' }, 'type'],
  ])('C-075 is rejected with %s', async (_what, body, field) => {
    const app = await open();
    const { key } = await app.tenant('acme', { sshKey: false });
    const answer = await app.call('POST', `${svc}/ssh-keys`, { key, body });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(`\`${field}\``) } });
  });

  it.each([standard, confidential])('C-077 remains in running pods after its deletion: %j', async (body) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const [{ id, publicKey }] = (await app.get(`${svc}/ssh-keys`, { key })).body;
    expect((await app.call('POST', pods, { key, body })).status).toBeLessThan(300);
    await app.world.pass(5_000);
    const before = [...app.world.engine.pods.values()];
    expect(before[0]?.spec?.sshKeys).toContain(publicKey);
    const calls = app.world.engine.calls.filter((call) => call !== 'inspect');
    expect((await app.call('DELETE', `${svc}/ssh-keys/${id}`, { key })).status).toBe(200);
    await app.world.pass(60_000);
    expect([...app.world.engine.pods.values()]).toEqual(before);
    expect(app.world.engine.calls.filter((call) => call !== 'inspect')).toEqual(calls);
    expect((await app.get(pods, { key })).body).toMatchObject([{ provider_status: 'running', ssh_ready: true }]);
    // The next deploy no longer has it.
    expect((await app.call('POST', pods, { key, body: { ...body, name: 'b' } })).body.code).toBe('SSH_KEY_REQUIRED');
  });
});

describe('a docker credential', () => {
  const credential = { name: 'hub', registry: 'ghcr.io', username: 'me', password: 'canary-password' };
  const path = `${svc}/docker-credentials`;

  it('C-082 is shown by its id, or is 404', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { body } = await app.call('POST', path, { key, body: credential });
    expect(await app.get(`${path}/${body.id}`, { key })).toMatchObject({ status: 200, body });
    expect(await app.get(`${path}/${body.id}x`, { key })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('C-083 is deleted once; templates that name it can no longer be deployed, and nothing is charged', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { id } = (await app.call('POST', path, { key, body: credential })).body;
    const image = { ...standard, image: 'ghcr.io/me/private:1', docker_credential_id: id };
    expect((await app.call('POST', pods, { key, body: image })).status).toBe(201);
    expect((await app.call('DELETE', `${path}/${id}`, { key })).body).toEqual({
      id,
      deleted: true,
      message: expect.any(String),
    });
    expect((await app.call('DELETE', `${path}/${id}`, { key })).status).toBe(404);
    expect((await app.get(path, { key })).body).toEqual({ credentials: [], total: 0 });
    const next = await app.call('POST', pods, { key, body: { ...image, machine_id: 'm-2' } });
    expect(next).toMatchObject({ status: 404, body: { charged: false } });
    expect((await app.world.balance('acme')).held).toBe(1_000_000);
  });

  it('C-084 keeps its password out of responses, logs and the database, and decrypts with the separate key', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { body } = await app.call('POST', path, { key, body: credential, headers: { 'idempotency-key': 'a' } });
    const answers = [body, (await app.get(path, { key })).body, (await app.get(`${path}/${body.id}`, { key })).body];
    expect(JSON.stringify(answers) + app.log + app.stored).not.toMatch(/canary/);
    const { sealed_password } = await app.world.store.db
      .selectFrom('compute_registries')
      .selectAll()
      .executeTakeFirstOrThrow();
    const purpose = `registry:${body.id}`;
    expect(app.world.secrets.open(sealed_password, { purpose })).toBe('canary-password');
  });
});

/** @returns headers of a browser whose owner signed in */
async function signIn(app: ComputeApp, accountId: string): Promise<Record<string, string>> {
  const { secret } = await app.world.accounts.makeLoginLink({ accountId, now: app.world.now });
  const answer = await app.call('POST', `${svc}/session`, { body: { token: secret } });
  return { cookie: String(answer.headers['set-cookie']).split(';')[0]!, origin: 'https://web.example' };
}
