import { expect, it } from 'vitest';
import { watchEngines } from '../../compute/control/watch.ts';
import { scheduleStanding, Worker } from '../../compute/control/worker.ts';
import type { EngineEvent } from '../../compute/engines/engine.ts';
import { buildComputeMetrics } from '../../compute/start/metrics.ts';
import { claimJob, finishJob, schedule, scheduleUnlessWaiting } from '../../compute/store/jobs.ts';
import { inTransaction } from '../../compute/store/store.ts';
import { describeStores } from '../support/accounts/account-stores.ts';
import { minuteMs, worlds } from '../support/compute/compute-world.ts';

describeStores('jobs', (store) => {
  const open = worlds(store);
  const job = { kind: 'sweep', subject: 'x' } as const;

  it('are claimed by exactly one worker, and by another when the lease expires', async () => {
    const world = await open();
    await schedule(world.store.db, [{ ...job, runAt: world.now }]);
    const claim = () => claimJob(world.store, { now: world.now, leaseMs: 1_000 });
    const claims = await Promise.all(Array.from({ length: 10 }, claim));
    expect(claims.filter((one) => one !== undefined)).toHaveLength(1);
    world.sleep(1_000);
    expect(await claim()).toMatchObject({ id: 'sweep:x', attempts: 2 });
  });

  it('can be requested in any number at once, for an engine that loses all its pods', async () => {
    const world = await open();
    const jobs = Array.from({ length: 10_000 }, (_, index) => ({ ...job, subject: `${index}`, runAt: world.now }));
    await schedule(world.store.db, jobs);
    await scheduleUnlessWaiting(world.store.db, jobs);
    const rows = await world.store.db.selectFrom('compute_jobs').select('generation').execute();
    expect([rows.length, new Set(rows.map(({ generation }) => generation))]).toEqual([10_000, new Set([1])]);
  });

  it('run again if they were scheduled during their run', async () => {
    const world = await open();
    await schedule(world.store.db, [{ ...job, runAt: world.now }]);
    const claimed = (await claimJob(world.store, { now: world.now, leaseMs: 1_000 }))!;
    await schedule(world.store.db, [{ ...job, runAt: world.now }]);
    await finishJob(world.store, claimed, { runAgainAt: undefined });
    expect(await claimJob(world.store, { now: world.now, leaseMs: 1_000 })).toMatchObject({ attempts: 1 });
  });

  it('are not finished by a process whose lease was lost', async () => {
    const world = await open();
    await schedule(world.store.db, [{ ...job, runAt: world.now }]);
    const first = (await claimJob(world.store, { now: world.now, leaseMs: 1_000 }))!;
    world.sleep(1_000);
    const second = (await claimJob(world.store, { now: world.now, leaseMs: 1_000 }))!;
    await finishJob(world.store, first, { runAgainAt: undefined });
    await finishJob(world.store, second, { runAgainAt: world.now + 5_000 });
    expect(await world.nextJobAt()).toBe(world.now + 5_000);
  });

  it('are retried with backoff when they fail', async () => {
    const world = await open();
    const id = await world.account('acme', 5_000_000);
    const pod = await world.deploy(id);
    await world.store.db.updateTable('compute_pods').set({ ports: 'x' }).execute();
    const fail = new Error('a defect');
    world.engine.fateOf = (call) => (call === 'inspect' ? fail : 'done');
    await world.pass(minuteMs);
    expect(world.notes).toContain('pod cannot be inspected: its engine did not answer');
    world.engine.fateOf = () => 'done';
    await world.pass(20 * minuteMs);
    expect((await world.pod(pod.id)).state).toBe('running');
  });

  it('are done by a worker that is notified, until it is stopped', async () => {
    const world = await open();
    await scheduleStanding(world.control);
    const worker = new Worker(world.control, world.handlers);
    worker.start();
    const id = await world.account('acme', 5_000_000);
    const pod = await world.deploy(id);
    worker.wake();
    await expect.poll(async () => (await world.pod(pod.id)).state, { timeout: 5_000 }).toBe('running');
    await worker.stop();
    expect(world.faults.length).toBeGreaterThan(0);
  });

  it('commit together without undoing each other', async () => {
    const world = await open();
    const add = (name: string, fails: boolean) =>
      inTransaction(world.store, async (tx) => {
        await schedule(tx, [{ kind: 'sweep', subject: name, runAt: 0 }]);
        if (fails) throw new Error(`no ${name}`);
        return name;
      });
    const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => add(name, name === 'b')));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    const rows = await world.store.db.selectFrom('compute_jobs').select('subject').orderBy('subject').execute();
    expect(rows.map(({ subject }) => subject)).toEqual(['a', 'c', 'd']);
  });

  it('are scheduled by events of engines', async () => {
    const world = await open();
    const id = await world.account('acme', 5_000_000);
    const pod = await world.deploy(id);
    await world.pass(0);
    world.engine.pods.clear();
    const over = new AbortController();
    world.engine.events = async function* (): AsyncGenerator<EngineEvent> {
      yield { kind: 'connected' };
      yield { kind: 'disconnected', error: new Error('gone') };
      yield { kind: 'died', podId: pod.id, at: new Date(0) };
    };
    let wakes = 0;
    await watchEngines(world.control, { signal: over.signal, wake: () => wakes++ });
    expect(wakes).toBe(2);
    await world.pass(10_000);
    expect(await world.pod(pod.id)).toMatchObject({ state: 'stopped', reason: 'died' });
    expect(await world.wrongs()).toEqual([]);
  });

  it('are scheduled by events of engines, also after database failures', async () => {
    const world = await open();
    const over = new AbortController();
    world.engine.events = async function* (): AsyncGenerator<EngineEvent> {
      yield { kind: 'started', podId: 'pod-a', at: new Date(0) };
      yield { kind: 'started', podId: 'pod-b', at: new Date(0) };
    };
    const clock = [() => Promise.reject(new Error('the database is away')), () => Promise.resolve(world.now)];
    const control = { ...world.control, store: { ...world.store, now: () => clock.shift()!() } };
    await watchEngines(control, { signal: over.signal, wake: () => undefined });
    expect(world.notes).toContain('event cannot be recorded');
    expect(await claimJob(world.store, { now: world.now, leaseMs: 1_000 })).toMatchObject({ id: 'follow:pod-b' });
  });

  it("for money, timers and checks of pods wait neither for destruction nor for tenants' servers", async () => {
    const world = await open();
    const over = Promise.withResolvers<undefined>();
    const begun: string[] = [];
    const hang = async ({ kind }: { kind: string }) => {
      begun.push(kind);
      return await over.promise;
    };
    const done: string[] = [];
    const note = async ({ id }: { id: string }) => void done.push(id);
    const handlers = { ...world.handlers, webhook: hang, destroy: hang, follow: note, meter: note, 'hard-stop': note };
    const runAt = world.now;
    const many = Array.from({ length: 20 }, (_, index) => ({ subject: String(index), runAt: runAt - 1 }));
    await schedule(world.store.db, [
      ...many.map((one) => ({ kind: 'webhook', ...one }) as const),
      ...many.map((one) => ({ kind: 'destroy', ...one }) as const),
    ]);
    const worker = new Worker(world.control, handlers);
    worker.start();
    await expect.poll(() => new Set(begun).size, { timeout: 5_000 }).toBe(2);
    await schedule(world.store.db, [
      { kind: 'follow', subject: 'pod', runAt },
      { kind: 'meter', subject: 'account', runAt },
      { kind: 'hard-stop', subject: 'pod', runAt },
    ]);
    worker.wake();
    await expect
      .poll(() => done.toSorted(), { timeout: 5_000 })
      .toEqual(['follow:pod', 'hard-stop:pod', 'meter:account']);
    const stopped = worker.stop();
    over.resolve(undefined);
    await stopped;
  });

  it('are counted for Prometheus, as are pods and faults, without names of accounts', async () => {
    const world = await open();
    await world.deploy(await world.account('acme', 5_000_000));
    const text = await buildComputeMetrics(world.store, { faults: () => ['one'] }).metrics();
    expect(text).toMatch(/cloister_compute_pods\{state="provisioning",provider="standard"\} 1/);
    expect(text).toMatch(/cloister_compute_book_faults 1/);
    expect(text).toMatch(/cloister_compute_jobs_overdue_seconds \d/);
    expect(text).not.toMatch(/acme|pod-/);
  });
});
