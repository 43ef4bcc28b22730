/**
 * Reconciles the engines with the database at least once a minute (C-142): destroys pods without a tenant, follows rented pods
 * that no longer run, and restores missing jobs.
 */
import { sql } from 'kysely';
import type { Engine, EnginePod } from '../engines/engine.ts';
import { endPodsOfClosedAccounts } from '../store/closed-accounts.ts';
import { schedule, scheduleUnlessWaiting } from '../store/jobs.ts';
import { markSeen } from '../store/lifecycle.ts';
import type { ComputeStore } from '../store/store.ts';
import { liveStates } from '../store/tables.ts';
import type { Control } from './control.ts';

export interface Reconciled {
  readonly seen: number;
  readonly missing: number;
  readonly orphans: number;
  readonly unreachable: number;
}

export async function reconcile(control: Control): Promise<Reconciled> {
  const { store, fleet } = control;
  // Read before the engines list their pods, so that every pod in this list must be in theirs.
  const pods = { running: await podsByMachine(store, 'running'), unknown: await podsByMachine(store, 'unknown') };
  const passes = await Promise.all(fleet.engines.map((engine) => reconcileEngine(control, engine, pods)));
  await followRemoved(control, pods.running);
  await endPodsOfClosedAccounts(store);
  await repairJobs(store);
  const sum = (value: (one: Reconciled) => number) => passes.reduce((total, one) => total + value(one), 0);
  return {
    seen: sum(({ seen }) => seen),
    missing: sum(({ missing }) => missing),
    orphans: sum(({ orphans }) => orphans),
    unreachable: sum(({ unreachable }) => unreachable),
  };
}

async function reconcileEngine(
  control: Control,
  engine: Engine,
  { running, unknown }: Readonly<Record<'running' | 'unknown', ReadonlyMap<string, readonly string[]>>>,
): Promise<Reconciled> {
  const { store, fleet, times, note } = control;
  let listed: readonly EnginePod[];
  const askedAt = await store.now();
  try {
    listed = await engine.list({ signal: AbortSignal.timeout(times.callTimeoutMs) });
  } catch (error) {
    note('engine cannot be listed', { engine: engine.name }, error);
    return { seen: 0, missing: 0, orphans: 0, unreachable: 1 };
  }
  const alive = new Set(listed.filter(({ state }) => state !== 'dead').map(({ podId }) => podId));
  const machines = fleet.machinesOf(engine);
  const expected = machines.flatMap((machine) => running.get(machine) ?? []);
  const seen = expected.filter((id) => alive.has(id));
  const missing = expected.filter((id) => !alive.has(id));
  await markSeen(store, { ids: seen, at: askedAt });
  // The engine answers again, so the outcome of its unknown pods can be looked up.
  const open = machines.flatMap((machine) => unknown.get(machine) ?? []);
  await schedule(store.db, [
    ...missing.map((id) => ({ kind: 'follow', subject: id, runAt: askedAt }) as const),
    ...open.map((id) => ({ kind: 'follow', subject: id, runAt: askedAt + foundMs }) as const),
  ]);
  const orphans = await findOrphans(
    store,
    listed.map(({ podId }) => podId),
  );
  for (const podId of orphans) await destroyOrphan(control, engine, podId);
  return { seen: seen.length, missing: missing.length, orphans: orphans.length, unreachable: 0 };
}

/** Schedules the follow job of pods on machines that are no longer configured: no engine lists them. */
async function followRemoved(
  { store, fleet }: Control,
  running: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const removed = [...running].filter(([machine]) => fleet.find(machine) === undefined).flatMap(([, ids]) => ids);
  const runAt = await store.now();
  await scheduleUnlessWaiting(
    store.db,
    removed.map((id) => ({ kind: 'follow', subject: id, runAt })),
  );
}

/** Must run after the engine's list: the row of a pod is committed before the engine creates the pod. */
async function findOrphans({ db }: ComputeStore, listed: readonly string[]): Promise<string[]> {
  const rented = new Set<string>();
  for (let start = 0; start < listed.length; start += idsPerStatement) {
    const rows = await db
      .selectFrom('compute_pods')
      .select('id')
      .where('id', 'in', listed.slice(start, start + idsPerStatement))
      .where('state', 'in', liveStates)
      .execute();
    for (const { id } of rows) rented.add(id);
  }
  return listed.filter((id) => !rented.has(id));
}

/** A restarted engine finds its pods again within this time. */
const foundMs = 5_000;

const idsPerStatement = 500;

async function destroyOrphan({ times, note }: Control, engine: Engine, podId: string): Promise<void> {
  note('destroying an orphaned pod', { engine: engine.name, pod: podId });
  try {
    await engine.destroy(podId, { signal: AbortSignal.timeout(times.callTimeoutMs) });
  } catch (error) {
    note('orphaned pod cannot be destroyed yet', { engine: engine.name, pod: podId }, error);
  }
}

async function podsByMachine({ db }: ComputeStore, state: 'running' | 'unknown'): Promise<Map<string, string[]>> {
  const rows = await db.selectFrom('compute_pods').select(['id', 'machine_id']).where('state', '=', state).execute();
  const byMachine = new Map<string, string[]>();
  for (const { id, machine_id } of rows) byMachine.set(machine_id, [...(byMachine.get(machine_id) ?? []), id]);
  return byMachine;
}

/** Restores the jobs that the state of each live pod requires, in case rows were deleted by hand. */
async function repairJobs({ db, now }: ComputeStore): Promise<void> {
  const runAt = await now();
  const { rows } = await sql<{ kind: 'follow' | 'destroy' | 'meter'; subject: string }>`
    select wanted.kind, wanted.subject from (
      select case when state = 'releasing' then 'destroy' else 'follow' end as kind, id as subject
        from compute_pods where state in ('provisioning', 'unknown', 'releasing') or (state = 'running' and ssh_banner = 0)
      union
      select 'meter' as kind, account_id as subject from compute_pods where state = 'running'
    ) as wanted
    left join compute_jobs on compute_jobs.id = wanted.kind || ':' || wanted.subject
    where compute_jobs.id is null`.execute(db);
  await schedule(
    db,
    rows.map(({ kind, subject }) => ({ kind, subject, runAt })),
  );
}
