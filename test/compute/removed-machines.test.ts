import { expect, it } from 'vitest';
import { scheduleStanding } from '../../compute/control/worker.ts';
import { markSeen } from '../../compute/store/lifecycle.ts';
import { describeStores } from '../support/accounts/account-stores.ts';
import { hourMs, minuteMs, worlds } from '../support/compute/compute-world.ts';

describeStores('a machine that leaves the configuration', (store) => {
  const open = worlds(store);

  async function rented() {
    const world = await open();
    await scheduleStanding(world.control);
    const accountId = await world.account('acme', 50_000_000);
    const pod = await world.deploy(accountId, { machineIds: ['m-2'] });
    await world.pass(2 * hourMs);
    expect((await world.pod(pod.id)).state).toBe('running');
    return { world, accountId, id: pod.id };
  }

  it('C-141 ends its pod after 15 minutes, charged up to when it was last seen', async () => {
    const { world, accountId, id } = await rented();
    const { seen_at, billed } = await world.pod(id);
    world.configure(['m-1']);
    await world.pass(14 * minuteMs);
    expect((await world.pod(id)).state).toBe('running');
    expect(world.notes).toContain('machine of a running pod is not configured');
    await world.pass(2 * minuteMs);
    const ended = await world.pod(id);
    expect(ended).toMatchObject({ state: 'stopped', reason: 'machine_removed', ended_at: seen_at });
    expect(ended.billed).toBeLessThanOrEqual(billed);
    expect(await world.balance('acme')).toMatchObject({ held: 0, spent: ended.billed });
    expect(await world.events(accountId)).toContain('pod.stopped machine_removed');
    expect(world.notes).toContain('machine is no longer configured');
    expect(await world.wrongs()).toEqual([]);
    const left = await world.store.db.selectFrom('compute_jobs').select('id').where('subject', '=', id).execute();
    expect(left).toEqual([]);
  });

  it('ends no pod of a machine that returns in time, or after an outage of the service itself', async () => {
    const { world, id } = await rented();
    world.sleep(10 * hourMs);
    world.configure(['m-1']);
    await world.pass(14 * minuteMs);
    world.configure(['m-1', 'm-2']);
    await world.pass(hourMs);
    world.configure(['m-1']);
    await world.pass(14 * minuteMs);
    expect((await world.pod(id)).state).toBe('running');
    expect(await world.wrongs()).toEqual([]);
  });

  it('ends no pod that a process with another file still sees', async () => {
    const { world, id } = await rented();
    world.configure(['m-1']);
    for (let minutes = 0; minutes < 60; minutes++) {
      await world.pass(minuteMs);
      await markSeen(world.store, { ids: [id], at: world.now });
    }
    expect((await world.pod(id)).state).toBe('running');
  });

  it('C-149 refunds the hour of a pod that was starting on it', async () => {
    const world = await open();
    await scheduleStanding(world.control);
    const accountId = await world.account('acme', 5_000_000);
    world.engine.startsAtOnce = false;
    const pod = await world.deploy(accountId, { machineIds: ['m-2'] });
    world.configure(['m-1']);
    await world.pass(hourMs);
    expect(await world.pod(pod.id)).toMatchObject({ state: 'failed', billed: 0 });
    expect(await world.balance('acme')).toMatchObject({ available: 5_000_000, held: 0 });
  });
});
