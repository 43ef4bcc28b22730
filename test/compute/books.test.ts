import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { releasePod } from '../../compute/control/release.ts';
import { Books } from '../../compute/store/books.ts';
import { findFaults } from '../../compute/store/invariants.ts';
import { move } from '../../compute/store/ledger.ts';
import { inTransaction } from '../../compute/store/store.ts';
import { describeStores, noon } from '../support/accounts/account-stores.ts';
import { hourMs, minuteMs, type World, worlds } from '../support/compute/compute-world.ts';

describeStores('the audit of the ledger every minute', (store) => {
  const open = worlds(store);

  /** Two hours of one ended and one running pod; about 180 rows of the journal. */
  async function history(): Promise<{ world: World; gone: string; live: string }> {
    const world = await open();
    const accountId = await world.account('acme', 50_000_000);
    const { id: gone } = await world.deploy(accountId);
    await world.pass(2 * hourMs);
    await releasePod(world.control, { id: gone, accountId });
    const { id: live } = await world.deploy(accountId);
    await world.pass(3 * hourMs);
    return { world, gone, live };
  }

  async function looksUntilFound(books: Books, { looksMax }: { looksMax: number }): Promise<number | undefined> {
    for (let looks = 1; looks <= looksMax; looks++) if ((await books.audit()).length > 0) return looks;
    return undefined;
  }

  const changes = {
    'a charge added to a deleted pod': ({ gone }) =>
      sql`update compute_pods set billed = billed + 1 where id = ${gone}`,
    'a hold left on a deleted pod': ({ gone }) => sql`update compute_pods set hold = 1 where id = ${gone}`,
    'a hold of a live pod that was raised': ({ live }) =>
      sql`update compute_pods set hold = hold + 1 where id = ${live}`,
    'an old row that was deleted': ({ gone }) => sql`delete from movements where id = ${`pod:${gone}:first-hour`}`,
    'an old row whose amount was reduced': ({ gone }) =>
      sql`update movements set micro_dollars = micro_dollars - 1 where id = ${`pod:${gone}:hold`}`,
    'an old row whose time was changed': ({ gone }) =>
      sql`update movements set micro_dollars = micro_dollars + 1, at = at + ${hourMs} where id = ${`pod:${gone}:hold`}`,
    'a running pod without a metering job': () => sql`delete from compute_jobs where kind = 'meter'`,
  } satisfies Record<string, (pods: { gone: string; live: string }) => ReturnType<typeof sql>>;

  it.each(Object.entries(changes))('finds %s', async (_, change) => {
    const { world, gone, live } = await history();
    const books = new Books(world.store, { intervalRows: 20, intervalsPerAudit: 1 });
    expect([await books.audit(), await books.audit()]).toEqual([[], []]);
    await change({ gone, live }).execute(world.store.db);
    const faults = await findFaults(world.store);
    expect(faults).not.toEqual([]);
    expect(await looksUntilFound(books, { looksMax: 20 })).toBeDefined();
    expect([await books.audit(), await books.audit()]).toEqual([faults, faults]);
    // Immediately if the journal is short or was never audited.
    expect(await new Books(world.store).audit()).toEqual(faults);
  });

  it('sums at most the given number of past intervals per audit, and eventually all of them', async () => {
    const { world, gone } = await history();
    const found = new Set<number | undefined>();
    for (const reason of ['hold', 'first-hour']) {
      const row = sql`where id = ${`pod:${gone}:${reason}`}`;
      const books = new Books(world.store, { intervalRows: 20, intervalsPerAudit: 1 });
      await books.audit();
      await sql`update movements set micro_dollars = micro_dollars + 1 ${row}`.execute(world.store.db);
      found.add(await looksUntilFound(books, { looksMax: 20 }));
      await sql`update movements set micro_dollars = micro_dollars - 1 ${row}`.execute(world.store.db);
      expect(await books.audit()).toEqual([]);
    }
    expect(found).not.toContain(undefined);
    expect(Math.max(...(found as Set<number>))).toBeGreaterThan(1);
  });

  it('includes entries booked in the meantime, and audits everything only if that finds a fault', async () => {
    const { world, gone } = await history();
    const accountId = await world.account('other', 50_000_000);
    let wholeLooks = 0;
    const findAll: typeof findFaults = (of) => {
      wholeLooks += 1;
      return findFaults(of);
    };
    const books = new Books(world.store, { intervalRows: 7, intervalsPerAudit: 2, findAll });
    for (let round = 0; round < 5; round++) {
      const { id } = await world.deploy(accountId, { machineIds: ['m-9'] });
      expect(await books.audit()).toEqual([]);
      await world.pass(hourMs + 20 * minuteMs);
      expect(await books.audit()).toEqual([]);
      await releasePod(world.control, { id, accountId });
      expect(await books.audit()).toEqual([]);
    }
    expect(wholeLooks).toBe(0);
    expect(await world.wrongs()).toEqual([]);
    await sql`update compute_pods set billed = billed + 1 where id = ${gone}`.execute(world.store.db);
    expect(await looksUntilFound(books, { looksMax: 100 })).toBeDefined();
    expect(wholeLooks).toBe(1);
  });

  it('does not report a late row of a clock that was set back as a fault', async () => {
    const { world, gone, live } = await history();
    const books = new Books(world.store, { intervalRows: 20, intervalsPerAudit: 1 });
    expect(await books.audit()).toEqual([]);
    const { account_id: accountId } = await world.pod(live);
    const late = { accountId, podId: live, reason: 'late', kind: 'rent', at: noon } as const;
    await inTransaction(world.store, async (tx) => {
      await move(tx, [{ ...late, from: 'available', to: 'spent', amount: 5 }]);
      await sql`update compute_pods set billed = billed + 5 where id = ${live}`.execute(tx);
    });
    expect([await books.audit(), await books.audit()]).toEqual([[], []]);
    await sql`update compute_pods set billed = billed + 1 where id = ${gone}`.execute(world.store.db);
    expect(await looksUntilFound(books, { looksMax: 20 })).toBeDefined();
  });
});
