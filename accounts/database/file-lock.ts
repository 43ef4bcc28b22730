/**
 * A file lock for one process, based on SQLite's locking. The kernel releases it when the process ends, even by a crash,
 * and it also works between containers that share the folder.
 */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface FileLock {
  release(): void;
}

/**
 * @param path a file for this lock only; created empty with mode 0600 and never deleted
 * @param options.waitMs longest time to wait for another process's lock; blocks the thread
 * @returns undefined if another process has the lock
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
