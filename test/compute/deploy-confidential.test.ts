import { describe, expect, it } from 'vitest';
import { type ComputeApp, computeApps } from '../support/compute/compute-app.ts';
import { inventoryFile, newSshKey } from '../support/compute/compute-fixtures.ts';
import { hourMs } from '../support/compute/compute-world.ts';

const pods = '/api/svc/pods';
const standard = { provider: 'standard', name: 'pod', machine_id: 'm-1' };
const confidential = { provider: 'confidential', name: 'vm', resource_name: 'h100-tdx' };

const open = computeApps();

async function deployed(app: ComputeApp, key: string, body: object = standard) {
  const answer = await app.call('POST', pods, { key, body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

describe('a confidential deploy', () => {
  it('C-106 and C-109 answers 200 with both identifiers and the password, shown once and kept nowhere', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { status, body } = await app.call('POST', pods, { key, body: { ...confidential, hardstop_hours: 5 } });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      podId: expect.any(String),
      workloadUid: expect.any(String),
      resourceName: 'h100-tdx',
      hourlyPrice: 2.5,
      sudoPassword: expect.stringMatching(/^\w{24}$/),
      hardStopAt: new Date(app.world.now + 5 * hourMs).toISOString(),
      confidential_compute: true,
      message: expect.any(String),
    });
    // The guest receives only its hash.
    const [pod] = [...app.world.engine.pods.values()];
    expect(pod?.spec?.sudoPasswordHash).toMatch(/^\$6\$/);
    expect(app.stored).not.toContain(body.sudoPassword);
    expect(app.log).not.toContain(body.sudoPassword);
  });

  it('C-102 ignores retired fields', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const body = await deployed(app, key, { ...confidential, cost_per_hour: 0.01, template_uid: 'x', image: 'y' });
    expect(body.hourlyPrice).toBe(2.5);
    expect(body.hardStopAt).toBeNull();
  });

  it.each<[row: string, change: object, status: number, code: string]>([
    ['C-101', { resource_name: undefined }, 400, 'INVALID_REQUEST'],
    ['C-102', { colour: 'red' }, 400, 'INVALID_REQUEST'],
    ['C-103', { ssh_key_uids: ['key-0'] }, 404, 'SSH_KEY_NOT_FOUND'],
    ['C-105', { resource_name: 'b200-tdx' }, 404, 'MACHINE_NOT_FOUND'],
    ['C-111', { name: 'Upper' }, 400, 'INVALID_REQUEST'],
    ['C-111', { hardstop_hours: 721 }, 400, 'INVALID_REQUEST'],
  ])('%s rejects %j with %i', async (_row, change, status, code) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const answer = await app.call('POST', pods, { key, body: { ...confidential, ...change } });
    expect(answer).toMatchObject({ status, body: { code, charged: false } });
  });

  it('C-103 uses the newest of the keys', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    app.world.sleep(1_000);
    const newest = await app.call('POST', '/api/svc/ssh-keys', { key, body: { name: 'b', public_key: newSshKey() } });
    await deployed(app, key, confidential);
    expect([...app.world.engine.pods.values()][0]?.spec?.sshKeys).toEqual([newest.body.publicKey]);
  });

  it('C-104 rejects an account without a key with needsSshKey', async () => {
    const app = await open();
    const { key } = await app.tenant('acme', { sshKey: false });
    expect(await app.call('POST', pods, { key, body: confidential })).toMatchObject({
      status: 400,
      body: { needsSshKey: true, charged: false },
    });
  });

  it('C-105 answers 409 when every machine of the tier is rented', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    await deployed(app, key, confidential);
    await deployed(app, key, { ...confidential, name: 'vm-2' });
    expect(await app.call('POST', pods, { key, body: confidential })).toMatchObject({ status: 409 });
  });

  it('uses another machine of the tier if the first is unreachable', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    let creations = 0;
    app.world.engine.fateOf = (call) => (call === 'create' && creations++ === 0 ? 'unreachable' : 'done');
    await deployed(app, key, confidential);
    expect([...app.world.engine.pods.values()][0]?.machine).toBe('vm-2');
    expect(await app.world.wrongs()).toEqual([]);
  });

  const deploy = '/api/confidential/vm/deploy';
  const vm = { name: 'vm', resource_name: 'h100-tdx' };

  it('C-107 returns ports and evidence on the endpoint for VMs too', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const ports = [{ port: 8080, protocol: 'tcp' }];
    const { status, body } = await app.call('POST', deploy, { key, body: { ...vm, hardstop_hours: 1, ports } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      hardStopRequested: true,
      ports,
      attestation: { verified: true, verifiedOn: '2026-11-01' },
    });
    expect([...app.world.engine.pods.values()][0]?.spec?.ports).toEqual(ports);
  });

  it.each<[row: string, ports: unknown, says: RegExp]>([
    ['C-108', [{ port: 22, protocol: 'tcp' }], /22/],
    ['C-108', [{ port: 0, protocol: 'tcp' }], /ports\[0\].port/],
    ['C-108', [{ port: 65_536, protocol: 'udp' }], /ports\[0\].port/],
    ['C-108', [{ port: 1, protocol: 'icmp' }], /ports\[0\].protocol/],
    [
      'C-108',
      [
        { port: 1, protocol: 'tcp' },
        { port: 1, protocol: 'tcp' },
      ],
      /twice/,
    ],
    ['C-108', Array.from({ length: 9 }, (_, i) => ({ port: i + 1, protocol: 'tcp' })), /`ports`/],
  ])('%s rejects the ports %j', async (_row, ports, says) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const answer = await app.call('POST', deploy, { key, body: { ...vm, ports } });
    expect(answer).toMatchObject({ status: 400, body: { charged: false, error: expect.stringMatching(says) } });
  });

  it('labels plain virtual machines in every answer, and never calls them confidential', async () => {
    const app = await open();
    app.world.engine.protection = 'plain-vm-test';
    const { key } = await app.tenant('acme');
    const machines = await app.get('/api/svc/machines', { key });
    expect(machines.body).toMatchObject([{ confidential_compute: false, protection: 'plain-vm-test' }]);
    const deploy = await deployed(app, key, confidential);
    expect(deploy).toMatchObject({ confidential_compute: false, protection: 'plain-vm-test' });
    const list = await app.get(pods, { key });
    expect(list.body).toMatchObject([{ confidential_compute: false, protection: 'plain-vm-test' }]);
    const details = await app.get(`${pods}/${deploy.podId}`, { key });
    expect(details.body).toMatchObject({ confidential_compute: false, protection: 'plain-vm-test' });
  });
});

describe('POST /v1/compute/instances (I-065)', () => {
  const path = '/v1/compute/instances';
  const a6000 = { gpu_type: 'A6000', gpu_count: 1, region: 'NO', image: 'debian' };
  const rtx4090 = { gpu_type: 'rtx 4090', gpu_count: 3, region: 'oslo', image: 'debian' };
  const { machines, ...inventory } = inventoryFile;

  it('rents the cheapest free machine that fits, with any of the key headers', async () => {
    const dearer = { ...machines[1]!, id: 'm-0', price_per_hour: '0.90' };
    const app = await open({ inventory: { ...inventory, machines: [dearer, ...machines] } });
    const { key } = await app.tenant('acme');
    const first = await app.call('POST', path, { key, body: a6000 });
    expect(first).toMatchObject({ status: 201, body: { pod: { machine_id: 'm-2', hourly_price: 0.7 } } });
    const headers = { authorization: `Bearer ${key}` };
    const second = await app.call('POST', path, { headers, body: rtx4090 });
    expect(second).toMatchObject({ status: 201, body: { pod: { machine_id: 'm-1' } } });
    expect(app.world.engine.prepared.at(-1)).toMatchObject({ image: 'docker.io/library/debian:latest' });
  });

  it.each(['gpu_type', 'gpu_count', 'region', 'image'])('rejects a body without %s with 400', async (field) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { [field as keyof typeof a6000]: _, ...body } = a6000;
    expect(await app.call('POST', path, { key, body })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', error: `\`${field}\` is missing`, charged: false },
    });
    expect(await app.world.balance('acme')).toMatchObject({ available: 50_000_000, held: 0 });
  });

  it('C-116 requires ssh_key_id if the account has several SSH keys', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const body = { name: 'desktop', public_key: newSshKey() };
    const { id } = (await app.call('POST', '/api/svc/ssh-keys', { key, body })).body;
    expect(await app.call('POST', path, { key, body: a6000 })).toMatchObject({
      status: 400,
      body: { code: 'SSH_KEY_REQUIRED', error: expect.stringContaining('`ssh_key_id`'), charged: false },
    });
    const named = (ssh_key_id: string) => app.call('POST', path, { key, body: { ...a6000, ssh_key_id } });
    expect(await named('nobody')).toMatchObject({ status: 404, body: { code: 'SSH_KEY_NOT_FOUND', charged: false } });
    const { pod } = (await named(id)).body;
    expect(app.world.engine.pods.get(pod.id)?.spec?.sshKeys[0]).toContain(body.public_key.split(' ')[1]);
  });

  it('C-116 rejects an account without an SSH key, and C-098 before it selects a machine', async () => {
    const app = await open();
    const { key } = await app.tenant('acme', { sshKey: false });
    expect(await app.call('POST', path, { key, body: { ...a6000, region: 'Atlantis' } })).toMatchObject({
      status: 400,
      body: { code: 'SSH_KEY_REQUIRED', needsSshKey: true, charged: false },
    });
  });

  it('uses the next cheapest machine at once, even if the cached list still shows the first', async () => {
    const second = { ...machines[1]!, id: 'm-3', price_per_hour: '0.90' };
    const app = await open({ inventory: { ...inventory, machines: [...machines, second] } });
    const { key } = await app.tenant('acme');
    const rent = async () => (await app.call('POST', path, { key, body: a6000 })).body;
    expect(await rent()).toMatchObject({ pod: { machine_id: 'm-2' } });
    expect(await rent()).toMatchObject({ pod: { machine_id: 'm-3' } });
    expect(await rent()).toMatchObject({ status: 409, code: 'MACHINE_UNAVAILABLE', charged: false });
  });

  it('finds the pod of a request whose answer got lost', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    app.world.engine.onCall = (call) => (call === 'create' ? new Promise(() => undefined) : Promise.resolve());
    const request = { key, body: a6000, headers: { 'idempotency-key': 'a' } };
    void app.call('POST', path, request).catch(() => undefined);
    await expect.poll(() => app.world.engine.pods.size).toBe(1);
    app.world.engine.onCall = async () => undefined;
    await app.world.pass(16 * 60_000);
    const again = await app.call('POST', path, request);
    expect(again).toMatchObject({ status: 201, body: { pod: { machine_id: 'm-2' } } });
    expect([...app.world.engine.pods.keys()]).toEqual([again.body.pod.id]);
  });

  it('returns 409 if no machine fits', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    expect(await app.call('POST', path, { key, body: { ...a6000, region: 'Atlantis' } })).toMatchObject({
      status: 409,
      body: { charged: false },
    });
  });
});
