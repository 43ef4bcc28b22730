/** Notifies the processes on one PostgreSQL of revoked keys. On SQLite each look-up reads the file, so none is needed. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind, Tables } from '../base/tables.ts';

/** Channel of the notifications, whose payload is a key's id. */
export const revokedKeysChannel = 'cloister_revoked_keys';

/** Runs inside a transaction; PostgreSQL sends the notifications when it commits. */
export async function notifyRevoked(db: Kysely<Tables>, kind: DatabaseKind, ids: readonly string[]): Promise<void> {
  if (kind !== 'postgres') return;
  for (const id of ids) await sql`select pg_notify(${revokedKeysChannel}, ${id})`.execute(db);
}
