/** Requests to a Docker Engine API and the parsing of its responses: pure functions, and a server that the test runs. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ContainerOptions, containerBody, libpodBody } from '../../../compute/engines/docker/container-body.ts';
import { type ContainerDetails, toEnginePod } from '../../../compute/engines/docker/container-pod.ts';
import { DockerApi } from '../../../compute/engines/docker/docker-api.ts';
import { dockerClient, hasFingerprint } from '../../../compute/engines/docker/endpoint.ts';
import { chooseGpuRequest } from '../../../compute/engines/docker/gpus.ts';
import { buildTar } from '../../../compute/engines/docker/tar.ts';
import type { PodSpec } from '../../../compute/engines/engine.ts';

const spec: PodSpec = {
  podId: 'p-1',
  kind: 'standard',
  machine: 'm-1',
  image: { reference: 'localhost/cloister-test-template:abc' },
  hostname: 'my-pod',
  sshKeys: [`ssh-ed25519 ${'A'.repeat(68)}`],
  ports: [{ port: 8080, protocol: 'tcp' }],
  sparePorts: 1,
  gpuCount: 8,
  limits: { cpus: 2.5, memoryBytes: 2 ** 30, diskBytes: 2 ** 35 },
};

const options: ContainerOptions = {
  instance: 'test',
  gpuRequest: 'nvidia',
  gpuDevice: 'nvidia.com/gpu=all',
  processesMax: 1000,
  diskQuota: true,
};

describe('the body of a container', () => {
  it('contains no secret, no host folder and no privilege', () => {
    const body = containerBody(spec, options);
    expect(body).not.toHaveProperty('Env');
    expect(body).not.toHaveProperty('Cmd');
    expect(body.HostConfig).toMatchObject({
      Privileged: false,
      Binds: [],
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      PidsLimit: 1000,
      Memory: 2 ** 30,
      MemorySwap: 2 ** 30,
      NanoCpus: 2.5e9,
      StorageOpt: { size: String(2 ** 35) },
    });
    for (const capability of ['SYS_ADMIN', 'NET_ADMIN', 'SYS_PTRACE', 'NET_RAW', 'MKNOD', 'SYS_MODULE']) {
      expect(body.HostConfig!.CapAdd).not.toContain(capability);
    }
  });

  it('publishes SSH, the requested ports and the spare ports', () => {
    expect(Object.keys(containerBody(spec, options).ExposedPorts!)).toEqual(['22/tcp', '8080/tcp', '20001/tcp']);
  });

  it('is labelled with the pod and the control plane', () => {
    expect(containerBody(spec, options).Labels).toEqual({ 'cloister.pod': 'p-1', 'cloister.instance': 'test' });
  });

  it('requests all GPUs by device request or by CDI name, and none if none are rented', () => {
    const asked = (fields: Partial<ContainerOptions>) => containerBody(spec, { ...options, ...fields }).HostConfig;
    expect(asked({})!.DeviceRequests).toEqual([{ Driver: 'nvidia', Count: -1, Capabilities: [['gpu']] }]);
    expect(asked({ gpuRequest: 'cdi' })!.DeviceRequests).toEqual([
      { Driver: 'cdi', DeviceIDs: ['nvidia.com/gpu=all'] },
    ]);
    expect(containerBody({ ...spec, gpuCount: 0 }, options).HostConfig).not.toHaveProperty('DeviceRequests');
  });

  it("means the same to podman's own API", () => {
    expect(libpodBody(spec, options)).toMatchObject({
      image: spec.image.reference,
      cap_drop: ['ALL'],
      no_new_privileges: true,
      resource_limits: {
        memory: { limit: 2 ** 30, swap: 2 ** 30 },
        cpu: { period: 100_000, quota: 250_000 },
        pids: { limit: 1000 },
      },
      devices: [{ path: 'nvidia.com/gpu=all' }],
      portmappings: [
        { container_port: 22, protocol: 'tcp' },
        { container_port: 8080, protocol: 'tcp' },
        { container_port: 20_001, protocol: 'tcp' },
      ],
    });
  });
});

describe('the form of GPU requests', () => {
  const podman = (version: string) => ({ Version: version, Components: [{ Name: 'Podman Engine', Version: version }] });

  it.each([
    [{ Version: '28.3.0', Components: [{ Name: 'Engine', Version: '28.3.0' }] }, 'nvidia'],
    [podman('4.3.1'), 'libpod'],
    [podman('5.3.2'), 'libpod'],
    [podman('5.4.0'), 'cdi'],
    [podman('5.10.1-dev'), 'cdi'],
    [podman('6.0.0'), 'cdi'],
  ])('%j is %s', (version, request) => {
    expect(chooseGpuRequest(version)).toBe(request);
  });
});

describe("a container's state", () => {
  const details = (fields: Partial<ContainerDetails['State']>): ContainerDetails => ({
    Id: 'c',
    Name: '/x',
    Created: '2026-11-21T08:00:00Z',
    State: { Status: 'running', Running: true, FinishedAt: '0001-01-01T00:00:00Z', ...fields },
    Config: { Labels: { 'cloister.pod': 'p-1', 'cloister.instance': 'test' } },
    NetworkSettings: {
      Ports: { '22/tcp': [{ HostPort: '41000' }], '8080/tcp': [{ HostPort: '41001' }], '9/udp': null },
    },
  });
  const context = { machine: 'm-1', publicHost: '203.0.113.7', gpuCount: 8, isOld: false };

  it('is running if SSH is published', () => {
    expect(toEnginePod(details({}), 'test', context)).toMatchObject({
      state: 'running',
      ssh: { host: '203.0.113.7', port: 41_000, user: 'root' },
      ports: [{ port: 8080, protocol: 'tcp', host: '203.0.113.7', hostPort: 41_001 }],
      gpuCount: 8,
      endedAt: undefined,
    });
  });

  it('is dead as soon as the engine reports it', () => {
    const at = '2026-11-21T09:00:00Z';
    const pod = toEnginePod(details({ Status: 'exited', Running: false, FinishedAt: at }), 'test', context);
    expect(pod).toMatchObject({ state: 'dead', ssh: undefined, gpuCount: 0, endedAt: new Date(at) });
  });

  it("is starting before it was started, dead if that takes too long, and foreign under another control plane's name", () => {
    const created = details({ Status: 'created', Running: false });
    expect(toEnginePod(created, 'test', context)?.state).toBe('starting');
    expect(toEnginePod(created, 'test', { ...context, isOld: true })).toMatchObject({ state: 'dead', ssh: undefined });
    expect(toEnginePod(details({}), 'test', { ...context, isOld: true })?.state).toBe('running');
    expect(toEnginePod(details({}), 'other', context)).toBeUndefined();
  });
});

describe('a request to the engine', () => {
  let folder: string;
  let server: Server;
  let seen: { url: string; body: string }[];
  let answer: { status: number; body: string } | 'nothing' | 'cut';

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cloister-api-'));
    seen = [];
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      seen.push({ url: request.url!, body });
      if (answer === 'cut') request.socket.destroy();
      else if (answer !== 'nothing')
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(join(folder, 'api.sock'), resolve));
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const api = (name = 'api.sock') => new DockerApi(dockerClient({ transport: 'unix', socketPath: join(folder, name) }));
  const call = { signal: new AbortController().signal, timeoutMs: 200, changes: true };
  const create = {
    method: 'POST',
    path: '/containers/create',
    query: { name: 'n' },
    body: { Env: ['SECRET=1'] },
  } as const;

  it('has no body members in its URL, which servers log', async () => {
    answer = { status: 201, body: '{"Id":"x"}' };
    expect(await api().send(call, create)).toEqual({ Id: 'x' });
    expect(seen).toEqual([{ url: '/containers/create?name=n', body: '{"Env":["SECRET=1"]}' }]);
  });

  it('uses nothing from the environment of the process', async () => {
    process.env.DOCKER_HOST = 'tcp://127.0.0.1:1';
    try {
      answer = { status: 200, body: '{}' };
      await api().send(call, create);
      expect(seen).toHaveLength(1);
    } finally {
      delete process.env.DOCKER_HOST;
    }
  });

  it('that is rejected throws a Refusal with the answer', async () => {
    answer = { status: 409, body: '{"message":"Name In Use"}' };
    await expect(api().send(call, create)).rejects.toMatchObject({
      name: 'Refusal',
      status: 409,
      words: 'name in use',
    });
  });

  it("that is rejected has the engine's message, but not in a log line", async () => {
    answer = { status: 500, body: '{"message":"exec: a-tenants-own-command: not found"}' };
    const refusal = await api()
      .send(call, create)
      .catch((error: unknown) => error);
    expect((refusal as { words: string }).words).toContain('a-tenants-own-command');
    expect(inspect(refusal, { depth: 9, showHidden: true }) + JSON.stringify(refusal)).not.toContain('a-tenants-own');
  });

  it.each(['cut', 'nothing'] as const)(
    'whose answer is %s has an unknown outcome if it changes anything',
    async (what) => {
      answer = what;
      await expect(api().send(call, create)).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' });
      const reading = api().send({ ...call, changes: false }, create);
      await expect(reading).rejects.toMatchObject({ code: 'ERR_ENGINE_UNREACHABLE' });
    },
  );

  it('that reaches no engine has changed nothing', async () => {
    await expect(api('none.sock').send(call, create)).rejects.toMatchObject({ code: 'ERR_ENGINE_UNREACHABLE' });
  });

  it('is not sent once the caller has aborted', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(api().send({ ...call, signal }, create)).rejects.toMatchObject({ code: 'ERR_ENGINE_UNREACHABLE' });
    expect(seen).toEqual([]);
  });
});

describe('the key of an SSH host', () => {
  const publicKey = Buffer.from('a host key');
  const fingerprint = `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`;

  it('is accepted only with the configured fingerprint', () => {
    expect(hasFingerprint(publicKey, fingerprint)).toBe(true);
    expect(hasFingerprint(Buffer.from('another'), fingerprint)).toBe(false);
    expect(hasFingerprint(publicKey, 'SHA256:')).toBe(false);
    expect(hasFingerprint(publicKey, '')).toBe(false);
  });
});

describe('an archive for a container', () => {
  it('can be read by tar, with modes and without owners', () => {
    const archive = buildTar([
      { path: 'root/.ssh/', mode: 0o700 },
      { path: 'root/.ssh/authorized_keys', mode: 0o600, content: 'ssh-ed25519 AAAA\n' },
    ]);
    const listed = execFileSync('tar', ['-tvf', '-'], { input: archive, encoding: 'utf8' });
    expect(listed).toMatch(
      /^drwx------ (root\/root|0\/0)\s+0 .* root\/\.ssh\/\n-rw------- (root\/root|0\/0)\s+17 .* root\/\.ssh\/authorized_keys\n$/,
    );
    expect(execFileSync('tar', ['-xOf', '-'], { input: archive, encoding: 'utf8' })).toBe('ssh-ed25519 AAAA\n');
  });
});
