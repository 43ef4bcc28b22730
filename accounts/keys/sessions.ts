/**
 * Sessions of people in a browser. A session is opened with a single-use link, which an operator makes, or with an API key. Only
 * digests of the secrets are stored. Times are milliseconds since 1970, by the caller's clock.
 */
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { scopes as everyScope, formatScopes, readScopes, type Scope } from '../base/scopes.ts';
import type { Tables } from '../base/tables.ts';
import type { Caller } from './key-store.ts';

const linkMs = 10 * 60_000;
/** A session expires after this idle time, and after this total time. */
const idleMs = 30 * 60_000;
const absoluteMs = 12 * 3_600_000;
/** Precision of the idle time: a page that sends many requests writes once in this time. */
const seenMs = 60_000;
/** Most sessions that one key opened, and most links and sessions without a key of one account; the oldest are ended first. */
export const sessionsMax = 20;

const secretPattern = /^[A-Za-z0-9_-]{43}$/;

export interface Session {
  readonly id: string;
  readonly accountId: string;
  /** The key that opened the session; undefined if a link did. Only sessions of a link may create and revoke keys. */
  readonly keyId: string | undefined;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number;
}

export interface OpenedSession extends Session {
  /** For the cookie. Not stored. */
  readonly secret: string;
}

/** The part of a database that sessions need. */
export interface SessionDatabase {
  readonly db: Pick<Kysely<Tables>, 'selectFrom' | 'insertInto' | 'updateTable' | 'deleteFrom'>;
}

/** @returns the secret of a link for an existing account, which is not stored */
export async function makeLoginLink(
  database: SessionDatabase,
  { accountId, now }: { accountId: string; now: number },
): Promise<{ secret: string; expiresAt: number }> {
  const { secret, expiresAt } = await insert(database, { kind: 'link', accountId, lifeMs: linkMs, now });
  return { secret, expiresAt };
}

/** Uses a link up. @returns undefined if the link is unknown, used or expired, or its account is closed */
export async function openSession(
  database: SessionDatabase,
  { link, now }: { link: string; now: number },
): Promise<OpenedSession | undefined> {
  if (!secretPattern.test(link)) return undefined;
  // One statement, so that of two requests with one link only one gets the row.
  const row = await database.db
    .deleteFrom('sessions')
    .where('digest', '=', digestOf(link))
    .where('kind', '=', 'link')
    .returning(['account_id', 'expires_at'])
    .executeTakeFirst();
  if (row === undefined || row.expires_at <= now || !(await isOpen(database, row.account_id))) return undefined;
  return await insert(database, { kind: 'session', accountId: row.account_id, lifeMs: absoluteMs, now });
}

/** Opens a session with the rights of a live key; it ends when the key is revoked or expires. */
export async function openKeySession(
  database: SessionDatabase,
  { caller, now }: { caller: Caller; now: number },
): Promise<OpenedSession> {
  const { accountId, keyId, scopes } = caller;
  return await insert(database, { kind: 'session', accountId, keyId, scopes, lifeMs: absoluteMs, now });
}

/** Finds a session and restarts its idle time. @returns undefined if it does not exist or has expired */
export async function useSession(
  { db }: SessionDatabase,
  { secret, now }: { secret: string; now: number },
): Promise<Session | undefined> {
  if (!secretPattern.test(secret)) return undefined;
  const digest = digestOf(secret);
  const row = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .leftJoin('keys', 'keys.id', 'sessions.key_id')
    .select(['sessions.id', 'sessions.account_id', 'sessions.key_id', 'sessions.scopes'])
    .select(['sessions.seen_at', 'sessions.expires_at'])
    .select(['keys.revoked_at as key_revoked_at', 'keys.expires_at as key_expires_at'])
    .where('sessions.digest', '=', digest)
    .where('sessions.kind', '=', 'session')
    .where('sessions.expires_at', '>', now)
    .where('sessions.seen_at', '>', now - idleMs)
    .where('accounts.closed_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined || row.key_revoked_at !== null) return undefined;
  if (row.key_expires_at !== null && row.key_expires_at <= now) return undefined;
  if (row.seen_at <= now - seenMs) {
    await db.updateTable('sessions').set({ seen_at: now }).where('digest', '=', digest).execute();
  }
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id ?? undefined,
    scopes: readScopes(row.scopes),
    expiresAt: row.expires_at,
  };
}

export async function endSession({ db }: SessionDatabase, secret: string): Promise<void> {
  await db.deleteFrom('sessions').where('digest', '=', digestOf(secret)).execute();
}

/** Deletes expired links and sessions. */
export async function sweepSessions({ db }: SessionDatabase, { now }: { now: number }): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
}

interface NewSession {
  readonly kind: 'link' | 'session';
  readonly accountId: string;
  readonly keyId?: string;
  readonly scopes?: readonly Scope[];
  readonly lifeMs: number;
  readonly now: number;
}

async function insert(database: SessionDatabase, session: NewSession): Promise<OpenedSession> {
  const { kind, accountId, keyId, scopes = everyScope, lifeMs, now } = session;
  await sweepSessions(database, { now });
  await endOldest(database, { accountId, keyId });
  const secret = randomBytes(32).toString('base64url');
  const opened = { id: randomUUID(), accountId, keyId, scopes, expiresAt: now + lifeMs };
  await database.db
    .insertInto('sessions')
    .values({
      id: opened.id,
      digest: digestOf(secret),
      kind,
      account_id: accountId,
      key_id: keyId ?? null,
      scopes: formatScopes(scopes),
      created_at: now,
      seen_at: now,
      expires_at: opened.expiresAt,
    })
    .execute();
  return { ...opened, secret };
}

/** Leaves room for one more. A key cannot end the sessions of people or of other keys. */
async function endOldest(
  { db }: SessionDatabase,
  { accountId, keyId }: { accountId: string; keyId: string | undefined },
): Promise<void> {
  const newest = db
    .selectFrom('sessions')
    .select('id')
    .where('account_id', '=', accountId)
    .where('key_id', keyId === undefined ? 'is' : '=', keyId ?? null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(sessionsMax - 1);
  await db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('key_id', keyId === undefined ? 'is' : '=', keyId ?? null)
    .where('id', 'not in', newest)
    .execute();
}

async function isOpen({ db }: SessionDatabase, accountId: string): Promise<boolean> {
  const account = await db
    .selectFrom('accounts')
    .select(sql<number>`1`.as('found'))
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return account !== undefined;
}

function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex');
}
