/** Releases pods, on request or at their hard stop, and destroys them on their engines. */
import { ComputeError, notFound } from '../base/errors.ts';
import { finishJob, type Job } from '../store/jobs.ts';
import { markGone } from '../store/lifecycle.ts';
import { findPod, readPod } from '../store/pods.ts';
import { endPod, type Settled } from '../store/settle.ts';
import { type Again, after, type Control, retryAfter } from './control.ts';
import { holdLease } from './lease.ts';

/** Retries of the destroy job: after 2 s, 4 s, … 5 min. */
const retryMsMin = 2_000;
const retryMsMax = 300_000;

/** Delay of a hard stop while the pod's outcome is unknown. */
const unclearMs = 60_000;

/**
 * Ends billing and destroys the pod (C-130, C-132). The money is settled first; destroying is a job that is retried until the
 * engine has confirmed it.
 * @returns micro-dollars refunded; 0 for a pod that has already ended (C-137)
 * @throws {ComputeError} NOT_FOUND, POD_DEPLOYING
 */
export async function releasePod(
  control: Control,
  { id, accountId }: { id: string; accountId: string },
): Promise<{ refund: number }> {
  const { store } = control;
  const pod = await findPod(store.db, { id, accountId });
  if (pod === undefined) throw notFound('pod', 'list the pods');
  const { leaseMs } = control.times;
  const settled = await endPod(store, { podId: pod.id, accountId, from: ['running'], reason: 'released', leaseMs });
  if (settled !== undefined) {
    await destroyAtOnce(control, settled);
    return { refund: settled.refund };
  }
  const { state } = (await readPod(store.db, pod.id)) ?? pod;
  if (state === 'provisioning' || state === 'unknown') {
    throw new ComputeError('POD_DEPLOYING', 'the pod is still being deployed: try again in a minute', {
      retryAfterSeconds: 60,
    });
  }
  return { refund: 0 };
}

/** @returns when to try again; undefined once it is done */
export async function hardStop({ store }: Control, podId: string): Promise<Again> {
  const pod = await readPod(store.db, podId);
  if (pod === undefined) return undefined;
  const settled = await endPod(store, {
    podId,
    accountId: pod.account_id,
    from: ['running'],
    reason: 'hard_stop',
    // The tenant pays up to the requested time, even if this job runs later.
    at: pod.hard_stop_at === null ? undefined : Math.min(pod.hard_stop_at, await store.now()),
  });
  if (settled !== undefined) return undefined;
  const { state } = (await readPod(store.db, podId)) ?? pod;
  return state === 'provisioning' || state === 'unknown' ? after(unclearMs) : undefined;
}

/** Destroys a pod under the lease of its destroy job while a request waits; on failure the job is retried later. */
export async function destroyAtOnce(control: Control, { pod, destroy }: Settled): Promise<void> {
  const { store, times } = control;
  const lease = holdLease(control, destroy);
  let again: Again;
  let job: Job;
  try {
    again = await destroyPod(control, pod.id, { attempt: 1, timeoutMs: times.callTimeoutMs });
  } finally {
    // After an exception the lease expires, and a worker claims the job.
    job = await lease.release();
  }
  if (again === undefined) return;
  await finishJob(store, job, { runAgainAt: (await store.now()) + again.afterMs, isRetry: true });
}

/** @param attempt from 1 · @returns when to try again; undefined once the pod is destroyed */
export async function destroyPod(
  { store, fleet, times, note }: Control,
  podId: string,
  { attempt, timeoutMs = times.destroyTimeoutMs }: { attempt: number; timeoutMs?: number },
): Promise<Again> {
  const pod = await readPod(store.db, podId);
  if (pod?.state !== 'releasing') return undefined;
  const place = fleet.find(pod.machine_id);
  if (place === undefined) {
    // The machine was removed from the configuration: the operator must remove what still runs on it.
    note('machine is no longer configured', { machine: pod.machine_id, pod: podId });
    await markGone(store, podId);
    return undefined;
  }
  try {
    await place.engine.destroy(podId, { signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    note('pod cannot be destroyed yet', { machine: pod.machine_id, pod: podId }, error);
    return retryAfter(Math.min(retryMsMin * 2 ** (attempt - 1), retryMsMax));
  }
  await markGone(store, podId);
  return undefined;
}
