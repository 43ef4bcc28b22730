/** Tests standard pods on a real Podman service, whose storage and network belong to this file only. */
import { afterEach, expect, it } from 'vitest';
import type { EngineEvent } from '../../../compute/engines/engine.ts';
import { startDockerPods } from '../../support/compute/docker-pods.ts';
import { describeOn } from '../../support/compute/engine-suite.ts';
import { importWithJupyter, importWithoutLogin } from '../../support/compute/podman.ts';
import { makeSshKey, runOverSsh, shownHostKey, untilThere } from '../../support/compute/ssh-login.ts';

describeOn('standard pods on podman', await startDockerPods(), (pods) => {
  const engine = pods.make();
  const { signal } = pods;

  afterEach(() => pods.clear(engine));

  const inspectContainer = (podId: string) =>
    JSON.parse(pods.podman.run(['inspect', `cloister_test_${podId}`]))[0] as {
      HostConfig: Record<string, unknown>;
      Mounts: unknown[];
    };

  it('allows the tenant to log in as root in an image without an SSH server', async () => {
    const pod = await engine.create(await pods.spec(engine, 'p-ssh'), { signal });
    expect(pod).toMatchObject({ podId: 'p-ssh', state: 'running', protection: 'none', machine: 'm-1' });
    expect(await runOverSsh(pod.ssh!, pods.key.private, 'id -u; hostname')).toBe('0\nmy-pod\n');
  });

  it('allows the tenant to log in as root even if the image allows no login, and leaves its other users unchanged', async () => {
    const of = { image: importWithoutLogin(pods.podman) };
    const pod = await engine.create(await pods.spec(engine, 'p-no-login', {}, of), { signal });
    const users = await runOverSsh(pod.ssh!, pods.key.private, 'cat /etc/passwd');
    expect(users).toMatch(/^root:x:0:0:root:\/root:\/\.cloister\/bin\/sh\nada:x:1000:1000::\/home\/ada:\/bin\/sh\n/);
  });

  it("accepts the service's key and the tenant's, and no others", async () => {
    const service = makeSshKey();
    const pod = await engine.create(await pods.spec(engine, 'p-keys', { sshKeys: [pods.key.public, service.public] }), {
      signal,
    });
    expect(await runOverSsh(pod.ssh!, service.private, 'id -u')).toBe('0\n');
    await expect(runOverSsh(pod.ssh!, makeSshKey().private, 'id -u')).rejects.toThrow('authentication');
  });

  it('gives every pod a host key and records it', async () => {
    const known = [];
    for (const podId of ['p-host-1', 'p-host-2']) {
      const pod = await engine.create(await pods.spec(engine, podId), { signal });
      const shown = await shownHostKey(pod.ssh!);
      expect(await engine.hostKey(podId, { signal })).toBe(shown);
      known.push(shown);
    }
    expect(known[0]).not.toBe(known[1]);
    expect(await engine.hostKey('p-none', { signal })).toBeUndefined();
  });

  it('starts Jupyter reachable only through SSH, with a token stored in the pod', async () => {
    const of = { jupyter: true, image: importWithJupyter(pods.podman) };
    const pod = await engine.create(await pods.spec(engine, 'p-jupyter', { jupyter: true }, of), { signal });
    expect(pod.ports).toEqual([]);
    const asked = await runOverSsh(pod.ssh!, pods.key.private, untilThere('/tmp/jupyter-was-told'));
    const token = (await runOverSsh(pod.ssh!, pods.key.private, 'cat /root/.jupyter-token')).trim();
    expect(token).toMatch(/^[0-9a-f]{48}$/);
    expect(asked).toBe(`${token} lab --ip=127.0.0.1 --port=8888 --no-browser --allow-root\n`);
  });

  it('rejects Jupyter if the image lacks it, and leaves nothing behind', async () => {
    const spec = await pods.spec(engine, 'p-no-jupyter', { jupyter: true }, { jupyter: true });
    const refusal = { reason: 'settings_refused', message: expect.stringMatching(/the image does not contain it/) };
    await expect(engine.create(spec, { signal })).rejects.toMatchObject(refusal);
    expect(await engine.list({ signal })).toEqual([]);
    const bare = pods.make({ templates: { key: pods.templateKey, kit: undefined, now: Date.now } });
    const asked = bare.prepare(pods.image({ jupyter: true }), { signal, machine: 'm-1' });
    await expect(asked).rejects.toMatchObject({ reason: 'settings_refused' });
  });

  it('publishes SSH, the requested ports and the spare ports, each on a different host port', async () => {
    const ports = [{ port: 8080, protocol: 'tcp' } as const, { port: 53, protocol: 'udp' } as const];
    const pod = await engine.create(await pods.spec(engine, 'p-ports', { ports, sparePorts: 2 }), { signal });
    const published = pod.ports.map(({ port, protocol }) => `${port}/${protocol}`).sort();
    expect(published).toEqual(['20001/tcp', '20002/tcp', '53/udp', '8080/tcp']);
    expect(new Set([pod.ssh!.port, ...pod.ports.map(({ hostPort }) => hostPort)]).size).toBe(5);
  });

  it('runs the start command with its variables verbatim, without a shell', async () => {
    const of = { command: ['touch', '/tmp/$(id) ; *', '/tmp/two words'], env: { GREETING: 'a "b" $c' } };
    const pod = await engine.create(await pods.spec(engine, 'p-command', {}, of), { signal });
    expect(await runOverSsh(pod.ssh!, pods.key.private, 'ls /tmp')).toBe('$(id) ; *\ntwo words\n');
    const environment = await runOverSsh(
      pod.ssh!,
      pods.key.private,
      "cat /proc/1/environ | tr '\\0' '\\n' || cat /proc/1/environ",
    );
    expect(environment).toContain('GREETING=a "b" $c');
  });

  it('stays reachable when the start command has ended', async () => {
    const pod = await engine.create(await pods.spec(engine, 'p-ended', {}, { command: ['touch', '/tmp/done'] }), {
      signal,
    });
    expect(await runOverSsh(pod.ssh!, pods.key.private, 'ls /tmp')).toBe('done\n');
    expect((await engine.inspect('p-ended', { signal }))?.state).toBe('running');
  });

  it('denies the container privileges, host folders, new privileges, swap, and more processes than allowed', async () => {
    const pod = await engine.create(await pods.spec(engine, 'p-hard'), { signal });
    const { HostConfig, Mounts } = inspectContainer('p-hard');
    expect(HostConfig).toMatchObject({
      Privileged: false,
      Memory: 2 ** 28,
      MemorySwap: 2 ** 28,
      PidsLimit: 4096,
      NanoCpus: 1e9,
      LogConfig: { Type: 'none' },
    });
    expect(Mounts).toEqual([]);
    const status = await runOverSsh(pod.ssh!, pods.key.private, 'cat /proc/1/status');
    expect(status).toMatch(/NoNewPrivs:\s+1/);
    expect(status).toMatch(/Seccomp:\s+2/);
    // Raw packets, device nodes and administrative operations are denied.
    const bounding = BigInt(`0x${/CapBnd:\s+([0-9a-f]+)/.exec(status)![1]}`);
    for (const bit of [12, 13, 16, 17, 19, 21, 27, 38, 39]) expect((bounding >> BigInt(bit)) & 1n).toBe(0n);
  });

  it('a repeated create finds the existing pod', async () => {
    const spec = await pods.spec(engine, 'p-twice');
    const first = await engine.create(spec, { signal });
    const second = await engine.create(spec, { signal });
    expect(second).toEqual(first);
    expect(await engine.list({ signal })).toHaveLength(1);
  });

  it('leaves an incomplete pod to the process that is creating it, and recreates it after a timeout', async () => {
    const spec = await pods.spec(engine, 'p-half');
    const labels = ['--label', 'cloister.pod=p-half', '--label', 'cloister.instance=test'];
    pods.podman.run(['create', '--name', 'cloister_test_p-half', ...labels, pods.baseImage]);
    expect((await engine.inspect('p-half', { signal }))?.state).toBe('starting');
    await expect(engine.create(spec, { signal })).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' });
    const later = pods.make({ templates: { key: pods.templateKey, kit: pods.kit, now: () => Date.now() + 3_600_000 } });
    expect((await later.create(spec, { signal })).state).toBe('running');
  });

  it('creates one pod for two concurrent calls, and both find it', async () => {
    const spec = await pods.spec(engine, 'p-race');
    const outcomes = await Promise.allSettled([engine.create(spec, { signal }), engine.create(spec, { signal })]);
    const told = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'made' : outcome.reason.code));
    expect(told).toContain('made');
    expect(told).not.toContain('ERR_ENGINE_REFUSED');
    expect(await engine.list({ signal })).toMatchObject([{ podId: 'p-race', state: 'running' }]);
  });

  it('rejects a name that a foreign container uses, and leaves that container unchanged', async () => {
    const spec = await pods.spec(engine, 'p-taken');
    pods.podman.run(['create', '--name', 'cloister_test_p-taken', pods.baseImage]);
    await expect(engine.create(spec, { signal })).rejects.toMatchObject({
      code: 'ERR_ENGINE_REFUSED',
      reason: 'not_ours',
    });
    await engine.destroy('p-taken', { signal });
    expect(pods.podman.run(['ps', '--all', '--format', '{{.Names}}'])).toContain('cloister_test_p-taken');
    pods.podman.run(['rm', '--force', 'cloister_test_p-taken']);
  });

  it('lists only the pods of its own control plane', async () => {
    await engine.create(await pods.spec(engine, 'p-mine'), { signal });
    expect((await engine.list({ signal })).map(({ podId }) => podId)).toEqual(['p-mine']);
    const other = pods.make({ instance: 'other' });
    expect(await other.list({ signal })).toEqual([]);
    expect(await other.inspect('p-mine', { signal })).toBeUndefined();
  });

  it('reports when a pod died, and still lists it', async () => {
    const before = Date.now();
    await engine.create(await pods.spec(engine, 'p-dies'), { signal });
    pods.podman.run(['kill', 'cloister_test_p-dies']);
    pods.podman.run(['wait', 'cloister_test_p-dies']);
    const [pod] = await engine.list({ signal });
    expect(pod).toMatchObject({ podId: 'p-dies', state: 'dead', ssh: undefined, ports: [] });
    expect(pod!.endedAt!.getTime()).toBeGreaterThanOrEqual(before);
  });

  it('destroys a pod at once, and succeeds if the pod no longer exists', async () => {
    await engine.create(await pods.spec(engine, 'p-gone'), { signal });
    await engine.destroy('p-gone', { signal });
    expect(await engine.inspect('p-gone', { signal })).toBeUndefined();
    await engine.destroy('p-gone', { signal });
  });

  it('reports pods that start, die and disappear, and outages of the engine', async () => {
    const stop = new AbortController();
    const seen: EngineEvent[] = [];
    const waiting = new Map<string, () => void>();
    const reached = (what: string): Promise<void> => new Promise((resolve) => waiting.set(what, resolve));
    const running = (async () => {
      for await (const event of engine.events({ signal: stop.signal })) {
        seen.push(event);
        waiting.get(event.kind)?.();
      }
    })();
    await reached('connected');
    const removed = reached('removed');
    await engine.create(await pods.spec(engine, 'p-event'), { signal });
    await engine.destroy('p-event', { signal });
    await removed;
    const kinds = seen.filter((event) => 'podId' in event && event.podId === 'p-event').map(({ kind }) => kind);
    expect(kinds).toEqual(['started', 'died', 'removed']);
    const disconnected = reached('disconnected');
    await pods.podman.kill();
    await disconnected;
    const again = reached('connected');
    await pods.podman.start();
    await again;
    stop.abort();
    await running;
  });
});
