/** Queries on pods, and the compare-and-set that changes their state. */
import type { Updateable } from 'kysely';
import type { Queries, Tx } from './store.ts';
import { liveStates, type PodRow, type PodState } from './tables.ts';

/** Finds a pod of this account (C-016) by either of its two identifiers (C-054). */
export async function findPod(
  queries: Queries,
  { id, accountId }: { id: string; accountId: string },
): Promise<PodRow | undefined> {
  return await queries
    .selectFrom('compute_pods')
    .selectAll()
    .where(({ or, eb }) => or([eb('id', '=', id), eb('workload_uid', '=', id)]))
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

export async function readPod(queries: Queries, id: string): Promise<PodRow | undefined> {
  return await queries.selectFrom('compute_pods').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Finds the pod that an earlier attempt at the same request created after `since`; failed pods do not count. */
export async function findRepeated(
  queries: Queries,
  { accountId, idempotencyKey, since }: { accountId: string; idempotencyKey: string; since: number },
): Promise<PodRow | undefined> {
  return await queries
    .selectFrom('compute_pods')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('idempotency_key', '=', idempotencyKey)
    .where('state', '<>', 'failed')
    // A pod that never ran and is being destroyed has failed, too.
    .where(({ or, eb }) => or([eb('state', '<>', 'releasing'), eb('running_at', 'is not', null)]))
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
}

/** Lists the pods that a tenant can see: confidential pods first, each kind newest first (C-046, C-150). */
export async function listPods(queries: Queries, accountId: string): Promise<PodRow[]> {
  return await queries
    .selectFrom('compute_pods')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('state', 'in', ['provisioning', 'running', 'releasing'])
    .orderBy('provider')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/**
 * Lists all pods of an account, also those that ended, newest first.
 * @param before the position of the last pod of the page before
 */
export async function listBilledPods(
  queries: Queries,
  { accountId, before, limit }: { accountId: string; before: PodPosition | undefined; limit: number },
): Promise<PodRow[]> {
  return await queries
    .selectFrom('compute_pods')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(before !== undefined, (query) =>
      query.where(({ eb, and, or }) =>
        or([
          eb('created_at', '<', before!.createdAt),
          and([eb('created_at', '=', before!.createdAt), eb('id', '<', before!.id)]),
        ]),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export interface PodPosition {
  readonly createdAt: number;
  readonly id: string;
}

/** Counts the pods that are billed or have a prepaid hour on hold (C-094). */
export async function countActivePods(queries: Queries, accountId: string): Promise<number> {
  const { count } = await queries
    .selectFrom('compute_pods')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('state', 'in', ['provisioning', 'unknown', 'running'])
    .executeTakeFirstOrThrow();
  return count;
}

/** Lists the claimed machines and the tiers of their pods. */
export async function listClaims(queries: Queries): Promise<{ machine_id: string; resource_name: string }[]> {
  return await queries
    .selectFrom('compute_pods')
    .select(['machine_id', 'resource_name'])
    .where('state', 'in', liveStates)
    .execute();
}

/**
 * Changes a pod if it is in one of the states `from` (compare-and-set): of concurrent changes only one succeeds.
 * @returns the changed pod, or undefined if its state differs
 */
export async function changePod(
  tx: Tx,
  id: string,
  { from, set }: { from: readonly PodState[]; set: Updateable<PodRow> },
): Promise<PodRow | undefined> {
  return await tx
    .updateTable('compute_pods')
    .set(set)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst();
}
