/**
 * Thousands of random orders in which tenants, timers, engines and the end of the process can come: afterwards, once the engine
 * answers again, the ledger is consistent, no pod is in an intermediate state, and no pod runs unpaid.
 */
import fc from 'fast-check';
import type { KyselyPlugin } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase } from '../../accounts/database/database.ts';
import { openAccountsOn } from '../../accounts/store.ts';
import { defaultTimes } from '../../compute/control/control.ts';
import { releasePod } from '../../compute/control/release.ts';
import { scheduleStanding } from '../../compute/control/worker.ts';
import { GroupCommit } from '../../compute/store/group-commit.ts';
import { openComputeStore } from '../../compute/store/store.ts';
import { describeStores, noon, type StoreUnderTest } from '../support/accounts/account-stores.ts';
import { hourMs, minuteMs, World } from '../support/compute/compute-world.ts';
import { type Fate, MemoryEngine } from '../support/compute/memory-engine.ts';

/** Simulates a crash at a statement: every later query fails until the process is restarted. */
class Killer implements KyselyPlugin {
  #statementsLeft = Number.POSITIVE_INFINITY;

  killAfter(statements: number): void {
    this.#statementsLeft = statements;
  }

  revive(): void {
    this.#statementsLeft = Number.POSITIVE_INFINITY;
  }

  transformQuery({ node }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    if (this.#statementsLeft <= 0) throw new Error('killed');
    this.#statementsLeft -= 1;
    return node;
  }

  async transformResult({ result }: Parameters<KyselyPlugin['transformResult']>[0]) {
    return result;
  }
}

type Step =
  | { kind: 'deploy'; tenant: number; machine: number; hours: number | undefined }
  | { kind: 'release'; pod: number }
  | { kind: 'pass'; ms: number }
  | { kind: 'engine'; call: string; fate: Fate }
  | { kind: 'vanish'; pod: number }
  | { kind: 'kill'; statements: number }
  | { kind: 'credit'; tenant: number; microDollars: number };

const fates: readonly Fate[] = ['done', 'done', 'lost', 'lost-undone', 'refused', 'unreachable'];

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('deploy' as const),
      tenant: fc.nat(1),
      machine: fc.nat(2),
      hours: fc.constantFrom(undefined, 1, 2),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('release' as const), pod: fc.nat(5) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.constantFrom(1, 1_500, 61_000, 20 * minuteMs, hourMs),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('engine' as const),
      call: fc.constantFrom('create', 'inspect', 'destroy', 'list', 'prepare'),
      fate: fc.constantFrom(...fates),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('vanish' as const), pod: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('kill' as const), statements: fc.nat(25) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('credit' as const),
      tenant: fc.nat(1),
      microDollars: fc.constantFrom(1, 700_000),
    }),
  },
);

const tenants = ['acme', 'beta'] as const;

/** Each run simulates hours, so reconciliation and audits run less often than every half minute. */
const times = { ...defaultTimes, reconcileMs: 10 * minuteMs, auditMs: hourMs };

async function openWorld(store: StoreUnderTest, killer: Killer) {
  const time = { now: noon };
  const address = store.kind === 'sqlite' ? ({ kind: 'sqlite', path: ':memory:' } as const) : await store.address();
  const database = await openDatabase(address);
  const accounts = await openAccountsOn(database, address, { clock: () => time.now });
  const opened = await openComputeStore(database, { clock: () => time.now });
  const db = opened.db.withPlugin(killer);
  const mortal = { ...opened, db, group: opened.group === undefined ? undefined : new GroupCommit(db) };
  return new World({ database, accounts, store: mortal, engine: new MemoryEngine(), time, times });
}

async function play(world: World, killer: Killer, steps: readonly Step[]): Promise<void> {
  const ids: string[] = [];
  for (const [index, name] of tenants.entries()) ids.push(await world.account(name, 2_300_000 * (index + 1)));
  await scheduleStanding(world.control);
  const fateOf = new Map<string, Fate>();
  world.engine.fateOf = (call) => fateOf.get(call) ?? 'done';
  const pods = async () =>
    await world.store.db.selectFrom('compute_pods').select(['id', 'account_id']).orderBy('id').execute();
  for (const step of steps) {
    try {
      await take(step);
    } catch {
      // Rejected, or the process crashed here; it is restarted before the next step.
      killer.revive();
    }
  }
  killer.revive();
  fateOf.clear();

  async function take(step: Step): Promise<void> {
    if (step.kind === 'deploy') {
      await world.deploy(ids[step.tenant]!, { machineIds: [`m-${step.machine}`], hardStopHours: step.hours });
    } else if (step.kind === 'pass') {
      await world.pass(step.ms);
    } else if (step.kind === 'engine') {
      fateOf.set(step.call, step.fate);
    } else if (step.kind === 'kill') {
      killer.killAfter(step.statements);
    } else if (step.kind === 'credit') {
      await world.accounts.credit({ account: tenants[step.tenant]!, microDollars: step.microDollars, now: world.now });
    } else {
      const all = await pods();
      const pod = all[step.pod % Math.max(1, all.length)];
      if (pod === undefined) return;
      if (step.kind === 'vanish') world.engine.pods.delete(pod.id);
      else await releasePod(world.control, { id: pod.id, accountId: pod.account_id });
    }
  }
}

async function requireOrder(world: World): Promise<void> {
  expect(await world.wrongs()).toEqual([]);
  // Long enough for every lease, retry and deadline.
  await world.pass(3 * hourMs);
  expect(await world.wrongs()).toEqual([]);
  const pods = await world.store.db.selectFrom('compute_pods').selectAll().execute();
  const running = pods.filter(({ state }) => state === 'running');
  expect(pods.filter(({ state }) => !['running', 'stopped', 'failed'].includes(state))).toEqual([]);
  expect([...world.engine.pods.keys()].sort()).toEqual(running.map(({ id }) => id).sort());
  for (const pod of pods) {
    if (pod.running_at === null) expect(pod.billed).toBe(0);
    if (pod.state !== 'running') expect(pod.hold).toBe(0);
  }
}

describeStores('pods and money', (store) => {
  it('keep pods and money consistent in every order of events', { timeout: 120_000 }, async () => {
    const numRuns = store.kind === 'sqlite' ? 300 : 20;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
        const killer = new Killer();
        const world = await openWorld(store, killer);
        try {
          await play(world, killer, steps);
          await requireOrder(world);
        } finally {
          await world.accounts.close();
        }
      }),
      { numRuns, endOnFailure: false, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false },
    );
  });
});
