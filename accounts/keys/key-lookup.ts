/**
 * Finds the caller of each request. On SQLite every request reads the file synchronously. On PostgreSQL a server caches a
 * live key for at most `keyAgeMsMax`, and removes it when a process notifies its revocation; a service queries the
 * database on every request.
 */
import type { Kysely } from 'kysely';
import type { Tables } from '../base/tables.ts';
import type { Database } from '../database/database.ts';
import { revokedKeysChannel } from '../database/revocations.ts';
import { storeUnavailable, withOutageErrors } from '../database/store-faults.ts';
import { type Caller, callerOf, type LiveKey, liveKeyQuery } from './key-store.ts';
import { hasKeyForm, keyDigest } from './keys.ts';

/** Longest time for which a process that misses a notification accepts a revoked key. */
export const keyAgeMsMax = 10_000;

/** Size of the cache; the oldest entry is evicted first. */
const cachedKeysMax = 50_000;

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
  // Prepared once: kysely would build the query on each request.
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

/** Looks up each key without a cache: a revoked key is rejected from the next request (C-012). @param clock milliseconds since 1970 */
export function freshKeyLookup(
  { db }: { db: Kysely<Tables> },
  { clock }: { clock: () => number },
): KeyLookup<Promise<Caller | undefined>> {
  return {
    async find(secret) {
      if (!hasKeyForm(secret)) return undefined;
      const digest = keyDigest(secret);
      const row = await withOutageErrors(() => liveKeyQuery(db, digest).executeTakeFirst());
      return callerOf(row, digest, clock());
    },
    close: async () => undefined,
  };
}

/** Looks up keys with a cache. @param clock milliseconds since 1970 · @param ageClock monotonic milliseconds */
export async function postgresKeyLookup(
  { db }: { db: Kysely<Tables> },
  { url, clock, ageClock }: { url: string; clock: () => number; ageClock: () => number },
): Promise<KeyLookup<Promise<Caller | undefined>>> {
  const cached = new Map<string, { row: LiveKey; readAt: number }>();
  // A row read before a notification may arrive after it and be stale.
  let generation = 0;
  const evict = (id: string) => {
    generation += 1;
    for (const [key, { row }] of cached) if (row.id === id) cached.delete(key);
  };
  const evictAll = () => {
    generation += 1;
    cached.clear();
  };
  const { listen } = await import('../database/postgres.ts');
  const listener = await listen(url, { channel: revokedKeysChannel, onNotification: evict, onReconnect: evictAll });

  return {
    async find(secret) {
      if (!hasKeyForm(secret)) return undefined;
      const digest = keyDigest(secret);
      const name = digest.toString('base64');
      const entry = cached.get(name);
      if (entry !== undefined && ageClock() - entry.readAt < keyAgeMsMax) return callerOf(entry.row, digest, clock());
      cached.delete(name);
      const [generationBefore, readAt] = [generation, ageClock()];
      const row = await withOutageErrors(() => liveKeyQuery(db, digest).executeTakeFirst());
      if (row !== undefined && generationBefore === generation) {
        if (cached.size >= cachedKeysMax) cached.delete(cached.keys().next().value!);
        cached.set(name, { row, readAt });
      }
      return callerOf(row, digest, clock());
    },
    close: () => listener.close(),
  };
}
