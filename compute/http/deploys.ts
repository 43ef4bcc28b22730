/** Runs a deploy request and builds its response. */
import { whenCallerLeaves } from '@cloister/server/http/caller-signal';
import { ComputeError, notCharged } from '../base/errors.ts';
import type { ReadonlyStatic } from '../base/schemas.ts';
import { newSudoPassword } from '../base/sudo-password.ts';
import { type ConfidentialBody, planConfidentialPod, readConfidentialBody } from '../deploy/confidential.ts';
import { type DeployPlan, deployPod, findDeployed } from '../deploy/deploy-pod.ts';
import { planStandardPod, readStandardBody, type StandardBody } from '../deploy/standard.ts';
import type * as shape from '../schemas/pods.ts';
import type { ComputeService } from '../service/service.ts';
import type { PodRow } from '../store/tables.ts';
import { attestationBlock } from '../views/machines.ts';
import { confidence, iso } from '../views/pods.ts';
import { type Answer, type Call, created, ok } from './operation.ts';

type StandardDeploy = ReadonlyStatic<typeof shape.standardDeploy>;
type ConfidentialDeploy = ReadonlyStatic<typeof shape.confidentialDeploy>;
type VmDeploy = ReadonlyStatic<typeof shape.vmDeploy>;

type DeployCall = Pick<Call, 'service' | 'accountId' | 'idempotencyKey' | 'countCreation' | 'reply'>;

/** Message of a repeated response, which no longer contains the password. */
export const vmRepeatedMessage =
  'the VM was deployed by the first request with this Idempotency-Key: list the pods until ssh_ready is true; its password ' +
  'was shown once, in the first response, and is not stored';

/** The shared endpoint: `provider` selects the kind and has no default (C-097). */
export async function startPod(
  call: Call<object>,
): Promise<Answer<200, ConfidentialDeploy> | Answer<201, StandardDeploy>> {
  requireBalancedBooks(call.service);
  const { body } = call;
  const { provider } = body as { provider?: unknown };
  if (provider === 'standard') return created(await startStandard(call, async () => readStandardBody(body)));
  if (provider === 'confidential') {
    return ok((await startConfidential(call, () => readConfidentialBody(body))).answer);
  }
  throw notCharged('INVALID_REQUEST', '`provider` must be "confidential" or "standard"');
}

/** The endpoint that deploys only virtual machines (C-107). */
export async function startVm(call: Call<ConfidentialBody>): Promise<Answer<200, VmDeploy>> {
  requireBalancedBooks(call.service);
  const { ports = [] } = call.body;
  const { answer, pod } = await startConfidential(call, () => call.body);
  const isPlain = pod.protection === 'plain-vm-test';
  const evidence = isPlain ? undefined : call.service.stock.evidenceOf(pod.resource_name);
  return ok({
    ...answer,
    hardStopRequested: pod.hard_stop_at !== null,
    ports,
    attestation: attestationBlock(evidence, call.service.options),
  });
}

/** @param bodyOf reads the body; not called if an earlier attempt created the pod · @throws {ComputeError} if the deploy fails */
export async function startStandard(call: DeployCall, bodyOf: () => Promise<StandardBody>): Promise<StandardDeploy> {
  const { service, accountId } = call;
  const { pod } = await deployOnce(call, async () => planStandardPod(service, { accountId, body: await bodyOf() }));
  return {
    success: true,
    pod: {
      id: pod.id,
      name: pod.name,
      machine_id: pod.machine_id,
      template_id: pod.template_id,
      gpu_type: pod.gpu_type,
      gpu_count: pod.gpu_count,
      hourly_price: pod.price / 1e6,
      prepaid_amount: pod.price / 1e6,
      status: 'RUNNING',
      provider: pod.provider,
      confidential_compute: false,
      ssh_command: null,
    },
    message: 'the pod is being prepared: get its details every 10 to 15 seconds until ssh_command is set',
  };
}

/** @param bodyOf as in {@link startStandard} */
async function startConfidential(
  call: DeployCall,
  bodyOf: () => ConfidentialBody,
): Promise<{ answer: ConfidentialDeploy; pod: PodRow }> {
  const { service, accountId } = call;
  const sudoPassword = newSudoPassword();
  const { pod, isNew } = await deployOnce(call, async () =>
    planConfidentialPod(service, { accountId, body: bodyOf(), sudoPassword }),
  );
  const answer = {
    success: true,
    podId: pod.id,
    workloadUid: pod.workload_uid,
    resourceName: pod.resource_name,
    hourlyPrice: pod.price / 1e6,
    // A pod created by an earlier attempt has that attempt's password, which is not stored.
    sudoPassword: isNew ? sudoPassword : null,
    hardStopAt: pod.hard_stop_at === null ? null : iso(pod.hard_stop_at),
    ...confidence(pod),
    message: isNew
      ? 'the VM is being prepared: list the pods until ssh_ready is true; the password is shown only once'
      : vmRepeatedMessage,
  };
  return { answer, pod };
}

/** @returns the pod that an earlier attempt at this request created, or a new one */
async function deployOnce(
  call: DeployCall,
  planOf: () => Promise<DeployPlan>,
): Promise<{ pod: PodRow; isNew: boolean }> {
  const { service, accountId, idempotencyKey, countCreation } = call;
  let pod = await findDeployed(service.control, { accountId, idempotencyKey });
  const isNew = pod === undefined;
  if (pod === undefined) {
    const plan = await planOf();
    // Deploys that fail a check above do not count against the limit (C-041).
    await countCreation();
    const signal = whenCallerCannotReturn(call);
    pod = await deployPod(service.control, { ...plan, idempotencyKey }, { signal });
  }
  service.wake();
  return { pod, isNew };
}

/** With an Idempotency-Key the caller can retrieve the response later, so a disconnect does not cancel the deploy. */
function whenCallerCannotReturn({ reply, idempotencyKey }: DeployCall): AbortSignal {
  return idempotencyKey === undefined ? whenCallerLeaves(reply) : new AbortController().signal;
}

/** @throws {ComputeError} UNAVAILABLE until the audit finds no faults: a ledger error must not grow with new deploys */
export function requireBalancedBooks({ faults }: ComputeService): void {
  if (faults().length === 0) return;
  throw new ComputeError('UNAVAILABLE', 'deploys are temporarily disabled: try again', {
    retryAfterSeconds: 60,
    fields: { charged: false },
  });
}
