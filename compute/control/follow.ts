/** Looks a pod up at its engine until it is clear what became of it: reachable, dead, or never there. */
import type { EnginePod } from '../engines/engine.ts';
import { markFound, markRunning, markSeen, markSshBanner, noteAbsence } from '../store/lifecycle.ts';
import { readPod } from '../store/pods.ts';
import { endPod } from '../store/settle.ts';
import type { EndReason, PodRow, PodState } from '../store/tables.ts';
import { type Again, after, type Control, retryAfter } from './control.ts';

const startingMs = 2_000;
/** Between looks for an SSH server: a quarter of the time that the pod has run, since an image may have none at all. */
const sshMsMin = 2_000;
const sshMsMax = 60_000;
/** After an answer that did not come: 5 s, 30 s, 2 min, then every 10 min. */
const unknownMs = [5_000, 30_000, 120_000, 600_000] as const;
/** An engine that has restarted may answer before it has found all its pods. */
const absencesMin = 2;
/** Between two looks at a pod whose machine left the configuration. */
const removedMs = 30_000;
/** Looks until its pod is given up, a quarter of an hour: the file may be wrong, or new and not yet everybody's. */
const removedLooksMin = 31;

/** @param attempt from 1 · @returns when to look again; undefined when all is known */
export async function followPod(control: Control, podId: string, { attempt }: { attempt: number }): Promise<Again> {
  const pod = await readPod(control.store.db, podId);
  if (pod === undefined || !isFollowed(pod)) return undefined;
  const found = await lookUp(control, pod);
  if (found === 'unreachable') return await whileUnreachable(control, pod, attempt);
  if (found === 'removed') return await whileRemoved(control, pod, attempt);
  if (found === undefined) return await whileAbsent(control, pod);
  if (found.state === 'dead') return await end(control, pod, pod.running_at === null ? 'never_started' : 'died');
  return await whileThere(control, pod, found);
}

function isFollowed({ state }: PodRow): boolean {
  return state === 'provisioning' || state === 'unknown' || state === 'running';
}

async function lookUp(
  { fleet, times, note }: Control,
  pod: PodRow,
): Promise<EnginePod | undefined | 'unreachable' | 'removed'> {
  const place = fleet.find(pod.machine_id);
  if (place === undefined) return 'removed';
  try {
    return await place.engine.inspect(pod.id, { signal: AbortSignal.timeout(times.callTimeoutMs) });
  } catch (error) {
    note('engine cannot be asked', { machine: pod.machine_id }, error);
    return 'unreachable';
  }
}

async function whileThere(control: Control, pod: PodRow, found: EnginePod): Promise<Again> {
  const { store, times } = control;
  if (pod.state === 'running') {
    await markSeen(store, { ids: [pod.id], at: await store.now() });
    return await lookForSsh(control, pod, found);
  }
  await markFound(store, pod.id, { protection: found.protection, startTimeoutMs: times.startTimeoutMs });
  const { ssh, protection, ports } = found;
  if (found.state === 'running' && ssh !== undefined) {
    const running = await markRunning(store, pod.id, { ...ssh, protection, ports });
    return running === undefined ? undefined : await lookForSsh(control, running, found);
  }
  if ((await store.now()) >= pod.give_up_at) return await end(control, pod, 'never_started');
  return after(startingMs);
}

/** Whether an SSH server introduces itself in a pod that runs: shown beside its address, and nothing waits for it. */
async function lookForSsh(control: Control, pod: PodRow, { ssh, state }: EnginePod): Promise<Again> {
  const { store, times } = control;
  if (pod.ssh_banner === 1) return undefined;
  const signal = AbortSignal.timeout(times.callTimeoutMs);
  if (ssh !== undefined && state === 'running' && (await control.answersSsh(ssh, { signal }))) {
    await markSshBanner(store, pod.id, { hostKey: await hostKeyOf(control, pod) });
    return undefined;
  }
  const hasRunMs = (await store.now()) - (pod.running_at ?? pod.created_at);
  return after(Math.min(sshMsMax, Math.max(sshMsMin, Math.round(hasRunMs / 4))));
}

async function whileAbsent(control: Control, pod: PodRow): Promise<Again> {
  const absences = await noteAbsence(control.store, pod.id);
  if (absences < absencesMin) return after(unknownMs[0]);
  if (pod.running_at !== null) return await end(control, pod, 'died');
  return await end(control, pod, pod.state === 'unknown' ? 'outcome_unknown' : 'never_started');
}

async function whileUnreachable(control: Control, pod: PodRow, attempt: number): Promise<Again> {
  // A pod that runs and is paid for goes on: the reconciler sees when its engine is back, but looks for no SSH server.
  if (pod.state === 'running') return pod.ssh_banner === 1 ? undefined : after(sshMsMax);
  const now = await control.store.now();
  if (now >= pod.give_up_at) return await end(control, pod, 'outcome_unknown');
  return retryAfter(Math.min(unknownMs[Math.min(attempt, unknownMs.length) - 1]!, pod.give_up_at - now));
}

/**
 * Nobody can look at a pod whose machine is in the configuration no more: its tenant has paid for it up to when somebody
 * last did (C-141). What still runs there is the operator's to remove.
 */
async function whileRemoved(control: Control, pod: PodRow, attempt: number): Promise<Again> {
  if (pod.state !== 'running') return await whileUnreachable(control, pod, attempt);
  control.note('machine of a running pod is not configured', { machine: pod.machine_id, pod: pod.id, looks: attempt });
  // Another process, with another file, may look after it: then it was seen, or this job is done with.
  const isSeen = (await control.store.now()) - pod.seen_at < (removedLooksMin - 1) * removedMs;
  if (attempt < removedLooksMin || isSeen) return retryAfter(removedMs);
  return await end(control, pod, 'machine_removed');
}

async function end({ store }: Control, pod: PodRow, reason: EndReason): Promise<undefined> {
  await endPod(store, { ...whoseEnd(pod), reason, at: pod.running_at === null ? undefined : pod.seen_at });
  return undefined;
}

/** Only from the state that was looked at: meanwhile it may have come up, or been released. */
function whoseEnd({ id, account_id, state }: PodRow): { podId: string; accountId: string; from: readonly PodState[] } {
  return { podId: id, accountId: account_id, from: state === 'running' ? ['running'] : ['provisioning', 'unknown'] };
}

/** What a tenant compares with what SSH shows them; without it they would have to believe the first connection. */
async function hostKeyOf({ fleet, times, note }: Control, pod: PodRow): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(times.callTimeoutMs);
    return await fleet.find(pod.machine_id)?.engine.hostKey(pod.id, { signal });
  } catch (error) {
    note('SSH host key cannot be read', { machine: pod.machine_id, pod: pod.id }, error);
    return undefined;
  }
}
