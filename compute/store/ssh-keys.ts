/** SSH public keys of the accounts. */
import { ComputeError, notFound } from '../base/errors.ts';
import type { SshPublicKey } from '../base/ssh-key.ts';
import { type ComputeStore, inTransaction, newId, type Queries } from './store.ts';
import type { ComputeTables } from './tables.ts';

export type SshKeyRow = ComputeTables['compute_ssh_keys'];

/** Keys per account. */
const keysMax = 100;

/** Newest first (C-074). */
export async function listSshKeys(queries: Queries, accountId: string): Promise<SshKeyRow[]> {
  return await queries
    .selectFrom('compute_ssh_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** @throws {ComputeError} KEY_EXISTS, LIMIT_REACHED */
export async function addSshKey(
  store: ComputeStore,
  { accountId, name, key }: { accountId: string; name: string; key: SshPublicKey },
): Promise<SshKeyRow> {
  return await inTransaction(store, async (tx) => {
    const row: SshKeyRow = {
      id: newId('key'),
      account_id: accountId,
      name,
      public_key: key.line,
      fingerprint: key.fingerprint,
      created_at: await store.now(tx),
    };
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('compute_ssh_keys')
      .values(row)
      .onConflict((conflict) => conflict.columns(['account_id', 'fingerprint']).doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) {
      throw new ComputeError('KEY_EXISTS', 'the account already has this SSH key: list the SSH keys');
    }
    const { count } = await tx
      .selectFrom('compute_ssh_keys')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (count > keysMax)
      throw new ComputeError('LIMIT_REACHED', `an account can have at most ${keysMax} SSH keys: delete one first`);
    return row;
  });
}

/** Running pods keep the key (C-077). @throws {ComputeError} NOT_FOUND */
export async function removeSshKey(
  { db }: ComputeStore,
  { id, accountId }: { id: string; accountId: string },
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('compute_ssh_keys')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw notFound('SSH key', 'list the SSH keys');
}
