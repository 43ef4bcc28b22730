import { describe, expect, it } from 'vitest';
import { computeApps } from '../support/compute/compute-app.ts';

const pods = '/api/svc/pods';
const standard = { provider: 'standard', name: 'pod', machine_id: 'm-1' };
const open = computeApps();

describe('the key of an SSH server', () => {
  it('is in the details of a standard pod once its SSH server answers, and stays there', async () => {
    const app = await open();
    app.world.engine.startsAtOnce = false;
    const { key } = await app.tenant('acme');
    const { id } = (await app.call('POST', pods, { key, body: standard })).body.pod;
    expect((await app.get(`${pods}/${id}`, { key })).body.ssh_host_key).toBeNull();
    app.world.engine.become(id, 'running');
    await app.world.pass(10_000);
    const { hostKeyFingerprint } = app.world.engine;
    expect((await app.get(`${pods}/${id}`, { key })).body).toMatchObject({
      ssh_banner: true,
      ssh_host_key: hostKeyFingerprint,
    });
    // Read once, so that the key a tenant has verified does not change.
    app.world.engine.hostKeyFingerprint = `SHA256:${'B'.repeat(43)}`;
    await app.world.pass(3_600_000);
    expect((await app.get(`${pods}/${id}`, { key })).body.ssh_host_key).toBe(hostKeyFingerprint);
  });

  it('is known only to the tenant in a confidential machine', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const body = { provider: 'confidential', name: 'vm', resource_name: 'h100-tdx' };
    const { podId } = (await app.call('POST', pods, { key, body })).body;
    await app.world.pass(1_000);
    expect((await app.get(`${pods}/${podId}`, { key })).body).toMatchObject({ ssh_banner: true, ssh_host_key: null });
  });

  it('delays no response if it cannot be read', async () => {
    const app = await open();
    app.world.engine.fateOf = (call) => (call === 'hostKey' ? 'unreachable' : 'done');
    const { key } = await app.tenant('acme');
    const { id } = (await app.call('POST', pods, { key, body: standard })).body.pod;
    await app.world.pass(1_000);
    expect((await app.get(`${pods}/${id}`, { key })).body).toMatchObject({ ssh_banner: true, ssh_host_key: null });
    expect(app.world.notes).toContain('SSH host key cannot be read');
  });
});
