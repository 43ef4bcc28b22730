/** The pods and the money of a closed account. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scheduleStanding } from '../../compute/control/worker.ts';
import { describeStores } from '../support/accounts/account-stores.ts';
import { runCloister } from '../support/cloister.ts';
import { hourMs, minuteMs, worlds } from '../support/compute/compute-world.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

describeStores('closing an account', (store) => {
  const open = worlds(store);

  it('ends its running pods, paid for up to the moment of closing and no longer', async () => {
    const world = await open();
    const accountId = await world.account('acme', 5_000_000);
    const [first, old] = [await world.deploy(accountId), await world.deploy(accountId, { machineIds: ['m-2'] })];
    await world.pass(0);
    const { running_at } = await world.pod(old.id);
    await world.pass(running_at! + 2 * hourMs - world.now);
    await world.accounts.closeAccount({ account: 'acme', now: world.now });
    // The reconciler runs later; metering continues until then.
    await world.pass(3 * minuteMs);
    await scheduleStanding(world.control);
    await world.pass(minuteMs);
    for (const { id } of [first, old]) {
      expect(await world.pod(id)).toMatchObject({ state: 'stopped', reason: 'account_closed', billed: 2_000_000 });
    }
    expect(world.engine.pods.size).toBe(0);
    expect(await world.balance('acme')).toMatchObject({ available: 1_000_000, held: 0, spent: 4_000_000 });
    expect(await world.wrongs()).toEqual([]);
  });

  it.each([
    ['has no address yet', 'done'],
    ['may or may not exist', 'lost'],
  ] as const)('ends a pod that %s, and returns its whole hour', async (_state, fate) => {
    const world = await open();
    world.engine.startsAtOnce = false;
    const accountId = await world.account('acme', 5_000_000);
    world.engine.fateOf = (call) => (call === 'create' ? fate : 'done');
    await world.deploy(accountId).catch(() => undefined);
    await world.accounts.closeAccount({ account: 'acme', now: world.now });
    await scheduleStanding(world.control);
    await world.pass(minuteMs);
    expect(await world.events(accountId)).toContain('pod.failed account_closed');
    expect(world.engine.pods.size).toBe(0);
    expect(await world.balance('acme')).toMatchObject({ available: 5_000_000, held: 0 });
    expect(await world.wrongs()).toEqual([]);
  });
});

it('releases the pods and reports their number while no compute service runs', async () => {
  await using folder = await scratchFolder();
  const path = join(folder.path, 'accounts.sqlite');
  const world = await openOn(path);
  const accountId = await world.account('acme', 5_000_000);
  const pods = [await world.deploy(accountId), await world.deploy(accountId, { machineIds: ['m-2'] })];
  await world.pass(0);
  const closed = await runCloister(`accounts close acme --state-dir ${folder.path}`, { cwd: folder.path });
  expect(closed).toMatchObject({ code: 0, stderr: expect.stringContaining('2 pods released') });
  expect(await world.balance('acme')).toMatchObject({ held: 0 });
  for (const { id } of pods) expect(await world.pod(id)).toMatchObject({ state: 'releasing', hold: 0 });
  expect(world.engine.pods.size).toBe(2);
  await world.pass(minuteMs);
  expect(world.engine.pods.size).toBe(0);
  expect(await world.wrongs()).toEqual([]);
});

const paths = { at: '' };
const openWorld = worlds({ kind: 'sqlite', address: async () => ({ kind: 'sqlite', path: paths.at }) });

/** Its clock shows the current time, as the program's clock does. */
async function openOn(path: string) {
  paths.at = path;
  return await openWorld({ time: { now: Date.now() } });
}
