/** Dashboard sessions: the one-time login link, and the session that it opens. Only digests are stored. */
import { randomBytes } from 'node:crypto';
import { digestOf } from '../base/secrets.ts';
import { type ComputeStore, inTransaction } from './store.ts';

const linkMs = 10 * 60_000;
/** A session expires after this idle time, and after this total time. */
const idleMs = 30 * 60_000;
const absoluteMs = 12 * 3_600_000;

export interface Session {
  readonly accountId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** @returns the secret of the link, which is not stored */
export async function makeLoginLink(
  store: ComputeStore,
  accountId: string,
): Promise<{ secret: string; expiresAt: number }> {
  return await make(store, store.db, { accountId, kind: 'link', lifeMs: linkMs });
}

/** @returns undefined if the link is unknown, used or expired */
export async function openSession(
  store: ComputeStore,
  linkSecret: string,
): Promise<(Session & { secret: string }) | undefined> {
  return await inTransaction(store, async (tx) => {
    const now = await store.now(tx);
    const link = await tx
      .deleteFrom('compute_sessions')
      .where('digest', '=', digestOf(linkSecret))
      .where('kind', '=', 'link')
      .returningAll()
      .executeTakeFirst();
    if (link === undefined || link.expires_at <= now || !(await isOpen(tx, link.account_id))) return undefined;
    const { account_id: accountId } = link;
    return { accountId, ...(await make(store, tx, { accountId, kind: 'session', lifeMs: absoluteMs })) };
  });
}

/** Finds a session and restarts its idle time. @returns undefined if it does not exist or has expired */
export async function useSession({ db, now }: ComputeStore, secret: string): Promise<Session | undefined> {
  const at = await now();
  const row = await db
    .updateTable('compute_sessions')
    .set({ seen_at: at })
    .where('digest', '=', digestOf(secret))
    .where('kind', '=', 'session')
    .where('expires_at', '>', at)
    .where('seen_at', '>', at - idleMs)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined || !(await isOpen(db, row.account_id))) return undefined;
  return { accountId: row.account_id, expiresAt: row.expires_at };
}

export async function endSession({ db }: ComputeStore, secret: string): Promise<void> {
  await db.deleteFrom('compute_sessions').where('digest', '=', digestOf(secret)).execute();
}

async function make(
  store: ComputeStore,
  queries: ComputeStore['db'],
  { accountId, kind, lifeMs }: { accountId: string; kind: 'link' | 'session'; lifeMs: number },
): Promise<{ secret: string; expiresAt: number }> {
  const secret = randomBytes(32).toString('base64url');
  const now = await store.now(queries);
  const expiresAt = now + lifeMs;
  await queries
    .insertInto('compute_sessions')
    .values({
      digest: digestOf(secret),
      kind,
      account_id: accountId,
      created_at: now,
      seen_at: now,
      expires_at: expiresAt,
    })
    .execute();
  return { secret, expiresAt };
}

async function isOpen(queries: ComputeStore['db'], accountId: string): Promise<boolean> {
  const account = await queries
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return account !== undefined;
}
