import { expect, it } from 'vitest';
import { hardStop, releasePod } from '../../compute/control/release.ts';
import { scheduleStanding } from '../../compute/control/worker.ts';
import { EngineError } from '../../compute/engines/errors.ts';
import { listPods } from '../../compute/store/pods.ts';
import { describeStores, noon } from '../support/accounts/account-stores.ts';
import { hourMs, minuteMs, type World, worlds } from '../support/compute/compute-world.ts';

describeStores("a pod's life", (store) => {
  const open = worlds(store);

  async function running(world: World, { micro = 5_000_000 } = {}) {
    const accountId = await world.account('acme', micro);
    const pod = await world.deploy(accountId);
    await world.pass(0);
    expect((await world.pod(pod.id)).state).toBe('running');
    return { accountId, pod };
  }

  it('C-035 refunds the hour when the engine rejects the pod', async () => {
    const world = await open();
    const accountId = await world.account('acme', 5_000_000);
    world.engine.fateOf = (call) => (call === 'create' ? 'refused' : 'done');
    await expect(world.deploy(accountId)).rejects.toMatchObject({ code: 'ENGINE_REFUSED', fields: { charged: false } });
    expect(await world.balance('acme')).toMatchObject({ available: 5_000_000, held: 0 });
    expect(await world.events(accountId)).toEqual(['pod.provisioning', 'pod.failed engine_refused', 'refund.posted']);
    world.engine.fateOf = () => 'done';
    expect((await world.deploy(accountId)).state).toBe('provisioning');
    expect(await world.wrongs()).toEqual([]);
  });

  it.each([
    [new EngineError('ERR_IMAGE_UNAVAILABLE', 'no'), 'IMAGE_UNAVAILABLE', {}],
    [new EngineError('ERR_SPEC_INVALID', 'no'), 'SETTINGS_REFUSED', { reason: 'settings_refused' }],
    [new EngineError('ERR_ENGINE_REFUSED', 'no', { reason: 'resources_missing' }), 'MACHINE_UNAVAILABLE', {}],
    [new EngineError('ERR_ENGINE_UNREACHABLE', 'no'), 'UPSTREAM_UNAVAILABLE', {}],
    [new EngineError('ERR_OUTCOME_UNKNOWN', 'no'), 'UPSTREAM_UNAVAILABLE', {}],
  ] as const)('C-151 charges nothing if the preparation ends with %s', async (error, code, fields) => {
    const world = await open();
    const accountId = await world.account('acme', 5_000_000);
    world.engine.fateOf = (call) => (call === 'prepare' ? error : 'done');
    await expect(world.deploy(accountId)).rejects.toMatchObject({ code, fields: { ...fields, charged: false } });
    expect(await world.balance('acme')).toMatchObject({ available: 5_000_000, held: 0 });
    expect(await world.events(accountId)).toEqual([]);
  });

  it('C-036 and C-150 keep the hour reserved after a lost answer, and a pod found later becomes an ordinary one', async () => {
    const world = await open();
    const accountId = await world.account('acme', 5_000_000);
    world.engine.fateOf = (call) => (call === 'create' ? 'lost' : call === 'inspect' ? 'unreachable' : 'done');
    const outcome = { code: 'OUTCOME_UNKNOWN', fields: { charged: true } };
    await expect(world.deploy(accountId)).rejects.toMatchObject(outcome);
    await world.pass(minuteMs);
    expect(await listPods(world.store.db, accountId)).toEqual([]);
    expect(await world.balance('acme')).toMatchObject({ available: 4_000_000, held: 1_000_000 });
    world.engine.fateOf = () => 'done';
    await world.pass(10 * minuteMs);
    expect(await listPods(world.store.db, accountId)).toMatchObject([{ state: 'running' }]);
    expect(await world.balance('acme')).toMatchObject({ available: 4_000_000, held: 1_000_000 });
    expect(await world.wrongs()).toEqual([]);
  });

  it('C-150 looks for such a pod as soon as its engine answers again, after any outage', async () => {
    const world = await open();
    await scheduleStanding(world.control);
    const accountId = await world.account('acme', 5_000_000);
    world.engine.fateOf = (call) => (call === 'prepare' ? 'done' : call === 'create' ? 'lost' : 'unreachable');
    await expect(world.deploy(accountId)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await world.pass(20 * minuteMs);
    world.engine.fateOf = () => 'done';
    await world.pass(world.control.times.reconcileMs + 5_000);
    expect(await listPods(world.store.db, accountId)).toMatchObject([{ state: 'running' }]);
    expect(await world.wrongs()).toEqual([]);
  });

  it('C-149 refunds the hour once the engine has twice reported no pod', async () => {
    const world = await open();
    const accountId = await world.account('acme', 5_000_000);
    world.engine.fateOf = (call) => (call === 'create' ? 'lost-undone' : 'done');
    await expect(world.deploy(accountId)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await world.pass(minuteMs);
    expect(await world.balance('acme')).toMatchObject({ available: 5_000_000, held: 0 });
    expect(await world.events(accountId)).toContain('pod.failed outcome_unknown');
    expect(await world.wrongs()).toEqual([]);
  });

  it('C-149 returns the hour within two hours from an engine that stays unavailable, and destroys a pod that appears late', async () => {
    const world = await open();
    await scheduleStanding(world.control);
    const accountId = await world.account('acme', 5_000_000);
    world.engine.fateOf = (call) => (call === 'create' ? 'lost' : 'unreachable');
    world.engine.fateOf = (call) => (call === 'prepare' ? 'done' : call === 'create' ? 'lost' : 'unreachable');
    await expect(world.deploy(accountId)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await world.pass(hourMs);
    expect(await world.balance('acme')).toMatchObject({ available: 4_000_000, held: 1_000_000 });
    await world.pass(hourMs);
    expect(await world.balance('acme')).toMatchObject({ available: 5_000_000, held: 0 });
    expect(world.engine.pods.size).toBe(1);
    world.engine.fateOf = () => 'done';
    await world.pass(6 * minuteMs);
    expect(world.engine.pods.size).toBe(0);
    expect(await world.wrongs()).toEqual([]);
  });

  it('C-148 returns the whole hour of a pod that never starts', async () => {
    const world = await open();
    world.engine.startsAtOnce = false;
    const accountId = await world.account('acme', 5_000_000);
    const pod = await world.deploy(accountId);
    await world.pass(25 * minuteMs);
    expect(await world.pod(pod.id)).toMatchObject({ state: 'failed', reason: 'never_started', billed: 0 });
    expect(await world.balance('acme')).toMatchObject({ available: 5_000_000, held: 0 });
    expect(world.engine.pods.size).toBe(0);
  });

  it.each([undefined, 'base'])('records the banner of an SSH server that starts late, of template %s', async (id) => {
    const world = await open();
    world.sshAnswers = false;
    const accountId = await world.account('acme', 5_000_000);
    const pod = await world.deploy(accountId, { templateId: id });
    await world.pass(minuteMs);
    expect(await world.pod(pod.id)).toMatchObject({ state: 'running', running_at: noon, ssh_banner: 0 });
    world.sshAnswers = true;
    await world.pass(minuteMs);
    const { hostKeyFingerprint } = world.engine;
    expect(await world.pod(pod.id)).toMatchObject({
      state: 'running',
      ssh_banner: 1,
      ssh_host_key: hostKeyFingerprint,
    });
  });

  it('records the banner after an outage of the engine', async () => {
    const world = await open();
    world.sshAnswers = false;
    const pod = await world.deploy(await world.account('acme', 5_000_000));
    await world.pass(minuteMs);
    world.engine.fateOf = () => 'unreachable';
    await world.pass(3 * minuteMs);
    world.engine.fateOf = () => 'done';
    world.sshAnswers = true;
    await world.pass(minuteMs);
    expect(await world.pod(pod.id)).toMatchObject({ state: 'running', ssh_banner: 1 });
  });

  it('checks less and less often for an SSH server in a pod that has none', async () => {
    const world = await open();
    world.sshAnswers = false;
    await world.deploy(await world.account('acme', 5_000_000));
    await world.pass(hourMs / 2);
    const looks = world.engine.calls.filter((call) => call === 'inspect').length;
    expect(looks).toBeGreaterThan(20);
    expect(looks).toBeLessThan(60);
  });

  it('C-133 rejects the release of a pod that is being deployed', async () => {
    const world = await open();
    world.engine.startsAtOnce = false;
    const accountId = await world.account('acme', 5_000_000);
    const pod = await world.deploy(accountId);
    await expect(releasePod(world.control, { id: pod.id, accountId })).rejects.toMatchObject({ code: 'POD_DEPLOYING' });
    expect(await world.pod(pod.id)).toMatchObject({ state: 'provisioning', hold: 1_000_000 });
  });

  it('C-140 destroys a pod at its hard stop, also if no worker ran at that time', async () => {
    const world = await open();
    const accountId = await world.account('acme', 50_000_000);
    const pods = [
      await world.deploy(accountId, { hardStopHours: 2 }),
      await world.deploy(accountId, { hardStopHours: 3, machineIds: ['m-2'] }),
    ];
    await world.pass(2 * hourMs - 1);
    expect((await world.pod(pods[0]!.id)).state).toBe('running');
    await world.pass(1);
    expect(await world.pod(pods[0]!.id)).toMatchObject({
      state: 'stopped',
      reason: 'hard_stop',
      ended_at: noon + 2 * hourMs,
    });
    world.sleep(5 * hourMs);
    await world.pass(0);
    // The tenant pays up to the hard stop, not for the delay after it.
    const late = { reason: 'hard_stop', ended_at: noon + 3 * hourMs, billed: 3_000_000 };
    expect(await world.pod(pods[1]!.id)).toMatchObject({ state: 'stopped', ...late });
    expect(world.engine.pods.size).toBe(0);
    expect(await hardStop(world.control, pods[1]!.id)).toBeUndefined();
    expect(await world.wrongs()).toEqual([]);
  });

  it('C-141 settles a dead pod up to the time it was last seen running', async () => {
    const world = await open();
    await scheduleStanding(world.control);
    const { pod } = await running(world);
    await world.pass(10 * minuteMs);
    const { seen_at } = await world.pod(pod.id);
    world.engine.pods.clear();
    await world.pass(minuteMs);
    const ended = await world.pod(pod.id);
    expect(ended).toMatchObject({ state: 'stopped', reason: 'died', ended_at: seen_at });
    expect(world.now - seen_at).toBeLessThanOrEqual(90_000);
    expect(await world.balance('acme')).toMatchObject({ held: 0, spent: ended.billed });
    expect(await world.wrongs()).toEqual([]);
  });

  it('C-141 refunds what was metered beyond that moment', async () => {
    const world = await open();
    const { pod } = await running(world);
    await world.pass(2 * hourMs);
    const { billed } = await world.pod(pod.id);
    world.engine.become(pod.id, 'dead');
    await world.control.store.db
      .updateTable('compute_pods')
      .set({ seen_at: world.now - 30_000 })
      .execute();
    await scheduleStanding(world.control);
    await world.pass(1_000);
    const ended = await world.pod(pod.id);
    expect(ended).toMatchObject({ state: 'stopped', reason: 'died' });
    expect(ended.billed).toBe(billed - Math.floor((1_000_000 * 30) / 3600));
    expect(await world.wrongs()).toEqual([]);
  });

  it('C-142 destroys orphaned pods', async () => {
    const world = await open();
    await scheduleStanding(world.control);
    const { pod } = await running(world);
    world.engine.put('pod-nobody');
    await world.pass(minuteMs);
    expect([...world.engine.pods.keys()]).toEqual([pod.id]);
  });

  it('C-142 resumes where a crashed process stopped, using only the database', async () => {
    const world = await open();
    await scheduleStanding(world.control);
    const accountId = await world.account('acme', 5_000_000);
    // The process dies while the engine creates the pod: it never receives the answer.
    world.engine.onCall = (call) => (call === 'create' ? new Promise(() => undefined) : Promise.resolve());
    void world.deploy(accountId).catch(() => undefined);
    await expect.poll(() => world.engine.pods.size).toBe(1);
    world.engine.onCall = async () => undefined;
    await world.pass(5 * minuteMs);
    expect(await listPods(world.store.db, accountId)).toMatchObject([{ state: 'running' }]);
    expect(await world.wrongs()).toEqual([]);
  });

  it('restores jobs whose rows were deleted by hand', async () => {
    const world = await open();
    const { pod } = await running(world);
    await world.store.db.deleteFrom('compute_jobs').execute();
    expect(await world.wrongs()).toEqual(['1 accounts with running pods lack a metering job']);
    await scheduleStanding(world.control);
    await world.pass(3 * hourMs);
    expect((await world.pod(pod.id)).billed).toBeGreaterThan(2_900_000);
    expect(await world.wrongs()).toEqual([]);
    expect(world.faults.at(-1)).toEqual([]);
  });
});
