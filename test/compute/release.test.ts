/** The destruction of released pods, with retries until the engine has removed them. */
import { expect, it } from 'vitest';
import { releasePod } from '../../compute/control/release.ts';
import { describeStores } from '../support/accounts/account-stores.ts';
import { hourMs, minuteMs, type World, worlds } from '../support/compute/compute-world.ts';

describeStores('the end of a pod', (store) => {
  const open = worlds(store);

  async function running(world: World) {
    const accountId = await world.account('acme', 5_000_000);
    const pod = await world.deploy(accountId);
    await world.pass(0);
    return { accountId, pod };
  }

  it('retries the destruction of a pod until its engine is available again', async () => {
    const world = await open();
    const { accountId, pod } = await running(world);
    world.engine.fateOf = (call) => (call === 'destroy' ? 'unreachable' : 'done');
    await releasePod(world.control, { id: pod.id, accountId });
    await world.pass(minuteMs);
    expect((await world.pod(pod.id)).state).toBe('releasing');
    await expect(world.deploy(accountId)).rejects.toMatchObject({ code: 'MACHINE_UNAVAILABLE' });
    world.engine.fateOf = () => 'done';
    await world.pass(5 * minuteMs);
    expect((await world.pod(pod.id)).state).toBe('stopped');
    expect(world.engine.pods.size).toBe(0);
  });

  it('destroys a released pod once, although several workers look for jobs', async () => {
    const world = await open();
    const { accountId, pod } = await running(world);
    world.engine.onCall = async (call) => {
      if (call === 'destroy') await world.runDue();
    };
    await releasePod(world.control, { id: pod.id, accountId });
    await world.pass(hourMs);
    expect(world.engine.calls.filter((call) => call === 'destroy')).toHaveLength(1);
    expect((await world.pod(pod.id)).state).toBe('stopped');
    expect(await world.wrongs()).toEqual([]);
  });

  it('resumes the release of a pod whose process crashed', async () => {
    const world = await open();
    const { accountId, pod } = await running(world);
    world.engine.onCall = (call) => (call === 'destroy' ? new Promise(() => undefined) : Promise.resolve());
    void releasePod(world.control, { id: pod.id, accountId });
    await expect.poll(() => world.engine.pods.size).toBe(0);
    world.engine.onCall = async () => undefined;
    expect((await world.pod(pod.id)).state).toBe('releasing');
    await world.pass(world.control.times.leaseMs);
    expect((await world.pod(pod.id)).state).toBe('stopped');
    expect(await world.wrongs()).toEqual([]);
  });
});
