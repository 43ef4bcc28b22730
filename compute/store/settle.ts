/**
 * Ends a pod in one transaction: charges the used time, refunds the rest of the hold, and schedules the job that destroys the pod.
 * Of concurrent callers only one succeeds.
 */
import { type NewEvent, recordEvents } from './events.ts';
import { cancel, type Job, newJob, schedule } from './jobs.ts';
import { lockBalance, type Movement, move } from './ledger.ts';
import { changePod } from './pods.ts';
import { rentUntil } from './rent.ts';
import { type ComputeStore, inTransaction, type Tx } from './store.ts';
import type { EndReason, PodRow, PodState } from './tables.ts';

export interface End {
  readonly podId: string;
  readonly accountId: string;
  /** States from which the pod may end. */
  readonly from: readonly PodState[];
  readonly reason: EndReason;
  /** Time up to which the pod is charged, such as when it was last seen alive; by default now. */
  readonly at?: number | undefined;
  /** Lease of the destroy job if the caller runs it at once; otherwise a worker claims it. */
  readonly leaseMs?: number;
}

export interface Settled {
  readonly pod: PodRow;
  /** Micro-dollars of the prepaid hour that were refunded. */
  readonly refund: number;
  /** The job that destroys the pod. */
  readonly destroy: Job;
}

/** @returns undefined if the pod is not in one of the states `from`; nothing changed */
export async function endPod(store: ComputeStore, end: End): Promise<Settled | undefined> {
  return await inTransaction(store, async (tx) => {
    const available = await lockBalance(store, tx, end.accountId);
    return await endPodIn(tx, { ...end, now: await store.now(tx), available });
  });
}

/** For a transaction that has locked the account. @param available micro-dollars available on the account */
export async function endPodIn(
  tx: Tx,
  { podId, accountId, from, reason, now, available, at = now, leaseMs }: End & { now: number; available: number },
): Promise<(Settled & { available: number }) | undefined> {
  const before = await changePod(tx, podId, {
    from,
    set: { state: 'releasing', reason, ended_at: at, updated_at: now },
  });
  if (before === undefined) return undefined;
  const { movements, refund, overcharge, spent, taken } = settlement(before, { at: Math.min(at, now), now, available });
  await move(tx, movements);
  const pod = { ...before, hold: 0, billed: before.billed + spent };
  await tx.updateTable('compute_pods').set({ hold: 0, billed: pod.billed }).where('id', '=', podId).execute();
  await cancel(tx, [
    { kind: 'follow', subject: podId },
    { kind: 'hard-stop', subject: podId },
  ]);
  const leaseUntil = leaseMs === undefined ? 0 : now + leaseMs;
  const destroy = { kind: 'destroy', subject: podId, runAt: now, leaseUntil } as const;
  await schedule(tx, [destroy]);
  const hasRun = pod.running_at !== null;
  const events: NewEvent[] = [{ kind: hasRun ? 'pod.stopped' : 'pod.failed', podId, data: { name: pod.name, reason } }];
  const amount = (refund + overcharge) / 1e6;
  if (amount > 0) events.push({ kind: 'refund.posted', podId, data: { amount, currency: 'USD' } });
  await recordEvents(tx, { accountId, at: now, events });
  return { pod, refund, destroy: newJob(destroy), available: available + taken };
}

/** Computes the movements at the end of a pod. `spent` changes the billed amount, `taken` the available balance. */
export function settlement(
  pod: PodRow,
  { at, now, available }: { at: number; now: number; available: number },
): { movements: Movement[]; refund: number; overcharge: number; spent: number; taken: number } {
  const rent = pod.running_at === null ? 0 : rentUntil({ price: pod.price, runningAt: pod.running_at }, at);
  const fromHold = Math.min(pod.hold, rent);
  const refund = pod.hold - fromHold;
  const owed = rent - fromHold - pod.billed;
  const extra = Math.min(Math.max(0, owed), available + refund);
  // Metering has charged beyond `at`, the time at which the pod was last seen alive.
  const overcharge = Math.max(0, -owed);
  const common = { accountId: pod.account_id, podId: pod.id, at: now };
  const movements: Movement[] = [
    { ...common, reason: 'first-hour', kind: 'rent', from: 'held', to: 'spent', amount: fromHold },
    { ...common, reason: 'prepaid-refund', kind: 'unhold', from: 'held', to: 'available', amount: refund },
    { ...common, reason: 'last-rent', kind: 'rent', from: 'available', to: 'spent', amount: extra },
    { ...common, reason: 'overcharge', kind: 'refund', from: 'spent', to: 'available', amount: overcharge },
  ];
  return {
    movements,
    refund,
    overcharge,
    spent: fromHold + extra - overcharge,
    taken: refund - extra + overcharge,
  };
}
