import { expect, it } from 'vitest';
import { CompiledQueries } from '../../accounts/database/compiled-queries.ts';
import { type Database, openDatabase } from '../../accounts/database/database.ts';
import { emptyMeter } from '../../accounts/ledger/meters.ts';

async function openMemory(): Promise<Database & AsyncDisposable> {
  const database = await openDatabase({ kind: 'sqlite', path: ':memory:' });
  return { ...database, [Symbol.asyncDispose]: () => database.db.destroy() };
}

function movement(id: string) {
  return {
    id,
    account_id: 'acme',
    kind: 'credit' as const,
    from_side: 'funding' as const,
    to_side: 'available' as const,
    micro_dollars: 1,
    at: 0,
  };
}

it('compiles a query once for each power of two of rows and ids', async () => {
  await using database = await openMemory();
  const { db } = database;
  const queries = new CompiledQueries();
  const compiled: number[] = [];
  const write = (ids: readonly string[]) =>
    queries.byRows(db, {
      name: 'write',
      rows: ids.map(movement),
      build: (rows) => {
        compiled.push(rows.length);
        return db.insertInto('movements').values(rows);
      },
    });
  await write(['a', 'b', 'c']);
  await write(['d', 'e', 'f', 'g', 'h', 'i', 'j']);
  await write([]);
  expect(compiled).toEqual([2, 1, 4]);

  const read: number[] = [];
  const find = async (ids: readonly string[]) => {
    const rows = await queries.byIds(db, {
      name: 'find',
      ids,
      build: (some) => {
        read.push(some.length);
        return db.selectFrom('movements').select('id').where('id', 'in', some);
      },
    });
    return rows.map(({ id }) => id).sort();
  };
  expect(await find(['a', 'b', 'z'])).toEqual(['a', 'b']);
  expect(await find(['c', 'd', 'e', 'j'])).toEqual(['c', 'd', 'e', 'j']);
  expect(await find(['g'])).toEqual(['g']);
  expect(await find([])).toEqual([]);
  expect(read).toEqual([4, 1]);
});

it('assigns each value to its column, whatever the order of keys in a row', async () => {
  await using database = await openMemory();
  const { db } = database;
  const queries = new CompiledQueries();
  const write = (row: ReturnType<typeof movement>) =>
    queries.byRows(db, { name: 'write', rows: [row], build: (rows) => db.insertInto('movements').values(rows) });
  await write(movement('a'));
  const turned = Object.fromEntries(Object.entries(movement('b')).reverse()) as ReturnType<typeof movement>;
  await write(turned);
  const rows = await db.selectFrom('movements').selectAll().orderBy('id').execute();
  expect(rows).toEqual([movement('a'), movement('b')]);
});

it("reads its own transaction's writes, and no uncommitted writes of another", async () => {
  await using database = await openMemory();
  const { db, sqlite } = database;
  const queries = new CompiledQueries(sqlite);
  const find = async (from: typeof db) => {
    const build = (ids: readonly string[]) => from.selectFrom('movements').select('id').where('id', 'in', ids);
    return await queries.byIds(from, { name: 'find', ids: ['a'], build });
  };
  expect(await find(db)).toEqual([]);
  const order: string[] = [];
  let beside: Promise<unknown> | undefined;
  await db.transaction().execute(async (transaction) => {
    const build = (rows: readonly ReturnType<typeof movement>[]) => transaction.insertInto('movements').values(rows);
    await queries.byRows(transaction, { name: 'write', rows: [movement('a')], build });
    beside = find(db).then((rows) => order.push(`beside ${rows.length}`));
    expect(await find(transaction)).toEqual([{ id: 'a' }]);
    await transaction.deleteFrom('movements').execute();
    order.push('deleted');
  });
  await beside;
  expect(order).toEqual(['deleted', 'beside 0']);
});

it('rejects a query whose parameters are in another order than the values', async () => {
  await using database = await openMemory();
  const { db } = database;
  const meter = { ...emptyMeter('acme'), day: 7 };
  const wrong = new CompiledQueries().byRows(db, {
    name: 'wrong',
    rows: [meter],
    build: ([row]) => db.updateTable('meters').set({ day: row!.day }).where('account_id', '=', row!.account_id),
  });
  await expect(wrong).rejects.toThrow(TypeError);
});
