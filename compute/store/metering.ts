/**
 * The rent of all pods of one account, taken up to now in one transaction (C-146); when the money is used up, all its
 * running pods end (C-147). The same transaction computes when that will be, and asks to be run again then.
 */
import { tell } from './events.ts';
import { schedule } from './jobs.ts';
import { lockBalance, type Movement, move } from './ledger.ts';
import { exhaustionTime, hourMs, owedAt, type RentedPod } from './rent.ts';
import { endPodIn } from './settle.ts';
import { type ComputeStore, inTransaction, type Tx } from './store.ts';
import type { PodRow } from './tables.ts';

/** Longest time between two debits. */
const meteringMs = 60_000;

/** An account that has money for less than this is told. */
const lowMs = hourMs;

/** @returns when to meter again; undefined where the account has no running pod */
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
    await tellIfLow(tx, { accountId, now, exhausted, available });
    const ends = rented.filter(({ hold }) => hold > 0).map(({ runningAt }) => runningAt + hourMs);
    const isMetered = rented.some(({ hold }) => hold === 0);
    return Math.min(...ends, ...(isMetered ? [now + meteringMs] : []), exhausted ?? Number.POSITIVE_INFINITY);
  });
}

/** Asks for a metering of the account: after anything that changes what it pays, or pays with. */
export async function meterSoon(tx: Tx, accountId: string, { now }: { now: number }): Promise<void> {
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
  // Named for what was billed before it: of two that would take the same seconds, only one can be booked.
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
  await tell(tx, { accountId, at: now, events: [{ kind: 'balance.exhausted', podId: undefined, data: {} }] });
  let left = available;
  for (const { id } of pods) {
    const end = { podId: id, accountId, from: ['running'], reason: 'balance_exhausted' } as const;
    left = (await endPodIn(tx, { ...end, now, available: left }))?.available ?? left;
  }
}

/** Once, until there is enough again. */
async function tellIfLow(
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
  await tell(tx, { accountId, at: now, events: [{ kind: 'balance.low', podId: undefined, data }] });
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
