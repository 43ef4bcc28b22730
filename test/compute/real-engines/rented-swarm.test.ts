/** Standard pods on a real Docker Swarm of two nodes, rented through the whole service; links are cut during a deploy. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCuttingProxy } from '../../support/attestation/cutting-proxy.ts';
import { ComputeServer } from '../../support/compute/compute-server.ts';
import { ComputeTenant, rentOf } from '../../support/compute/compute-tenant.ts';
import { unpackSshKit } from '../../support/compute/docker-pods.ts';
import { describeOn } from '../../support/compute/engine-suite.ts';
import { podmanMachine, podmanPod, testService } from '../../support/compute/podman-service.ts';
import { makeSshKey, runOverSsh, shownHostKey } from '../../support/compute/ssh-login.ts';
import { importEverywhere, startSwarm } from '../../support/compute/swarm.ts';

const creating = /POST \/services\/create/;
const price = 600_000;

describeOn('pods on a Swarm under a whole service', await startSwarm(), (swarm) => {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-rent-swarm-'));
  const [manager, worker] = [swarm.nodes[0]!, swarm.nodes[1]!];
  const managerSocket = join(folder, 'manager.sock');
  const server = new ComputeServer(folder, {
    service: { ...testService, instance: 'rent' },
    engines: [
      {
        name: 'swarm',
        type: 'swarm',
        endpoint: { transport: 'unix', socket_path: managerSocket },
        nodes: Object.fromEntries(
          swarm.nodes.map(({ hostname, address, socketPath }) => [
            hostname,
            { public_host: address, endpoint: { transport: 'unix', socket_path: socketPath } },
          ]),
        ),
        kit_folder: unpackSshKit(swarm.folder),
        change_timeout_s: 30,
      },
    ],
    machines: swarm.nodes.map(({ hostname }) => ({ ...podmanMachine, id: hostname, engine: 'swarm' })),
    templates: { standard: [{ id: 'busybox', name: 'Busybox', default: true, image: importEverywhere(swarm) }] },
  });
  const tenant = new ComputeTenant(server);
  const key = makeSshKey();
  const pod = { ...podmanPod, machine_id: worker.hostname };
  const containers = (node = worker) =>
    node.docker('ps', '--all', '--format', '{{.Names}}').split('\n').filter(Boolean);
  const services = () => manager.docker('service', 'ls', '--format', '{{.Name}}').split('\n').filter(Boolean);
  let proxy: Awaited<ReturnType<typeof startCuttingProxy>>;

  beforeAll(async () => {
    proxy = await startCuttingProxy({ from: managerSocket, to: manager.socketPath });
    await server.start();
    await tenant.register(key.public);
  });

  afterAll(async () => {
    await server.stop();
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('allows the tenant to log in on the rented machine, shows its host key, and refunds the rest of the hour', async () => {
    const before = tenant.available();
    const id = await tenant.deploy(pod);
    const address = await tenant.reached(id);
    expect(address.host).toBe(worker.address);
    expect((await tenant.details(id)).ssh_host_key).toBe(await shownHostKey(address));
    expect(await runOverSsh(address, key.private, 'hostname')).toBe('pod\n');
    expect(containers(manager)).toEqual([]);
    await tenant.release(id);
    expect(tenant.available()).toBe(before - rentOf(tenant.books(id)));
    await expect.poll(() => [...containers(), ...services()], { timeout: 30_000 }).toEqual([]);
  });

  it('C-036 and C-150: a link to the manager that breaks during a deploy holds the hour; the pod is found once it is healed', async () => {
    const before = tenant.available();
    void proxy.cutAt(creating);
    const { status, body } = await tenant.call('POST', 'pods', pod);
    expect({ status, body }).toMatchObject({ status: 502, body: { charged: true, code: 'OUTCOME_UNKNOWN' } });
    expect(tenant.available()).toBe(before - price);
    expect((await tenant.call('GET', 'pods')).body).toEqual([]);
    proxy.heal();
    const address = await tenant.reached(body.pod_id);
    expect(await runOverSsh(address, key.private, 'hostname')).toBe('pod\n');
    expect(services()).toEqual([`cloister_rent_${body.pod_id}`]);
    await tenant.release(body.pod_id);
    expect(tenant.available()).toBe(before - rentOf(tenant.books(body.pod_id)));
    await expect.poll(() => [...containers(), ...services()], { timeout: 30_000 }).toEqual([]);
  });

  it('C-149 a link to the manager that is cut before the create request arrives returns the hour', async () => {
    const before = tenant.available();
    void proxy.holdAt(creating, () => proxy.cut());
    const { status, body } = await tenant.call('POST', 'pods', pod);
    expect({ status, body }).toMatchObject({ status: 502, body: { charged: true } });
    proxy.heal();
    expect(await tenant.gone(body.pod_id)).toBe('outcome_unknown');
    expect(tenant.available()).toBe(before);
    expect(services()).toEqual([]);
  });

  it('C-035 a link to the machine that breaks during a deploy rejects it without a charge', async () => {
    const before = tenant.available();
    void proxy.holdAt(creating, () => worker.cutLink());
    const { status, body } = await tenant.call('POST', 'pods', pod);
    try {
      expect({ status, body }).toMatchObject({ status: 409, body: { charged: false, code: 'MACHINE_UNAVAILABLE' } });
      expect(tenant.available()).toBe(before);
      // The other machine is rented meanwhile.
      const id = await tenant.deploy({ ...pod, machine_id: manager.hostname });
      await tenant.reached(id);
      await tenant.release(id);
    } finally {
      worker.healLink();
    }
    await expect.poll(() => [...containers(), ...services()], { timeout: 60_000, interval: 500 }).toEqual([]);
    expect(await server.run('compute', 'audit')).toMatch(/agree/);
  });
});
