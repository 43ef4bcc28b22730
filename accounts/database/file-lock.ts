/**
 * A lock that one process holds on a file, by SQLite's own locking: the kernel releases it however the process ends, and processes
 * in different containers that share the folder see it too.
 */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface FileLock {
  release(): void;
}

/**
 * @param path of a file that nothing else uses; it is created, empty, for its owner alone, and stays
 * @param options.waitMs how long to wait for its holder, without doing anything else
 * @returns undefined where another process holds it
 */
export function lockFile(path: string, { waitMs = 0 }: { waitMs?: number } = {}): FileLock | undefined {
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: waitMs });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}

/** SQLITE_BUSY: another connection holds the lock. */
const sqliteBusy = 5;
