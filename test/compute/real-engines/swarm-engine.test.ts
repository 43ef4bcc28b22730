/** Standard pods on a real Docker Swarm of two nodes, private to this file, with a link between them that is cut. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { DockerEngine } from '../../../compute/engines/docker/docker-engine.ts';
import type { ContainerImage, PodSpec } from '../../../compute/engines/engine.ts';
import { SwarmEngine, type SwarmEngineOptions } from '../../../compute/engines/swarm/swarm-engine.ts';
import { poll } from '../../../compute/engines/waiting.ts';
import { startCuttingProxy } from '../../support/attestation/cutting-proxy.ts';
import { basicSpec, buildSshKit, unpackSshKit } from '../../support/compute/docker-pods.ts';
import { describeOn } from '../../support/compute/engine-suite.ts';
import { busyboxRoot } from '../../support/compute/podman.ts';
import { startRegistry } from '../../support/compute/registry.ts';
import { makeSshKey, runOverSsh } from '../../support/compute/ssh-login.ts';
import { importEverywhere, startSwarm } from '../../support/compute/swarm.ts';

const day = 86_400_000;

describeOn('standard pods on a Swarm', await startSwarm(), (swarm) => {
  const key = makeSshKey();
  const signal = AbortSignal.timeout(900_000);
  let engine: SwarmEngine;
  let image: string;
  let kitFolder: string;
  let now = Date.now();

  beforeAll(() => {
    kitFolder = unpackSshKit(swarm.folder);
    image = importEverywhere(swarm);
    engine = make();
  });

  afterEach(async () => {
    for (const { podId } of await engine.list({ signal })) await engine.destroy(podId, { signal });
  });

  const manager = () => swarm.nodes[0]!;
  const worker = () => swarm.nodes[1]!;

  function make(options: Partial<SwarmEngineOptions> = {}): SwarmEngine {
    const nodes = swarm.nodes.map(({ hostname, address, socketPath }) => [
      hostname,
      { publicHost: address, endpoint: { transport: 'unix', socketPath } } as const,
    ]);
    return new SwarmEngine({
      name: 'swarm',
      endpoint: { transport: 'unix', socketPath: manager().socketPath },
      instance: 'test',
      nodes: Object.fromEntries(nodes),
      templates: { key: Buffer.alloc(32, 7), now: () => now },
      kitFolder,
      ...options,
    });
  }

  const imageOf = (fields: Partial<ContainerImage> = {}): ContainerImage => ({
    kind: 'standard',
    owner: 'acc-1',
    image,
    source: 'operator',
    ...fields,
  });

  async function specOf(
    podId: string,
    fields: Partial<PodSpec> = {},
    of: Partial<ContainerImage> = {},
  ): Promise<PodSpec> {
    const prepared = await engine.prepare(imageOf(of), { signal, machine: 'node-3' });
    return { ...basicSpec(podId, key.public), machine: 'node-3', image: prepared, ...fields };
  }

  const containersOn = (node: typeof worker) => node().docker('ps', '--all', '--format', '{{.Names}}');

  it('lists its machines, with the GPUs that they report', async () => {
    const facts = await engine.probe({ signal });
    const told = facts.map(({ machine, offers, gpuCount, podCount }) => ({ machine, offers, gpuCount, podCount }));
    const each = { offers: ['standard'], gpuCount: 1, podCount: 0 };
    expect(told.sort((a, b) => (a.machine < b.machine ? -1 : 1))).toEqual([
      { machine: 'node-2', ...each },
      { machine: 'node-3', ...each },
    ]);
  });

  it('run on the rented machine and allow the tenant to log in there', async () => {
    const spec = await specOf(
      'p-1',
      { ports: [{ port: 8080, protocol: 'tcp' }] },
      { env: { GREETING: 'hello there' } },
    );
    const pod = await engine.create(spec, { signal });
    expect(pod).toMatchObject({ podId: 'p-1', machine: 'node-3', state: 'running', protection: 'none' });
    expect(pod.ssh).toMatchObject({ host: worker().address, user: 'root' });
    expect(pod.ports).toMatchObject([{ port: 8080, protocol: 'tcp', host: worker().address }]);
    expect(containersOn(worker)).toContain('cloister_test_p-1');
    expect(containersOn(manager)).toBe('');
    expect(await runOverSsh(pod.ssh!, key.private, 'id -u; hostname; cat /proc/1/environ')).toMatch(
      /^0\nmy-pod\n.*GREETING=hello there/s,
    );
  });

  it('are found by a repeated create, listed, and absent after destroy', async () => {
    const spec = await specOf('p-2');
    const pod = await engine.create(spec, { signal });
    expect(await engine.create(spec, { signal })).toEqual(pod);
    expect(await engine.list({ signal })).toEqual([pod]);
    expect(await make({ instance: 'other' }).list({ signal })).toEqual([]);
    await engine.destroy('p-2', { signal });
    await engine.destroy('p-2', { signal });
    expect(await engine.inspect('p-2', { signal })).toBeUndefined();
    const gone = async () => (containersOn(worker) === '' ? true : undefined);
    expect(await poll(gone, { everyMs: 100, timeoutMs: 20_000, signal })).toBe(true);
    expect(manager().docker('config', 'ls', '--format', '{{.Name}}')).not.toContain('p-2');
  });

  it('are dead when their container was killed, and are not started again', async () => {
    await engine.create(await specOf('p-3'), { signal });
    worker().docker('kill', worker().docker('ps', '--quiet').trim());
    const dead = async () => {
      const pod = await engine.inspect('p-3', { signal });
      return pod?.state === 'dead' ? pod : undefined;
    };
    const pod = await poll(dead, { everyMs: 100, timeoutMs: 20_000, signal });
    expect(pod?.endedAt).toBeInstanceOf(Date);
  });

  it.each([
    ['a machine without room', { gpuCount: 2 }, 'resources_missing'],
    ['a GPU that is promised but does not appear in the pod', { gpuCount: 1 }, 'devices_missing'],
    ['Jupyter that is not in the image', { jupyter: true }, 'settings_refused'],
    ['a machine that is not of this Swarm', { machine: 'node-9' }, 'resources_missing'],
  ])('are rejected for %s, and nothing is left', async (_, fields, reason) => {
    const spec = await specOf('p-4', fields);
    await expect(engine.create(spec, { signal })).rejects.toMatchObject({ code: 'ERR_ENGINE_REFUSED', reason });
    expect(await engine.list({ signal })).toEqual([]);
  });

  it('are rejected if no node has their image', async () => {
    const spec = await specOf('p-5', {}, { image: 'localhost/none:1' });
    await expect(engine.create(spec, { signal })).rejects.toMatchObject({ code: 'ERR_IMAGE_UNAVAILABLE' });
    const tenants = engine.prepare(imageOf({ image: '10.0.0.1/a/b', source: 'tenant' }), { signal, machine: 'node-3' });
    await expect(tenants).rejects.toMatchObject({ code: 'ERR_IMAGE_UNAVAILABLE' });
  });

  it("fetch a tenant's private image with the tenant's credentials only", async () => {
    const layer = execFileSync('tar', ['-C', busyboxRoot(swarm.folder), '-c', '.'], { maxBuffer: 64 * 2 ** 20 });
    const user = { username: 'ada', password: 'correct-horse' };
    const registry = await startRegistry([{ name: 'team/closed', layer, user }], swarm.address);
    try {
      const fetching = make({ registries: { allowed: [registry.host] } });
      const options = { signal, machine: 'node-3' };
      const name = { image: `${registry.host}/team/closed:1`, source: 'tenant' } as const;
      const credentials = { registry: registry.host, ...user };
      const prepared = await fetching.prepare(imageOf({ ...name, credentials }), options);
      const pod = await fetching.create({ ...(await specOf('p-image')), image: prepared }, { signal });
      expect(await runOverSsh(pod.ssh!, key.private, 'id -u')).toBe('0\n');
      const wrong = { ...credentials, password: 'guess' };
      for (const other of [name, { ...name, credentials: wrong }]) {
        const asked = fetching.prepare(imageOf({ ...other, owner: 'acc-2' }), options);
        await expect(asked).rejects.toMatchObject({ code: 'ERR_IMAGE_UNAVAILABLE' });
      }
    } finally {
      await registry.close();
    }
  });

  it('have templates that are sealed, shared by one owner only, and dropped after seven idle days', async () => {
    const secret = { env: { TOKEN: 'canary-in-a-template' } };
    const first = await engine.prepare(imageOf(secret), { signal, machine: 'node-3' });
    expect(await engine.prepare(imageOf(secret), { signal, machine: 'node-3' })).toEqual(first);
    const other = await engine.prepare(imageOf({ ...secret, owner: 'acc-2' }), { signal, machine: 'node-3' });
    expect(other).not.toEqual(first);
    const [config] = JSON.parse(manager().docker('config', 'inspect', first.reference));
    expect(Buffer.from(config.Spec.Data, 'base64').toString('latin1')).not.toContain('canary');
    now += 6 * day;
    await engine.prepare(imageOf(secret), { signal, machine: 'node-3' });
    now += day;
    expect(await engine.dropIdleTemplates({ signal })).toBeGreaterThanOrEqual(1);
    const left = manager().docker('config', 'ls', '--format', '{{.Name}}');
    expect(left).toContain(first.reference);
    expect(left).not.toContain(other.reference);
  });

  it('have an unknown outcome if the answer is lost, and can be found later', async () => {
    const spec = await specOf('p-6');
    const from = join(swarm.folder, 'lost.sock');
    const proxy = await startCuttingProxy({ from, to: manager().socketPath });
    void proxy.cutAt(/POST \/services\/create/);
    const cut = make({ endpoint: { transport: 'unix', socketPath: from } });
    await expect(cut.create(spec, { signal })).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' });
    proxy.close();
    // The manager may still be creating it.
    const look = () => engine.inspect('p-6', { signal });
    expect(await poll(look, { everyMs: 50, timeoutMs: 10_000, signal })).toMatchObject({ podId: 'p-6' });
    expect(await engine.create(spec, { signal })).toMatchObject({ podId: 'p-6' });
    expect(await engine.list({ signal })).toHaveLength(1);
  });

  it('are rejected if the link to their machine breaks midway; a late container is removed when it heals', async () => {
    const spec = await specOf('p-7');
    worker().cutLink();
    try {
      await expect(engine.create(spec, { signal })).rejects.toMatchObject({ code: 'ERR_ENGINE_REFUSED' });
      const [facts] = (await engine.probe({ signal })).filter(({ machine }) => machine === 'node-3');
      expect(facts).toMatchObject({ offers: [], refusals: ['the node is down'] });
    } finally {
      worker().healLink();
    }
    const back = async () => {
      const facts = await engine.probe({ signal });
      return facts.every(({ offers }) => offers.length === 1) ? true : undefined;
    };
    expect(await poll(back, { everyMs: 250, timeoutMs: 60_000, signal })).toBe(true);
    expect(await engine.list({ signal })).toEqual([]);
  });

  it('that run when their link is cut are dead for the list, and their container ends once the machine is back', async () => {
    await engine.create(await specOf('p-8'), { signal });
    worker().cutLink();
    const dead = async () => ((await engine.inspect('p-8', { signal }))?.state === 'dead' ? true : undefined);
    expect(await poll(dead, { everyMs: 250, timeoutMs: 60_000, signal })).toBe(true);
    expect(containersOn(worker)).toContain('cloister_test_p-8');
    await engine.destroy('p-8', { signal });
    worker().healLink();
    const gone = async () => (containersOn(worker).includes('p-8') ? undefined : true);
    expect(await poll(gone, { everyMs: 250, timeoutMs: 60_000, signal })).toBe(true);
  });

  it('also run on one of its machines alone, by Docker without Swarm', async () => {
    const events: string[] = [];
    const stop = new AbortController();
    const docker = new DockerEngine({
      name: 'docker',
      endpoint: { transport: 'unix', socketPath: manager().socketPath },
      machine: 'm-1',
      publicHost: manager().address,
      instance: 'alone',
      templates: { key: Buffer.alloc(32, 7), kit: buildSshKit(swarm.folder), now: Date.now },
    });
    const removed = (async () => {
      for await (const event of docker.events({ signal: stop.signal })) {
        events.push(event.kind);
        if (event.kind === 'removed') return;
      }
    })();
    const prepared = await docker.prepare(imageOf({ env: { A: '1' } }), { signal, machine: 'm-1' });
    const spec = { ...basicSpec('p-alone', key.public), image: prepared };
    const pod = await docker.create(spec, { signal });
    expect(await docker.create(spec, { signal })).toEqual(pod);
    expect(await docker.list({ signal })).toEqual([pod]);
    expect(await runOverSsh(pod.ssh!, key.private, 'id -u; hostname')).toBe('0\nmy-pod\n');
    await docker.destroy('p-alone', { signal });
    expect(await docker.list({ signal })).toEqual([]);
    await removed;
    expect(events).toEqual(['connected', 'started', 'died', 'removed']);
    expect(manager().docker('images', '--format', '{{.Repository}}')).toContain('cloister-alone-template');
  });
});
