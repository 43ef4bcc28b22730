/** Migrations of the compute service's tables, which are in the same database as the accounts. A released step is never edited. */
import { AccountError } from '@cloister/accounts/base/errors';
import type { DatabaseKind } from '@cloister/accounts/base/tables';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { type ComputeTables, liveStates } from './tables.ts';

/** @param to the last migration that is in force afterwards; the newest by default · @throws {AccountError} ERR_STORE */
export async function migrateCompute(db: Kysely<ComputeTables>, kind: DatabaseKind, to?: string): Promise<void> {
  const integer = kind === 'sqlite' ? 'integer' : 'bigint';
  const migrations: Record<string, Migration> = {
    '001-pods-jobs-events': { up: (database) => podsJobsEvents(database, integer) },
    '002-keys-webhooks-sessions': { up: (database) => keysWebhooksSessions(database, integer) },
    '003-host-keys-windows': { up: (database) => hostKeysWindows(database, kind) },
    '004-books-by-time': { up: (database) => booksByTime(database) },
    '005-ssh-banner': { up: (database) => sshBanner(database), down: (database) => sshReady(database) },
    // Sessions are now those of the accounts (accounts/keys/sessions.ts): people sign in again.
    '006-sessions-of-accounts': {
      up: (database) => database.schema.dropTable('compute_sessions').execute(),
      down: (database) => createSessions(database, integer),
    },
  };
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'compute_migration',
    migrationLockTableName: 'compute_migration_lock',
  });
  const { error } = await (to === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to));
  if (error === undefined) return;
  const reason = (error as Error).message;
  throw new AccountError('ERR_STORE', `the compute tables cannot be migrated: ${reason}`, { cause: error });
}

type Integer = 'integer' | 'bigint';

async function podsJobsEvents(db: Kysely<unknown>, integer: Integer) {
  await createPods(db, integer);
  await db.schema
    .createTable('compute_jobs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('run_at', integer, (column) => column.notNull())
    .addColumn('lease_until', integer, (column) => column.notNull())
    .addColumn('attempts', integer, (column) => column.notNull())
    .addColumn('generation', integer, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('compute_jobs_due').on('compute_jobs').column('run_at').execute();
  await db.schema
    .createTable('compute_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('sequence', integer, (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('pod_id', 'text')
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('data', 'text', (column) => column.notNull())
    .addUniqueConstraint('compute_events_order', ['account_id', 'sequence'])
    .execute();
  await db.schema
    .createTable('compute_accounts')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id'))
    .addColumn('last_event', integer, (column) => column.notNull())
    .addColumn('is_low', integer, (column) => column.notNull())
    .execute();
}

async function createPods(db: Kysely<unknown>, integer: Integer) {
  await db.schema
    .createTable('compute_pods')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workload_uid', 'text', (column) => column.notNull().unique())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('machine_id', 'text', (column) => column.notNull())
    .addColumn('resource_name', 'text', (column) => column.notNull())
    .addColumn('template_id', 'text')
    .addColumn('image', 'text', (column) => column.notNull())
    .addColumn('idempotency_key', 'text')
    .addColumn('gpu_type', 'text', (column) => column.notNull())
    .addColumn('gpu_count', integer, (column) => column.notNull())
    .addColumn('price', integer, (column) => column.notNull().check(sql`price > 0`))
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('protection', 'text')
    .addColumn('ssh_host', 'text')
    .addColumn('ssh_port', integer)
    .addColumn('ssh_user', 'text')
    .addColumn('ssh_ready', integer, (column) => column.notNull())
    .addColumn('ports', 'text', (column) => column.notNull())
    .addColumn('hold', integer, (column) => column.notNull().check(sql`hold >= 0`))
    .addColumn('billed', integer, (column) => column.notNull().check(sql`billed >= 0`))
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addColumn('running_at', integer)
    .addColumn('ended_at', integer)
    .addColumn('seen_at', integer, (column) => column.notNull())
    .addColumn('hard_stop_at', integer)
    .addColumn('give_up_at', integer, (column) => column.notNull())
    .addColumn('absences', integer, (column) => column.notNull())
    .execute();
  // The claim of a machine (C-100): of concurrent inserts for one machine, only the first succeeds.
  const live = sql.join(liveStates.map((state) => sql.lit(state)));
  await sql`create unique index compute_pods_machine on compute_pods (machine_id) where state in (${live})`.execute(db);
  await sql`create index compute_pods_live on compute_pods (state) where state in (${live})`.execute(db);
  await db.schema
    .createIndex('compute_pods_account')
    .on('compute_pods')
    .columns(['account_id', 'state', 'created_at'])
    .execute();
}

async function keysWebhooksSessions(db: Kysely<unknown>, integer: Integer) {
  await db.schema
    .createTable('compute_ssh_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addUniqueConstraint('compute_ssh_keys_once', ['account_id', 'fingerprint'])
    .execute();
  await db.schema
    .createTable('compute_registries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('registry', 'text', (column) => column.notNull())
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('sealed_password', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('compute_webhooks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('sealed_secret', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('cursor', integer, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('compute_dead_letters')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('attempts', integer, (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('at', integer, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('compute_idempotency')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('status', integer)
    .addColumn('body', 'text')
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('lease_until', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('compute_idempotency_key', ['account_id', 'key'])
    .execute();
  await createSessions(db, integer);
  for (const table of ['compute_ssh_keys', 'compute_registries', 'compute_webhooks'] as const) {
    await db.schema.createIndex(`${table}_account`).on(table).columns(['account_id', 'created_at']).execute();
  }
}

async function createSessions(db: Kysely<unknown>, integer: Integer) {
  await db.schema
    .createTable('compute_sessions')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('seen_at', integer, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .execute();
}

async function hostKeysWindows(db: Kysely<unknown>, kind: DatabaseKind) {
  await db.schema.alterTable('compute_pods').addColumn('ssh_host_key', 'text').execute();
  // On SQLite there is only one process, which counts in memory.
  if (kind === 'sqlite') return;
  await sql`create unlogged table compute_windows (
    id text primary key, times bigint[] not null, is_refused boolean not null)`.execute(db);
}

/** Partial indexes for the audit, which sums intervals of time; it does not cover movements of inference requests. */
async function booksByTime(db: Kysely<unknown>) {
  await sql`create index movements_of_pods on movements (at, kind, from_side, to_side, micro_dollars)
    where (kind <> 'charge' or from_side = 'held' or to_side = 'held')`.execute(db);
  await sql`create index compute_pods_gone on compute_pods (updated_at) where state in ('stopped', 'failed')`.execute(
    db,
  );
}

/** Renames the column to what it has always meant: whether an SSH server sent its banner. `ssh_ready` means having an address. */
async function sshBanner(db: Kysely<unknown>) {
  await db.schema.alterTable('compute_pods').renameColumn('ssh_ready', 'ssh_banner').execute();
}

/** Reverts `sshBanner`. */
async function sshReady(db: Kysely<unknown>) {
  await db.schema.alterTable('compute_pods').renameColumn('ssh_banner', 'ssh_ready').execute();
}
