/** Schema migrations. Never edit a released migration: add another. */
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { AccountError } from '../base/errors.ts';
import { formatScopes, scopes } from '../base/scopes.ts';
import type { DatabaseKind, Tables } from '../base/tables.ts';
import { insertShippedPlans } from '../plans/plans.ts';

/** A set of tables with migrations of its own: those of the accounts, or of the compute service. */
export interface SchemaFamily {
  /** The table that lists its executed migrations. */
  readonly table: 'kysely_migration' | 'compute_migration';
  /** @param to the last migration that is in force afterwards, later or earlier than now; the newest by default */
  migrate(db: Kysely<Tables>, kind: DatabaseKind, to?: string): Promise<void>;
}

/** The tables of the accounts. */
export const accountsFamily: SchemaFamily = { table: 'kysely_migration', migrate };

/** Rows in the list of migrations that keep every program from serving a database. */
export const holdMarks = {
  /** A transfer into the database has not ended. */
  filling: '999-filling',
  /** The accounts are now in another database. */
  moved: '999-moved',
} as const;

/**
 * Migrates the database to the newest schema, or forward or back to the migration `to`.
 * @throws {AccountError} ERR_STORE, also if the schema is from a newer version, or a transfer holds the database
 */
export async function migrate(db: Kysely<Tables>, kind: DatabaseKind, to?: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations(kind) } });
  const { error } = await (to === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to));
  if (error === undefined) return;
  const reason = (error as Error).message;
  if (reason.includes(holdMarks.filling)) {
    throw new AccountError(
      'ERR_STORE',
      'a transfer into this database has not ended: repeat the `cloister accounts move` or `restore` that began it',
    );
  }
  if (reason.includes(holdMarks.moved)) {
    throw new AccountError(
      'ERR_STORE',
      'the accounts of this database were moved to another by `cloister accounts move`: use that one (--database-url)',
    );
  }
  throw new AccountError('ERR_STORE', `the accounts database cannot be migrated: ${reason}`, { cause: error });
}

/** The schemas of SQLite and PostgreSQL differ only in the names of two types. */
function migrations(kind: DatabaseKind): Record<string, Migration> {
  const integer = kind === 'sqlite' ? 'integer' : 'bigint';
  const bytes = kind === 'sqlite' ? 'blob' : 'bytea';
  return {
    '001-accounts-and-keys': { up: (db) => accountsAndKeys(db, { integer, bytes }) },
    '002-plans-and-money': { up: (db) => plansAndMoney(db, { integer }) },
    '003-rows-by-their-ids': { up: (db) => rowsByTheirIds(db, kind) },
    '004-windows-and-nodes': { up: windowsAndNodes, down: (db) => bucketsWithoutNodes(db, integer) },
    '005-sessions': {
      up: (db) => createSessions(db, integer),
      down: (db) => db.schema.dropTable('sessions').execute(),
    },
    '006-fleet-nodes': {
      up: (db) => createFleetNodes(db, integer),
      down: (db) => db.schema.dropTable('fleet_nodes').execute(),
    },
    // An earlier release leaves the invoices alone, and keeps them.
    '007-invoices': { up: (db) => createInvoices(db, integer), down: async () => undefined },
    '008-movements-by-account': {
      up: indexMovements,
      down: (db) => db.schema.dropIndex('movements_of_accounts').ifExists().execute(),
    },
    // Without NOT NULL: nodes of the earlier release insert usage rows until they are replaced.
    '009-agents-of-usage': {
      up: (db) => db.schema.alterTable('usage').addColumn('agent', 'text').execute(),
      down: (db) => db.schema.alterTable('usage').dropColumn('agent').execute(),
    },
  };
}

type Integer = 'integer' | 'bigint';

async function accountsAndKeys(db: Kysely<unknown>, { integer, bytes }: { integer: Integer; bytes: 'blob' | 'bytea' }) {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('digest', sql.raw(bytes), (column) => column.notNull().unique().check(sql`length(digest) = 32`))
    .addColumn('preview', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('revoked_at', integer)
    .execute();
  await db.schema.createIndex('keys_by_account').on('keys').columns(['account_id', 'created_at']).execute();
}

async function plansAndMoney(db: Kysely<unknown>, { integer }: { integer: Integer }) {
  await extendAccountsAndKeys(db, integer);
  await createPlans(db, integer);
  await createMeters(db, integer);
  await createRequests(db, integer);
  const known = db as unknown as Kysely<Tables>;
  await insertShippedPlans(known, { now: 0 });
  await sql`
    insert into meters (account_id, funding, available, held, spent, running, tokens_held, bucket_full_at, day,
      day_requests, month, month_tokens)
    select id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 from accounts`.execute(known);
}

async function extendAccountsAndKeys(db: Kysely<unknown>, integer: Integer) {
  // SQLite adds only one column per statement.
  const everyScope = formatScopes(scopes);
  await db.schema
    .alterTable('accounts')
    .addColumn('plan_id', 'text', (column) => column.notNull().defaultTo('free'))
    .execute();
  await db.schema.alterTable('accounts').addColumn('closed_at', integer).execute();
  await db.schema
    .alterTable('keys')
    .addColumn('scopes', 'text', (column) => column.notNull().defaultTo(everyScope))
    .execute();
  await db.schema.alterTable('keys').addColumn('expires_at', integer).execute();
  await db.schema.alterTable('keys').addColumn('last_used_day', integer).execute();
}

async function createPlans(db: Kysely<unknown>, integer: Integer) {
  await db.schema
    .createTable('plans')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('models', 'text', (column) => column.notNull())
    .addColumn('context_tokens_max', integer)
    .addColumn('requests_per_minute', integer)
    .addColumn('requests_per_day', integer)
    .addColumn('tokens_per_month', integer)
    .addColumn('concurrent_requests_max', integer)
    .addColumn('price_percent', integer, (column) => column.notNull())
    .addColumn('monthly_price', integer)
    .addColumn('priority', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .execute();
}

async function createMeters(db: Kysely<unknown>, integer: Integer) {
  await db.schema
    .createTable('meters')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id'))
    .addColumn('funding', integer, (column) => column.notNull().check(sql`funding <= 0`))
    .addColumn('available', integer, (column) => column.notNull().check(sql`available >= 0`))
    .addColumn('held', integer, (column) => column.notNull().check(sql`held >= 0`))
    .addColumn('spent', integer, (column) => column.notNull().check(sql`spent >= 0`))
    .addColumn('running', integer, (column) => column.notNull().check(sql`running >= 0`))
    .addColumn('tokens_held', integer, (column) => column.notNull().check(sql`tokens_held >= 0`))
    .addColumn('bucket_full_at', integer, (column) => column.notNull())
    .addColumn('day', integer, (column) => column.notNull())
    .addColumn('day_requests', integer, (column) => column.notNull())
    .addColumn('month', integer, (column) => column.notNull())
    .addColumn('month_tokens', integer, (column) => column.notNull())
    .addCheckConstraint('meters_balance', sql`funding + available + held + spent = 0`)
    .execute();
}

async function createRequests(db: Kysely<unknown>, integer: Integer) {
  await db.schema
    .createTable('reservations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('instance_id', 'text', (column) => column.notNull())
    .addColumn('price', integer, (column) => column.notNull().check(sql`price >= 0`))
    .addColumn('tokens', integer, (column) => column.notNull().check(sql`tokens >= 0`))
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('deadline', integer, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('instances')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('lease_until', integer, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('usage')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('prompt_tokens', integer, (column) => column.notNull())
    .addColumn('completion_tokens', integer, (column) => column.notNull())
    .addColumn('images', integer, (column) => column.notNull())
    .addColumn('steps', integer, (column) => column.notNull())
    .addColumn('price', integer, (column) => column.notNull().check(sql`price >= 0`))
    .addColumn('finish_reason', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('usage_by_account').on('usage').columns(['account_id', 'at']).execute();
  await db.schema.createIndex('usage_by_request').on('usage').column('request_id').execute();
  await db.schema
    .createTable('movements')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('from_side', 'text', (column) => column.notNull())
    .addColumn('to_side', 'text', (column) => column.notNull())
    .addColumn('micro_dollars', integer, (column) => column.notNull().check(sql`micro_dollars > 0`))
    .addColumn('at', integer, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('movements_by_account').on('movements').columns(['account_id', 'at']).execute();
}

/**
 * Reduces the pages that each request writes. On SQLite, WITHOUT ROWID stores the rows in the primary key's index instead
 * of a separate table. No query reads an account's movements by time, so that index is dropped.
 */
async function rowsByTheirIds(db: Kysely<unknown>, kind: DatabaseKind) {
  await db.schema.dropIndex('movements_by_account').execute();
  if (kind !== 'sqlite') return;
  for (const table of ['reservations', 'usage', 'movements']) {
    const { rows } = await sql<{ type: string; sql: string }>`
      select type, sql from sqlite_schema where tbl_name = ${table} and sql is not null`.execute(db);
    const textsOf = (type: string) => rows.filter((row) => row.type === type).map((row) => row.sql);
    const old = `${table}_by_rowid`;
    await db.schema.alterTable(table).renameTo(old).execute();
    for (const text of textsOf('table')) await sql.raw(`${text} without rowid`).execute(db);
    await sql`insert into ${sql.table(table)} select * from ${sql.table(old)} order by id`.execute(db);
    await db.schema.dropTable(old).execute();
    for (const text of textsOf('index')) await sql.raw(text).execute(db);
  }
}

/** Replaces the token bucket, which admitted up to twice the limit in a minute, by a window; adds each process's node. */
async function windowsAndNodes(db: Kysely<unknown>) {
  await db.schema
    .alterTable('meters')
    .addColumn('recent_requests', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema.alterTable('meters').dropColumn('bucket_full_at').execute();
  await db.schema
    .alterTable('instances')
    .addColumn('node_id', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
}

/** Reverts `windowsAndNodes`; every bucket is full. */
async function bucketsWithoutNodes(db: Kysely<unknown>, integer: Integer) {
  await db.schema
    .alterTable('meters')
    .addColumn('bucket_full_at', integer, (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('meters').dropColumn('recent_requests').execute();
  await db.schema.alterTable('instances').dropColumn('node_id').execute();
}

async function createSessions(db: Kysely<unknown>, integer: Integer) {
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('digest', 'text', (column) => column.notNull().unique())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('key_id', 'text')
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('seen_at', integer, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sessions_by_account').on('sessions').columns(['account_id', 'created_at']).execute();
}

async function createFleetNodes(db: Kysely<unknown>, integer: Integer) {
  await db.schema
    .createTable('fleet_nodes')
    .addColumn('node', 'text', (column) => column.primaryKey())
    .addColumn('entry', 'text', (column) => column.notNull())
    .addColumn('simulation_root', 'text')
    .addColumn('expires_at', integer, (column) => column.notNull())
    .execute();
}

/** Charges of requests are most rows, and listed by `usage`: without them, the index costs requests nothing. */
async function indexMovements(db: Kysely<unknown>) {
  await sql`create index if not exists movements_of_accounts on movements (account_id, at) where kind <> 'charge'`.execute(
    db,
  );
}

async function createInvoices(db: Kysely<unknown>, integer: Integer) {
  await db.schema
    .createTable('invoices')
    .ifNotExists()
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('number', integer, (column) => column.notNull().unique())
    .addColumn('document', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .execute();
}
