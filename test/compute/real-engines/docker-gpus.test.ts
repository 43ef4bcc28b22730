/** GPU requests and the check for the GPUs on a real podman; the devices are fakes, declared through CDI. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startDockerPods } from '../../support/compute/docker-pods.ts';
import { describeOn } from '../../support/compute/engine-suite.ts';

describeOn('GPUs of pods on podman', await startDockerPods(), (pods) => {
  const engine = pods.make();
  const { signal } = pods;

  afterEach(() => pods.clear(engine));

  const inspectContainer = (podId: string) =>
    JSON.parse(pods.podman.run(['inspect', `cloister_test_${podId}`]))[0] as {
      HostConfig: Record<string, unknown>;
      Mounts: unknown[];
    };

  const cdi = '/etc/cdi/cloister-test.json';
  const devices = (nodes: readonly string[]) => ({
    cdiVersion: '0.5.0',
    kind: 'cloister.test/gpu',
    devices: [
      {
        name: 'all',
        containerEdits: {
          deviceNodes: nodes.map((path) => ({ path, hostPath: '/dev/null', type: 'c', major: 1, minor: 3 })),
        },
      },
    ],
  });

  beforeAll(() => {
    mkdirSync('/etc/cdi', { recursive: true });
    writeFileSync(cdi, JSON.stringify(devices(['/dev/nvidia0', '/dev/nvidia1', '/dev/nvidiactl'])));
  });

  afterAll(() => rmSync(cdi, { force: true }));

  it('that were requested are visible in the pod before it counts as created', async () => {
    const withGpus = pods.make({ gpuCount: 2, gpuDevice: 'cloister.test/gpu=all' });
    const pod = await withGpus.create(await pods.spec(engine, 'p-gpu', { gpuCount: 2 }), { signal });
    expect(pod.gpuCount).toBe(2);
    expect((await withGpus.inspect('p-gpu', { signal }))?.gpuCount).toBe(2);
    const { HostConfig } = inspectContainer('p-gpu');
    expect(HostConfig).toMatchObject({ Privileged: false, Memory: 2 ** 28, MemorySwap: 2 ** 28, PidsLimit: 4096 });
  });

  it.each([
    ['fewer appear than the machine should have', { gpuDevice: 'cloister.test/gpu=all' } as const],
    ['the machine does not know them', { gpuDevice: 'cloister.test/gpu=none' } as const],
    ['podman drops the request without a word', { gpuRequest: 'nvidia' } as const],
  ])('are rejected, and nothing is left, if %s', async (_, options) => {
    const withGpus = pods.make({ gpuCount: 4, ...options });
    const spec = await pods.spec(engine, 'p-no-gpu', { gpuCount: 4 });
    const refusal = { code: 'ERR_ENGINE_REFUSED', reason: 'devices_missing' };
    await expect(withGpus.create(spec, { signal })).rejects.toMatchObject(refusal);
    expect(await withGpus.inspect('p-no-gpu', { signal })).toBeUndefined();
  });
});
