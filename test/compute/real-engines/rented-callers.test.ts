/** Disconnecting clients, closed accounts and a hanging engine, on a real podman through the whole service. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCuttingProxy } from '../../support/attestation/cutting-proxy.ts';
import { ComputeServer } from '../../support/compute/compute-server.ts';
import { ComputeTenant, rentOf } from '../../support/compute/compute-tenant.ts';
import { startDockerPods } from '../../support/compute/docker-pods.ts';
import { describeOn } from '../../support/compute/engine-suite.ts';
import { containersOf, podmanPod, podmanService } from '../../support/compute/podman-service.ts';

const creating = /POST \/containers\/create\?[^ ]*name=/;

describeOn('callers of pods on podman', await startDockerPods(), (pods) => {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-callers-'));
  const socketPath = join(folder, 'podman.sock');
  const server = new ComputeServer(folder, podmanService(pods, folder, { instance: 'callers', socketPath }));
  const tenant = new ComputeTenant(server);
  const containers = () => containersOf(pods);
  let proxy: Awaited<ReturnType<typeof startCuttingProxy>>;

  beforeAll(async () => {
    proxy = await startCuttingProxy({ from: socketPath, to: pods.podman.socketPath });
    await server.start();
    await tenant.register(pods.key.public);
  });

  afterAll(async () => {
    await server.stop();
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('C-139 and C-154 run and are paid for from their address on, whether or not SSH answers yet', async () => {
    const before = tenant.available();
    const id = await tenant.deploy(podmanPod);
    await expect
      .poll(() => tenant.details(id), { timeout: 60_000 })
      .toMatchObject({
        provider_status: 'running',
        ssh_ready: true,
        ssh_banner: expect.any(Boolean),
        ssh_command: expect.stringMatching(/^ssh root@127\.0\.0\.1 -p \d+$/),
      });
    await tenant.release(id);
    expect(tenant.available()).toBe(before - rentOf(tenant.books(id)));
    expect(containers()).toEqual([]);
  });

  it('that disconnect without an Idempotency-Key pay nothing, and their pod is removed', async () => {
    const before = tenant.available();
    const caller = new AbortController();
    const held = proxy.holdAt(creating, () => caller.abort());
    const { signal } = caller;
    await expect(server.call('POST', '/api/svc/pods', podmanPod, { signal })).rejects.toThrow();
    await held;
    const [{ id }] = server.rows('select id from compute_pods order by created_at desc');
    expect(await tenant.gone(id)).toBe('caller_left');
    expect(containers()).toEqual([]);
    expect(tenant.available()).toBe(before);
  });

  it('C-035 get an error within seconds if the engine hangs, and are charged nothing', async () => {
    const before = tenant.available();
    expect((await tenant.call('GET', 'machines?provider=standard')).status).toBe(200);
    pods.podman.freeze();
    try {
      const askedAt = performance.now();
      expect(await tenant.call('POST', 'pods', podmanPod)).toMatchObject({ status: 502, body: { charged: false } });
      expect(performance.now() - askedAt).toBeLessThan(40_000);
    } finally {
      pods.podman.thaw();
    }
    expect(tenant.available()).toBe(before);
  });

  it('lose their pods with their account, paid for up to then', async () => {
    await server.run('accounts', 'create', 'acme', '--plan', 'operator');
    await server.run('accounts', 'credit', 'acme', '5');
    const key = (await server.run('keys', 'create', '--account', 'acme')).trim();
    const acme = new ComputeTenant(server, { account: 'acme', key });
    await acme.register(pods.key.public);
    const id = await acme.deploy(podmanPod);
    await expect.poll(async () => (await acme.details(id)).provider_status, { timeout: 60_000 }).toBe('running');
    expect(containers()).toHaveLength(1);
    await server.run('accounts', 'close', 'acme');
    await expect.poll(containers, { timeout: 60_000 }).toEqual([]);
    await expect.poll(() => acme.books(id).state).toBe('stopped');
    expect(acme.books(id)).toMatchObject({ reason: 'account_closed', hold: 0, billed: rentOf(acme.books(id)) });
    expect(acme.available()).toBe(5_000_000 - rentOf(acme.books(id)));
    expect(await server.run('compute', 'audit')).toMatch(/agree/);
  });
});
