/** Engines that are unreachable, do not answer or crash during a call. A real podman is killed and frozen. */
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startCuttingProxy } from '../../support/attestation/cutting-proxy.ts';
import { startDockerPods } from '../../support/compute/docker-pods.ts';
import { describeOn } from '../../support/compute/engine-suite.ts';

describeOn('trouble with podman', await startDockerPods(), (pods) => {
  const engine = pods.make();
  const { signal } = pods;

  afterEach(() => pods.clear(engine));

  it('an absent engine is unreachable, so nothing was created', async () => {
    const away = pods.make({ endpoint: { transport: 'unix', socketPath: join(pods.folder, 'none.sock') } });
    const spec = await pods.spec(engine, 'p-away');
    await expect(away.create(spec, { signal })).rejects.toMatchObject({ code: 'ERR_ENGINE_UNREACHABLE' });
    await expect(away.probe({ signal })).rejects.toMatchObject({ code: 'ERR_ENGINE_UNREACHABLE' });
  });

  const starting = /POST \/containers\/[^/]+\/start/;

  it('a lost answer leaves the outcome unknown, and the pod can be found later', async () => {
    const spec = await pods.spec(engine, 'p-lost');
    const from = join(pods.folder, 'lost.sock');
    const proxy = await startCuttingProxy({ from, to: pods.podman.socketPath });
    void proxy.cutAt(starting);
    const cut = pods.make({ endpoint: { transport: 'unix', socketPath: from } });
    await expect(cut.create(spec, { signal })).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' });
    proxy.close();
    expect(await engine.inspect('p-lost', { signal })).toMatchObject({ podId: 'p-lost' });
  });

  it('an engine killed during a create leaves the outcome unknown; the repeat creates one pod', async () => {
    const spec = await pods.spec(engine, 'p-killed');
    const from = join(pods.folder, 'killed.sock');
    const proxy = await startCuttingProxy({ from, to: pods.podman.socketPath });
    void proxy.cutAt(starting, () => pods.podman.kill());
    const through = pods.make({ endpoint: { transport: 'unix', socketPath: from } });
    await expect(through.create(spec, { signal })).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' });
    proxy.close();
    await pods.podman.start();
    expect((await engine.inspect('p-killed', { signal }))?.state).toBe('starting');
    // The process that started it would have ended by then.
    const now = () => Date.now() + 3_600_000;
    const later = pods.make({ templates: { key: pods.templateKey, kit: pods.kit, now } });
    expect((await later.inspect('p-killed', { signal }))?.state).toBe('dead');
    expect((await later.create(spec, { signal })).state).toBe('running');
    expect(await engine.list({ signal })).toHaveLength(1);
  });

  it('a caller that gives up midway leaves nothing behind, or learns that the outcome is unknown', async () => {
    const spec = await pods.spec(engine, 'p-aborted');
    for (const afterMs of [1, 20, 60, 120, 200]) {
      const outcome = await engine.create(spec, { signal: AbortSignal.timeout(afterMs) }).catch((error) => error.code);
      if (outcome === 'ERR_ENGINE_REFUSED' || outcome === 'ERR_ENGINE_UNREACHABLE') {
        expect(await engine.inspect('p-aborted', { signal })).toBeUndefined();
      }
      await engine.destroy('p-aborted', { signal });
    }
  });

  it('an engine that accepts and does not answer times out', async () => {
    const spec = await pods.spec(engine, 'p-silent');
    const short = pods.make({ timeouts: { readMs: 300, changeMs: 300 } });
    pods.podman.freeze();
    try {
      await expect(short.create(spec, { signal })).rejects.toMatchObject({ code: 'ERR_ENGINE_UNREACHABLE' });
    } finally {
      pods.podman.thaw();
    }
  });

  it('a start command that the image lacks is rejected, and nothing is left', async () => {
    const bare = pods.make({ templates: { key: pods.templateKey, kit: undefined, now: Date.now } });
    const prepared = await bare.prepare(pods.image({ command: ['/no/such'] }), { signal, machine: 'm-1' });
    const spec = { ...(await pods.spec(engine, 'p-bad')), image: prepared };
    const refusal = { code: 'ERR_ENGINE_REFUSED', reason: 'settings_refused' };
    await expect(bare.create(spec, { signal })).rejects.toMatchObject(refusal);
    expect(await bare.inspect('p-bad', { signal })).toBeUndefined();
  });

  it('a confidential pod is rejected because there is no enclave', async () => {
    const spec = await pods.spec(engine, 'p-secret', { kind: 'confidential' });
    const refusal = { code: 'ERR_ENGINE_REFUSED', reason: 'not_confidential' };
    await expect(engine.create(spec, { signal })).rejects.toMatchObject(refusal);
  });
});
