import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Accounts, Admission, DatabaseAddress } from '../../accounts/store.ts';
import {
  describeStores,
  makeAccount,
  noon,
  type StoreUnderTest,
  type TestAccount,
} from '../support/accounts/account-stores.ts';

/** Steps that may happen in any order and concurrently. */
type Step =
  | { readonly kind: 'admit'; readonly account: number; readonly tokens: number }
  | { readonly kind: 'settle'; readonly pick: number; readonly tokens: number; readonly times: number }
  | { readonly kind: 'release'; readonly pick: number }
  | { readonly kind: 'credit'; readonly account: number; readonly microDollars: number }
  | { readonly kind: 'refund'; readonly pick: number }
  /** The process loses its requests in flight. */
  | { readonly kind: 'kill' }
  /** Another process sweeps after all deadlines. */
  | { readonly kind: 'sweep' }
  /** A lost request is settled late. */
  | { readonly kind: 'return'; readonly pick: number; readonly tokens: number };

const small = fc.nat({ max: 300 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('admit' as const), account: fc.nat(2), tokens: small }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      pick: fc.nat(),
      tokens: small,
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), pick: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('credit' as const),
      account: fc.nat(2),
      microDollars: fc.integer({ min: 1, max: 500 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('return' as const), pick: fc.nat(), tokens: small }) },
);
/** Steps of one group run concurrently. */
const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 });

interface Running {
  readonly requestId: string;
  readonly admission: Admission;
}

let runs = 0;

/** Three accounts, their requests in flight, and the expected totals. */
class World {
  readonly #accounts: Accounts;
  readonly #people: readonly TestAccount[];
  readonly #sweeper: Accounts;
  #running: Running[] = [];
  #forgotten: Running[] = [];
  #ended: { readonly requestId: string; readonly price: number }[] = [];
  paidIn = 0;
  spent = 0;

  constructor(accounts: Accounts, sweeper: Accounts, people: readonly TestAccount[]) {
    this.#accounts = accounts;
    this.#sweeper = sweeper;
    this.#people = people;
  }

  async do(step: Step): Promise<void> {
    switch (step.kind) {
      case 'admit': {
        const requestId = `run${runs}-${this.#running.length}-${Math.random()}`;
        const countsMax = { promptTokens: step.tokens, completionTokens: 0 };
        const admission = await this.#people[step.account]!.admit({ requestId, countsMax }).catch(
          refused('ERR_BALANCE'),
        );
        if (admission !== undefined) this.#running.push({ requestId, admission });
        return;
      }
      case 'settle':
        return await this.#end(takeFrom(this.#running, step.pick), step);
      case 'return':
        return await this.#end(takeFrom(this.#forgotten, step.pick), { ...step, times: 1 });
      case 'release': {
        await takeFrom(this.#running, step.pick)?.admission.release({ now: noon });
        return;
      }
      case 'credit': {
        const { account, microDollars } = step;
        this.paidIn += microDollars;
        await this.#accounts.credit({ account: this.#people[account]!.name, microDollars, now: noon });
        return;
      }
      case 'refund': {
        const ended = takeFrom(this.#ended, step.pick);
        if (ended === undefined) return;
        const { requestId, price } = ended;
        const done = await this.#accounts.refund({ requestId, now: noon }).catch(refused('ERR_USAGE_UNKNOWN'));
        if (done !== undefined) this.spent -= price;
        return;
      }
      case 'kill':
        this.#forgotten.push(...this.#running);
        this.#running = [];
        return;
      case 'sweep':
        await this.#sweeper.maintain({ now: noon + 3_600_000 });
        return;
    }
  }

  /** A running request may be swept too, without a loss of money. */
  async finish(): Promise<void> {
    await this.#sweeper.maintain({ now: noon + 3_600_000 });
  }

  async #end(running: Running | undefined, { tokens, times }: { tokens: number; times: number }): Promise<void> {
    if (running === undefined) return;
    const end = { counts: { promptTokens: tokens, completionTokens: 0 }, finishReason: 'stop', now: noon };
    const prices = await Promise.all(Array.from({ length: times }, () => running.admission.settle(end)));
    expect(new Set(prices).size).toBe(1);
    this.spent += prices[0]!;
    this.#ended.push({ requestId: running.requestId, price: prices[0]! });
  }
}

function takeFrom<Item>(list: Item[], pick: number): Item | undefined {
  return list.length === 0 ? undefined : list.splice(pick % list.length, 1)[0];
}

function refused(code: string) {
  return (error: { code?: string }): undefined => {
    if (error.code !== code) throw error;
  };
}

async function makeWorld(store: StoreUnderTest, address: DatabaseAddress, accounts: Accounts): Promise<World> {
  runs += 1;
  const names = [0, 1, 2].map((index) => `run${runs}-${index}`);
  const people: TestAccount[] = [];
  for (const name of names) people.push(await makeAccount(accounts, { name, microDollars: 0 }));
  // Two handles on one SQLite file would deadlock in one thread; processes do not.
  return new World(accounts, store.kind === 'sqlite' ? accounts : await store.open(address), people);
}

describeStores('money', (store) => {
  it('is conserved, never negative and never charged twice, in any interleaving', async () => {
    const address = await store.address();
    const accounts = await store.open(address);
    let totals = { paidIn: 0, spent: 0 };
    const property = fc.asyncProperty(groups, async (steps) => {
      const before = await accounts.audit();
      const world = await makeWorld(store, address, accounts);
      for (const group of steps) {
        await Promise.all(group.map((step) => world.do(step)));
        const { faults, sum } = await accounts.audit();
        expect([faults, sum]).toEqual([[], 0]);
      }
      await world.finish();
      const after = await accounts.audit();
      expect(after).toMatchObject({ faults: [], sum: 0, held: 0, reservations: 0 });
      totals = { paidIn: after.paidIn - before.paidIn, spent: after.spent - before.spent };
      expect(totals).toEqual({ paidIn: world.paidIn, spent: world.spent });
      expect(after.available).toBe(after.paidIn - after.spent);
    });
    await fc.assert(property, { numRuns: store.kind === 'sqlite' ? 60 : 25 });
  });
});
