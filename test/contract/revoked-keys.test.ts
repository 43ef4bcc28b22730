/** A revoked key on a PostgreSQL that several processes share. */
import { expect, it } from 'vitest';
import { openDatabase } from '../../accounts/database/database.ts';
import { describePostgres, noon } from '../support/accounts/account-stores.ts';

describePostgres('C-012: a revoked key', (store) => {
  it('opens no compute service from the next request on, even if the notification of its revocation is lost', async () => {
    const address = await store.address();
    const service = await store.open(address, { role: 'service' });
    await service.createAccount({ name: 'acme', plan: 'operator', now: noon });
    const { key, secret } = await service.createKey({ account: 'acme', name: 'first', now: noon });
    expect(await service.findCaller(secret)).toMatchObject({ keyId: key.id });
    // Another process revokes it, and the notification never comes.
    const { db } = await openDatabase(address);
    await db.updateTable('keys').set({ revoked_at: noon }).where('id', '=', key.id).execute();
    await db.destroy();
    expect(await service.findCaller(secret)).toBeUndefined();
  });
});
