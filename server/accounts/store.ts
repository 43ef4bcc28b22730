/** Accounts and their API keys. Plans, limits and money get their own tables and files beside this one. */
import { randomUUID } from 'node:crypto';
import { Kysely, SqliteDialect } from 'kysely';
import { AccountError } from './errors.ts';
import { hasKeyForm, keyDigest, keyPreview, keysPerAccountMax, newKey, sameDigest } from './keys.ts';
import { migrate, type Tables } from './migrations.ts';
import { kyselyDatabase, openSqlite } from './sqlite.ts';

/** Who sends a request, as far as the server needs to know. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
}

export interface ApiKey {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly preview: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly revokedAt: number | undefined;
}

export interface NewKey {
  readonly account: string;
  readonly name: string;
  readonly now: number;
}

export interface AccountStore {
  /**
   * Makes a key, and its account where there is none of that name.
   * @returns the key and its secret, which is nowhere else
   * @throws {AccountError} ERR_KEY_LIMIT, ERR_NAME_INVALID
   */
  createKey(key: NewKey): Promise<{ key: ApiKey; secret: string }>;
  /** Oldest first; `account` narrows. Revoked ones are listed too. */
  listKeys(options: { account?: string | undefined }): Promise<ApiKey[]>;
  /** In effect from the next request, in every process. @throws {AccountError} ERR_KEY_UNKNOWN */
  revokeKey(id: string, options: { now: number }): Promise<ApiKey>;
  /** Whose live key this is; asked on every request, so it neither waits nor caches. */
  findCaller(secret: string): Caller | undefined;
  close(): Promise<void>;
}

/** @param path of the SQLite file, or `:memory:` · @throws {AccountError} ERR_STORE */
export async function openAccountStore(path: string): Promise<AccountStore> {
  let database: ReturnType<typeof openSqlite>;
  try {
    database = openSqlite(path);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new AccountError('ERR_STORE', `the key database ${path} cannot be opened: ${reason}`, { cause });
  }
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: kyselyDatabase(database) }) });
  await migrate(db);
  const lookUp = database.prepare(liveKeyQuery(db));

  return {
    createKey: (key) => createKey(db, key),
    listKeys: (options) => listKeys(db, options),
    revokeKey: (id, { now }) => revokeKey(db, { id, now }),
    findCaller(secret) {
      if (!hasKeyForm(secret)) return undefined;
      const digest = keyDigest(secret);
      const row = lookUp.get(digest) as { id: string; account_id: string; digest: Uint8Array } | undefined;
      return row && sameDigest(row.digest, digest) ? { keyId: row.id, accountId: row.account_id } : undefined;
    },
    close: () => db.destroy(),
  };
}

/** Compiled once: kysely would build the query again on each request. */
function liveKeyQuery(db: Kysely<Tables>): string {
  return db
    .selectFrom('keys')
    .select(['id', 'account_id', 'digest'])
    .where('digest', '=', new Uint8Array())
    .where('revoked_at', 'is', null)
    .compile().sql;
}

async function createKey(db: Kysely<Tables>, { account, name, now }: NewKey) {
  requireName('account', account);
  requireName('key name', name);
  const secret = newKey();
  const key = { id: randomUUID(), account, name, preview: keyPreview(secret), createdAt: now, revokedAt: undefined };
  await db.transaction().execute(async (transaction) => {
    // The insert comes first so that the transaction holds the write lock while it counts.
    await transaction
      .insertInto('accounts')
      .values({ id: randomUUID(), name: account, created_at: now })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const { id: account_id } = await transaction
      .selectFrom('accounts')
      .select('id')
      .where('name', '=', account)
      .executeTakeFirstOrThrow();
    const { live } = await transaction
      .selectFrom('keys')
      .select(({ fn }) => fn.countAll<number>().as('live'))
      .where('account_id', '=', account_id)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (live >= keysPerAccountMax) {
      throw new AccountError(
        'ERR_KEY_LIMIT',
        `account ${account} has ${live} live keys, the most there can be: revoke one first`,
      );
    }
    const { id, preview } = key;
    await transaction
      .insertInto('keys')
      .values({ id, account_id, name, digest: keyDigest(secret), preview, created_at: now, revoked_at: null })
      .execute();
  });
  return { key, secret };
}

async function listKeys(db: Kysely<Tables>, { account }: { account?: string | undefined }): Promise<ApiKey[]> {
  const rows = await selectKeys(db)
    .$if(account !== undefined, (query) => query.where('accounts.name', '=', account ?? ''))
    .orderBy('keys.created_at')
    .orderBy('keys.id')
    .execute();
  return rows.map(toApiKey);
}

async function revokeKey(db: Kysely<Tables>, { id, now }: { id: string; now: number }): Promise<ApiKey> {
  const { numUpdatedRows } = await db
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new AccountError('ERR_KEY_UNKNOWN', `no live key has the id ${id}`);
  return toApiKey(await selectKeys(db).where('keys.id', '=', id).executeTakeFirstOrThrow());
}

function selectKeys(db: Kysely<Tables>) {
  return db
    .selectFrom('keys')
    .innerJoin('accounts', 'accounts.id', 'keys.account_id')
    .select(['keys.id', 'accounts.name as account', 'keys.name', 'keys.preview', 'keys.created_at', 'keys.revoked_at']);
}

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['execute']>>[number];

function toApiKey({ created_at, revoked_at, ...row }: KeyRow): ApiKey {
  return { ...row, createdAt: created_at, revokedAt: revoked_at ?? undefined };
}

function requireName(what: string, name: string): void {
  if (/^[^\p{C}]{1,64}$/u.test(name)) return;
  throw new AccountError('ERR_NAME_INVALID', `${what} must be 1 to 64 printable characters, got ${name.length}`);
}
