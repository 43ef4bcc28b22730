/** Takes a database back to the schema of an earlier release, so that its programs can use it again. */
import { AccountError } from '../base/errors.ts';
import { type Database, type DatabaseAddress, openDatabase } from '../database/database.ts';
import type { SchemaFamily } from '../database/migrations.ts';
import { type Audit, audit } from '../ledger/audit.ts';
import { requireNoServer } from './copy.ts';
import { lastMigrations } from './snapshot.ts';

/** The last migrations of the releases to which a database can go back. */
export const releaseSchemas: Readonly<Record<string, Readonly<Record<SchemaFamily['table'], string>>>> = {
  '0.1.0': { kysely_migration: '003-rows-by-their-ids', compute_migration: '004-books-by-time' },
};

/**
 * Reverts the migrations after a release. Money, keys, plans and usage stay; sessions end and the last minute's requests are
 * forgotten. No server may use the database. @throws {AccountError} ERR_STORE
 */
export async function downgradeAccounts(
  address: DatabaseAddress,
  { release, families }: { release: string; families: readonly SchemaFamily[] },
): Promise<Audit> {
  const schema = Object.hasOwn(releaseSchemas, release) ? releaseSchemas[release] : undefined;
  if (schema === undefined) {
    throw new AccountError('ERR_STORE', `a database can go back to ${Object.keys(releaseSchemas).join(', ')} only`);
  }
  const database: Database = await openDatabase(address);
  try {
    await requireNoServer(database);
    const present = await lastMigrations(database.db);
    for (const { table, migrate } of families) {
      if (present[table] !== undefined) await migrate(database.db, database.kind, schema[table]);
    }
    return await audit(database);
  } finally {
    await database.db.destroy();
  }
}
