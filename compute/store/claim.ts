/**
 * The transaction that lets a machine: the hour is taken, the machine claimed and the pod's work written down, all or
 * nothing (C-144). The engine is only asked after it has been committed.
 */
import { formatDollars } from '@cloister/accounts/base/money';
import { type ComputeError, notCharged } from '../base/errors.ts';
import { tell } from './events.ts';
import { hasten, type Job, newJob, schedule } from './jobs.ts';
import { holdIfCovered, readBalance, writeDown } from './ledger.ts';
import { balanceFloor, hourMs } from './rent.ts';
import { type ComputeStore, inTransaction, newId, type Queries } from './store.ts';
import type { PodRow } from './tables.ts';

export interface Claim {
  readonly accountId: string;
  readonly name: string;
  readonly provider: 'standard' | 'confidential';
  /** Machines that would do; the first that is free is taken. */
  readonly machineIds: readonly string[];
  readonly resourceName: string;
  readonly templateId: string | undefined;
  readonly image: string;
  readonly gpuType: string;
  readonly gpuCount: number;
  /** Micro-dollars per hour. */
  readonly price: number;
  readonly hardStopHours: number | undefined;
  readonly idempotencyKey?: string | undefined;
  /** After how long others look after the pod, unless whoever asks the engine for it renews the lease. */
  readonly leaseMs: number;
  /** How long it may take until the pod can be reached. */
  readonly startTimeoutMs: number;
}

export interface Claimed {
  readonly pod: PodRow;
  /** What the caller has to do, under a lease: bring the pod to life, or hand it over to whoever takes the job next. */
  readonly follow: Job;
}

/** @throws {ComputeError} INSUFFICIENT_BALANCE, MACHINE_UNAVAILABLE; nothing was taken then */
export async function claimMachine(store: ComputeStore, claim: Claim): Promise<Claimed> {
  const { accountId, price } = claim;
  return await inTransaction(store, async (tx) => {
    // A write first: SQLite gives the lock, and PostgreSQL the account's row, to one at a time.
    const available = await holdIfCovered(tx, { accountId, amount: price, floor: balanceFloor });
    if (available === undefined) throw await tooPoor(tx, claim);
    const now = await store.now(tx);
    const pod = podOf(claim, now);
    for (const machineId of claim.machineIds) {
      const row = { ...pod, machine_id: machineId };
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('compute_pods')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows === 0n) continue;
      await writeDown(tx, [
        {
          accountId,
          podId: row.id,
          reason: 'hold',
          kind: 'hold',
          from: 'available',
          to: 'held',
          amount: price,
          at: now,
        },
      ]);
      const follow = { kind: 'follow', subject: row.id, runAt: now, leaseUntil: now + claim.leaseMs } as const;
      const stop = { kind: 'hard-stop', subject: row.id } as const;
      await schedule(tx, [follow, ...(row.hard_stop_at === null ? [] : [{ ...stop, runAt: row.hard_stop_at }])]);
      // Pods that run have less to live on now (C-147).
      await hasten(tx, { kind: 'meter', subject: accountId, runAt: now });
      const data = { name: row.name, provider: row.provider, hourly_price: price / 1e6 };
      await tell(tx, { accountId, at: now, events: [{ kind: 'pod.provisioning', podId: row.id, data }] });
      return { pod: row, follow: newJob(follow) };
    }
    throw notCharged('MACHINE_UNAVAILABLE', 'someone else has this machine: list the machines and take another');
  });
}

/** What the check before the claim says, too; the claim itself decides. @throws {ComputeError} INSUFFICIENT_BALANCE */
export async function requireBalance(
  queries: Queries,
  { accountId, price }: Pick<Claim, 'accountId' | 'price'>,
): Promise<void> {
  if ((await readBalance(queries, accountId)) >= Math.max(price, balanceFloor)) return;
  throw await tooPoor(queries, { accountId, price });
}

async function tooPoor(
  queries: Queries,
  { accountId, price }: Pick<Claim, 'accountId' | 'price'>,
): Promise<ComputeError> {
  const balance = await readBalance(queries, accountId);
  const required = Math.max(price, balanceFloor);
  const reason =
    price < balanceFloor
      ? `a deploy needs a balance of at least ${formatDollars(balanceFloor)} USD`
      : `the first hour takes ${formatDollars(price)} USD`;
  return notCharged(
    'INSUFFICIENT_BALANCE',
    `${reason} and the balance is ${formatDollars(balance)} USD: top up, then deploy again`,
    { fields: { required: required / 1e6, balance: balance / 1e6 } },
  );
}

function podOf(claim: Claim, now: number): PodRow {
  return {
    id: newId('pod'),
    workload_uid: newId('workload'),
    account_id: claim.accountId,
    name: claim.name,
    provider: claim.provider,
    machine_id: '',
    resource_name: claim.resourceName,
    template_id: claim.templateId ?? null,
    image: claim.image,
    idempotency_key: claim.idempotencyKey ?? null,
    gpu_type: claim.gpuType,
    gpu_count: claim.gpuCount,
    price: claim.price,
    state: 'provisioning',
    reason: null,
    protection: null,
    ssh_host: null,
    ssh_port: null,
    ssh_user: null,
    ssh_host_key: null,
    ssh_banner: 0,
    ports: '[]',
    hold: claim.price,
    billed: 0,
    created_at: now,
    updated_at: now,
    running_at: null,
    ended_at: null,
    seen_at: now,
    hard_stop_at: claim.hardStopHours === undefined ? null : now + claim.hardStopHours * hourMs,
    give_up_at: now + claim.startTimeoutMs,
    absences: 0,
  };
}
