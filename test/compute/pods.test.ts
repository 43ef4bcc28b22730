import { describe, expect, it } from 'vitest';
import { computeApps } from '../support/compute/compute-app.ts';
import { hourMs } from '../support/compute/compute-world.ts';

const pods = '/api/svc/pods';
const standard = { provider: 'standard', name: 'pod', machine_id: 'm-1' };
const confidential = { provider: 'confidential', name: 'vm', resource_name: 'h100-tdx' };
const open = computeApps();

/** A standard pod and, a minute later, a confidential one; both running. */
async function two() {
  const app = await open();
  const { key, accountId } = await app.tenant('acme');
  const container = (await app.call('POST', pods, { key, body: standard })).body.pod;
  await app.world.pass(60_000);
  const vm = (await app.call('POST', pods, { key, body: confidential })).body;
  await app.world.pass(1_000);
  return { app, key, accountId, container, vm };
}

describe('the list of pods', () => {
  it('C-045 to C-048 is a bare array, confidential VMs first, with every field', async () => {
    const { app, key, container, vm } = await two();
    const { status, body } = await app.get(pods, { key });
    expect(status).toBe(200);
    expect(body).toMatchObject([{ id: vm.workloadUid }, { id: container.id }]);
    expect(body[0]).toEqual({
      id: vm.workloadUid,
      name: 'vm',
      status: 'RUNNING',
      provider_status: 'running',
      resource_name: 'h100-tdx',
      gpu_type: 'H100',
      gpu_count: 1,
      hourly_price: 2.5,
      billed: 0,
      held: 2.5,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
      ssh_ready: true,
      ssh_banner: true,
      ssh_host: '192.0.2.7',
      ssh_port: 2222,
      ssh_user: 'ubuntu',
      // C-051
      ssh_command: 'ssh -p 2222 ubuntu@192.0.2.7',
      provider: 'confidential',
      confidential_compute: true,
    });
    expect(body[1]).toMatchObject({ provider: 'standard', confidential_compute: false, ssh_user: 'root' });
  });

  it('C-049 and C-138 shows provisioning, and null for values that are not known yet', async () => {
    const app = await open();
    app.world.engine.startsAtOnce = false;
    const { key } = await app.tenant('acme');
    await app.call('POST', pods, { key, body: confidential });
    expect((await app.get(pods, { key })).body).toMatchObject([
      {
        status: 'RUNNING',
        provider_status: 'provisioning',
        ssh_ready: false,
        ssh_banner: false,
        ssh_host: null,
        ssh_port: null,
        ssh_command: null,
      },
    ]);
  });

  it('C-046 shows the newest first', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    await app.call('POST', pods, { key, body: { ...standard, name: 'older' } });
    app.world.sleep(1_000);
    await app.call('POST', pods, { key, body: { ...standard, name: 'newer', machine_id: 'm-2' } });
    expect((await app.get(pods, { key })).body.map(({ name }: { name: string }) => name)).toEqual(['newer', 'older']);
  });
});

describe('details of a pod', () => {
  it('C-052 and C-053 differ by kind', async () => {
    const { app, key, container, vm } = await two();
    expect((await app.get(`${pods}/${vm.podId}`, { key })).body).toMatchObject({
      uid: vm.workloadUid,
      name: 'vm',
      resource_name: 'h100-tdx',
      image: 'ubuntu-24.04',
      type: 'rental',
      status: 'RUNNING',
      created_at: expect.any(String),
    });
    expect((await app.get(`${pods}/${container.id}`, { key })).body).toMatchObject({
      id: container.id,
      name: 'pod',
      status: 'RUNNING',
      gpu_type: 'RTX 4090',
      gpu_count: 3,
      hourly_price: 1,
      ssh_command: 'ssh root@192.0.2.7 -p 2222',
      provider: 'standard',
      confidential_compute: false,
    });
  });

  it('C-054 are found by either identifier', async () => {
    const { app, key, vm } = await two();
    const [a, b] = [await app.get(`${pods}/${vm.podId}`, { key }), await app.get(`${pods}/${vm.workloadUid}`, { key })];
    expect(a.body).toEqual(b.body);
  });

  it('C-016 and C-055 answer 404 for unknown ids and for ids of other accounts', async () => {
    const { app, key, vm } = await two();
    const other = await app.tenant('other');
    const [unknown, foreign] = [
      await app.get(`${pods}/pod-nothing`, { key }),
      await app.get(`${pods}/${vm.podId}`, { key: other.key }),
    ];
    expect(unknown.status).toBe(404);
    expect(foreign.body).toEqual(unknown.body);
    expect((await app.call('DELETE', `${pods}/${vm.podId}`, { key: other.key })).status).toBe(404);
  });

  it('C-055 and C-056 stay readable for 30 days after the pod left the list', async () => {
    const { app, key, container } = await two();
    await app.call('DELETE', `${pods}/${container.id}`, { key });
    expect((await app.get(pods, { key })).body).toHaveLength(1);
    expect((await app.get(`${pods}/${container.id}`, { key })).body).toMatchObject({
      status: 'STOPPED',
      provider_status: 'stopped',
      reason: 'released',
    });
    app.world.sleep(30 * 24 * hourMs + 1_000);
    expect((await app.get(`${pods}/${container.id}`, { key })).status).toBe(404);
  });

  it('C-056 report FAILED and the reason for a pod that never started', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    app.world.engine.startsAtOnce = false;
    const { podId } = (await app.call('POST', pods, { key, body: confidential })).body;
    await app.world.pass(30 * 60_000);
    expect((await app.get(`${pods}/${podId}`, { key })).body).toMatchObject({
      status: 'FAILED',
      reason: 'never_started',
    });
  });
});

describe('releasing a pod', () => {
  it('C-130 stops a confidential VM and returns the refund of its first hour', async () => {
    const { app, key, vm } = await two();
    const { status, body } = await app.call('POST', `${pods}/${vm.podId}/stop`, { key });
    expect(status).toBe(200);
    expect(body.success).toBe(true);
    expect(body.prepaidRefund).toBeCloseTo(2.5, 2);
    expect([...app.world.engine.pods.values()].map(({ kind }) => kind)).toEqual(['standard']);
    // C-137
    expect((await app.call('POST', `${pods}/${vm.podId}/stop`, { key })).body).toEqual({
      success: true,
      prepaidRefund: 0,
    });
  });

  it('C-034 and C-131 returns 501 for stopping a standard pod and does not change it', async () => {
    const { app, key, container } = await two();
    const answer = await app.call('POST', `${pods}/${container.id}/stop`, { key });
    expect(answer).toMatchObject({ status: 501, body: { error: expect.stringMatching(/DELETE/) } });
    expect((await app.get(`${pods}/${container.id}`, { key })).body.status).toBe('RUNNING');
  });

  it('C-132 deletes either kind; after the first hour 0 is returned', async () => {
    const { app, key, container, vm } = await two();
    expect((await app.call('DELETE', `${pods}/${vm.workloadUid}`, { key })).body.prepaidRefund).toBeGreaterThan(2);
    await app.world.pass(hourMs);
    expect((await app.call('DELETE', `${pods}/${container.id}`, { key })).body).toEqual({
      success: true,
      prepaidRefund: 0,
    });
    expect(app.world.engine.pods.size).toBe(0);
  });

  it.each(['standard', 'confidential'])('C-133 answers 409 while a %s pod is being deployed', async (provider) => {
    const app = await open();
    app.world.engine.startsAtOnce = false;
    const { key } = await app.tenant('acme');
    const { body } = await app.call('POST', pods, { key, body: provider === 'standard' ? standard : confidential });
    const answer = await app.call('DELETE', `${pods}/${body.podId ?? body.pod.id}`, { key });
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'POD_DEPLOYING', error: expect.stringMatching(/minute/) },
    });
    expect(app.world.engine.pods.size).toBe(1);
  });

  it('C-030 and C-134 answers PUT with 405 and the allowed methods', async () => {
    const { app, key, container } = await two();
    const answer = await app.call('PUT', `${pods}/${container.id}`, { key, body: {} });
    expect(answer).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
    expect(String(answer.headers.allow)).toMatch(/GET/);
    expect(String(answer.headers.allow)).toMatch(/DELETE/);
  });

  it('C-135 answers start with 501', async () => {
    const { app, key, container } = await two();
    expect((await app.call('POST', `${pods}/${container.id}/start`, { key })).status).toBe(501);
  });
});

describe('the balance', () => {
  it('C-093 and C-094 is rounded down to four decimals and includes the number of active pods', async () => {
    const { app, key } = await two();
    await app.world.accounts.credit({ account: 'acme', microDollars: 199, now: app.world.now });
    expect((await app.get('/api/svc/balance', { key })).body).toEqual({
      success: true,
      balance: 46.5001,
      currency: 'USD',
      active_pods: 2,
      top_up_url: 'https://web.example/top-up',
    });
  });
});
