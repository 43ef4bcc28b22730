/** Engines that fail while a pod is deployed through the whole service: the errors that tenants get, and the final charges. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startCuttingProxy } from '../../support/attestation/cutting-proxy.ts';
import { ComputeServer } from '../../support/compute/compute-server.ts';
import { ComputeTenant, rentOf } from '../../support/compute/compute-tenant.ts';
import { startDockerPods } from '../../support/compute/docker-pods.ts';
import { describeOn } from '../../support/compute/engine-suite.ts';
import { importWithJupyter } from '../../support/compute/podman.ts';
import { containersOf, podmanPod, podmanService } from '../../support/compute/podman-service.ts';
import { runOverSsh } from '../../support/compute/ssh-login.ts';

const price = 600_000;
const creating = /POST \/containers\/create\?[^ ]*name=/;
const starting = /POST \/containers\/[^/]+\/start/;

describeOn('trouble with podman under a whole service', await startDockerPods(), (pods) => {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-trouble-'));
  const socketPath = join(folder, 'podman.sock');
  const server = new ComputeServer(folder, podmanService(pods, folder, { instance: 'trouble', socketPath }));
  const tenant = new ComputeTenant(server);
  const containers = () => containersOf(pods);
  let proxy: Awaited<ReturnType<typeof startCuttingProxy>>;

  beforeAll(async () => {
    proxy = await startCuttingProxy({ from: socketPath, to: pods.podman.socketPath });
    await server.start();
    await tenant.register(pods.key.public);
  });

  afterEach(async () => {
    expect(containers()).toEqual([]);
    expect(await tenant.activePods()).toBe(0);
    expect(await server.run('compute', 'audit')).toMatch(/agree/);
  });

  afterAll(async () => {
    await server.stop();
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const deploy = (body: object = {}) => tenant.call('POST', 'pods', { ...podmanPod, ...body });

  it('C-036 and C-149: an engine killed during a create holds the hour and refunds it', async () => {
    const before = tenant.available();
    void proxy.cutAt(starting, () => pods.podman.kill());
    const { status, body } = await deploy();
    expect({ status, body }).toMatchObject({ status: 502, body: { charged: true, code: 'OUTCOME_UNKNOWN' } });
    expect(tenant.available()).toBe(before - price);
    // The pod is not listed, and its machine is not rented to another account.
    expect((await tenant.call('GET', 'pods')).body).toEqual([]);
    expect(await deploy()).toMatchObject({ status: 409, body: { charged: false } });
    await pods.podman.start();
    proxy.heal();
    expect(containers()).toHaveLength(1);
    // A container that was created but never started is removed once its creator can no longer be working on it.
    server.moveClock(30_000);
    expect(await tenant.gone(body.pod_id)).toBe('never_started');
    expect(tenant.books(body.pod_id)).toMatchObject({ state: 'failed', hold: 0, billed: 0 });
    expect(tenant.available()).toBe(before);
  });

  it('C-149 returns the hour of a pod whose create request never reached the engine', async () => {
    const before = tenant.available();
    void proxy.holdAt(creating, () => pods.podman.kill());
    const { status, body } = await deploy();
    expect({ status, body }).toMatchObject({ status: 502, body: { charged: true } });
    expect(tenant.available()).toBe(before - price);
    await pods.podman.start();
    expect(await tenant.gone(body.pod_id)).toBe('outcome_unknown');
    expect(tenant.available()).toBe(before);
  });

  it('C-150 a pod whose create answer was lost is found, accessible, and charged by the second', async () => {
    const before = tenant.available();
    void proxy.cutAt(starting);
    const { status, body } = await deploy();
    expect({ status, body }).toMatchObject({ status: 502, body: { charged: true } });
    proxy.heal();
    const address = await tenant.reached(body.pod_id);
    expect((await tenant.call('GET', 'pods')).body).toMatchObject([{ id: body.pod_id, provider_status: 'running' }]);
    expect(await runOverSsh(address, pods.key.private, 'hostname')).toBe('pod\n');
    await tenant.release(body.pod_id);
    expect(tenant.available()).toBe(before - rentOf(tenant.books(body.pod_id)));
  });

  it('C-136 a repeat with the same key after a lost answer creates no second pod', async () => {
    const key = { 'idempotency-key': 'once' };
    void proxy.cutAt(starting);
    const first = await server.call('POST', '/api/svc/pods', podmanPod, { headers: key });
    expect(first).toMatchObject({ status: 502, body: { charged: true } });
    proxy.heal();
    const again = await server.call('POST', '/api/svc/pods', podmanPod, { headers: key });
    expect(again).toMatchObject({ status: 502, body: { charged: true, pod_id: first.body.pod_id } });
    await tenant.reached(first.body.pod_id);
    expect(containers()).toHaveLength(1);
    await tenant.release(first.body.pod_id);
  });

  it('C-133 rejects the release of a pod that is being deployed', async () => {
    const refused = Promise.withResolvers<unknown>();
    void proxy.holdAt(starting, async () => {
      const [{ id }] = server.rows("select id from compute_pods where state = 'provisioning'");
      refused.resolve(await tenant.call('DELETE', `pods/${id}`));
    });
    const id = await tenant.deploy(podmanPod);
    expect(await refused.promise).toMatchObject({ status: 409, body: { code: 'POD_DEPLOYING' } });
    await tenant.reached(id);
    await tenant.release(id);
  });

  /** Another program on the machine uses the name of the pod that is being deployed. */
  const takeName = () => {
    const [{ id }] = server.rows("select id from compute_pods where state = 'provisioning'");
    pods.podman.run(['create', '--name', `cloister_trouble_${id}`, pods.baseImage]);
  };

  it('C-035 a name in use is rejected without a charge, and its owner keeps it', async () => {
    const before = tenant.available();
    void proxy.holdAt(/GET \/containers\/json/, takeName);
    expect(await deploy()).toMatchObject({ status: 502, body: { charged: false, code: 'ENGINE_REFUSED' } });
    expect(tenant.available()).toBe(before);
    expect(containers()).toHaveLength(1);
    pods.podman.run(['rm', '--all']);
  });

  it('C-036 a name that is taken concurrently may be an earlier attempt: the hour is held, then refunded', async () => {
    const before = tenant.available();
    void proxy.holdAt(creating, takeName);
    const { status, body } = await deploy();
    expect({ status, body }).toMatchObject({ status: 502, body: { charged: true } });
    expect(await tenant.gone(body.pod_id)).toBe('outcome_unknown');
    expect(tenant.available()).toBe(before);
    expect(containers()).toEqual([`cloister_trouble_${body.pod_id}`]);
    pods.podman.run(['rm', '--all']);
  });

  it.each([
    ['that is not in its registry', { image: 'team/nothing:1' }, 'IMAGE_UNAVAILABLE'],
    ['for another processor', { image: 'team/arm:1' }, 'IMAGE_UNAVAILABLE'],
    ['that is private', { image: 'team/closed:1' }, 'IMAGE_UNAVAILABLE'],
    ['without Jupyter, where Jupyter is asked for', { image: 'team/open:1', jupyter: true }, 'SETTINGS_REFUSED'],
  ])('C-122 rejects an image %s, and charges nothing', async (_, { image, ...settings }, code) => {
    const before = tenant.available();
    const answer = await deploy({ ...settings, image: `${pods.registry.host}/${image}` });
    expect(answer).toMatchObject({ status: 400, body: { charged: false, code } });
    expect(tenant.available()).toBe(before);
  });

  it('C-119 starts Jupyter in an image that has it', async () => {
    expect(importWithJupyter(pods.podman)).toBe('localhost/jupyter:1');
    const id = await tenant.deploy({ ...podmanPod, template_id: 'jupyter', jupyter: true });
    const address = await tenant.reached(id);
    expect(await runOverSsh(address, pods.key.private, 'cat /root/.jupyter-token')).toMatch(/^[0-9a-f]{48}\n$/);
    await tenant.release(id);
  });
});
