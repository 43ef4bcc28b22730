import { describe, expect, it } from 'vitest';
import { beginRequest, endRequest } from '../../compute/store/idempotency.ts';
import { describeStores } from '../support/accounts/account-stores.ts';
import { computeApps } from '../support/compute/compute-app.ts';
import { newSshKey } from '../support/compute/compute-fixtures.ts';
import { worlds } from '../support/compute/compute-world.ts';

const open = computeApps();
const pods = '/api/svc/pods';
const standard = { provider: 'standard', name: 'pod', machine_id: 'm-1' };
const confidential = { provider: 'confidential', name: 'vm', resource_name: 'h100-tdx' };
const dayMs = 86_400_000;
const once = (name: string) => ({ 'idempotency-key': name });

describe('C-136: a request with an Idempotency-Key', () => {
  it('gets the first answer again and has no second effect', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const first = await app.call('POST', pods, { key, body: standard, headers: once('a') });
    const again = await app.call('POST', pods, { key, body: standard, headers: once('a') });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(app.world.engine.pods.size).toBe(1);
    expect((await app.world.balance('acme')).held).toBe(1_000_000);
  });

  it('is rejected with another body, path or method', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { body } = await app.call('POST', pods, { key, body: standard, headers: once('a') });
    const others = [
      app.call('POST', pods, { key, body: { ...standard, name: 'other' }, headers: once('a') }),
      app.call('DELETE', `${pods}/${body.pod.id}`, { key, headers: once('a') }),
    ];
    for (const other of others)
      expect(await other).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_MISMATCH' } });
    expect(app.world.engine.pods.size).toBe(1);
  });

  it('gets 409 while the first request still runs', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const creating = Promise.withResolvers<void>();
    const created = Promise.withResolvers<void>();
    app.world.engine.onCall = async (call) => {
      if (call !== 'create') return;
      creating.resolve();
      await created.promise;
    };
    const first = app.call('POST', pods, { key, body: standard, headers: once('a') });
    await creating.promise;
    const second = await app.call('POST', pods, { key, body: standard, headers: once('a') });
    expect(second).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_RUNNING' } });
    expect(second.headers['retry-after']).toBeDefined();
    created.resolve();
    expect((await first).status).toBe(201);
  });

  it('is not shown the secrets again (C-109)', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const first = await app.call('POST', pods, { key, body: confidential, headers: once('a') });
    const again = await app.call('POST', pods, { key, body: confidential, headers: once('a') });
    expect(first.body.sudoPassword).toEqual(expect.any(String));
    expect(again.body).toEqual({ ...first.body, sudoPassword: null, message: expect.stringMatching(/was shown once/) });
  });

  it('may be repeated after an error without effect (C-038)', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    app.world.engine.fateOf = (call) => (call === 'create' ? 'unreachable' : 'done');
    expect((await app.call('POST', pods, { key, body: standard, headers: once('a') })).status).toBe(502);
    app.world.engine.fateOf = () => 'done';
    expect((await app.call('POST', pods, { key, body: standard, headers: once('a') })).status).toBe(201);
  });

  it('gets OUTCOME_UNKNOWN again, and holds no second hour', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    app.world.engine.fateOf = (call) => (call === 'create' ? 'lost' : 'done');
    const first = await app.call('POST', pods, { key, body: standard, headers: once('a') });
    app.world.engine.fateOf = () => 'done';
    const again = await app.call('POST', pods, { key, body: standard, headers: once('a') });
    expect(first).toMatchObject({ status: 502, body: { charged: true } });
    expect(again.body).toEqual(first.body);
    expect((await app.world.balance('acme')).held).toBe(1_000_000);
  });

  it('is not answered with a rejected pod that cannot be cleared away yet (C-038)', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    app.world.engine.fateOf = (call) => (call === 'create' || call === 'destroy' ? 'unreachable' : 'done');
    const first = await app.call('POST', pods, { key, body: standard, headers: once('a') });
    expect(first).toMatchObject({ status: 502, body: { charged: false } });
    app.world.engine.fateOf = () => 'done';
    const again = await app.call('POST', pods, { key, body: standard, headers: once('a') });
    expect(again).toMatchObject({ status: 409, body: { code: 'MACHINE_UNAVAILABLE', charged: false } });
    await app.world.pass(10_000);
    const later = await app.call('POST', pods, { key, body: standard, headers: once('a') });
    expect(later.status).toBe(201);
    expect([...app.world.engine.pods.keys()]).toEqual([later.body.pod.id]);
  });

  it('is answered although the answer cannot be kept, and does not act again meanwhile', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const rename = (from: string, to: string) => app.world.database.sqlite!.exec(`alter table ${from} rename to ${to}`);
    app.world.engine.onCall = async (call) => {
      if (call === 'create') rename('compute_idempotency', 'away');
    };
    const first = await app.call('POST', pods, { key, body: confidential, headers: once('a') });
    expect(first).toMatchObject({ status: 200, body: { sudoPassword: expect.any(String) } });
    rename('away', 'compute_idempotency');
    const again = await app.call('POST', pods, { key, body: confidential, headers: once('a') });
    expect(again).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_RUNNING' } });
    expect(app.world.engine.pods.size).toBe(1);
  });

  it('finds the pod of a process that died before it could answer', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    app.world.engine.onCall = (call) => (call === 'create' ? new Promise(() => undefined) : Promise.resolve());
    void app.call('POST', pods, { key, body: confidential, headers: once('a') }).catch(() => undefined);
    await expect.poll(() => app.world.engine.pods.size).toBe(1);
    app.world.engine.onCall = async () => undefined;
    await app.world.pass(16 * 60_000);
    const again = await app.call('POST', pods, { key, body: confidential, headers: once('a') });
    const message = expect.stringMatching(/was shown once/);
    expect(again).toMatchObject({ status: 200, body: { sudoPassword: null, message } });
    expect([...app.world.engine.pods.keys()]).toEqual([again.body.podId]);
    expect(await app.world.wrongs()).toEqual([]);
  });

  it('is treated as new after 24 hours', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const add = () =>
      app.call('POST', '/api/svc/ssh-keys', { key, body: { name: 'a', public_key: publicKey }, headers: once('k') });
    const publicKey = newSshKey();
    expect((await add()).status).toBe(201);
    app.world.sleep(dayMs - 1);
    expect((await add()).status).toBe(201);
    app.world.sleep(1);
    expect((await add()).status).toBe(409);
  });

  it('has a key that is scoped to one account, with 1 to 255 characters', async () => {
    const app = await open();
    const [acme, beta] = [await app.tenant('acme'), await app.tenant('beta')];
    await app.call('POST', pods, { key: acme.key, body: standard, headers: once('a') });
    const other = await app.call('POST', pods, {
      key: beta.key,
      body: { ...standard, machine_id: 'm-2' },
      headers: once('a'),
    });
    expect(other.status).toBe(201);
    const long = await app.call('POST', pods, { key: acme.key, body: standard, headers: once('x'.repeat(256)) });
    expect(long).toMatchObject({ status: 400, body: { error: expect.stringMatching(/Idempotency-Key/) } });
  });

  it('repeats the release of a pod with the refund of the first', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { pod } = (await app.call('POST', pods, { key, body: standard })).body;
    await app.world.pass(1_000);
    const first = await app.call('DELETE', `${pods}/${pod.id}`, { key, headers: once('r') });
    const again = await app.call('DELETE', `${pods}/${pod.id}`, { key, headers: once('r') });
    expect(first.body.prepaidRefund).toBeGreaterThan(0);
    expect(again.body).toEqual(first.body);
  });
});

describeStores('C-136: a request whose process died', (store) => {
  const openWorld = worlds(store);

  it('is resumed by exactly one of many concurrent repeats', async () => {
    const world = await openWorld();
    const accountId = await world.account('acme', 0);
    const request = { accountId, key: 'a', hash: 'h' };
    expect(await beginRequest(world.store, request)).toBeUndefined();
    world.sleep(16 * 60_000);
    const repeats = await Promise.allSettled(Array.from({ length: 8 }, () => beginRequest(world.store, request)));
    expect(repeats.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const repeat of repeats) {
      if (repeat.status === 'rejected') expect(repeat.reason).toMatchObject({ code: 'IDEMPOTENCY_RUNNING' });
    }
  });

  it('can be released while others repeat it, without an error', async () => {
    const world = await openWorld();
    const accountId = await world.account('acme', 0);
    const request = { accountId, key: 'a', hash: 'h' };
    const askAndLetGo = async () => {
      for (let turn = 0; turn < 25; turn++) {
        const error = await beginRequest(world.store, request).catch((reason: unknown) => reason);
        if (error === undefined) await endRequest(world.store, request, undefined);
        else expect(error).toMatchObject({ code: 'IDEMPOTENCY_RUNNING' });
      }
    };
    await Promise.all(Array.from({ length: 6 }, askAndLetGo));
  });
});
