/** Images and private templates on a real podman, fetched from a registry that this file runs. */
import { afterEach, describe, expect, it } from 'vitest';
import type { ContainerImage } from '../../../compute/engines/engine.ts';
import { startDockerPods } from '../../support/compute/docker-pods.ts';
import { describeOn } from '../../support/compute/engine-suite.ts';

const day = 86_400_000;
let now = Date.now();

describeOn('images on podman', await startDockerPods(), (pods) => {
  const engine = pods.make({ templates: { key: pods.templateKey, kit: pods.kit, now: () => now } });
  const { signal } = pods;

  afterEach(() => pods.clear(engine));

  describe('images', () => {
    const tenant = (name: string, fields: Partial<ContainerImage> = {}): ContainerImage =>
      pods.image({ image: `${pods.registry.host}/${name}`, source: 'tenant', ...fields });

    it('are fetched from the registry, for a tenant every time', async () => {
      const asked = (): number =>
        pods.registry.requests.filter((line) => line.includes('/team/open/manifests/')).length;
      const first = await engine.prepare(tenant('team/open:1'), { signal, machine: 'm-1' });
      const before = asked();
      const second = await engine.prepare(tenant('team/open:1'), { signal, machine: 'm-1' });
      expect(asked()).toBeGreaterThan(before);
      expect(second).toEqual(first);
    });

    it("that are private require the caller's credentials, even if another account fetched them before", async () => {
      const credentials = { registry: pods.registry.host, username: 'ada', password: 'correct-horse' };
      await engine.prepare(tenant('team/closed:1', { credentials }), { signal, machine: 'm-1' });
      const other = engine.prepare(tenant('team/closed:1', { owner: 'acc-2' }), { signal, machine: 'm-1' });
      await expect(other).rejects.toMatchObject({ code: 'ERR_IMAGE_UNAVAILABLE' });
    });

    it('are requested without credentials of another registry', async () => {
      const credentials = { registry: 'pods.registry.example.com', username: 'ada', password: 'correct-horse' };
      const asked = engine.prepare(tenant('team/open:1', { credentials }), { signal, machine: 'm-1' });
      await expect(asked).rejects.toMatchObject({ code: 'ERR_IMAGE_UNAVAILABLE' });
    });

    it('that do not exist, or are for another processor, cannot be prepared', async () => {
      for (const name of ['team/none:1', 'team/arm:1']) {
        const asked = engine.prepare(tenant(name), { signal, machine: 'm-1' });
        await expect(asked).rejects.toMatchObject({ code: 'ERR_IMAGE_UNAVAILABLE' });
      }
    });

    it('of a registry that is not allowed are not requested', async () => {
      const asked = engine.prepare(pods.image({ image: '10.0.0.1/a/b', source: 'tenant' }), {
        signal,
        machine: 'm-1',
      });
      await expect(asked).rejects.toMatchObject({ code: 'ERR_IMAGE_UNAVAILABLE' });
    });
  });

  describe('private templates', () => {
    it('are shared by identical deploys of one owner only', async () => {
      const prepare = (fields: Partial<ContainerImage>) =>
        engine.prepare(pods.image(fields), { signal, machine: 'm-1' });
      const one = await prepare({ env: { A: '1', B: '2' } });
      expect(await prepare({ env: { B: '2', A: '1' } })).toEqual(one);
      expect(await prepare({ env: { A: '1', B: '3' } })).not.toEqual(one);
      expect(await prepare({ env: { A: '1', B: '2' }, owner: 'acc-2' })).not.toEqual(one);
    });

    it('are removed after seven days without use, never earlier and never under a running pod (C-126)', async () => {
      now += 8 * day;
      await engine.dropIdleTemplates({ signal });
      await pods.spec(engine, 'p-idle', {}, { env: { USED: 'once' } });
      await engine.create(await pods.spec(engine, 'p-busy', {}, { env: { USED: 'always' } }), { signal });
      now += 6 * day;
      expect(await engine.dropIdleTemplates({ signal })).toBe(0);
      now += day;
      expect(await engine.dropIdleTemplates({ signal })).toBe(1);
      await engine.destroy('p-busy', { signal });
      expect(await engine.dropIdleTemplates({ signal })).toBe(1);
      expect(pods.podman.run(['images', '--format', '{{.Repository}}'])).not.toContain('cloister-test-template');
    });

    it('leave nothing behind if their build was interrupted', async () => {
      const labels = ['--label', 'cloister.template=abc', '--label', 'cloister.instance=test'];
      pods.podman.run(['create', '--name', 'half-built', ...labels, pods.baseImage]);
      const names = () => pods.podman.run(['ps', '--all', '--format', '{{.Names}}']);
      const at = (shiftMs: number) =>
        pods.make({ templates: { key: pods.templateKey, kit: pods.kit, now: () => Date.now() + shiftMs } });
      await at(0).dropIdleTemplates({ signal });
      expect(names()).toContain('half-built');
      // An hour is more than any build takes.
      await at(3_601_000).dropIdleTemplates({ signal });
      expect(names()).not.toContain('half-built');
    });

    it('are counted as used by every deploy', async () => {
      await pods.spec(engine, 'p-a', {}, { env: { USED: 'twice' } });
      now += 6 * day;
      await pods.spec(engine, 'p-b', {}, { env: { USED: 'twice' } });
      now += 6 * day;
      expect(await engine.dropIdleTemplates({ signal })).toBe(0);
      now += day;
      expect(await engine.dropIdleTemplates({ signal })).toBe(1);
    });
  });
});
