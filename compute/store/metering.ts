/**
 * Charges the rent of all pods of one account up to now in one transaction (C-146). When the balance is exhausted, all running
 * pods of the account end (C-147); the transaction computes that time and schedules itself for it.
 */
import { recordEvents } from './events.ts';
import { schedule } from './jobs.ts';
import { lockBalance, type Movement, move } from './ledger.ts';
import { exhaustionTime, hourMs, owedAt, type RentedPod } from './rent.ts';
import { endPodIn } from './settle.ts';
import { type ComputeStore, inTransaction, type Tx } from './store.ts';
import type { PodRow } from './tables.ts';

/** Longest time between two debits. */
const meteringMs = 60_000;

/** An account whose balance lasts for less than this gets a `balance.low` event. */
const lowMs = hourMs;

/** @returns when to meter again; undefined if the account has no running pod */
export async function meterAccount(store: ComputeStore, accountId: string): Promise<number | undefined> {
  return await inTransaction(store, async (tx) => {
    let available = await lockBalance(store, tx, accountId);
    const now = await store.now(tx);
    const pods = await runningPods(tx, accountId);
    if (pods.length === 0) {
      await tx.updateTable('compute_accounts').set({ is_low: 0 }).where('account_id', '=', accountId).execute();
      return undefined;
    }
    const rented: (RentedPod & { hold: number })[] = [];
    for (const pod of pods) {
      const { taken, billed, hold } = await meterPod(tx, pod, { now, available });
      available -= taken;
      rented.push({ price: pod.price, runningAt: pod.running_at!, billed, hold });
    }
    const exhausted = exhaustionTime(rented, { available, now });
    if (exhausted !== undefined && exhausted <= now) {
      await endAll(tx, pods, { now, available });
      return undefined;
    }
    await recordLowBalance(tx, { accountId, now, exhausted, available });
    const ends = rented.filter(({ hold }) => hold > 0).map(({ runningAt }) => runningAt + hourMs);
    const isMetered = rented.some(({ hold }) => hold === 0);
    return Math.min(...ends, ...(isMetered ? [now + meteringMs] : []), exhausted ?? Number.POSITIVE_INFINITY);
  });
}

/** Schedules metering of the account; required after every change of its balance or its running pods. */
export async function scheduleMetering(tx: Tx, accountId: string, { now }: { now: number }): Promise<void> {
  await schedule(tx, [{ kind: 'meter', subject: accountId, runAt: now }]);
}

async function meterPod(tx: Tx, pod: PodRow, { now, available }: { now: number; available: number }) {
  const runningAt = pod.running_at!;
  const common = { accountId: pod.account_id, podId: pod.id, at: now };
  const movements: Movement[] = [];
  let { billed, hold } = pod;
  if (hold > 0 && now >= runningAt + hourMs) {
    movements.push({ ...common, reason: 'first-hour', kind: 'rent', from: 'held', to: 'spent', amount: hold });
    billed += hold;
    hold = 0;
  }
  const taken = Math.min(owedAt({ price: pod.price, runningAt, billed }, now), available);
  // The reason contains the amount billed before, so the same seconds cannot be booked twice.
  const reason = `rent-beyond-${billed}`;
  movements.push({ ...common, reason, kind: 'rent', from: 'available', to: 'spent', amount: taken });
  billed += taken;
  if (billed === pod.billed) return { taken, billed, hold };
  await move(tx, movements);
  await tx.updateTable('compute_pods').set({ billed, hold }).where('id', '=', pod.id).execute();
  return { taken, billed, hold };
}

async function endAll(tx: Tx, pods: readonly PodRow[], { now, available }: { now: number; available: number }) {
  const accountId = pods[0]!.account_id;
  await recordEvents(tx, { accountId, at: now, events: [{ kind: 'balance.exhausted', podId: undefined, data: {} }] });
  let left = available;
  for (const { id } of pods) {
    const end = { podId: id, accountId, from: ['running'], reason: 'balance_exhausted' } as const;
    left = (await endPodIn(tx, { ...end, now, available: left }))?.available ?? left;
  }
}

/** Sends `balance.low` once, until the balance has been sufficient again. */
async function recordLowBalance(
  tx: Tx,
  {
    accountId,
    now,
    exhausted,
    available,
  }: { accountId: string; now: number; exhausted: number | undefined; available: number },
): Promise<void> {
  const isLow = exhausted !== undefined && exhausted - now < lowMs ? 1 : 0;
  const { numUpdatedRows } = await tx
    .updateTable('compute_accounts')
    .set({ is_low: isLow })
    .where('account_id', '=', accountId)
    .where('is_low', '=', 1 - isLow)
    .executeTakeFirstOrThrow();
  if (isLow === 0 || numUpdatedRows === 0n) return;
  const data = { balance: available / 1e6, exhausted_at: new Date(exhausted!).toISOString() };
  await recordEvents(tx, { accountId, at: now, events: [{ kind: 'balance.low', podId: undefined, data }] });
}

async function runningPods(tx: Tx, accountId: string): Promise<PodRow[]> {
  return await tx
    .selectFrom('compute_pods')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('state', '=', 'running')
    .where('running_at', 'is not', null)
    .orderBy('id')
    .execute();
}
