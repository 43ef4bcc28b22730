/**
 * Restores a backup. The rows go to a new SQLite file first, which is audited, compared with the backup's sums and migrated;
 * only then does it take the place of the database, or is copied to PostgreSQL in one transaction.
 */
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { AccountError } from '../base/errors.ts';
import { type Database, type DatabaseAddress, openDatabase, openUnmigrated } from '../database/database.ts';
import type { SchemaFamily } from '../database/migrations.ts';
import { isEmpty } from './backup.ts';
import { checkBackup, corrupt, readBackup } from './backup-file.ts';
import { copyTables, requireNoServer } from './copy.ts';
import type { OnProgress } from './progress.ts';
import {
  batchRows,
  clearTables,
  type PortableRow,
  parseRow,
  type TransferTable,
  transferTables,
  writeRows,
} from './rows.ts';
import { withSnapshot } from './snapshot.ts';
import { requireSame, type Summary, summarize } from './summary.ts';

export interface RestoreOptions {
  readonly path: string;
  readonly target: DatabaseAddress;
  /** A folder for the copy that is audited; on SQLite, that of the database. */
  readonly folder: string;
  readonly families: readonly SchemaFamily[];
  /** Whether accounts in the target may be replaced. A replaced SQLite file is kept as `….replaced`. */
  readonly replace: boolean;
  readonly onProgress?: OnProgress;
}

/** No server may use the target meanwhile. @throws {AccountError} ERR_STORE; then the target is unchanged */
export async function restoreAccounts(options: RestoreOptions): Promise<Summary> {
  const { path, target, folder, replace } = options;
  const { summary, migrations } = await checkBackup(path);
  await requireFree(target, { replace });
  const copyPath = `${folder}/accounts.sqlite.restoring`;
  await removeSqlite(copyPath);
  try {
    const copy = await openUnmigrated({ kind: 'sqlite', path: copyPath });
    try {
      await fillCopy(copy, { ...options, summary, migrations });
      if (target.kind === 'postgres') await copyToPostgres(copy, target, options);
    } finally {
      await copy.db.destroy();
    }
    if (target.kind === 'sqlite') await takePlace(copyPath, target.path);
    return summary;
  } finally {
    await removeSqlite(copyPath);
  }
}

async function fillCopy(
  copy: Database,
  {
    path,
    families,
    summary,
    migrations,
    onProgress,
  }: RestoreOptions & { summary: Summary; migrations: Readonly<Record<string, string>> },
): Promise<void> {
  const { db, kind } = copy;
  const present = families.filter(({ table }) => migrations[table] !== undefined);
  if (present.length !== Object.keys(migrations).length) throw corrupt('it has tables that this program does not know');
  for (const family of present) await family.migrate(db, kind, migrations[family.table]);
  const tables = await transferTables(db);
  await db.transaction().execute(async (transaction) => {
    await clearTables(transaction, tables);
    let table: TransferTable | undefined;
    let rows: PortableRow[] = [];
    let rowsDone = 0;
    const flush = async () => {
      if (table === undefined) return;
      await writeRows(transaction, table, rows);
      rowsDone += rows.length;
      onProgress?.({ table: table.name, rowsDone, rowsTotal: summary.tables[table.name]?.rows ?? rowsDone });
      rows = [];
    };
    for await (const line of readBackup(path)) {
      const row = table && parseRow(line, table);
      if (row !== undefined) rows.push(row);
      else {
        await flush();
        [table, rowsDone] = [tableOf(line, tables), 0];
      }
      if (rows.length >= batchRows) await flush();
    }
    await flush();
    requireSame(summary, await summarize(transaction, tables));
  });
  for (const family of present) await family.migrate(db, kind);
}

function tableOf(line: unknown, tables: readonly TransferTable[]): TransferTable {
  const { table, columns } = (Array.isArray(line) ? {} : line) as { table?: unknown; columns?: unknown };
  const found = tables.find(({ name }) => name === table);
  if (found === undefined) throw corrupt('it has a table or a row that does not fit its version');
  if (JSON.stringify(columns) !== JSON.stringify(found.columns)) throw corrupt(`the columns of ${found.name} differ`);
  return found;
}

async function copyToPostgres(copy: Database, target: DatabaseAddress, { families, onProgress }: RestoreOptions) {
  const database = await openDatabase(target);
  try {
    await withSnapshot(copy, { isLocked: false }, async (snapshot) => {
      for (const family of families) {
        if (snapshot.migrations[family.table] !== undefined) await family.migrate(database.db, 'postgres');
      }
      await copyTables(snapshot, database, { onProgress });
    });
  } finally {
    await database.db.destroy();
  }
}

async function requireFree(target: DatabaseAddress, { replace }: { replace: boolean }): Promise<void> {
  if (target.kind === 'sqlite' && (replace || !existsSync(target.path))) return;
  const database = await openDatabase(target);
  try {
    await requireNoServer(database);
    if (replace || (await isEmpty(database))) return;
  } finally {
    await database.db.destroy();
  }
  throw new AccountError('ERR_STORE', 'the database has accounts already: add --replace to replace them all');
}

async function takePlace(copyPath: string, path: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) {
    if (existsSync(`${path}${end}`)) await rename(`${path}${end}`, `${path}.replaced${end}`);
    else await rm(`${path}.replaced${end}`, { force: true });
  }
  await rename(copyPath, path);
}

async function removeSqlite(path: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(`${path}${end}`, { force: true });
}
