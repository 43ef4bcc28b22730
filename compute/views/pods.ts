/** Pods as callers see them. */
import type { ReadonlyStatic } from '../base/schemas.ts';
import type * as shape from '../schemas/pods.ts';
import type { PodRow, PodState } from '../store/tables.ts';

const statuses: Readonly<Record<PodState, string>> = {
  provisioning: 'RUNNING',
  unknown: 'RUNNING',
  running: 'RUNNING',
  releasing: 'STOPPING',
  stopped: 'STOPPED',
  failed: 'FAILED',
};

const providerStatuses: Readonly<Record<PodState, string>> = {
  provisioning: 'provisioning',
  unknown: 'provisioning',
  running: 'running',
  releasing: 'stopping',
  stopped: 'stopped',
  failed: 'failed',
};

/** An entry of the list (C-047). The `id` of a confidential pod is its workload uid (C-054). */
export function listEntry(pod: PodRow): ReadonlyStatic<typeof shape.listedPod> {
  const isRunning = pod.state === 'running';
  return {
    id: shownId(pod),
    name: pod.name,
    status: statuses[pod.state],
    provider_status: providerStatuses[pod.state],
    resource_name: pod.resource_name,
    gpu_type: pod.gpu_type,
    gpu_count: pod.gpu_count,
    hourly_price: pod.price / 1e6,
    ...paidFor(pod),
    created_at: iso(pod.created_at),
    updated_at: iso(pod.updated_at),
    ssh_ready: isRunning,
    ssh_banner: isRunning && pod.ssh_banner === 1,
    ssh_host: pod.ssh_host,
    ssh_port: pod.ssh_port,
    ssh_user: pod.ssh_user ?? (pod.provider === 'confidential' ? 'ubuntu' : 'root'),
    ssh_command: sshCommand(pod),
    provider: pod.provider,
    ...confidence(pod),
  };
}

/** Details of one pod (C-052, C-053), with its ports and the reason why it ended. */
export function podDetails(pod: PodRow): ReadonlyStatic<typeof shape.podDetails> {
  const common = {
    name: pod.name,
    status: statuses[pod.state],
    provider_status: providerStatuses[pod.state],
    hourly_price: pod.price / 1e6,
    ...paidFor(pod),
    ssh_ready: pod.state === 'running',
    ssh_banner: pod.state === 'running' && pod.ssh_banner === 1,
    ssh_command: sshCommand(pod),
    ssh_host_key: pod.ssh_host_key,
    provider: pod.provider,
    ...confidence(pod),
    ports: publishedPorts(pod),
    reason: pod.reason,
    hard_stop_at: pod.hard_stop_at === null ? null : iso(pod.hard_stop_at),
    ended_at: pod.ended_at === null ? null : iso(pod.ended_at),
  };
  if (pod.provider === 'standard') {
    return { id: pod.id, gpu_type: pod.gpu_type, gpu_count: pod.gpu_count, created_at: iso(pod.created_at), ...common };
  }
  return {
    uid: pod.workload_uid,
    id: pod.id,
    resource_name: pod.resource_name,
    image: pod.image,
    type: 'rental',
    created_at: iso(pod.created_at),
    ...common,
  };
}

/** An entry of the bill: what one pod cost, also after it ended. */
export function chargeEntry(pod: PodRow): ReadonlyStatic<typeof shape.chargeList>['charges'][number] {
  return {
    pod_id: shownId(pod),
    name: pod.name,
    provider: pod.provider,
    resource_name: pod.resource_name,
    status: statuses[pod.state],
    hourly_price: pod.price / 1e6,
    ...paidFor(pod),
    created_at: iso(pod.created_at),
    ended_at: pod.ended_at === null ? null : iso(pod.ended_at),
    reason: pod.reason,
  };
}

function paidFor({ billed, hold }: PodRow) {
  return { billed: billed / 1e6, held: hold / 1e6 };
}

/** `confidential_compute` follows the protection that the engine reported; plain virtual machines for tests are labelled. */
export function confidence({ provider, protection }: Pick<PodRow, 'provider' | 'protection'>) {
  const isPlain = protection === 'plain-vm-test';
  return {
    confidential_compute: provider === 'confidential' && !isPlain,
    ...(isPlain
      ? { protection: 'plain-vm-test', warning: 'a plain virtual machine for tests, without memory protection' }
      : {}),
  };
}

/** `null` until the pod has an address (C-053, C-139). */
export function sshCommand({ state, ssh_host, ssh_port, provider }: PodRow): string | null {
  if (state !== 'running') return null;
  return provider === 'confidential' ? `ssh -p ${ssh_port} ubuntu@${ssh_host}` : `ssh root@${ssh_host} -p ${ssh_port}`;
}

function publishedPorts({ ports }: PodRow) {
  const list = JSON.parse(ports) as { port: number; protocol: string; host: string; hostPort: number }[];
  return list.map(({ port, protocol, host, hostPort }) => ({ port, protocol, host, host_port: hostPort }));
}

function shownId({ provider, id, workload_uid }: PodRow): string {
  return provider === 'confidential' ? workload_uid : id;
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
