/**
 * Deploys one pod in three steps. `reserve` takes the machine and the first hour, `start` asks the engine for the pod, and
 * `settle` keeps the hour, returns it, or leaves it held while nobody knows whether the pod exists.
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
  /** Machines that would do, in the order in which they are tried. */
  readonly machineIds: readonly string[];
  /** What the pod is made from; holds what must not reach the database. */
  readonly imageSpec: ImageSpec;
  readonly spec: Omit<PodSpec, 'podId' | 'machine' | 'image' | 'kind' | 'hostname'>;
}

/**
 * @param signal aborts when the caller has left and cannot come back for the pod: nothing is kept and nothing charged then
 * @returns the pod, which the engine has and nobody can reach yet
 * @throws {ComputeError} INSUFFICIENT_BALANCE, MACHINE_UNAVAILABLE, IMAGE_UNAVAILABLE, SETTINGS_REFUSED, ENGINE_REFUSED,
 * UPSTREAM_UNAVAILABLE, UNAVAILABLE: nothing was charged, or it was given back · OUTCOME_UNKNOWN: the hour is held
 */
export async function deployPod(
  control: Control,
  plan: DeployPlan,
  { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
): Promise<PodRow> {
  await requireBalance(control.store.db, plan);
  // For all machines together: a request must not outlive the lease of its Idempotency-Key, or a repeat would act.
  const deadline = AbortSignal.timeout(control.times.prepareTimeoutMs);
  let refusal: ComputeError | undefined;
  for (const machineId of plan.machineIds) {
    if (deadline.aborted) break;
    try {
      return await deployOn(control, plan, { machineId, deadline, signal });
    } catch (error) {
      // Another machine of the same tier may be free, or be there.
      if (!(error instanceof ComputeError) || !isRetryableElsewhere(error)) throw error;
      refusal = error;
    }
  }
  throw (
    refusal ?? notCharged('MACHINE_UNAVAILABLE', 'no machine of this kind is free: list the machines and take another')
  );
}

/**
 * The pod that an earlier attempt at the same request made, whose process died before it could answer. Asked before any
 * check: its machine is taken now, by itself.
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
  /** For fetching the image. */
  readonly deadline: AbortSignal;
  /** Aborts when the caller has left. */
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

/** A claimed machine with its first hour held, and the job that follows the pod from now on. */
interface Reservation extends Claimed {
  readonly engine: Engine;
  /** As the engine calls it. */
  readonly machine: string;
  readonly image: PreparedImage;
}

/** Prepares the image, which may take minutes, then claims the machine and holds the hour in one transaction. */
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

/** @throws {ComputeError} where the caller gets no pod */
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

/** Returns the hour of a pod that the engine refused, and destroys what may be left of it. */
async function refund(control: Control, { id, account_id: accountId }: PodRow): Promise<void> {
  const { store, times } = control;
  const end = { podId: id, accountId, from: ['provisioning'], reason: 'engine_refused' } as const;
  const settled = await endPod(store, { ...end, leaseMs: times.leaseMs });
  if (settled !== undefined) await destroyAtOnce(control, settled);
}

/** Returns the hour of a pod whose caller has left; a job destroys whatever the engine has made of it. */
async function abandon({ store }: Control, { id, account_id: accountId }: PodRow): Promise<ComputeError> {
  await endPod(store, { podId: id, accountId, from: ['provisioning'], reason: 'caller_left' });
  return callerLeft();
}

/** Keeps the hour held while jobs look for the pod. */
async function leaveUnknown(control: Control, { pod, error }: { pod: PodRow; error: unknown }): Promise<ComputeError> {
  const { id, machine_id: machine } = pod;
  control.note('outcome of a deploy is unknown', { machine, pod: id }, error);
  // A database that is away too changes nothing: the job that looks after the pod was committed with the hold.
  await markUnknown(control.store, id).catch((fault) =>
    control.note('pod cannot be marked unknown', { pod: id }, fault),
  );
  return outcomeUnknown(pod);
}

/** From now on the pod is followed by jobs alone; if this fails, they take over when the lease is over. */
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
