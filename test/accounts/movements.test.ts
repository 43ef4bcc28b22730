/** The journal of an account, as operators see it. */
import { expect, it } from 'vitest';
import { openAccounts } from '../../accounts/store.ts';
import { describeStores, halfUsed, makeAccount, noon } from '../support/accounts/account-stores.ts';

describeStores('the movements of an account', (store) => {
  it('are its payments and refunds, the newest first, without the charges of requests and those of others', async () => {
    const accounts = await openAccounts(await store.address(), { clock: () => noon });
    try {
      const acme = await makeAccount(accounts);
      await makeAccount(accounts, { name: 'zoo' });
      await (await acme.admit({ requestId: 'a' })).settle(halfUsed);
      await accounts.refund({ requestId: 'a', now: noon + 1_000 });
      const { id: accountId, name } = (await accounts.listAccounts()).find((one) => one.name !== 'zoo')!;
      await accounts.credit({ account: name, microDollars: 7, now: noon + 2_000 });
      const [last, refund, ...earlier] = await accounts.listMovements({ accountId });
      expect(last).toMatchObject({
        kind: 'credit',
        from: 'funding',
        to: 'available',
        microDollars: 7,
        at: noon + 2_000,
      });
      expect(refund).toMatchObject({ kind: 'refund', at: noon + 1_000 });
      expect(earlier.map(({ kind }) => kind)).toEqual(['credit']);
      expect(await accounts.listMovements({ accountId, before: noon + 2_000 })).toEqual([refund, ...earlier]);
      expect(await accounts.listMovements({ accountId, before: 0 })).toEqual([]);
    } finally {
      await accounts.close();
    }
  });
});
