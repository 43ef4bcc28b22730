/** Clients that close the connection during a deploy: rows C-035, C-036 and C-149, and the stored answer for a repeat. */
import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { deployPod } from '../../compute/deploy/deploy-pod.ts';
import { describeStores } from '../support/accounts/account-stores.ts';
import { type ComputeApp, computeApps } from '../support/compute/compute-app.ts';
import { pods, standard } from '../support/compute/compute-scenes.ts';
import { planFor, worlds } from '../support/compute/compute-world.ts';

const leftMessage = { code: 'UNAVAILABLE', fields: { charged: false } };

describeStores('a deploy whose client disconnects', (store) => {
  const open = worlds(store);

  it('stops preparing the image and charges nothing', async () => {
    const world = await open();
    const accountId = await world.account('acme', 5_000_000);
    const caller = new AbortController();
    world.engine.onCall = async (call, _podId, signal) => {
      if (call !== 'prepare') return;
      const aborted = once(signal!, 'abort');
      caller.abort();
      await aborted;
      throw signal!.reason;
    };
    const { signal } = caller;
    await expect(deployPod(world.control, planFor(accountId), { signal })).rejects.toMatchObject(leftMessage);
    expect(world.engine.calls).not.toContain('create');
    expect(await world.balance('acme')).toMatchObject({ available: 5_000_000, held: 0 });
    expect(await world.events(accountId)).toEqual([]);
  });

  it('creates no pod if the client disconnected while the image was prepared', async () => {
    const world = await open();
    const accountId = await world.account('acme', 5_000_000);
    const caller = new AbortController();
    world.engine.onCall = async (call) => {
      if (call === 'prepare') caller.abort();
    };
    const { signal } = caller;
    await expect(deployPod(world.control, planFor(accountId), { signal })).rejects.toMatchObject(leftMessage);
    expect(world.engine.calls).not.toContain('create');
    expect(await world.events(accountId)).toEqual([]);
  });

  it.each(['done', 'lost', 'lost-undone', 'refused'] as const)(
    'returns the whole hour and destroys the pod when create is %s',
    async (fate) => {
      const world = await open();
      const accountId = await world.account('acme', 5_000_000);
      const caller = new AbortController();
      world.engine.fateOf = (call) => (call === 'create' ? fate : 'done');
      world.engine.onCall = async (call) => {
        if (call === 'create') caller.abort();
      };
      const { signal } = caller;
      await expect(deployPod(world.control, planFor(accountId), { signal })).rejects.toMatchObject({
        fields: { charged: false },
      });
      expect(await world.balance('acme')).toMatchObject({ available: 5_000_000, held: 0 });
      await world.pass(1_000);
      expect(world.engine.pods.size).toBe(0);
      expect(await world.events(accountId)).toEqual([
        'pod.provisioning',
        `pod.failed ${fate === 'refused' ? 'engine_refused' : 'caller_left'}`,
        'refund.posted',
      ]);
      expect(await world.wrongs()).toEqual([]);
      // The machine is free again.
      world.engine.fateOf = () => 'done';
      expect((await world.deploy(accountId)).state).toBe('provisioning');
    },
  );

  it('keeps the machine claimed until an unresponsive engine has destroyed what it may have created', async () => {
    const world = await open();
    const accountId = await world.account('acme', 5_000_000);
    const caller = new AbortController();
    world.engine.fateOf = (call) => (call === 'create' ? 'lost' : call === 'destroy' ? 'unreachable' : 'done');
    world.engine.onCall = async (call) => {
      if (call === 'create') caller.abort();
    };
    await expect(deployPod(world.control, planFor(accountId), { signal: caller.signal })).rejects.toThrow();
    world.engine.onCall = async () => undefined;
    await world.pass(1_000);
    expect(await world.balance('acme')).toMatchObject({ available: 5_000_000, held: 0 });
    await expect(world.deploy(accountId)).rejects.toMatchObject({ code: 'MACHINE_UNAVAILABLE' });
    world.engine.fateOf = () => 'done';
    await world.pass(60_000);
    expect(world.engine.pods.size).toBe(0);
    expect((await world.deploy(accountId)).state).toBe('provisioning');
  });
});

const open = computeApps();

/** Sends a deploy over a new connection and closes it once the engine receives the create request. */
async function deployAndLeave(app: ComputeApp, headers: Record<string, string>): Promise<void> {
  const creating = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  app.world.engine.onCall = async (call) => {
    if (call !== 'create') return;
    creating.resolve();
    await left.promise;
  };
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  app.app.server.once('secureConnection', (socket) => socket.once('close', () => left.resolve()));
  const { port } = app.app.server.address() as AddressInfo;
  const body = JSON.stringify(standard);
  const request = https.request({
    host: '127.0.0.1',
    port,
    path: pods,
    method: 'POST',
    rejectUnauthorized: false,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
  });
  request.on('error', () => undefined);
  request.end(body);
  await creating.promise;
  request.destroy();
  await left.promise;
}

it('charges nothing for a deploy without an Idempotency-Key whose connection closed', async () => {
  const app = await open();
  const { key } = await app.tenant('acme');
  await deployAndLeave(app, { 'x-api-key': key });
  await expect.poll(() => app.world.balance('acme')).toMatchObject({ available: 50_000_000, held: 0 });
  await app.world.pass(1_000);
  expect(app.world.engine.pods.size).toBe(0);
  expect((await app.get(pods, { key })).body).toEqual([]);
});

it('C-136 continues a deploy that has an Idempotency-Key, so that a repeat finds the pod', async () => {
  const app = await open();
  const { key } = await app.tenant('acme');
  const headers = { 'idempotency-key': 'a' };
  await deployAndLeave(app, { 'x-api-key': key, ...headers });
  const again = () => app.call('POST', pods, { key, body: standard, headers });
  await expect.poll(async () => (await again()).status).toBe(201);
  expect([...app.world.engine.pods.keys()]).toEqual([(await again()).body.pod.id]);
  expect(await app.world.balance('acme')).toMatchObject({ available: 49_000_000, held: 1_000_000 });
});
