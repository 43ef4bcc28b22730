/** Credentials of image registries. Passwords are stored encrypted and are sent only to engines (C-084). */
import { ComputeError, notFound } from '../base/errors.ts';
import { type ComputeStore, inTransaction, newId, type Queries } from './store.ts';
import type { ComputeTables } from './tables.ts';

export type RegistryRow = ComputeTables['compute_registries'];

const registriesMax = 50;

/** Newest first. */
export async function listRegistries(queries: Queries, accountId: string): Promise<RegistryRow[]> {
  return await queries
    .selectFrom('compute_registries')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** @throws {ComputeError} NOT_FOUND */
export async function findRegistry(
  queries: Queries,
  { id, accountId }: { id: string; accountId: string },
): Promise<RegistryRow> {
  const row = await queries
    .selectFrom('compute_registries')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (row === undefined) throw notFound('docker credential', 'list the docker credentials');
  return row;
}

/** @param seal encrypts the password for the row with this id · @throws {ComputeError} LIMIT_REACHED */
export async function addRegistry(
  store: ComputeStore,
  {
    seal,
    ...entry
  }: { accountId: string; name: string; registry: string; username: string; seal: (id: string) => string },
): Promise<RegistryRow> {
  return await inTransaction(store, async (tx) => {
    const id = newId('registry');
    const row: RegistryRow = {
      id,
      account_id: entry.accountId,
      name: entry.name,
      registry: entry.registry,
      username: entry.username,
      sealed_password: seal(id),
      created_at: await store.now(tx),
    };
    await tx.insertInto('compute_registries').values(row).execute();
    const { count } = await tx
      .selectFrom('compute_registries')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', entry.accountId)
      .executeTakeFirstOrThrow();
    if (count > registriesMax) {
      throw new ComputeError(
        'LIMIT_REACHED',
        `an account can have at most ${registriesMax} docker credentials: delete one first`,
      );
    }
    return row;
  });
}

/** @throws {ComputeError} NOT_FOUND */
export async function removeRegistry(
  { db }: ComputeStore,
  { id, accountId }: { id: string; accountId: string },
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('compute_registries')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw notFound('docker credential', 'list the docker credentials');
}
