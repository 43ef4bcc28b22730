/**
 * Finds the caller of each request. On SQLite every request asks the file, without waiting. On PostgreSQL a server remembers
 * a live key for at most `keyAgeMsMax`, and forgets it as soon as any process says that it was revoked; a service asks the
 * database on every request.
 */
import type { Kysely } from 'kysely';
import type { Tables } from '../base/tables.ts';
import type { Database } from '../database/database.ts';
import { revokedKeysChannel } from '../database/revocations.ts';
import { reaching, storeUnavailable } from '../database/store-faults.ts';
import { type Caller, callerOf, type LiveKey, liveKeyQuery } from './key-store.ts';
import { hasKeyForm, keyDigest } from './keys.ts';

/** Longest time for which a revoked key can still open a process that no notification reaches. */
export const keyAgeMsMax = 10_000;

/** Keys that are remembered; past it the one that was read first is forgotten. */
const rememberedMax = 50_000;

export interface KeyLookup<Found extends Caller | undefined | Promise<Caller | undefined>> {
  /** @throws {AccountError} ERR_STORE_UNAVAILABLE */
  find(secret: string): Found;
  close(): Promise<void>;
}

/** @param clock milliseconds since 1970 */
export function sqliteKeyLookup(
  { db, sqlite }: Database & { sqlite: NonNullable<Database['sqlite']> },
  clock: () => number,
): KeyLookup<Caller | undefined> {
  // Compiled once: kysely would build the query again on each request.
  const statement = sqlite.prepare(liveKeyQuery(db, new Uint8Array()).compile().sql);
  return {
    find(secret) {
      if (!hasKeyForm(secret)) return undefined;
      const digest = keyDigest(secret);
      try {
        return callerOf(statement.get(digest) as LiveKey | undefined, digest, clock());
      } catch (error) {
        throw storeUnavailable(error);
      }
    },
    close: async () => undefined,
  };
}

/** Remembers nothing: a revoked key opens no process from the next request on (C-012). @param clock milliseconds since 1970 */
export function freshKeyLookup(
  { db }: { db: Kysely<Tables> },
  { clock }: { clock: () => number },
): KeyLookup<Promise<Caller | undefined>> {
  return {
    async find(secret) {
      if (!hasKeyForm(secret)) return undefined;
      const digest = keyDigest(secret);
      const row = await reaching(() => liveKeyQuery(db, digest).executeTakeFirst());
      return callerOf(row, digest, clock());
    },
    close: async () => undefined,
  };
}

/** @param clock milliseconds since 1970 · @param ageClock milliseconds that only go forward */
export async function postgresKeyLookup(
  { db }: { db: Kysely<Tables> },
  { url, clock, ageClock }: { url: string; clock: () => number; ageClock: () => number },
): Promise<KeyLookup<Promise<Caller | undefined>>> {
  const remembered = new Map<string, { row: LiveKey; readAt: number }>();
  // What was read before a notification may be older than it, although it arrives later.
  let generation = 0;
  const forget = (id: string) => {
    generation += 1;
    for (const [key, { row }] of remembered) if (row.id === id) remembered.delete(key);
  };
  const forgetAll = () => {
    generation += 1;
    remembered.clear();
  };
  const { listen } = await import('../database/postgres.ts');
  const listener = await listen(url, { channel: revokedKeysChannel, hear: forget, lose: forgetAll });

  return {
    async find(secret) {
      if (!hasKeyForm(secret)) return undefined;
      const digest = keyDigest(secret);
      const name = digest.toString('base64');
      const known = remembered.get(name);
      if (known !== undefined && ageClock() - known.readAt < keyAgeMsMax) return callerOf(known.row, digest, clock());
      remembered.delete(name);
      const [askedIn, readAt] = [generation, ageClock()];
      const row = await reaching(() => liveKeyQuery(db, digest).executeTakeFirst());
      if (row !== undefined && askedIn === generation) {
        if (remembered.size >= rememberedMax) remembered.delete(remembered.keys().next().value!);
        remembered.set(name, { row, readAt });
      }
      return callerOf(row, digest, clock());
    },
    close: () => listener.close(),
  };
}
