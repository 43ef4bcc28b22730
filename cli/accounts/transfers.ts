/** `cloister accounts backup`, `restore`, `move` and `downgrade`: copies and moves all accounts. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { formatDollars } from '@cloister/accounts/base/money';
import type { DatabaseKind } from '@cloister/accounts/base/tables';
import { openDatabase } from '@cloister/accounts/database/database';
import { accountsFamily, type SchemaFamily } from '@cloister/accounts/database/migrations';
import type { DatabaseAddress } from '@cloister/accounts/store';
import { backupAccounts } from '@cloister/accounts/transfer/backup';
import { downgradeAccounts } from '@cloister/accounts/transfer/downgrade';
import { moveAccounts } from '@cloister/accounts/transfer/move';
import type { OnProgress } from '@cloister/accounts/transfer/progress';
import { restoreAccounts } from '@cloister/accounts/transfer/restore';
import { migrateCompute } from '@cloister/compute/store/migration';
import { accountDatabase } from '@cloister/server/program/account-database';
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { parseCommandArgs } from '@cloister/server/program/command-args';
import { type Config, readCommandConfig } from '@cloister/server/program/config';
import { lockStateFolder, makeStateFolder, statePaths } from '@cloister/server/program/state-folder';

const families: readonly SchemaFamily[] = [
  accountsFamily,
  {
    table: 'compute_migration',
    migrate: (db, kind: DatabaseKind, to) =>
      migrateCompute(db as unknown as Parameters<typeof migrateCompute>[0], kind, to),
  },
];

interface Call {
  readonly argument: string | undefined;
  readonly to: string | undefined;
  readonly replace: boolean;
  readonly json: boolean;
  readonly config: Config;
}

type Transfer = (call: Call, io: CommandIo, onProgress: OnProgress) => Promise<number>;

/** The subcommands by name. */
export const transfers: Readonly<Record<string, Transfer>> = { backup, restore, move, downgrade };

/** @throws {ServerError} ERR_USAGE, ERR_CONFIG, ERR_START · @throws {AccountError} ERR_STORE */
export async function runTransfer(name: string, args: string[], io: CommandIo): Promise<number> {
  const text = { type: 'string' } as const;
  const settingFlags = ['state-dir', 'database-url', 'config'] as const;
  const { values, positionals } = parseCommandArgs(args, {
    command: 'accounts',
    options: {
      to: text,
      replace: { type: 'boolean' },
      json: { type: 'boolean' },
      ...Object.fromEntries(settingFlags.map((flag) => [flag, text])),
    },
  });
  const given = values as Readonly<Record<string, string | boolean | undefined>>;
  const settings = settingFlags.flatMap((flag) =>
    given[flag] === undefined ? [] : [`--${flag}`, String(given[flag])],
  );
  const { config } = readCommandConfig(settings, io);
  makeStateFolder(config);
  const [argument, ...more] = positionals;
  if (more.length > 0) throw usageError(`${name} takes one argument at most`, 'accounts');
  const to = given.to as string | undefined;
  const call = { argument, to, replace: given.replace === true, json: given.json === true, config };
  const progress = progressLines(io);
  try {
    return await transfers[name]!(call, io, progress.report);
  } finally {
    progress.finish();
  }
}

async function backup({ argument, json, config }: Call, io: CommandIo, onProgress: OnProgress): Promise<number> {
  if (argument === undefined) throw usageError('backup takes the file to write', 'accounts');
  const path = resolve(io.cwd, argument);
  const database = await openDatabase(accountDatabase(config));
  try {
    print(await backupAccounts(database, { path, now: Date.now(), onProgress }), { done: 'backed up', json, io });
  } finally {
    await database.db.destroy();
  }
  return exitCodes.ok;
}

async function restore(
  { argument, replace, json, config }: Call,
  io: CommandIo,
  onProgress: OnProgress,
): Promise<number> {
  if (argument === undefined) throw usageError('restore takes the file of a backup', 'accounts');
  const target = accountDatabase(config);
  const options = { path: resolve(io.cwd, argument), target, families, replace, onProgress };
  const folder = dirname(statePaths(config).keyDatabase);
  const summary = await withoutServers(config, target, () => restoreAccounts({ ...options, folder }));
  print(summary, { done: 'restored and audited', json, io });
  return exitCodes.ok;
}

async function move({ argument, to, json, config }: Call, io: CommandIo, onProgress: OnProgress): Promise<number> {
  if (argument !== undefined || to === undefined)
    throw usageError('move takes --to and the address of a database', 'accounts');
  const from = accountDatabase(config);
  const target = addressOf(to, io.cwd);
  if (from.kind === 'sqlite' && !existsSync(from.path))
    throw usageError('the state folder has no accounts', 'accounts');
  const summary = await withoutServers(config, from, () => moveAccounts({ from, to: target, families, onProgress }));
  if (summary === undefined) {
    io.stderr.write('the accounts are moved already: nothing was changed\n');
    return exitCodes.alreadyDone;
  }
  print(summary, { done: 'moved and audited', json, io });
  if (!json)
    io.stderr.write(
      `start the server with ${target.kind === 'postgres' ? '--database-url' : 'this file'} from now on\n`,
    );
  return exitCodes.ok;
}

async function downgrade({ argument, to, json, config }: Call, io: CommandIo): Promise<number> {
  if (argument !== undefined || to === undefined) throw usageError('downgrade takes --to and a version', 'accounts');
  const address = accountDatabase(config);
  const books = await withoutServers(config, address, () => downgradeAccounts(address, { release: to, families }));
  const isConsistent = books.faults.length === 0 && books.sum === 0;
  if (json) io.stdout.write(`${JSON.stringify(books)}\n`);
  else if (isConsistent) io.stdout.write(`${books.accounts} accounts are ready for version ${to} and audited\n`);
  else io.stdout.write(`${books.faults.join('\n')}\n`);
  return isConsistent ? exitCodes.ok : exitCodes.failure;
}

/** Keeps servers of the state folder from starting. Those on PostgreSQL are found by their leases. */
async function withoutServers<Result>(
  config: Config,
  { kind }: DatabaseAddress,
  work: () => Promise<Result>,
): Promise<Result> {
  if (kind === 'postgres') return await work();
  const serve = lockStateFolder(config, 'serve');
  try {
    const compute = lockStateFolder(config, 'compute serve');
    try {
      return await work();
    } finally {
      compute.release();
    }
  } finally {
    serve.release();
  }
}

function addressOf(to: string, cwd: string): DatabaseAddress {
  if (/^postgres(ql)?:\/\//.test(to)) return { kind: 'postgres', url: to };
  if (/^[a-z]+:\/\//.test(to)) throw usageError('--to is postgres://… or the path of a SQLite file', 'accounts');
  return { kind: 'sqlite', path: resolve(cwd, to) };
}

interface Moved {
  readonly tables: Readonly<Record<string, { readonly rows: number }>>;
  readonly money: { readonly paidIn: number; readonly spent: number };
  readonly statements: { readonly count: number };
}

function print(summary: Moved, { done, json, io }: { done: string; json: boolean; io: CommandIo }): void {
  if (json) {
    io.stdout.write(`${JSON.stringify(summary)}\n`);
    return;
  }
  const rows = Object.values(summary.tables).reduce((sum, table) => sum + table.rows, 0);
  const { paidIn, spent } = summary.money;
  io.stdout.write(
    `${done}: ${summary.tables.accounts?.rows ?? 0} accounts, ${rows} rows, ${summary.statements.count} daily statements, ` +
      `${formatDollars(paidIn)} USD paid in, ${formatDollars(spent)} USD spent\n`,
  );
}

/** One line per table; on a terminal it counts. */
function progressLines({ stderr }: CommandIo): { report: OnProgress; finish: () => void } {
  let isOpen = false;
  return {
    report({ table, rowsDone, rowsTotal }) {
      const line = `${table}: ${rowsDone} of ${rowsTotal} rows`;
      const isDone = rowsDone >= rowsTotal;
      if (stderr.isTTY === true) stderr.write(`\r\x1b[2K${line}${isDone ? '\n' : ''}`);
      else if (isDone) stderr.write(`${line}\n`);
      isOpen = stderr.isTTY === true && !isDone;
    },
    finish() {
      if (isOpen) stderr.write('\n');
    },
  };
}
