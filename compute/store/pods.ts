/** Pods as rows: found, listed, moved from state to state by whoever is first. */
import type { Updateable } from 'kysely';
import type { Queries, Tx } from './store.ts';
import { liveStates, type PodRow, type PodState } from './tables.ts';

/** By either of its two identifiers (C-054), and of this account only (C-016). */
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

/** The pod that an earlier attempt at the same request made after `since`, unless it came to nothing. */
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
    // One that never ran and is being cleared away has come to nothing, too.
    .where(({ or, eb }) => or([eb('state', '<>', 'releasing'), eb('running_at', 'is not', null)]))
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
}

/** What the list shows: pods that exist for their tenant, newest first, confidential ones before the others (C-046, C-150). */
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

/** Pods that are billed or hold a prepaid hour (C-094). */
export async function countActivePods(queries: Queries, accountId: string): Promise<number> {
  const { count } = await queries
    .selectFrom('compute_pods')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('state', 'in', ['provisioning', 'unknown', 'running'])
    .executeTakeFirstOrThrow();
  return count;
}

/** Which machines are taken, and by pods of which tier. */
export async function listClaims(queries: Queries): Promise<{ machine_id: string; resource_name: string }[]> {
  return await queries
    .selectFrom('compute_pods')
    .select(['machine_id', 'resource_name'])
    .where('state', 'in', liveStates)
    .execute();
}

/**
 * The compare-and-set by which one of several who want to change a pod's state wins.
 * @returns the pod as it is now, or undefined for those who came too late
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
