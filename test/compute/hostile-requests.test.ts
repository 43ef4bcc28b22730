/** Hostile requests: on either database, none may cause an unexpected fault or have an effect. */
import { expect, it } from 'vitest';
import { EngineError } from '../../compute/engines/errors.ts';
import { operationsOf } from '../../compute/routes/operations.ts';
import { describeStores } from '../support/accounts/account-stores.ts';
import { computeApps } from '../support/compute/compute-app.ts';
import { newSshKey } from '../support/compute/compute-fixtures.ts';
import { confidential, pods, standard, svc } from '../support/compute/compute-scenes.ts';
import { worlds } from '../support/compute/compute-world.ts';

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const keyed = operationsOf({ svc: 'svc' }).filter(({ access }) => access !== 'open' && access !== 'session');

describeStores('a hostile request', (store) => {
  const open = computeApps(store);
  const openWorld = worlds(store);

  it('finds nothing under malformed ids, and breaks nothing', async () => {
    const app = await open();
    const { key } = await app.tenant('acme', { sshKey: false });
    const ids = ['%00', 'a%00', '%EF%BF%BE', '%ED%A0%80', "'%20or%201=1--", '..%2f..', '%F0%9F%92%A9', '__proto__'];
    for (const { method, path } of keyed.filter(({ path }) => path.includes(':id'))) {
      for (const id of ids) {
        const url = path.replace(':id', id);
        const body = method === 'POST' ? { body: {} } : {};
        expect((await app.call(method, url, { key, ...body })).status, `${method} ${url}`).toBeOneOf([400, 404]);
        app.world.sleep(4_000);
      }
    }
  });

  it.each<[where: string, path: string, body: object]>([
    ['a name', 'docker-credentials', { name: 'a\0', registry: 'ghcr.io', username: 'u', password: 'p' }],
    ['a username', 'docker-credentials', { name: 'a', registry: 'ghcr.io', username: '\0', password: 'p' }],
    ['a password', 'docker-credentials', { name: 'a', registry: 'ghcr.io', username: 'u', password: 'p\0' }],
    ['a webhook', 'webhooks', { url: 'http://127.0.0.1:9/\0' }],
    ['a public key', 'ssh-keys', { name: 'a', public_key: `${newSshKey()}\0` }],
    ['an id in a deploy', 'pods', { ...standard, image: 'a', docker_credential_id: '\0' }],
    ['a variable', 'pods', { ...standard, image: 'a', env: { A: '\0' } }],
    ['the name of a variable', 'pods', { ...standard, image: 'a', env: { 'A\0': '' } }],
    ['a command', 'pods', { ...standard, image: 'a', start_command: 'a \0' }],
    ['a tier', 'pods', { ...confidential, resource_name: 'h100-tdx\0' }],
  ])('is rejected with U+0000 in %s', async (_where, path, body) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    // The in-memory engine accepts values that real engines reject without a request.
    app.world.engine.fateOf = (call) =>
      call === 'prepare' ? new EngineError('ERR_ENGINE_REFUSED', 'no', { reason: 'settings_refused' }) : 'done';
    const headers = { 'idempotency-key': 'a' };
    expect((await app.call('POST', `${svc}/${path}`, { key, body, headers })).status).toBe(400);
  });

  it.each<[what: string, payload: string]>([
    ['a body nested 40,000 deep', nested(40_000)],
    ['a field nested so', `{"provider":"standard","name":"a","machine_id":"m-1","x":${nested(40_000)}}`],
    ['lists nested so', `{"provider":"standard","env":${'['.repeat(60_000)}${']'.repeat(60_000)}}`],
    ['a price at the bottom of it', `{"provider":"standard","x":${nested(20_000).replace('1', '{"price":1}')}}`],
    ['fields without number', `{${Array.from({ length: 15_000 }, (_, i) => `"f${i}":1`).join()}}`],
    ['a prototype', '{"provider":"standard","name":"a","machine_id":"m-1","__proto__":{"image":"a"}}'],
    ['a constructor', '{"provider":"standard","name":"a","machine_id":"m-1","constructor":{"prototype":{}}}'],
    ['one field twice', '{"provider":"standard","provider":"x","name":"a","machine_id":"m-1"}'],
    ['numbers beyond all', '{"provider":"standard","name":"a","machine_id":"m-1","gpu_count":1e999}'],
    ['halves of characters', '{"provider":"standard","name":"\\ud800","machine_id":"m-1"}'],
    ['bytes that are no UTF-8', `{"provider":"standard","name":"${Buffer.from([0xff]).toString('latin1')}"}`],
  ])('is answered 400 with %s', async (_what, payload) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': 'a' };
    for (const url of [pods, '/api/confidential/vm/deploy', '/v1/compute/instances', `${svc}/ssh-keys`]) {
      const answer = await app.app.inject({ method: 'POST', url, headers, payload: Buffer.from(payload, 'latin1') });
      expect(answer.statusCode, url).toBe(400);
      expect(answer.json().error.length).toBeLessThan(200);
    }
    expect(app.world.engine.prepared).toEqual([]);
  });

  it("separates two accounts with the same Idempotency-Key, and shows neither the other's answer", async () => {
    const app = await open();
    const [acme, other] = [await app.tenant('acme'), await app.tenant('other')];
    const headers = { 'idempotency-key': 'same' };
    const first = await app.call('POST', pods, { key: acme.key, body: confidential, headers });
    const second = await app.call('POST', pods, { key: other.key, body: confidential, headers });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.podId).not.toBe(first.body.podId);
    expect(second.body.sudoPassword).toEqual(expect.any(String));
  });

  it('gets no stored answer with the Idempotency-Key of a request by a key with more scopes', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const headers = { 'idempotency-key': 'same' };
    expect((await app.call('POST', pods, { key, body: standard, headers })).status).toBe(201);
    const narrow = { account: 'acme', name: 'narrow', scopes: ['balance'], now: app.world.now };
    const { secret } = await app.world.accounts.createKey(narrow);
    expect((await app.call('POST', pods, { key: secret, body: standard, headers })).status).toBe(403);
  });

  it('after a day with a used Idempotency-Key is a new one, while the first pod runs', async () => {
    const app = await open();
    const { key } = await app.tenant('acme', { micro: 500_000_000 });
    const headers = { 'idempotency-key': 'daily' };
    const first = await app.call('POST', pods, { key, body: standard, headers });
    app.world.sleep(86_400_000);
    const body = { ...standard, name: 'other', machine_id: 'm-2' };
    const second = await app.call('POST', pods, { key, body, headers });
    expect(second).toMatchObject({ status: 201, body: { pod: { name: 'other', machine_id: 'm-2' } } });
    expect(second.body.pod.id).not.toBe(first.body.pod.id);
  });

  it.each([standard, confidential])('that repeats a deploy finds the pod whose answer got lost: %j', async (body) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    // The only suitable machine is rented, by this pod.
    for (const one of app.world.engine.machines) if (one.machine === 'vm-2') one.offers = [];
    app.world.engine.onCall = (call) => (call === 'create' ? new Promise(() => undefined) : Promise.resolve());
    const headers = { 'idempotency-key': 'a' };
    void app.call('POST', pods, { key, body, headers }).catch(() => undefined);
    await expect.poll(() => app.world.engine.pods.size).toBe(1);
    app.world.engine.onCall = async () => undefined;
    await app.world.pass(16 * 60_000);
    const again = await app.call('POST', pods, { key, body, headers });
    expect(again.status, JSON.stringify(again.body)).toBe(body === standard ? 201 : 200);
    expect([...app.world.engine.pods.keys()]).toEqual([again.body.pod?.id ?? again.body.podId]);
    expect((await app.world.balance('acme')).held).toBe(body === standard ? 1_000_000 : 2_500_000);
  });

  it('to a tier of slow hosts ends before its Idempotency-Key expires', async () => {
    const world = await openWorld();
    const accountId = await world.account('acme', 5_000_000);
    let asked = 0;
    world.engine.prepare = async (_image, { signal }) => {
      asked += 1;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new EngineError('ERR_ENGINE_UNREACHABLE', 'no answer');
    };
    Object.assign(world.control, { times: { ...world.control.times, prepareTimeoutMs: 5 } });
    await expect(world.deploy(accountId, { machineIds: ['m-1', 'm-2', 'm-3'] })).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      fields: { charged: false },
    });
    expect(asked).toBe(1);
  });
});
