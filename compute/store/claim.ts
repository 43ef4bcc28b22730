/**
 * The transaction that rents a machine: it holds the price of the first hour, claims the machine and schedules the pod's jobs
 * (C-144). The engine is called only after the commit.
 */
import { formatDollars } from '@cloister/accounts/base/money';
import { type ComputeError, notCharged } from '../base/errors.ts';
import { recordEvents } from './events.ts';
import { type Job, newJob, runEarlier, schedule } from './jobs.ts';
import { addToJournal, holdIfCovered, readBalance } from './ledger.ts';
import { balanceFloor, hourMs } from './rent.ts';
import { type ComputeStore, inTransaction, newId, type Queries } from './store.ts';
import type { PodRow } from './tables.ts';

export interface Claim {
  readonly accountId: string;
  readonly name: string;
  readonly provider: 'standard' | 'confidential';
  /** Candidate machines; the first free one is claimed. */
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
  /** Lease of the follow job: after it other processes may follow the pod, unless the deploy renews the lease. */
  readonly leaseMs: number;
  /** Time limit until the pod has an address. */
  readonly startTimeoutMs: number;
}

export interface Claimed {
  readonly pod: PodRow;
  /** The job that follows the pod, leased to the caller until the caller releases it. */
  readonly follow: Job;
}

/** @throws {ComputeError} INSUFFICIENT_BALANCE, MACHINE_UNAVAILABLE; nothing was charged */
export async function claimMachine(store: ComputeStore, claim: Claim): Promise<Claimed> {
  const { accountId, price } = claim;
  return await inTransaction(store, async (tx) => {
    // The transaction starts with a write: it locks the database on SQLite, and the account's row on PostgreSQL.
    const available = await holdIfCovered(tx, { accountId, amount: price, floor: balanceFloor });
    if (available === undefined) throw await insufficientBalance(tx, claim);
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
      await addToJournal(tx, [
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
      // The smaller balance will be exhausted earlier by running pods (C-147).
      await runEarlier(tx, { kind: 'meter', subject: accountId, runAt: now });
      const data = { name: row.name, provider: row.provider, hourly_price: price / 1e6 };
      await recordEvents(tx, { accountId, at: now, events: [{ kind: 'pod.provisioning', podId: row.id, data }] });
      return { pod: row, follow: newJob(follow) };
    }
    throw notCharged('MACHINE_UNAVAILABLE', 'another tenant has this machine: list the machines and choose another');
  });
}

/** Checks the balance before the claim; the claim checks it again. @throws {ComputeError} INSUFFICIENT_BALANCE */
export async function requireBalance(
  queries: Queries,
  { accountId, price }: Pick<Claim, 'accountId' | 'price'>,
): Promise<void> {
  if ((await readBalance(queries, accountId)) >= Math.max(price, balanceFloor)) return;
  throw await insufficientBalance(queries, { accountId, price });
}

async function insufficientBalance(
  queries: Queries,
  { accountId, price }: Pick<Claim, 'accountId' | 'price'>,
): Promise<ComputeError> {
  const balance = await readBalance(queries, accountId);
  const required = Math.max(price, balanceFloor);
  const reason =
    price < balanceFloor
      ? `a deploy needs a balance of at least ${formatDollars(balanceFloor)} USD`
      : `the first hour costs ${formatDollars(price)} USD`;
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
