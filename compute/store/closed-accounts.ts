/** Ends the pods of closed accounts in every live state: their tenants no longer have a key to release them. */
import { endPod } from './settle.ts';
import type { ComputeStore } from './store.ts';

const states = ['provisioning', 'unknown', 'running'] as const;

/** Each pod is charged until its account was closed, even if this runs later. @returns the number of pods that ended */
export async function endPodsOfClosedAccounts(store: ComputeStore): Promise<number> {
  const pods = await store.db
    .selectFrom('compute_pods')
    .innerJoin('accounts', 'accounts.id', 'compute_pods.account_id')
    .select(['compute_pods.id', 'compute_pods.account_id', 'compute_pods.created_at', 'accounts.closed_at'])
    .where('compute_pods.state', 'in', states)
    .where('accounts.closed_at', 'is not', null)
    .execute();
  let ended = 0;
  for (const { id, account_id: accountId, created_at: createdAt, closed_at: closedAt } of pods) {
    // A deploy in progress may have claimed its machine after the account was closed.
    const at = Math.min(Math.max(closedAt!, createdAt), await store.now());
    if ((await endPod(store, { podId: id, accountId, from: states, reason: 'account_closed', at })) !== undefined)
      ended++;
  }
  return ended;
}
