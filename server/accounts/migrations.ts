/** The database's shape, step by step. A step that was released is never edited: add another. */
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { AccountError } from './errors.ts';

export interface Tables {
  accounts: { id: string; name: string; created_at: number };
  keys: {
    id: string;
    account_id: string;
    name: string;
    /** SHA-256, 32 bytes. */
    digest: Uint8Array;
    preview: string;
    created_at: number;
    revoked_at: number | null;
  };
}

const migrations: Record<string, Migration> = {
  '001-accounts-and-keys': {
    async up(db) {
      await db.schema
        .createTable('accounts')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull().unique())
        .addColumn('created_at', 'integer', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('keys')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('digest', 'blob', (column) => column.notNull().unique().check(sql`length(digest) = 32`))
        .addColumn('preview', 'text', (column) => column.notNull())
        .addColumn('created_at', 'integer', (column) => column.notNull())
        .addColumn('revoked_at', 'integer')
        .execute();
      await db.schema.createIndex('keys_by_account').on('keys').columns(['account_id', 'created_at']).execute();
    },
  },
};

/** Brings the database to the newest shape. @throws {AccountError} ERR_STORE */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw new AccountError('ERR_STORE', `the key database cannot be brought up to date: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
