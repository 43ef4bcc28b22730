import { describe, expect, it } from 'vitest';
import { type ComputeApp, computeApps } from '../support/compute/compute-app.ts';
import { newSshKey } from '../support/compute/compute-fixtures.ts';
import type { Fate } from '../support/compute/memory-engine.ts';

const pods = '/api/svc/pods';
const standard = { provider: 'standard', name: 'pod', machine_id: 'm-1' };

const open = computeApps();

async function deployed(app: ComputeApp, key: string, body: object = standard) {
  const answer = await app.call('POST', pods, { key, body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

describe('a standard deploy', () => {
  it('C-128 answers 201 with the pod, whose status is RUNNING already', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { status, body } = await app.call('POST', pods, { key, body: standard });
    expect(status).toBe(201);
    expect(body).toEqual({
      success: true,
      pod: {
        id: expect.any(String),
        name: 'pod',
        machine_id: 'm-1',
        template_id: 'base',
        gpu_type: 'RTX 4090',
        gpu_count: 3,
        hourly_price: 1,
        prepaid_amount: 1,
        status: 'RUNNING',
        provider: 'standard',
        confidential_compute: false,
        ssh_command: null,
      },
      message: expect.any(String),
    });
  });

  it('C-129 shows ssh_command in the details once SSH answers', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { pod } = await deployed(app, key);
    expect((await app.get(`${pods}/${pod.id}`, { key })).body.ssh_command).toBeNull();
    await app.world.pass(0);
    expect((await app.get(`${pods}/${pod.id}`, { key })).body).toMatchObject({
      id: pod.id,
      status: 'RUNNING',
      provider_status: 'running',
      ssh_command: 'ssh root@192.0.2.7 -p 2222',
    });
  });

  it.each<[row: string, change: object, status: number, code: string, says: RegExp]>([
    ['C-097', { provider: undefined }, 400, 'INVALID_REQUEST', /provider/],
    ['C-097', { provider: 'cheap' }, 400, 'INVALID_REQUEST', /provider/],
    ['C-112', { name: undefined }, 400, 'INVALID_REQUEST', /`name` is missing/],
    ['C-112', { machine_id: undefined }, 400, 'INVALID_REQUEST', /`machine_id` is missing/],
    ['C-112', { colour: 'red' }, 400, 'INVALID_REQUEST', /`colour`/],
    ['C-113', { name: '-pod' }, 400, 'INVALID_REQUEST', /`name`/],
    ['C-113', { name: 'Pod' }, 400, 'INVALID_REQUEST', /`name`/],
    ['C-113', { name: 'p'.repeat(41) }, 400, 'INVALID_REQUEST', /`name`/],
    ['C-114', { machine_id: 'm-9' }, 404, 'MACHINE_NOT_FOUND', /list the machines/],
    ['C-115', { template_id: 'nothing' }, 400, 'TEMPLATE_UNKNOWN', /`template_id`/],
    ['C-115', { template_id: 'base', image: 'debian' }, 400, 'INVALID_REQUEST', /`image`/],
    ['C-116', { ssh_key_id: 'key-0' }, 404, 'SSH_KEY_NOT_FOUND', /`ssh_key_id`/],
    ['C-117', { price: 1 }, 400, 'PRICE_NOT_ACCEPTED', /`price`/],
    ['C-117', { cost_per_hour: 1 }, 400, 'PRICE_NOT_ACCEPTED', /`cost_per_hour`/],
    ['C-117', { options: { hourly_price: 1 } }, 400, 'PRICE_NOT_ACCEPTED', /`options.hourly_price`/],
    ['C-118', { gpu_count: 1 }, 400, 'INVALID_REQUEST', /`gpu_count` must be 3/],
    ['C-119', { jupyter: 'yes' }, 400, 'INVALID_REQUEST', /`jupyter`/],
    ['C-120', { port_count: 0 }, 400, 'INVALID_REQUEST', /`port_count`/],
    ['C-120', { port_count: 32 }, 400, 'INVALID_REQUEST', /`port_count`/],
    ['C-120', { image: 'debian', ports: [1, 2], port_count: 2 }, 400, 'INVALID_REQUEST', /`port_count`/],
    ['C-121', { auto_terminate_hours: 0 }, 400, 'INVALID_REQUEST', /`auto_terminate_hours`/],
    ['C-121', { auto_terminate_hours: 721 }, 400, 'INVALID_REQUEST', /`auto_terminate_hours`/],
    ['C-121', { auto_terminate_hours: 1.5 }, 400, 'INVALID_REQUEST', /`auto_terminate_hours`/],
    ['C-122', { image: 'no image' }, 400, 'IMAGE_UNAVAILABLE', /image/],
    ['C-123', { start_command: 'true' }, 400, 'INVALID_REQUEST', /`start_command` requires `image`/],
    ['C-123', { image: 'debian', start_command: 'a && b' }, 400, 'SETTINGS_REFUSED', /start_command/],
    ['C-124', { ports: [80] }, 400, 'INVALID_REQUEST', /`ports` requires `image`/],
    [
      'C-124',
      { image: 'debian', ports: Array.from({ length: 17 }, (_, i) => i + 1) },
      400,
      'INVALID_REQUEST',
      /`ports`/,
    ],
    ['C-124', { image: 'debian', ports: [0] }, 400, 'INVALID_REQUEST', /`ports\[0\]`/],
    ['C-125', { env: { A: 'b' } }, 400, 'INVALID_REQUEST', /`env` requires `image`/],
    ['C-125', { image: 'debian', env: { A: 1 } }, 400, 'INVALID_REQUEST', /`env.A`/],
    [
      'C-125',
      { image: 'debian', env: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`V${i}`, ''])) },
      400,
      'INVALID_REQUEST',
      /`env`/,
    ],
  ])('%s rejects %j with %i, and charges nothing', async (_row, change, status, code, says) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const answer = await app.call('POST', pods, { key, body: { ...standard, ...change } });
    expect(answer).toMatchObject({ status, body: { success: false, charged: false, code, status_code: status } });
    expect(answer.body.error).toMatch(says);
    expect(await app.world.balance('acme')).toMatchObject({ available: 50_000_000, held: 0 });
    expect(app.world.engine.calls).not.toContain('create');
  });

  it('C-123 states why settings are rejected', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const body = { ...standard, image: 'debian', start_command: 'a | b' };
    expect((await app.call('POST', pods, { key, body })).body).toMatchObject({
      reason: 'settings_refused',
      charged: false,
    });
  });

  it('C-116 uses the only key, asks for a choice among several, and says to register one', async () => {
    const app = await open();
    const { key } = await app.tenant('acme', { sshKey: false });
    expect(await app.call('POST', pods, { key, body: standard })).toMatchObject({
      status: 400,
      body: { code: 'SSH_KEY_REQUIRED' },
    });
    const publicKey = newSshKey();
    await app.call('POST', '/api/svc/ssh-keys', { key, body: { name: 'a', public_key: publicKey } });
    const second = await app.call('POST', '/api/svc/ssh-keys', { key, body: { name: 'b', public_key: newSshKey() } });
    const several = await app.call('POST', pods, { key, body: standard });
    expect(several).toMatchObject({
      status: 400,
      body: { code: 'SSH_KEY_REQUIRED', error: expect.stringMatching(/`ssh_key_id`/) },
    });
    await deployed(app, key, { ...standard, ssh_key_id: second.body.id });
    const [created] = [...app.world.engine.pods.values()];
    // C-127: the service's own key is there too.
    expect(created?.spec?.sshKeys).toEqual([second.body.publicKey, expect.stringContaining('ssh-ed25519')]);
  });

  it("C-122 to C-126 pass the tenant's image on to the engine and store neither command nor variables", async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    await deployed(app, key, {
      ...standard,
      image: 'debian:12',
      start_command: "sleep 'canary-command'",
      ports: [22, 8080],
      env: { CANARY: 'canary-value', PRICE: '3' },
      jupyter: true,
    });
    expect(app.world.engine.prepared[0]).toMatchObject({
      kind: 'standard',
      image: 'docker.io/library/debian:12',
      source: 'tenant',
      command: ['sleep', 'canary-command'],
      env: { CANARY: 'canary-value', PRICE: '3' },
      jupyter: true,
    });
    const [pod] = [...app.world.engine.pods.values()];
    const expected = { ports: [{ port: 8080, protocol: 'tcp' }], sparePorts: 4, gpuCount: 3, jupyter: true };
    expect(pod?.spec).toMatchObject(expected);
    expect(app.stored).not.toMatch(/canary/);
    expect(app.log).not.toMatch(/canary/);
  });

  it('C-101/D7 passes a stored credential to the engine together with a private image', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const credential = { name: 'hub', registry: 'ghcr.io', username: 'me', password: 'canary-password' };
    const { body } = await app.call('POST', '/api/svc/docker-credentials', { key, body: credential });
    await deployed(app, key, { ...standard, image: 'ghcr.io/me/private:1', docker_credential_id: body.id });
    expect(app.world.engine.prepared[0]).toMatchObject({
      credentials: { registry: 'ghcr.io', username: 'me', password: 'canary-password' },
    });
    expect(app.stored).not.toMatch(/canary/);
  });

  it('C-027 returns 402 with the required and the available amount', async () => {
    const app = await open();
    const { key } = await app.tenant('acme', { micro: 250_000 });
    expect(await app.call('POST', pods, { key, body: standard })).toMatchObject({
      status: 402,
      body: {
        code: 'INSUFFICIENT_BALANCE',
        required: 1,
        balance: 0.25,
        charged: false,
        error: expect.stringMatching(/top up/),
      },
    });
  });

  it('C-031 answers 409 if another account rents the machine', async () => {
    const app = await open();
    const [acme, beta] = [await app.tenant('acme'), await app.tenant('beta')];
    await deployed(app, acme.key);
    expect(await app.call('POST', pods, { key: beta.key, body: standard })).toMatchObject({
      status: 409,
      body: { code: 'MACHINE_UNAVAILABLE', charged: false },
    });
    expect(await app.world.balance('beta')).toMatchObject({ available: 50_000_000, held: 0 });
  });

  it.each<[row: string, call: string, fate: Fate, status: number, charged: boolean]>([
    ['C-035', 'create', 'refused', 502, false],
    ['C-035', 'create', 'unreachable', 502, false],
    ['C-035', 'probe', 'unreachable', 502, false],
    ['C-036', 'create', 'lost', 502, true],
  ])('%s answers a %s that is %s with %i, charged: %s', async (_row, call, fate, status, charged) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    app.world.engine.fateOf = (name) => (name === call ? fate : 'done');
    const answer = await app.call('POST', pods, { key, body: standard });
    expect(answer).toMatchObject({ status, body: { charged, success: false } });
    expect((await app.world.balance('acme')).held).toBe(charged ? 1_000_000 : 0);
    expect(answer.body.error).not.toMatch(/memory|192\.0\.2/);
  });

  it('retries an engine that did not answer before', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    app.world.engine.fateOf = (name) => (name === 'probe' ? 'unreachable' : 'done');
    expect((await app.call('POST', pods, { key, body: standard })).status).toBe(502);
    app.world.engine.fateOf = () => 'done';
    expect((await app.call('POST', pods, { key, body: standard })).body).toMatchObject({ success: true });
  });

  it.each([
    [pods, standard],
    [pods, { provider: 'confidential', name: 'vm', resource_name: 'h100-tdx' }],
    ['/api/confidential/vm/deploy', { name: 'vm', resource_name: 'h100-tdx' }],
    ['/v1/compute/instances', { gpu_type: 'A6000', gpu_count: 1, region: 'NO', image: 'debian' }],
  ])('returns 503 to deploys while the audit finds faults: POST %s', async (url, body) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    app.faults.push('one micro-dollar is missing');
    expect(await app.call('POST', url, { key, body })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '60' },
      body: { charged: false },
    });
    expect(await app.world.balance('acme')).toMatchObject({ available: 50_000_000, held: 0 });
  });
});
