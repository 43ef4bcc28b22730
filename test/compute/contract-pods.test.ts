/** Reading and changing pods of both kinds: rows C-005, C-046, C-051, C-054, C-094, C-103, C-122, C-127 to C-138. */
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../compute/engines/errors.ts';
import { type ComputeApp, computeApps } from '../support/compute/compute-app.ts';
import { newSshKey } from '../support/compute/compute-fixtures.ts';
import { confidential, pods, standard, svc } from '../support/compute/compute-scenes.ts';
import { hourMs } from '../support/compute/compute-world.ts';

const open = computeApps();
const kinds = [
  ['standard', standard],
  ['confidential', confidential],
] as const;

/** @returns both identifiers; a standard pod has one */
async function running(app: ComputeApp, key: string, body: object): Promise<[string, string]> {
  const answer = await app.call('POST', pods, { key, body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  await app.world.pass(1_000);
  const { pod, podId, workloadUid } = answer.body;
  return pod === undefined ? [podId, workloadUid] : [pod.id, pod.id];
}

describe('a confidential pod', () => {
  it('C-005 is a whole machine of its tier, with its GPU, root through sudo, and memory that the processor encrypts', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    await running(app, key, confidential);
    const [pod] = [...app.world.engine.pods.values()];
    expect(pod).toMatchObject({ kind: 'confidential', protection: 'tdx', machine: 'vm-1' });
    expect(pod?.spec).toMatchObject({
      gpuCount: 1,
      limits: { cpus: 16, memoryBytes: 128e9, diskBytes: 500e9 },
      sudoPasswordHash: expect.stringMatching(/^\$6\$/),
    });
  });

  it('C-051 is reached as ubuntu, by a command of this form', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const [id] = await running(app, key, confidential);
    const [entry] = (await app.get(pods, { key })).body;
    expect(entry).toMatchObject({ ssh_user: 'ubuntu', ssh_command: 'ssh -p 2222 ubuntu@192.0.2.7' });
    expect((await app.get(`${pods}/${id}`, { key })).body.ssh_command).toBe(entry.ssh_command);
  });

  it.each<[path: string, method: 'GET' | 'POST' | 'DELETE', status: number]>([
    ['', 'GET', 200],
    ['', 'DELETE', 200],
    ['/stop', 'POST', 200],
    ['/start', 'POST', 501],
  ])('C-054 is found by either identifier in %s %s', async (path, method, status) => {
    for (const which of [0, 1] as const) {
      const app = await open();
      const { key } = await app.tenant('acme');
      const ids = await running(app, key, confidential);
      expect(ids[0]).not.toBe(ids[1]);
      const body = method === 'POST' ? { body: {} } : {};
      expect((await app.call(method, `${pods}/${ids[which]}${path}`, { key, ...body })).status).toBe(status);
      expect(app.world.engine.pods.size).toBe(method === 'GET' || status === 501 ? 1 : 0);
    }
  });

  it('C-103 has the named keys, or the newest key of the account if none was named', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const add = async (name: string) => {
      app.world.sleep(1_000);
      const body = { name, public_key: newSshKey() };
      return (await app.call('POST', `${svc}/ssh-keys`, { key, body })).body;
    };
    const [b, c] = [await add('b'), await add('c')];
    await running(app, key, { ...confidential, ssh_key_uids: [b.id] });
    await running(app, key, confidential);
    const given = [...app.world.engine.pods.values()].map(({ spec }) => spec?.sshKeys);
    expect(given).toEqual([[b.publicKey], [c.publicKey]]);
    const unknown = { ...confidential, ssh_key_uids: [b.id, 'key-0'] };
    expect(await app.call('POST', pods, { key, body: unknown })).toMatchObject({ status: 404 });
  });

  it("C-127 has no key of the service's; a standard pod has, after the tenant's", async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const [{ publicKey }] = (await app.get(`${svc}/ssh-keys`, { key })).body;
    await running(app, key, standard);
    await running(app, key, confidential);
    const given = [...app.world.engine.pods.values()].map(({ spec }) => spec?.sshKeys);
    expect(given).toEqual([[publicKey, app.service.options.serviceSshKey], [publicKey]]);
  });
});

describe('an engine that rejects a preparation', () => {
  it.each([
    ['C-122', new EngineError('ERR_IMAGE_UNAVAILABLE', 'no'), 'IMAGE_UNAVAILABLE', undefined],
    ['C-123', new EngineError('ERR_SPEC_INVALID', 'no'), 'SETTINGS_REFUSED', 'settings_refused'],
  ])(
    '%s: answers 400 for an unusable image or command, and charges and claims nothing',
    async (_row, fate, code, reason) => {
      const app = await open();
      const { key } = await app.tenant('acme');
      app.world.engine.fateOf = (call) => (call === 'prepare' ? fate : 'done');
      const body = { ...standard, image: 'debian', start_command: 'sleep 1' };
      const answer = await app.call('POST', pods, { key, body });
      expect(answer).toMatchObject({ status: 400, body: { code, charged: false } });
      expect(answer.body.reason).toBe(reason);
      expect(await app.world.balance('acme')).toMatchObject({ available: 50_000_000, held: 0 });
      app.world.engine.fateOf = () => 'done';
      expect((await app.call('POST', pods, { key, body })).status).toBe(201);
    },
  );
});

describe.each(kinds)('a %s pod', (provider, body) => {
  it('C-138 shows RUNNING and provisioning at once, without a command', async () => {
    const app = await open();
    app.world.engine.startsAtOnce = false;
    const { key } = await app.tenant('acme');
    await running(app, key, body);
    const [entry] = (await app.get(pods, { key })).body;
    expect(entry).toMatchObject({ status: 'RUNNING', provider_status: 'provisioning', ssh_command: null });
  });

  it('C-046 is listed after newer pods', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    await running(app, key, { ...body, name: 'older' });
    await running(app, key, { ...body, name: 'newer', ...(provider === 'standard' ? { machine_id: 'm-2' } : {}) });
    const names = (await app.get(pods, { key })).body.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['newer', 'older']);
  });

  it('C-134 and C-135 cannot be changed, paused or started again', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const [id] = await running(app, key, body);
    const put = await app.call('PUT', `${pods}/${id}`, { key, body: {} });
    expect(put).toMatchObject({ status: 405, headers: { allow: expect.stringMatching(/GET.*DELETE/) } });
    expect((await app.call('POST', `${pods}/${id}/start`, { key, body: {} })).status).toBe(501);
    for (const word of ['pause', 'resume', 'restart', 'reboot']) {
      expect((await app.call('POST', `${pods}/${id}/${word}`, { key, body: {} })).status).toBe(404);
    }
    expect((await app.get(pods, { key })).body).toMatchObject([{ provider_status: 'running' }]);
  });

  it('C-130 and C-132 is removed from its engine when it is released, costs nothing more, and frees its machine', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const [id] = await running(app, key, body);
    const path = provider === 'standard' ? `${pods}/${id}` : `${pods}/${id}/stop`;
    const answer = await app.call(provider === 'standard' ? 'DELETE' : 'POST', path, { key });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(answer.body.prepaidRefund).toBeGreaterThan(0);
    expect(app.world.engine.pods.size).toBe(0);
    const { available, held } = await app.world.balance('acme');
    expect(held).toBe(0);
    await app.world.pass(3 * hourMs);
    expect((await app.world.balance('acme')).available).toBe(available);
    await running(app, key, body);
  });

  it('C-094 counts as active while it is billed or holds an hour, also while its outcome is unknown', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const active = async () => (await app.get(`${svc}/balance`, { key })).body.active_pods;
    app.world.engine.fateOf = (call) => (call === 'create' || call === 'inspect' ? 'lost-undone' : 'done');
    expect((await app.call('POST', pods, { key, body })).status).toBe(502);
    expect(await active()).toBe(1);
    expect((await app.get(pods, { key })).body).toEqual([]);
    app.world.engine.fateOf = () => 'done';
    await app.world.pass(20 * 60_000);
    expect(await active()).toBe(0);
    const [id] = await running(app, key, body);
    await app.world.pass(2 * hourMs);
    expect(await active()).toBe(1);
    await app.call('DELETE', `${pods}/${id}`, { key });
    expect(await active()).toBe(0);
  });
});
