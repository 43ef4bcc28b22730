/** How the processes on one PostgreSQL hear of revoked keys. On SQLite each look-up reads the file, so there is nothing to tell. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind, Tables } from '../base/tables.ts';

/** The payload is a key's id. */
export const revokedKeysChannel = 'cloister_revoked_keys';

/** Within a transaction; sent when it commits. */
export async function tellRevoked(db: Kysely<Tables>, kind: DatabaseKind, ids: readonly string[]): Promise<void> {
  if (kind !== 'postgres') return;
  for (const id of ids) await sql`select pg_notify(${revokedKeysChannel}, ${id})`.execute(db);
}
