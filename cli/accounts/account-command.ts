/** Flags, argument checks and database access shared by the `accounts`, `keys` and `plans` commands. */
import type { ParseArgsOptionsConfig } from 'node:util';
import type { Database } from '@cloister/accounts/database/database';
import type { Accounts } from '@cloister/accounts/store';
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { parseCommandArgs } from '@cloister/server/program/command-args';
import { readCommandConfig } from '@cloister/server/program/config';
import { flagName, type SettingName } from '@cloister/server/program/settings';
import { suggestion } from '@cloister/server/program/suggestion';
import { withAccounts } from './open-accounts.ts';

export interface AccountCall {
  /** The command's own flags with a value, by name. */
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly flags: ReadonlySet<string>;
  readonly positionals: readonly string[];
  readonly json: boolean;
}

/** @param database the database of the accounts, which also holds the compute service's tables */
export type AccountSubcommand = (
  accounts: Accounts,
  call: AccountCall,
  io: CommandIo,
  database: Database,
) => Promise<void>;

export interface AccountCommand {
  readonly name: string;
  readonly help: string;
  readonly subcommands: Readonly<Record<string, AccountSubcommand>>;
  /** Names of the flags with a value (`texts`) and without (`booleans`). Every command also accepts `--json`. */
  readonly texts: readonly string[];
  readonly booleans?: readonly string[];
}

/** The settings that locate the database. */
const databaseSettings = ['stateDir', 'databaseUrl'] as const satisfies readonly SettingName[];

/** Help lines for the database settings. */
export const databaseHelp = `  --state-dir <folder>  the server's state folder [CLOISTER_STATE_DIR, .cloister]
  --database-url <url>  shared PostgreSQL database, instead of SQLite in the state folder [CLOISTER_DATABASE_URL]
  --config <file>       JSON file of settings, as for serve [CLOISTER_CONFIG]
`;

/** @throws {ServerError} ERR_USAGE, ERR_CONFIG · @throws {AccountError} */
export async function runAccountCommand(command: AccountCommand, args: string[], io: CommandIo): Promise<number> {
  const [name = '', ...rest] = args;
  if (args.includes('--help') || args.includes('-h')) {
    io.stdout.write(command.help);
    return exitCodes.ok;
  }
  const subcommand = Object.hasOwn(command.subcommands, name) ? command.subcommands[name] : undefined;
  if (subcommand === undefined) {
    const names = Object.keys(command.subcommands);
    const list = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
    throw usageError(`${command.name} takes ${list}, got ${name || 'nothing'}${suggestion(name, names)}`, command.name);
  }
  const { settingArgs, ...call } = readCall(command, rest);
  const { config } = readCommandConfig(settingArgs, io);
  await withAccounts(config, ({ accounts, database }) => subcommand(accounts, call, io, database));
  return exitCodes.ok;
}

/** Returns the only argument of a subcommand. @throws {ServerError} ERR_USAGE with the message `takes` */
export function onlyArgument(
  { positionals }: AccountCall,
  { takes, command }: { takes: string; command: string },
): string {
  const [argument, ...more] = positionals;
  if (argument === undefined || more.length > 0) throw usageError(takes, command);
  return argument;
}

/** Rejects any argument. @throws {ServerError} ERR_USAGE */
export function noArgument({ positionals }: AccountCall, { name, command }: { name: string; command: string }): void {
  if (positionals.length > 0) throw usageError(`${name} takes no argument, got ${positionals[0]}`, command);
}

/** Formats a time as ISO 8601; `undefined` becomes `null`. */
export function isoTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

function readCall({ name, texts, booleans = [] }: AccountCommand, args: string[]) {
  const settingFlags = [...databaseSettings.map(flagName), 'config'];
  const options: ParseArgsOptionsConfig = Object.fromEntries([
    ...[...texts, ...settingFlags].map((flag) => [flag, { type: 'string' }]),
    ...[...booleans, 'json'].map((flag) => [flag, { type: 'boolean' }]),
  ]);
  const { values, positionals } = parseCommandArgs(args, { command: name, options });
  const text = (flag: string) => values[flag] as string | undefined;
  return {
    positionals,
    json: values.json === true,
    values: Object.fromEntries(texts.map((flag) => [flag, text(flag)])),
    flags: new Set(booleans.filter((flag) => values[flag] === true)),
    settingArgs: settingFlags.flatMap((flag) => (text(flag) === undefined ? [] : [`--${flag}`, text(flag)!])),
  };
}
