/** The rows of a fleet's nodes in the accounts' database, and the notifications of readers. */
import { expect, it, vi } from 'vitest';
import type { Accounts, FleetRow } from '../../accounts/store.ts';
import { describePostgres, describeStores } from '../support/accounts/account-stores.ts';

const row = (node: string, changes: Partial<FleetRow> = {}): FleetRow => ({
  node: node.repeat(16),
  entry: `{"node":"${node}"}`,
  simulationRoot: undefined,
  ...changes,
});

async function follow({ fleet }: Accounts) {
  const rows: FleetRow[] = [];
  const withdrawn: string[] = [];
  const follower = await fleet.follow({ onRow: (one) => rows.push(one), onWithdrawn: (node) => withdrawn.push(node) });
  return { rows, withdrawn, close: () => follower.close() };
}

/** A row that is written while a reader begins to follow may be reported twice. */
function withoutRepeats(rows: readonly FleetRow[]): FleetRow[] {
  return [...new Map(rows.map((one) => [one.node, one])).values()];
}

describeStores('the directory of a fleet', (store) => {
  it('lists what nodes announced, and one row per node', async () => {
    const { fleet } = await store.open();
    await fleet.announce(row('a'), { validMs: 20_000 });
    await fleet.announce(row('b', { simulationRoot: 'PEM' }), { validMs: 30_000 });
    await fleet.announce(row('a', { entry: '{"load":2}' }), { validMs: 20_000 });
    expect(await fleet.list()).toEqual([row('b', { simulationRoot: 'PEM' }), row('a', { entry: '{"load":2}' })]);
  });

  it('leaves out expired rows, which the next announcement deletes', async () => {
    const { fleet } = await store.open();
    await fleet.announce(row('a'), { validMs: 0 });
    expect(await fleet.list()).toEqual([]);
    await fleet.announce(row('b'), { validMs: 20_000 });
    await fleet.announce(row('a'), { validMs: 20_000 });
    expect((await fleet.list()).map(({ node }) => node[0]).sort()).toEqual(['a', 'b']);
  });

  it('tells followers what is there, what is announced and what is withdrawn', async () => {
    const accounts = await store.open();
    await accounts.fleet.announce(row('a'), { validMs: 20_000 });
    const seen = await follow(accounts);
    await vi.waitFor(() => expect(seen.rows).toContainEqual(row('a')));
    await accounts.fleet.announce(row('b', { simulationRoot: 'PEM' }), { validMs: 20_000 });
    await accounts.fleet.withdraw(row('a').node);
    await vi.waitFor(() => expect(seen.withdrawn).toEqual([row('a').node]));
    expect(seen.rows.at(-1)).toEqual(row('b', { simulationRoot: 'PEM' }));
    expect(await accounts.fleet.list()).toEqual([row('b', { simulationRoot: 'PEM' })]);
    await seen.close();
  });
});

describePostgres('the directory of a fleet of several servers', (store) => {
  it('notifies every server, also of a row that is longer than a notification', async () => {
    const address = await store.address();
    const [writer, reader] = [await store.open(address), await store.open(address)];
    const seen = await follow(reader);
    const long = row('c', { entry: JSON.stringify('x'.repeat(9_000)) });
    await writer.fleet.announce(row('a'), { validMs: 20_000 });
    await writer.fleet.announce(long, { validMs: 20_000 });
    await vi.waitFor(() => expect(withoutRepeats(seen.rows)).toEqual([row('a'), long]));
    await seen.close();
  });

  it('ignores notifications that are no rows', async () => {
    const address = await store.address();
    const accounts = await store.open(address);
    const seen = await follow(accounts);
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: (address as { url: string }).url });
    await client.connect();
    for (const payload of ['', '{', 'null', '{"kind":"row","row":{"node":1}}', '{"kind":"x"}']) {
      await client.query('select pg_notify($1, $2)', ['cloister_fleet', payload]);
    }
    await client.end();
    await accounts.fleet.announce(row('a'), { validMs: 20_000 });
    await vi.waitFor(() => expect(withoutRepeats(seen.rows)).toEqual([row('a')]));
    await seen.close();
  });
});
