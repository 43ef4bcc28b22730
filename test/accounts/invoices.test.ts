import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { type Database, openDatabase } from '../../accounts/database/database.ts';
import { checkInvoices, issueInvoice, listInvoices } from '../../accounts/ledger/invoices.ts';
import { openAccountsOn } from '../../accounts/store.ts';
import {
  describeStores,
  halfUsed,
  makeAccount,
  noon,
  type StoreUnderTest,
} from '../support/accounts/account-stores.ts';

const july = Date.UTC(2030, 6, 2);
const request = { month: '2030-06', issuer: 'Us\n1 Street', customer: 'Them', now: july };

/** Two accounts with charges in June: `acme` three, one of which is refunded, and `zoo` one. */
async function charged(store: StoreUnderTest): Promise<Database & AsyncDisposable> {
  const address = await store.address();
  const database = await openDatabase(address);
  const accounts = await openAccountsOn(database, address, { clock: () => noon });
  const [acme, zoo] = [await makeAccount(accounts), await makeAccount(accounts, { name: 'zoo' })];
  for (const requestId of ['a', 'b', 'c']) await (await acme.admit({ requestId })).settle(halfUsed);
  await accounts.refund({ requestId: 'b', now: noon });
  await (await zoo.admit()).settle(halfUsed);
  return { ...database, [Symbol.asyncDispose]: async () => void (await accounts.close()) };
}

describeStores('an invoice', (store) => {
  it('has the charges less the refunds of a month, the next number, and is issued once', async () => {
    await using database = await charged(store);
    const first = await issueInvoice(database, { ...request, account: 'acme' });
    expect(first).toMatchObject({ number: 1, refunded: 50, total: 100, isRepeat: false, previous: '0'.repeat(64) });
    expect(first.lines).toEqual([
      { item: 'fake-TEE', requests: 3, promptTokens: 90, completionTokens: 60, images: 0, price: 150 },
    ]);
    const second = await issueInvoice(database, { ...request, account: 'zoo' });
    expect(second).toMatchObject({ number: 2, total: 50, previous: first.digest });
    const again = await issueInvoice(database, { ...request, account: 'acme', customer: 'Others' });
    expect(again).toEqual({ ...first, isRepeat: true });
    expect((await listInvoices(database.db)).map(({ number }) => number)).toEqual([1, 2]);
    expect(await checkInvoices(database.db)).toEqual([]);
  });

  it('is refused for a month that is not over, and for texts with control characters', async () => {
    await using database = await charged(store);
    const of = { ...request, account: 'acme' };
    await expect(issueInvoice(database, { ...of, now: noon })).rejects.toMatchObject({ code: 'ERR_RANGE_INVALID' });
    await expect(issueInvoice(database, { ...of, month: '2030-6' })).rejects.toMatchObject({
      code: 'ERR_RANGE_INVALID',
    });
    await expect(issueInvoice(database, { ...of, issuer: 'a\u0000b' })).rejects.toMatchObject({
      code: 'ERR_NAME_INVALID',
    });
    expect(await listInvoices(database.db)).toEqual([]);
  });

  it.each([
    ["update invoices set document = replace(document, 'Them', 'Thee') where number = 1", 'invoice 1 was changed'],
    ['delete from invoices where number = 1', 'invoice 1 is missing'],
    [`update invoices set document = '{"number":1}', digest = '6d8ce4'  where number = 1`, 'invoice 1 was changed'],
  ])('is found missing or changed: %s', async (change, fault) => {
    await using database = await charged(store);
    for (const account of ['acme', 'zoo']) await issueInvoice(database, { ...request, account });
    await sql.raw(change).execute(database.db);
    expect((await checkInvoices(database.db))[0]).toBe(fault);
  });

  it.runIf(store.kind === 'postgres')('gets a number of its own when several are issued at once', async () => {
    await using database = await charged(store);
    const months = ['2030-01', '2030-02', '2030-03', '2030-04', '2030-05', '2030-06'];
    const issued = await Promise.all(
      months.map((month) => issueInvoice(database, { ...request, month, account: 'zoo' })),
    );
    expect(issued.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await checkInvoices(database.db)).toEqual([]);
  });
});
