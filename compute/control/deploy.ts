/** Deploys one pod: the money and the machine first, then the engine; whatever it answers, or does not, is settled. */

import { ComputeError, notCharged } from '../base/errors.ts';
import type { Engine, ImageSpec, PodSpec } from '../engines/engine.ts';
import { EngineError, nothingWasCreated } from '../engines/errors.ts';
import { type Claim, claimMachine, requireBalance } from '../store/claim.ts';
import { finishJob, type Job } from '../store/jobs.ts';
import { markFound, markUnknown } from '../store/lifecycle.ts';
import { findRepeated } from '../store/pods.ts';
import { endPod } from '../store/settle.ts';
import { idempotencyMs } from '../store/sweep.ts';
import type { PodRow } from '../store/tables.ts';
import type { Control } from './control.ts';
import { holdLease } from './lease.ts';
import { destroyAtOnce } from './release.ts';

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
      if (!(error instanceof ComputeError) || !isMachines(error)) throw error;
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

async function deployOn(
  control: Control,
  plan: DeployPlan,
  { machineId, deadline, signal }: { machineId: string; deadline: AbortSignal; signal: AbortSignal },
): Promise<PodRow> {
  const { store, fleet, times } = control;
  const place = fleet.find(machineId);
  if (place === undefined)
    throw notCharged('MACHINE_NOT_FOUND', 'this machine is no longer on offer: list the machines');
  const image = await place.engine
    .prepare(plan.imageSpec, { machine: place.machine, signal: AbortSignal.any([deadline, signal]) })
    .catch((error) => {
      if (signal.aborted) throw callerLeft();
      return refuse(control, { engine: place.engine, machineId, error });
    });
  if (signal.aborted) throw callerLeft();
  const { pod, follow } = await claimMachine(store, {
    ...plan,
    provider: plan.imageSpec.kind,
    image: plan.imageSpec.image,
    gpuCount: plan.spec.gpuCount,
    machineIds: [machineId],
    leaseMs: times.leaseMs,
    startTimeoutMs: times.createTimeoutMs + times.startTimeoutMs,
  });
  const lease = holdLease(control, follow);
  const spec = { ...plan.spec, podId: pod.id, machine: place.machine, image, kind: pod.provider, hostname: pod.name };
  try {
    const { protection } = await place.engine.create(spec, { signal: AbortSignal.timeout(times.createTimeoutMs) });
    const isWanted = await markFound(store, pod.id, { protection, startTimeoutMs: times.startTimeoutMs });
    if (!isWanted) throw unavailable(undefined);
    if (signal.aborted) throw await abandon(control, pod);
    return { ...pod, protection };
  } catch (error) {
    if (error instanceof ComputeError) throw error;
    if (!nothingWasCreated(error)) {
      throw signal.aborted ? await abandon(control, pod) : await leaveUnknown(control, { pod, error });
    }
    const settled = await endPod(store, {
      podId: pod.id,
      accountId: pod.account_id,
      from: ['provisioning'],
      reason: 'engine_refused',
      leaseMs: times.leaseMs,
    });
    if (settled !== undefined) await destroyAtOnce(control, settled);
    return refuse(control, { engine: place.engine, machineId, error });
  } finally {
    await handOver(control, await lease.release());
  }
}

/** From now on the pod is followed by jobs alone; if this fails, they take over when the lease is over. */
async function handOver({ store, note }: Control, follow: Job): Promise<void> {
  try {
    await finishJob(store, follow, { runAgainAt: await store.now() });
  } catch (error) {
    note('pod cannot be handed over', { pod: follow.subject }, error);
  }
}

/** Returns the hour of a pod whose caller has left; a job destroys whatever the engine has made of it. */
async function abandon({ store }: Control, { id, account_id: accountId }: PodRow): Promise<ComputeError> {
  await endPod(store, { podId: id, accountId, from: ['provisioning'], reason: 'caller_left' });
  return callerLeft();
}

/** For the log: its reader is gone. */
function callerLeft(): ComputeError {
  return notCharged('UNAVAILABLE', 'the connection closed before the pod was created: nothing was charged');
}

async function leaveUnknown(control: Control, { pod, error }: { pod: PodRow; error: unknown }): Promise<ComputeError> {
  const { id, machine_id: machine } = pod;
  control.note('outcome of a deploy is unknown', { machine, pod: id }, error);
  // A database that is away too changes nothing: the job that looks after the pod was committed with the hold.
  await markUnknown(control.store, id).catch((fault) =>
    control.note('pod cannot be marked unknown', { pod: id }, fault),
  );
  return outcomeUnknown(pod);
}

function outcomeUnknown(pod: PodRow): ComputeError {
  return new ComputeError(
    'OUTCOME_UNKNOWN',
    'the machine did not answer, so whether the pod exists cannot be told yet: list the pods in some minutes; if it does ' +
      'not appear, the hour is returned by itself within two hours. Do not repeat this without its Idempotency-Key',
    { fields: { charged: true, pod_id: pod.id } },
  );
}

/** Whether another machine may do what this one did not. */
function isMachines({ code }: ComputeError): boolean {
  return code === 'MACHINE_UNAVAILABLE' || code === 'MACHINE_NOT_FOUND' || code === 'UPSTREAM_UNAVAILABLE';
}

function refuse(
  { note }: Control,
  { engine, machineId, error }: { engine: Engine; machineId: string; error: unknown },
): never {
  note('engine refused', { engine: engine.name, machine: machineId }, error);
  if (!(error instanceof EngineError)) throw unavailable(error);
  const { code, reason } = error;
  if (code === 'ERR_IMAGE_UNAVAILABLE') {
    throw notCharged(
      'IMAGE_UNAVAILABLE',
      '`image` cannot be prepared: name a public linux/amd64 image, or one that a stored credential may pull',
      { cause: error },
    );
  }
  if (code === 'ERR_SPEC_INVALID' || reason === 'settings_refused') {
    throw notCharged('SETTINGS_REFUSED', `${error.message}: change the settings and deploy again`, {
      cause: error,
      fields: { reason: 'settings_refused' },
    });
  }
  if (code === 'ERR_ENGINE_UNREACHABLE' || code === 'ERR_OUTCOME_UNKNOWN') throw unavailable(error);
  if (reason === 'resources_missing') {
    throw notCharged(
      'MACHINE_UNAVAILABLE',
      'the machine has no room at the moment: list the machines and take another',
      {
        cause: error,
      },
    );
  }
  throw notCharged('ENGINE_REFUSED', 'the machine refused the pod: list the machines and take another', {
    cause: error,
  });
}

function unavailable(cause: unknown): ComputeError {
  return notCharged(
    'UPSTREAM_UNAVAILABLE',
    'the machine cannot be reached: try again, or list the machines and take another',
    {
      cause,
    },
  );
}
