/**
 * Deploys one pod in three steps: `reserve` claims the machine and holds the price of the first hour, `start` creates the pod on
 * the engine, and `settle` keeps the hold, refunds it, or leaves it in place while the outcome is unknown.
 */
import { ComputeError, notCharged } from '../base/errors.ts';
import type { Control } from '../control/control.ts';
import { holdLease } from '../control/lease.ts';
import { destroyAtOnce } from '../control/release.ts';
import type { Engine, ImageSpec, PodSpec, PreparedImage } from '../engines/engine.ts';
import { nothingWasCreated } from '../engines/errors.ts';
import { type Claim, type Claimed, claimMachine, requireBalance } from '../store/claim.ts';
import { finishJob, type Job } from '../store/jobs.ts';
import { markFound, markUnknown } from '../store/lifecycle.ts';
import { findRepeated } from '../store/pods.ts';
import { endPod } from '../store/settle.ts';
import { idempotencyMs } from '../store/sweep.ts';
import type { PodRow } from '../store/tables.ts';
import { callerLeft, isRetryableElsewhere, outcomeUnknown, refusalOf, unavailable } from './refusals.ts';

export interface DeployPlan
  extends Omit<Claim, 'machineIds' | 'leaseMs' | 'startTimeoutMs' | 'image' | 'provider' | 'gpuCount'> {
  /** Candidate machines, in the order in which they are tried. */
  readonly machineIds: readonly string[];
  /** The image and its settings; contains secrets that must not reach the database. */
  readonly imageSpec: ImageSpec;
  readonly spec: Omit<PodSpec, 'podId' | 'machine' | 'image' | 'kind' | 'hostname'>;
}

/**
 * @param signal aborts when the caller disconnected and cannot retrieve the pod later: the pod is destroyed, nothing is charged
 * @returns the pod, which exists on the engine but has no address yet
 * @throws {ComputeError} INSUFFICIENT_BALANCE, MACHINE_UNAVAILABLE, IMAGE_UNAVAILABLE, SETTINGS_REFUSED, ENGINE_REFUSED,
 * UPSTREAM_UNAVAILABLE, UNAVAILABLE: nothing was charged, or the hold was refunded · OUTCOME_UNKNOWN: the hour stays held
 */
export async function deployPod(
  control: Control,
  plan: DeployPlan,
  { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
): Promise<PodRow> {
  await requireBalance(control.store.db, plan);
  // One deadline for all machines: if a request outlived the lease of its Idempotency-Key, a repeat would deploy a second pod.
  const deadline = AbortSignal.timeout(control.times.prepareTimeoutMs);
  let refusal: ComputeError | undefined;
  for (const machineId of plan.machineIds) {
    if (deadline.aborted) break;
    try {
      return await deployOn(control, plan, { machineId, deadline, signal });
    } catch (error) {
      // Another machine of the same tier may be free or reachable.
      if (!(error instanceof ComputeError) || !isRetryableElsewhere(error)) throw error;
      refusal = error;
    }
  }
  throw (
    refusal ??
    notCharged('MACHINE_UNAVAILABLE', 'no machine of this kind is free: list the machines and choose another')
  );
}

/**
 * Finds the pod created by an earlier attempt at the same request whose process crashed before it answered. Runs before all
 * other checks, which would find the machine claimed by that pod.
 * @throws {ComputeError} OUTCOME_UNKNOWN
 */
export async function findDeployed(
  { store }: Control,
  { accountId, idempotencyKey }: { accountId: string; idempotencyKey: string | undefined },
): Promise<PodRow | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const since = (await store.now()) - idempotencyMs;
  const before = await findRepeated(store.db, { accountId, idempotencyKey, since });
  if (before?.state === 'unknown') throw outcomeUnknown(before);
  return before;
}

interface Attempt {
  readonly machineId: string;
  /** Time limit of fetching the image. */
  readonly deadline: AbortSignal;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
}

async function deployOn(control: Control, plan: DeployPlan, attempt: Attempt): Promise<PodRow> {
  const reservation = await reserve(control, plan, attempt);
  const lease = holdLease(control, reservation.follow);
  try {
    const outcome = await start(control, plan, reservation);
    return await settle(control, reservation, { outcome, signal: attempt.signal });
  } finally {
    await handOver(control, await lease.release());
  }
}

/** A claimed machine with its first hour held, and the job that follows the pod. */
interface Reservation extends Claimed {
  readonly engine: Engine;
  /** The engine's name of the machine. */
  readonly machine: string;
  readonly image: PreparedImage;
}

/** Prepares the image, which can take minutes, then claims the machine and holds the price of the first hour in one transaction. */
async function reserve(
  control: Control,
  plan: DeployPlan,
  { machineId, deadline, signal }: Attempt,
): Promise<Reservation> {
  const { store, fleet, times } = control;
  const place = fleet.find(machineId);
  if (place === undefined)
    throw notCharged('MACHINE_NOT_FOUND', 'this machine is no longer on offer: list the machines');
  const image = await place.engine
    .prepare(plan.imageSpec, { machine: place.machine, signal: AbortSignal.any([deadline, signal]) })
    .catch((error) => {
      if (signal.aborted) throw callerLeft();
      throw refuse(control, { engine: place.engine, machineId, error });
    });
  if (signal.aborted) throw callerLeft();
  const claimed = await claimMachine(store, {
    ...plan,
    provider: plan.imageSpec.kind,
    image: plan.imageSpec.image,
    gpuCount: plan.spec.gpuCount,
    machineIds: [machineId],
    leaseMs: times.leaseMs,
    startTimeoutMs: times.createTimeoutMs + times.startTimeoutMs,
  });
  return { ...claimed, engine: place.engine, machine: place.machine, image };
}

type Outcome =
  | { readonly kind: 'created'; readonly protection: string }
  /** The pod was ended while the engine was creating it. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'refused' | 'unknown'; readonly error: unknown };

async function start(
  { store, times }: Control,
  { spec }: DeployPlan,
  { pod, engine, machine, image }: Reservation,
): Promise<Outcome> {
  const whole = { ...spec, podId: pod.id, machine, image, kind: pod.provider, hostname: pod.name };
  try {
    const { protection } = await engine.create(whole, { signal: AbortSignal.timeout(times.createTimeoutMs) });
    const isWanted = await markFound(store, pod.id, { protection, startTimeoutMs: times.startTimeoutMs });
    return isWanted ? { kind: 'created', protection } : { kind: 'ended' };
  } catch (error) {
    return { kind: nothingWasCreated(error) ? 'refused' : 'unknown', error };
  }
}

/** @throws {ComputeError} if the deploy did not produce a pod for the caller */
async function settle(
  control: Control,
  { pod, engine }: Reservation,
  { outcome, signal }: { outcome: Outcome; signal: AbortSignal },
): Promise<PodRow> {
  switch (outcome.kind) {
    case 'created':
      if (signal.aborted) throw await abandon(control, pod);
      return { ...pod, protection: outcome.protection };
    case 'ended':
      throw unavailable(undefined);
    case 'unknown':
      throw signal.aborted ? await abandon(control, pod) : await leaveUnknown(control, { pod, error: outcome.error });
    case 'refused':
      await refund(control, pod);
      throw refuse(control, { engine, machineId: pod.machine_id, error: outcome.error });
  }
}

/** Refunds the first hour of a pod that the engine refused, and destroys any remains. */
async function refund(control: Control, { id, account_id: accountId }: PodRow): Promise<void> {
  const { store, times } = control;
  const end = { podId: id, accountId, from: ['provisioning'], reason: 'engine_refused' } as const;
  const settled = await endPod(store, { ...end, leaseMs: times.leaseMs });
  if (settled !== undefined) await destroyAtOnce(control, settled);
}

/** Refunds the first hour of a pod whose caller disconnected; a job destroys the pod. */
async function abandon({ store }: Control, { id, account_id: accountId }: PodRow): Promise<ComputeError> {
  await endPod(store, { podId: id, accountId, from: ['provisioning'], reason: 'caller_left' });
  return callerLeft();
}

/** Leaves the hour held; jobs look the pod up until its state is known. */
async function leaveUnknown(control: Control, { pod, error }: { pod: PodRow; error: unknown }): Promise<ComputeError> {
  const { id, machine_id: machine } = pod;
  control.note('outcome of a deploy is unknown', { machine, pod: id }, error);
  // If the database is unreachable too, the job that follows the pod still exists: it was committed with the hold.
  await markUnknown(control.store, id).catch((fault) =>
    control.note('pod cannot be marked unknown', { pod: id }, fault),
  );
  return outcomeUnknown(pod);
}

/** Releases the follow job to the workers. If this fails, they claim the job when its lease expires. */
async function handOver({ store, note }: Control, follow: Job): Promise<void> {
  try {
    await finishJob(store, follow, { runAgainAt: await store.now() });
  } catch (error) {
    note('pod cannot be handed over', { pod: follow.subject }, error);
  }
}

function refuse(
  { note }: Control,
  { engine, machineId, error }: { engine: Engine; machineId: string; error: unknown },
): ComputeError {
  note('engine refused', { engine: engine.name, machine: machineId }, error);
  return refusalOf(error);
}
