/** Follows a pod on its engine until its outcome is known: it has an address, it died, or it never existed. */
import type { EnginePod } from '../engines/engine.ts';
import { markFound, markRunning, markSeen, markSshBanner, noteAbsence } from '../store/lifecycle.ts';
import { readPod } from '../store/pods.ts';
import { endPod } from '../store/settle.ts';
import type { EndReason, PodRow, PodState } from '../store/tables.ts';
import { type Again, after, type Control, retryAfter } from './control.ts';

const startingMs = 2_000;
/** Bounds of the time between SSH checks, a quarter of the pod's running time: an image may have no SSH server. */
const sshMsMin = 2_000;
const sshMsMax = 60_000;
/** Retries while the engine does not answer: after 5 s, 30 s, 2 min, then every 10 min. */
const unknownMs = [5_000, 30_000, 120_000, 600_000] as const;
/** Answers without the pod before it counts as absent: a restarted engine may answer before it has found its pods. */
const absencesMin = 2;
/** Between two checks of a pod whose machine was removed from the configuration. */
const removedMs = 30_000;
/** Checks before such a pod ends, 15 minutes in all: the file may be wrong, or not yet in use by all processes. */
const removedChecksMin = 31;

/** @param attempt from 1 · @returns when to check again; undefined once the outcome is known */
export async function followPod(control: Control, podId: string, { attempt }: { attempt: number }): Promise<Again> {
  const pod = await readPod(control.store.db, podId);
  if (pod === undefined || !isFollowed(pod)) return undefined;
  const found = await lookUp(control, pod);
  if (found === 'unreachable') return await whileUnreachable(control, pod, attempt);
  if (found === 'removed') return await whileRemoved(control, pod, attempt);
  if (found === undefined) return await whileAbsent(control, pod);
  if (found.state === 'dead') return await end(control, pod, pod.running_at === null ? 'never_started' : 'died');
  return await whilePresent(control, pod, found);
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
    note('pod cannot be inspected: its engine did not answer', { machine: pod.machine_id }, error);
    return 'unreachable';
  }
}

async function whilePresent(control: Control, pod: PodRow, found: EnginePod): Promise<Again> {
  const { store, times } = control;
  if (pod.state === 'running') {
    await markSeen(store, { ids: [pod.id], at: await store.now() });
    return await checkSsh(control, pod, found);
  }
  await markFound(store, pod.id, { protection: found.protection, startTimeoutMs: times.startTimeoutMs });
  const { ssh, protection, ports } = found;
  if (found.state === 'running' && ssh !== undefined) {
    const running = await markRunning(store, pod.id, { ...ssh, protection, ports });
    return running === undefined ? undefined : await checkSsh(control, running, found);
  }
  if ((await store.now()) >= pod.give_up_at) return await end(control, pod, 'never_started');
  return after(startingMs);
}

/** Checks whether an SSH server sends its banner in a running pod. The result is informative: the pod already counts as running. */
async function checkSsh(control: Control, pod: PodRow, { ssh, state }: EnginePod): Promise<Again> {
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
  // A running pod stays as it is: the reconciler notices when its engine is back, but does not check SSH.
  if (pod.state === 'running') return pod.ssh_banner === 1 ? undefined : after(sshMsMax);
  const now = await control.store.now();
  if (now >= pod.give_up_at) return await end(control, pod, 'outcome_unknown');
  return retryAfter(Math.min(unknownMs[Math.min(attempt, unknownMs.length) - 1]!, pod.give_up_at - now));
}

/**
 * Ends a running pod whose machine is no longer configured. The tenant pays up to the last time the pod was seen alive (C-141);
 * the operator must remove what still runs on the machine.
 */
async function whileRemoved(control: Control, pod: PodRow, attempt: number): Promise<Again> {
  if (pod.state !== 'running') return await whileUnreachable(control, pod, attempt);
  control.note('machine of a running pod is not configured', { machine: pod.machine_id, pod: pod.id, looks: attempt });
  // Another process, with a different file, may still see the pod alive.
  const isSeen = (await control.store.now()) - pod.seen_at < (removedChecksMin - 1) * removedMs;
  if (attempt < removedChecksMin || isSeen) return retryAfter(removedMs);
  return await end(control, pod, 'machine_removed');
}

async function end({ store }: Control, pod: PodRow, reason: EndReason): Promise<undefined> {
  await endPod(store, { ...endTarget(pod), reason, at: pod.running_at === null ? undefined : pod.seen_at });
  return undefined;
}

/** The pod ends only from the state that was read: it may have started or been released meanwhile. */
function endTarget({ id, account_id, state }: PodRow): { podId: string; accountId: string; from: readonly PodState[] } {
  return { podId: id, accountId: account_id, from: state === 'running' ? ['running'] : ['provisioning', 'unknown'] };
}

/** Reads the SSH host key's fingerprint, so that the tenant need not trust the first connection. */
async function hostKeyOf({ fleet, times, note }: Control, pod: PodRow): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(times.callTimeoutMs);
    return await fleet.find(pod.machine_id)?.engine.hostKey(pod.id, { signal });
  } catch (error) {
    note('SSH host key cannot be read', { machine: pod.machine_id, pod: pod.id }, error);
    return undefined;
  }
}
