/** Several nodes on one PostgreSQL decide as one process would: what a node remembers of an account never changes an outcome. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Accounts, Admission, AdmissionRequest } from '../../accounts/store.ts';
import { describePostgres, makeAccount, noon, requestOf } from '../support/accounts/account-stores.ts';

const nodes = 3;
const plans = {
  open: {},
  places: { concurrentRequestsMax: 2 },
  minute: { requestsPerMinute: 3 },
  day: { requestsPerDay: 4 },
  month: { tokensPerMonth: 900 },
};
const names = Object.keys(plans);

type Step =
  /** Requests that arrive together. */
  | { readonly kind: 'admit'; readonly node: number; readonly account: number; readonly prices: readonly number[] }
  | { readonly kind: 'settle' | 'release'; readonly pick: number; readonly tokens: number }
  | { readonly kind: 'credit'; readonly account: number; readonly microDollars: number }
  | { readonly kind: 'wait'; readonly ms: number };

const account = fc.nat(names.length - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      ...{ kind: fc.constant('admit' as const), node: fc.nat(nodes - 1), account },
      prices: fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      ...{ kind: fc.constantFrom('settle' as const, 'settle' as const, 'release' as const) },
      ...{ pick: fc.nat(), tokens: fc.nat(200) },
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('credit' as const),
      account,
      microDollars: fc.integer({ min: 1, max: 300 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 20_000, 61_000, 86_400_000, 31 * 86_400_000),
    }),
  },
);

/** @returns everything that a caller can see */
async function outcomesOf(servers: readonly Accounts[], steps: readonly Step[]): Promise<unknown[]> {
  const callers: AdmissionRequest['caller'][] = [];
  for (const name of names) {
    await servers[0]!.createPlan({ id: name, change: plans[name as keyof typeof plans], now: noon });
    const { accountId, keyId } = await makeAccount(servers[0]!, { name, plan: name, microDollars: 1_000 });
    callers.push({ accountId, keyId, scopes: [] });
  }
  const running: Admission[] = [];
  const seen: unknown[] = [];
  let now = noon;
  for (const one of steps) {
    if (one.kind === 'wait') now += one.ms;
    else if (one.kind === 'credit')
      await servers[0]!.credit({ account: names[one.account]!, microDollars: one.microDollars, now });
    else if (one.kind === 'admit') {
      const server = servers[one.node % servers.length]!;
      const asked = one.prices.map((promptTokens) =>
        server.admit(
          requestOf(callers[one.account]!, {
            countsMax: { promptTokens, completionTokens: 0 },
            now,
            deadline: now + 1e10,
          }),
        ),
      );
      for (const result of await Promise.allSettled(asked)) {
        if (result.status === 'fulfilled') running.push(result.value);
        seen.push(result.status === 'fulfilled' ? result.value.headers : [result.reason.code, result.reason.details]);
      }
    } else if (running.length > 0) {
      const [admission] = running.splice(one.pick % running.length, 1);
      const counts = { promptTokens: one.tokens, completionTokens: 0 };
      if (one.kind === 'release') await admission!.release({ now });
      else seen.push(await admission!.settle({ counts, finishReason: 'stop', now }));
    }
  }
  const { sum, reservations, held, spent, faults } = await servers[0]!.audit();
  return [...seen, { sum, reservations, held, spent, faults }];
}

describePostgres('requests that three nodes decide in turn', (store) => {
  it('have the outcomes that they have on one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        const seen = [];
        for (const count of [1, nodes]) {
          const address = await store.address();
          const servers = [];
          for (let node = 0; node < count; node += 1) servers.push(await store.open(address, { role: 'server' }));
          seen.push(await outcomesOf(servers, steps));
          for (const server of servers) await server.close();
        }
        expect(seen[1]).toEqual(seen[0]);
      }),
      { numRuns: 25 },
    );
  }, 300_000);
});
