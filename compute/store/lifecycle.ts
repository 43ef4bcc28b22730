/** State changes of pods that follow from the engine's answers: running, unknown, found again, absent. */
import { sql } from 'kysely';
import { recordEvents } from './events.ts';
import { cancel, schedule } from './jobs.ts';
import { scheduleMetering } from './metering.ts';
import { changePod } from './pods.ts';
import { type ComputeStore, inTransaction } from './store.ts';
import type { PodRow } from './tables.ts';

/** The longest hold for a pod whose outcome is unknown: two hours (C-149), less a margin. */
const unknownMsMax = 115 * 60_000;

export interface Reached {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly protection: string;
  /** Published ports other than SSH. */
  readonly ports: readonly unknown[];
}

/** Marks a pod running: it has an address and its paid hour begins (C-154). @returns undefined if the pod has ended meanwhile */
export async function markRunning(store: ComputeStore, id: string, reached: Reached): Promise<PodRow | undefined> {
  return await inTransaction(store, async (tx) => {
    const now = await store.now(tx);
    const pod = await changePod(tx, id, {
      from: ['provisioning', 'unknown'],
      set: { ...addressOf(reached), state: 'running', running_at: now, seen_at: now, updated_at: now, absences: 0 },
    });
    if (pod === undefined) return undefined;
    const data = { name: pod.name, ssh_host: pod.ssh_host, ssh_port: pod.ssh_port, ssh_user: pod.ssh_user };
    await recordEvents(tx, { accountId: pod.account_id, at: now, events: [{ kind: 'pod.running', podId: id, data }] });
    await scheduleMetering(tx, pod.account_id, { now });
    return pod;
  });
}

/** Records that an SSH server sent its banner. @param hostKey fingerprint of its host key; undefined if the engine cannot read it */
export async function markSshBanner(
  { db }: ComputeStore,
  id: string,
  { hostKey }: { hostKey: string | undefined },
): Promise<void> {
  await db
    .updateTable('compute_pods')
    .set({ ssh_banner: 1, ssh_host_key: hostKey ?? null })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute();
}

/** Marks a pod unknown: the engine did not answer, so the hour stays held while jobs look the pod up (C-149). */
export async function markUnknown(store: ComputeStore, id: string): Promise<void> {
  await inTransaction(store, async (tx) => {
    const now = await store.now(tx);
    const set = { state: 'unknown', updated_at: now, give_up_at: now + unknownMsMax } as const;
    const pod = await changePod(tx, id, { from: ['provisioning'], set });
    if (pod !== undefined) await schedule(tx, [{ kind: 'follow', subject: id, runAt: now }]);
  });
}

/** Marks a pod found on the engine: an unknown pod becomes a starting one (C-150). @returns false if the pod has ended meanwhile */
export async function markFound(
  store: ComputeStore,
  id: string,
  { protection, startTimeoutMs }: { protection: string; startTimeoutMs: number },
): Promise<boolean> {
  return await inTransaction(store, async (tx) => {
    const now = await store.now(tx);
    const seen = { absences: 0, protection, seen_at: now };
    const pod = await changePod(tx, id, { from: ['provisioning', 'unknown'], set: seen });
    const set = { state: 'provisioning', updated_at: now, give_up_at: now + startTimeoutMs } as const;
    await changePod(tx, id, { from: ['unknown'], set });
    return pod !== undefined;
  });
}

/** Counts an answer of the engine without the pod. @returns the number of such answers in a row */
export async function noteAbsence({ db }: ComputeStore, id: string): Promise<number> {
  const row = await db
    .updateTable('compute_pods')
    .set({ absences: sql`absences + 1` })
    .where('id', '=', id)
    .returning('absences')
    .executeTakeFirst();
  return row?.absences ?? 0;
}

/** Records that the engine reported these running pods alive at `at`. */
export async function markSeen(
  { db }: ComputeStore,
  { ids, at }: { ids: readonly string[]; at: number },
): Promise<void> {
  for (let start = 0; start < ids.length; start += idsPerStatement) {
    await db
      .updateTable('compute_pods')
      .set({ seen_at: at, absences: 0 })
      .where('id', 'in', ids.slice(start, start + idsPerStatement))
      .where('state', '=', 'running')
      .execute();
  }
}

const idsPerStatement = 500;

/** Marks a pod destroyed: the engine has no remains of it, and its machine is free. */
export async function markGone(store: ComputeStore, id: string): Promise<void> {
  await inTransaction(store, async (tx) => {
    const now = await store.now(tx);
    const pod = await changePod(tx, id, { from: ['releasing'], set: { updated_at: now } });
    if (pod === undefined) return;
    const state = pod.running_at === null ? 'failed' : 'stopped';
    await changePod(tx, id, { from: ['releasing'], set: { state } });
    await cancel(tx, [{ kind: 'destroy', subject: id }]);
  });
}

function addressOf({ host, port, user, protection, ports }: Reached) {
  return {
    ssh_host: host,
    ssh_port: port,
    ssh_user: user,
    protection,
    ports: JSON.stringify(ports),
  };
}
