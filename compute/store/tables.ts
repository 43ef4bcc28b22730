/** The tables of the compute service as kysely types; `migration.ts` creates them. Times are milliseconds since 1970. */
import type { Tables } from '@cloister/accounts/base/tables';

/**
 * `provisioning`: requested from the engine · `unknown`: the engine did not answer · `running`: has an address, the paid hour has
 * begun · `releasing`: settled, being destroyed · `stopped`, `failed`: destroyed.
 */
export type PodState = 'provisioning' | 'unknown' | 'running' | 'releasing' | 'stopped' | 'failed';

/** States in which a pod occupies its machine. */
export const liveStates = ['provisioning', 'unknown', 'running', 'releasing'] as const satisfies readonly PodState[];

/** Why a pod ended. */
export type EndReason =
  | 'released'
  | 'hard_stop'
  | 'balance_exhausted'
  | 'account_closed'
  | 'died'
  | 'machine_removed'
  | 'engine_refused'
  | 'caller_left'
  | 'never_started'
  | 'outcome_unknown';

export type JobKind =
  | 'follow'
  | 'hard-stop'
  | 'destroy'
  | 'meter'
  | 'webhook'
  | 'reconcile'
  | 'sweep'
  | 'templates'
  | 'audit';

export interface ComputeTables extends Tables {
  compute_pods: PodRow;
  /** Jobs, due at `run_at`; one row per kind and subject. */
  compute_jobs: {
    id: string;
    kind: JobKind;
    /** Id of the pod, account or webhook; empty for jobs of the whole service. */
    subject: string;
    run_at: number;
    lease_until: number;
    attempts: number;
    /** Increases whenever the job is scheduled again, so that the end of a run in progress does not delete it. */
    generation: number;
  };
  /** Append-only feed; `sequence` increases by one per event of an account, in commit order. */
  compute_events: {
    id: string;
    account_id: string;
    sequence: number;
    kind: EventKind;
    pod_id: string | null;
    at: number;
    /** JSON. */
    data: string;
  };
  /** One row per account that has had an event. */
  compute_accounts: { account_id: string; last_event: number; is_low: number };
  compute_ssh_keys: {
    id: string;
    account_id: string;
    name: string;
    public_key: string;
    fingerprint: string;
    created_at: number;
  };
  compute_registries: {
    id: string;
    account_id: string;
    name: string;
    registry: string;
    username: string;
    /** AES-256-GCM; the key is not in the database. */
    sealed_password: string;
    created_at: number;
  };
  compute_webhooks: {
    id: string;
    account_id: string;
    url: string;
    sealed_secret: string;
    created_at: number;
    /** Sequence of the last event that was delivered or abandoned. */
    cursor: number;
  };
  compute_dead_letters: {
    id: string;
    webhook_id: string;
    event_id: string;
    attempts: number;
    /** An HTTP status, an error code, or a word such as `timeout`. */
    reason: string;
    at: number;
  };
  compute_idempotency: {
    account_id: string;
    key: string;
    request_hash: string;
    /** Null while the first request runs. */
    status: number | null;
    body: string | null;
    created_at: number;
    lease_until: number;
  };
}

export interface PodRow {
  id: string;
  workload_uid: string;
  account_id: string;
  name: string;
  provider: 'standard' | 'confidential';
  machine_id: string;
  resource_name: string;
  template_id: string | null;
  image: string;
  /** Key of the request that created the pod, so that a repeat after a crash finds it. */
  idempotency_key: string | null;
  gpu_type: string;
  gpu_count: number;
  /** Micro-dollars per hour, fixed for the pod's life. */
  price: number;
  state: PodState;
  reason: EndReason | null;
  /** `tdx`, `none`, `plain-vm-test`; null until the engine has reported it. */
  protection: string | null;
  ssh_host: string | null;
  ssh_port: number | null;
  ssh_user: string | null;
  /** Fingerprint of the SSH host key; null if the engine cannot read it. */
  ssh_host_key: string | null;
  /** 1 once an SSH server has sent its banner. */
  ssh_banner: number;
  /** JSON: published ports other than SSH. */
  ports: string;
  /** Micro-dollars still on hold for the first hour. */
  hold: number;
  /** Micro-dollars billed so far. */
  billed: number;
  created_at: number;
  updated_at: number;
  running_at: number | null;
  ended_at: number | null;
  /** When the engine last reported the pod alive. */
  seen_at: number;
  hard_stop_at: number | null;
  /** Deadline of the start: a pod without an address is then ended and its hold refunded. */
  give_up_at: number;
  /** Consecutive answers of the engine without the pod. */
  absences: number;
}

/** Kinds of operator announcements. */
export const systemEventKinds = ['system.notice', 'system.maintenance', 'system.incident', 'system.resolved'] as const;
export type SystemEventKind = (typeof systemEventKinds)[number];

export type EventKind =
  | SystemEventKind
  | 'pod.provisioning'
  | 'pod.running'
  | 'pod.failed'
  | 'pod.stopped'
  | 'balance.low'
  | 'balance.exhausted'
  | 'refund.posted';
