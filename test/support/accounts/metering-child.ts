/** A process that admits a hundred requests and settles them one by one until it is killed; it reports each to its parent. */
import type { DatabaseAddress, Surface } from '../../../accounts/store.ts';
import { openAccounts } from '../../../accounts/store.ts';

export interface ChildTask {
  readonly address: DatabaseAddress;
  readonly caller: { readonly keyId: string; readonly accountId: string; readonly scopes: readonly [] };
  readonly requests: number;
  readonly now: number;
  readonly deadline: number;
  readonly leaseMs: number;
  readonly node?: string | undefined;
  /** Ends the process abruptly after the last admission. */
  readonly diesAdmitted?: boolean;
}

/** Messages to the parent. A request reported as `settled` is committed and must survive the kill. */
export type ChildNews = { readonly kind: 'admitted' } | { readonly kind: 'settled'; readonly requestId: string };

process.once('message', async (task: ChildTask) => {
  const { address, caller, now, deadline, leaseMs, node } = task;
  const accounts = await openAccounts(address, { clock: () => now, role: 'server', leaseMs, node });
  const tell = (news: ChildNews) => process.send?.(news);
  const pricing = { promptPerMillion: 1_000_000, completionPerMillion: 1_000_000 };
  const model = { id: 'fake-TEE', plans: ['*'], pricing };
  const surface: Surface = 'chat';
  const countsMax = { promptTokens: 60, completionTokens: 40 };
  const admissions = await Promise.all(
    Array.from({ length: task.requests }, async (_, index) => {
      const requestId = `child-${index}`;
      return {
        requestId,
        admission: await accounts.admit({ caller, requestId, surface, model, countsMax, now, deadline }),
      };
    }),
  );
  if (task.diesAdmitted === true) process.kill(process.pid, 'SIGKILL');
  tell({ kind: 'admitted' });
  for (const { requestId, admission } of admissions) {
    await admission.settle({ counts: { promptTokens: 30, completionTokens: 20 }, finishReason: 'stop', now });
    tell({ kind: 'settled', requestId });
  }
});
