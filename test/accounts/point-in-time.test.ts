/** The recovery of docs/how-to/manage-accounts.md, on a real PostgreSQL. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { openAccounts } from '../../accounts/store.ts';
import { halfUsed, makeAccount } from '../support/accounts/account-stores.ts';
import { startPostgres } from '../support/accounts/postgres.ts';

const server = startPostgres({ archives: true });
if ('missing' in server) console.log(`recovery to a moment: skipped: ${server.missing}`);

describe.skipIf('missing' in server)('accounts in PostgreSQL', () => {
  if ('missing' in server) return;
  afterAll(() => server.remove());

  it('can be recovered to a moment between two payments, with consistent books', async () => {
    const url = await server.emptyDatabase();
    const books = await openAccounts({ kind: 'postgres', url });
    const account = await makeAccount(books, { microDollars: 1_000 });
    server.backUp();
    await (await account.admit()).settle(halfUsed);
    await setTimeout(50);
    const moment = new Date();
    await setTimeout(50);
    await (await account.admit()).settle(halfUsed);
    expect((await books.findAccount('acme')).balance).toMatchObject({ available: 900, spent: 100 });
    await books.close();
    server.recoverTo(moment);
    const recovered = await openAccounts({ kind: 'postgres', url });
    expect((await recovered.findAccount('acme')).balance).toEqual({
      paidIn: 1_000,
      available: 950,
      held: 0,
      spent: 50,
    });
    expect(await recovered.audit()).toMatchObject({ spent: 50, sum: 0, faults: [] });
    await recovered.close();
  });
});
