/** A node that keeps requests of random sizes in flight on several accounts until it is told to stop, or killed. */
import { setTimeout } from 'node:timers/promises';
import { type DatabaseAddress, openAccounts, type Surface } from '../../../accounts/store.ts';
import { microDollarPerToken } from './account-stores.ts';

export interface TrafficTask {
  readonly address: DatabaseAddress;
  readonly callers: readonly { readonly keyId: string; readonly accountId: string; readonly scopes: readonly [] }[];
  readonly inFlight: number;
  readonly leaseMs: number;
}

/** Messages to the parent: a charge that was reported as committed, and the end after `stop`. */
export type TrafficNews =
  | { readonly kind: 'charged'; readonly accountId: string; readonly price: number }
  | { readonly kind: 'stopped'; readonly owed: number; readonly faults: readonly string[] };

process.once('message', async ({ address, callers, inFlight, leaseMs }: TrafficTask) => {
  const accounts = await openAccounts(address, { role: 'server', leaseMs });
  const tell = (news: TrafficNews) => process.send?.(news);
  const faults: string[] = [];
  let isStopping = false;
  process.once('message', () => {
    isStopping = true;
  });
  const surface: Surface = 'chat';
  const below = (most: number) => Math.floor(Math.random() * most);
  const request = async (requestId: string) => {
    const caller = callers[below(callers.length)]!;
    const now = Date.now();
    const promptTokens = 1 + below(200);
    const work = { caller, requestId, surface, now, deadline: now + 600_000 };
    const model = { id: 'fake-TEE', plans: ['*'], pricing: microDollarPerToken };
    const admission = await accounts.admit({ ...work, model, countsMax: { promptTokens, completionTokens: 50 } });
    await setTimeout(below(20));
    if (below(5) === 0) {
      await admission.release({ now: Date.now() });
      return;
    }
    const counts = { promptTokens, completionTokens: below(50) };
    const price = await admission.settle({ counts, finishReason: 'stop', now: Date.now() });
    tell({ kind: 'charged', accountId: caller.accountId, price });
  };
  const line = async (name: string) => {
    for (let count = 0; !isStopping; count += 1) {
      await request(`${process.pid}-${name}-${count}`).catch((error: { code?: string }) => {
        // Refusals at the edge are part of the traffic.
        if (error.code !== 'ERR_BALANCE' && error.code !== 'ERR_RATE_LIMIT')
          faults.push(`${error} ${(error as Error).cause}`);
      });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, index) => line(String(index))));
  const { owed } = await accounts.close();
  tell({ kind: 'stopped', owed, faults: faults.slice(0, 5) });
  process.disconnect();
});
