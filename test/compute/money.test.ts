import { describe, expect, it } from 'vitest';
import { hardStop, releasePod } from '../../compute/control/release.ts';
import { move } from '../../compute/store/ledger.ts';
import { exhaustionTime, owedAt, rentUntil } from '../../compute/store/rent.ts';
import { inTransaction } from '../../compute/store/store.ts';
import { describeStores, noon } from '../support/accounts/account-stores.ts';
import { hourMs, minuteMs, worlds } from '../support/compute/compute-world.ts';

describe('rent', () => {
  it('is that of all started seconds, rounded up once (C-143)', () => {
    const pod = { price: 1_000_000, runningAt: 0 };
    expect([0, 1, 1_000, 1_001, hourMs].map((at) => rentUntil(pod, at))).toEqual([0, 278, 278, 556, 1_000_000]);
    expect(rentUntil({ price: 3_600, runningAt: 500 }, 10_500)).toBe(10);
    expect(rentUntil(pod, -5)).toBe(0);
  });

  it('is owed only beyond the prepaid hour', () => {
    const pod = { price: 3_600, runningAt: 0, billed: 3_600 };
    expect([hourMs, hourMs + 1, hourMs + 1_000, hourMs + 60_000].map((at) => owedAt(pod, at))).toEqual([0, 1, 1, 60]);
    expect(owedAt({ ...pod, billed: 3_650 }, hourMs + 60_000)).toBe(10);
  });

  it('computes when the balance is used up, counting each pod from the end of its first hour (C-147)', () => {
    const pods = [
      { price: 3_600, runningAt: 0, billed: 3_600 },
      { price: 3_600, runningAt: 100_000, billed: 3_600 },
    ];
    expect(exhaustionTime(pods, { available: 50, now: 0 })).toBe(hourMs + 50_000);
    expect(exhaustionTime(pods, { available: 300, now: 0 })).toBe(hourMs + 200_000);
    expect(exhaustionTime(pods, { available: 0, now: 0 })).toBe(hourMs);
    expect(exhaustionTime(pods, { available: 0, now: hourMs + 5 })).toBe(hourMs + 5);
    expect(exhaustionTime([], { available: 0, now: 0 })).toBeUndefined();
  });
});

describeStores('the money of pods', (store) => {
  const open = worlds(store);

  it('C-144 charges one hour with the claim, and C-145 refunds its unused seconds', async () => {
    const world = await open();
    const accountId = await world.account('acme', 5_000_000);
    const pod = await world.deploy(accountId);
    expect(await world.balance('acme')).toMatchObject({ available: 4_000_000, held: 1_000_000, spent: 0 });
    await world.pass(2_000);
    world.sleep(900_000 - 2_000);
    const { running_at } = await world.pod(pod.id);
    world.sleep(running_at! + 900_000 - world.now);
    expect(await releasePod(world.control, { id: pod.id, accountId })).toEqual({ refund: 750_000 });
    expect(await world.balance('acme')).toMatchObject({ available: 4_750_000, held: 0, spent: 250_000 });
    expect(await world.pod(pod.id)).toMatchObject({ state: 'stopped', hold: 0, billed: 250_000 });
    expect(await world.wrongs()).toEqual([]);
  });

  it('C-154 counts the hour from when the pod has an address', async () => {
    const world = await open();
    world.engine.startsAtOnce = false;
    world.sshAnswers = false;
    const accountId = await world.account('acme', 5_000_000);
    const pod = await world.deploy(accountId);
    await world.pass(10 * minuteMs);
    expect(await world.pod(pod.id)).toMatchObject({ state: 'provisioning', running_at: null });
    world.engine.become(pod.id, 'running');
    await world.pass(2_000);
    expect(await world.pod(pod.id)).toMatchObject({ state: 'running', ssh_banner: 0 });
    expect((await world.pod(pod.id)).running_at).toBeGreaterThanOrEqual(noon + 10 * minuteMs);
  });

  it('C-146 debits seconds from the second hour on, at least once a minute, and exactly at release', async () => {
    const world = await open();
    const accountId = await world.account('acme', 5_000_000);
    const pod = await world.deploy(accountId);
    await world.pass(0);
    expect((await world.pod(pod.id)).running_at).toBe(noon);
    await world.pass(hourMs + 5 * minuteMs);
    expect((await world.balance('acme')).spent).toBe(rentUntil({ price: 1_000_000, runningAt: noon }, world.now));
    world.sleep(30_000);
    expect(await releasePod(world.control, { id: pod.id, accountId })).toEqual({ refund: 0 });
    expect(await world.balance('acme')).toMatchObject({
      held: 0,
      spent: rentUntil({ price: 1_000_000, runningAt: noon }, world.now),
    });
    expect(await world.wrongs()).toEqual([]);
    const reasons = await world.store.db.selectFrom('movements').select('id').where('kind', '=', 'rent').execute();
    expect(reasons.length).toBeGreaterThanOrEqual(6);
  });

  it('C-137 ends a pod twice without moving money twice', async () => {
    const world = await open();
    const accountId = await world.account('acme', 5_000_000);
    const pod = await world.deploy(accountId);
    await world.pass(60_000);
    const first = await releasePod(world.control, { id: pod.id, accountId });
    expect(first.refund).toBeGreaterThan(0);
    const before = await world.balance('acme');
    expect(await releasePod(world.control, { id: pod.id, accountId })).toEqual({ refund: 0 });
    expect(await world.balance('acme')).toEqual(before);
  });

  it('C-155 lets exactly one of many concurrent releases end a pod', async () => {
    const world = await open();
    const accountId = await world.account('acme', 5_000_000);
    const pod = await world.deploy(accountId);
    await world.pass(60_000);
    const refunds = await Promise.all(
      Array.from({ length: 20 }, () => releasePod(world.control, { id: pod.id, accountId })),
    );
    expect(refunds.filter(({ refund }) => refund > 0)).toHaveLength(1);
    const told = (await world.events(accountId)).filter((event) => event.startsWith('pod.stopped'));
    expect(told).toEqual(['pod.stopped released']);
    expect(await world.wrongs()).toEqual([]);
  });

  it('C-155 rejects a second ledger entry for the same pod and reason', async () => {
    const world = await open();
    const accountId = await world.account('acme', 5_000_000);
    const once = {
      accountId,
      podId: 'pod-1',
      kind: 'rent',
      from: 'available',
      to: 'spent',
      amount: 7,
      at: noon,
    } as const;
    const book = (reason: string) => inTransaction(world.store, (tx) => move(tx, [{ ...once, reason }]));
    await book('first-hour');
    await expect(book('first-hour')).rejects.toThrow();
    await book('last-rent');
    expect(await world.balance('acme')).toMatchObject({ available: 4_999_986, spent: 14 });
  });

  it('C-157 reports money that is refunded because metering was ahead of the end', async () => {
    const world = await open();
    const accountId = await world.account('acme', 50_000_000);
    const { id } = await world.deploy(accountId, { hardStopHours: 2 });
    await world.pass(2 * hourMs - 1);
    await world.store.db.deleteFrom('compute_jobs').where('kind', '=', 'hard-stop').execute();
    await world.pass(10 * minuteMs + 1);
    await hardStop(world.control, id);
    expect(await world.pod(id)).toMatchObject({ billed: 2_000_000, ended_at: noon + 2 * hourMs });
    expect((await world.events(accountId)).slice(-2)).toEqual(['pod.stopped hard_stop', 'refund.posted']);
    expect(await world.wrongs()).toEqual([]);
  });

  it('C-147 stops every running pod when the balance is used up, at that moment and not below zero', async () => {
    const world = await open();
    const accountId = await world.account('acme', 3_500_000);
    const first = await world.deploy(accountId);
    await world.pass(30 * minuteMs);
    const second = await world.deploy(accountId, { machineIds: ['m-2'] });
    await world.pass(0);
    // 1.5 dollars: half an hour of one pod, then half an hour of both.
    await world.pass(59 * minuteMs);
    expect((await world.pod(first.id)).state).toBe('running');
    await world.pass(62 * minuteMs);
    for (const pod of [first, second]) {
      expect(await world.pod(pod.id)).toMatchObject({ state: 'stopped', reason: 'balance_exhausted' });
    }
    const { available, held } = await world.balance('acme');
    expect(available).toBeGreaterThanOrEqual(0);
    expect(available).toBeLessThan(1_000);
    expect(held).toBe(0);
    expect(await world.events(accountId)).toContain('balance.low');
    expect(await world.events(accountId)).toContain('balance.exhausted');
    expect(world.engine.pods.size).toBe(0);
    expect(await world.wrongs()).toEqual([]);
  });

  it('C-147 recomputes that moment when a deploy spends the rest of the balance', async () => {
    const world = await open();
    const accountId = await world.account('acme', 2_100_000);
    const first = await world.deploy(accountId);
    await world.pass(0);
    await world.pass(hourMs + 30_000);
    const { available } = await world.balance('acme');
    world.engine.startsAtOnce = false;
    await world.deploy(accountId, { machineIds: ['m-2'], price: available });
    await world.runDue();
    expect(await world.pod(first.id)).toMatchObject({ reason: 'balance_exhausted', ended_at: world.now });
    expect(await world.balance('acme')).toMatchObject({ available: 0, held: available });
    expect(await world.wrongs()).toEqual([]);
  });

  it('C-147 keeps pods of an account that was topped up in time', async () => {
    const world = await open();
    const accountId = await world.account('acme', 1_100_000);
    const pod = await world.deploy(accountId);
    await world.pass(hourMs);
    await world.accounts.credit({ account: 'acme', microDollars: 1_000_000, now: world.now });
    await world.pass(20 * minuteMs);
    expect((await world.pod(pod.id)).state).toBe('running');
    expect(await world.wrongs()).toEqual([]);
  });

  it('C-152 rents nothing to an account with less than 0.10', async () => {
    const world = await open();
    const accountId = await world.account('acme', 99_999);
    const refusal = { code: 'INSUFFICIENT_BALANCE', fields: { required: 0.1, balance: 0.099999, charged: false } };
    await expect(world.deploy(accountId, { price: 50_000 })).rejects.toMatchObject(refusal);
    expect(world.engine.calls).toEqual([]);
  });

  it('accepts exactly 50 of 200 deploys at once against funds for 50', async () => {
    const world = await open();
    const accountId = await world.account('acme', 50_000_000);
    const deploys = Array.from({ length: 200 }, (_, index) =>
      world.deploy(accountId, { machineIds: [`m-${index + 1}`] }),
    );
    const outcomes = await Promise.allSettled(deploys);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    }
    expect(await world.balance('acme')).toMatchObject({ available: 0, held: 50_000_000 });
    expect(await world.wrongs()).toEqual([]);
  });

  it('C-100 rents a machine to exactly one of 50 concurrent claimants and charges the others nothing', async () => {
    const world = await open();
    const ids = await Promise.all(
      Array.from({ length: 50 }, (_, index) => world.account(`tenant-${index}`, 1_000_000)),
    );
    const outcomes = await Promise.allSettled(ids.map((id) => world.deploy(id)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ code: 'MACHINE_UNAVAILABLE', fields: { charged: false } });
    const { held, available } = await world.accounts.audit();
    expect([held, available]).toEqual([1_000_000, 49_000_000]);
    expect(world.engine.pods.size).toBe(1);
    expect(await world.wrongs()).toEqual([]);
  });
});
