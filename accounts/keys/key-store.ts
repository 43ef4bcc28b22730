/** Creates, lists, revokes and looks up API keys in the database. */
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { AccountError } from '../base/errors.ts';
import { requireName } from '../base/names.ts';
import { formatScopes, parseScopes, readScopes, type Scope } from '../base/scopes.ts';
import type { Tables } from '../base/tables.ts';
import type { Database } from '../database/database.ts';
import { notifyRevoked } from '../database/revocations.ts';
import { findAccountRow } from '../ledger/account-book.ts';
import { keyDigest, keyPreview, keysPerAccountMax, newKey, sameDigest } from './keys.ts';

/** The authenticated sender of a request. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  readonly scopes: readonly Scope[];
}

export interface ApiKey {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly preview: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds since 1970, as are the other times. */
  readonly createdAt: number;
  /** Undefined if the key never expires. */
  readonly expiresAt: number | undefined;
  /** The start of a UTC day. */
  readonly lastUsedAt: number | undefined;
  readonly revokedAt: number | undefined;
}

export interface NewKey {
  readonly account: string;
  readonly name: string;
  /** Undefined for every scope (C-015). */
  readonly scopes?: readonly string[] | undefined;
  /** Undefined if the key never expires. */
  readonly expiresAt?: number | undefined;
  readonly now: number;
}

/** A live key as the look-up reads it. */
export interface LiveKey {
  readonly id: string;
  readonly account_id: string;
  readonly digest: Uint8Array;
  readonly scopes: string;
  readonly expires_at: number | null;
}

const dayMs = 86_400_000;

/**
 * Creates a key for an existing account.
 * @returns the key and its secret, which is not stored
 * @throws {AccountError} ERR_ACCOUNT_UNKNOWN, ERR_KEY_LIMIT, ERR_NAME_INVALID, ERR_SCOPE_INVALID, ERR_EXPIRY_INVALID, ERR_ACCOUNT_CLOSED
 */
export async function createKey(
  { db, kind }: Database,
  newKeyOptions: NewKey,
): Promise<{ key: ApiKey; secret: string }> {
  const { account, name, expiresAt, now } = newKeyOptions;
  requireName('account', account);
  requireName('key name', name);
  const scopes = parseScopes(newKeyOptions.scopes);
  if (expiresAt !== undefined && !(Number.isSafeInteger(expiresAt) && expiresAt > now)) {
    throw new AccountError('ERR_EXPIRY_INVALID', 'the expiry must be a time in the future');
  }
  const secret = newKey();
  const key: ApiKey = {
    id: randomUUID(),
    account,
    name,
    preview: keyPreview(secret),
    scopes,
    createdAt: now,
    expiresAt,
    lastUsedAt: undefined,
    revokedAt: undefined,
  };
  await db.transaction().execute(async (transaction) => {
    // Lock the account, so that two processes cannot both count one key below the limit.
    const { id: account_id, closed_at } = await findAccountRow(transaction, account, { lockOn: kind });
    if (closed_at !== null) throw new AccountError('ERR_ACCOUNT_CLOSED', 'the account is closed');
    const live = await countLiveKeys(transaction, account_id, now);
    if (live >= keysPerAccountMax) {
      throw new AccountError(
        'ERR_KEY_LIMIT',
        `the account has ${live} live keys, which is the maximum: revoke one first`,
      );
    }
    await transaction
      .insertInto('keys')
      .values({
        id: key.id,
        account_id,
        name,
        digest: keyDigest(secret),
        preview: key.preview,
        scopes: formatScopes(scopes),
        created_at: now,
        expires_at: expiresAt ?? null,
        last_used_day: null,
        revoked_at: null,
      })
      .execute();
  });
  return { key, secret };
}

/** Lists keys with the oldest first, including revoked ones; `account` restricts the list to one account. */
export async function listKeys({ db }: Database, { account }: { account?: string | undefined }): Promise<ApiKey[]> {
  const rows = await selectKeys(db)
    .$if(account !== undefined, (query) => query.where('accounts.name', '=', account ?? ''))
    .orderBy('keys.created_at')
    .orderBy('keys.id')
    .execute();
  return rows.map(toApiKey);
}

/** Revokes a key from the next request, in every process. @throws {AccountError} ERR_KEY_UNKNOWN */
export async function revokeKey({ db, kind }: Database, { id, now }: { id: string; now: number }): Promise<ApiKey> {
  await db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('keys')
      .set({ revoked_at: now })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new AccountError('ERR_KEY_UNKNOWN', 'no live key has this id');
    await notifyRevoked(transaction, kind, [id]);
  });
  return toApiKey(await selectKeys(db).where('keys.id', '=', id).executeTakeFirstOrThrow());
}

/** Builds the look-up query, whose only parameter is the digest. */
export function liveKeyQuery(db: Kysely<Tables>, digest: Uint8Array) {
  return db
    .selectFrom('keys')
    .select(['id', 'account_id', 'digest', 'scopes', 'expires_at'])
    .where('digest', '=', digest)
    .where('revoked_at', 'is', null);
}

/** @returns the caller if the row has this digest, compared in constant time, and has not expired */
export function callerOf(row: LiveKey | undefined, digest: Uint8Array, now: number): Caller | undefined {
  if (row === undefined || !sameDigest(row.digest, digest)) return undefined;
  if (row.expires_at !== null && row.expires_at <= now) return undefined;
  return { keyId: row.id, accountId: row.account_id, scopes: readScopes(row.scopes) };
}

/** Stores the day on which each key was last used. */
export async function noteLastUse({ db }: Database, uses: ReadonlyMap<string, number>): Promise<void> {
  for (const [day, ids] of Map.groupBy(uses.keys(), (id) => uses.get(id)!)) {
    await db
      .updateTable('keys')
      .set({ last_used_day: day })
      .where('id', 'in', ids)
      .where(({ or, eb }) => or([eb('last_used_day', 'is', null), eb('last_used_day', '<', day)]))
      .execute();
  }
}

/** Days since 1970. */
export function dayOf(now: number): number {
  return Math.floor(now / dayMs);
}

async function countLiveKeys(db: Kysely<Tables>, accountId: string, now: number): Promise<number> {
  const { live } = await db
    .selectFrom('keys')
    .select(({ fn }) => fn.countAll<number>().as('live'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow();
  return live;
}

function selectKeys(db: Kysely<Tables>) {
  return db
    .selectFrom('keys')
    .innerJoin('accounts', 'accounts.id', 'keys.account_id')
    .select(['keys.id', 'accounts.name as account', 'keys.name', 'keys.preview', 'keys.scopes'])
    .select(['keys.created_at', 'keys.expires_at', 'keys.last_used_day', 'keys.revoked_at']);
}

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['execute']>>[number];

function toApiKey({ id, account, name, preview, scopes, ...times }: KeyRow): ApiKey {
  return {
    id,
    account,
    name,
    preview,
    scopes: readScopes(scopes),
    createdAt: times.created_at,
    expiresAt: times.expires_at ?? undefined,
    lastUsedAt: times.last_used_day === null ? undefined : times.last_used_day * dayMs,
    revokedAt: times.revoked_at ?? undefined,
  };
}
