/**
 * Writes a backup: a compressed text file, the same for SQLite and PostgreSQL. Its first line names the format and the
 * migrations; each table is a line with its columns, followed by a line per row; the last line has the SHA-256 of all lines
 * before it, and the sums that a restore compares.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { AccountError } from '../base/errors.ts';
import type { Database } from '../database/database.ts';
import { compareBooks } from '../ledger/audit.ts';
import type { OnProgress } from './progress.ts';
import { countRows, readRows } from './rows.ts';
import { type Snapshot, withSnapshot } from './snapshot.ts';
import { type Summary, summarize } from './summary.ts';

/** The `format` of a backup's first line. */
export const backupFormat = 'cloister-accounts-1';

/**
 * Writes a consistent copy while servers run. The file appears under its name only when it is complete.
 * @param options.path a file that does not exist · @throws {AccountError} ERR_STORE
 */
export async function backupAccounts(
  database: Database,
  { path, now, onProgress = () => undefined }: { path: string; now: number; onProgress?: OnProgress },
): Promise<Summary> {
  const unfinished = `${path}.unfinished`;
  try {
    // Fails if the file exists, and keeps others from reading the copy.
    await (await open(path, 'wx', 0o600)).close();
  } catch (cause) {
    throw new AccountError('ERR_STORE', `the file cannot be created (${(cause as Error).message}): name another`, {
      cause,
    });
  }
  try {
    const summary = await withSnapshot(database, { isLocked: false }, async (snapshot) => {
      const found = await summarize(snapshot.db, snapshot.tables);
      const lines = backupLines(snapshot, { summary: found, now, onProgress });
      await pipeline(Readable.from(lines), createGzip(), createWriteStream(unfinished, { mode: 0o600, flush: true }));
      return found;
    });
    await rename(unfinished, path);
    return summary;
  } catch (error) {
    await rm(unfinished, { force: true });
    await rm(path, { force: true });
    throw error;
  }
}

async function* backupLines(
  { db, tables, migrations }: Snapshot,
  { summary, now, onProgress }: { summary: Summary; now: number; onProgress: OnProgress },
): AsyncGenerator<string> {
  const digest = createHash('sha256');
  const line = (value: unknown) => {
    const text = `${JSON.stringify(value)}\n`;
    digest.update(text);
    return text;
  };
  yield line({ format: backupFormat, at: new Date(now).toISOString(), migrations });
  for (const table of tables) {
    yield line({ table: table.name, columns: table.columns });
    const rowsTotal = await countRows(db, table);
    let rowsDone = 0;
    for await (const rows of readRows(db, table)) {
      yield rows.map((row) => line(row)).join('');
      rowsDone += rows.length;
      onProgress({ table: table.name, rowsDone, rowsTotal });
    }
  }
  yield `${JSON.stringify({ sha256: digest.digest('hex'), summary })}\n`;
}

/** Whether a database has accounts or money, so that a transfer must not fill it. */
export async function isEmpty(database: Database): Promise<boolean> {
  const { accounts, movements } = await compareBooks(database.db);
  return accounts === 0 && movements === 0;
}
