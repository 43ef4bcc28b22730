/** `cloister keys`: makes, lists and revokes API keys, also while a server runs on the same state folder. */
import { parseArgs } from 'node:util';
import type { AccountStore, ApiKey } from '../accounts/store.ts';
import { openAccountStore } from '../accounts/store.ts';
import { readConfig } from '../config.ts';
import { defaultAccount } from '../start-key.ts';
import { makeStateFolder, statePaths } from '../state-folder.ts';
import { type CommandIo, exitCodes, table, usageError } from './command.ts';

const help = `Usage: cloister keys create [--name <name>] [--account <account>]
       cloister keys list [--account <account>] [--all]
       cloister keys revoke <id>

A key is shown once, when it is made; only its SHA-256 is stored. A revoked key is refused from the next request on.

  --account <account>   whose key it is (create: [default], list: [every account])
  --name <name>         what to remember the key by [key]
  --all                 list revoked keys too
  --state-dir <folder>  the server's state folder [CLOISTER_STATE_DIR, .cloister]
  --json                print JSON
`;

interface KeysCall {
  readonly positionals: readonly string[];
  readonly name: string | undefined;
  readonly account: string | undefined;
  readonly all: boolean;
  readonly json: boolean;
}

type Subcommand = (accounts: AccountStore, call: KeysCall, io: CommandIo) => Promise<void>;

const subcommands: Readonly<Record<string, Subcommand>> = { create, list, revoke };

/** @throws {ServerError} ERR_USAGE, ERR_CONFIG · @throws {AccountError} */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const [name = '', ...rest] = args;
  if (args.includes('--help') || args.includes('-h')) {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (subcommand === undefined) throw usageError(`keys takes create, list or revoke, got ${name || 'nothing'}`, 'keys');
  const { stateDir, config: file, ...call } = readCall(rest);
  const settings = Object.entries({ '--state-dir': stateDir, '--config': file });
  const { config } = readConfig({
    args: settings.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value])),
    env: io.env,
    cwd: io.cwd,
  });
  makeStateFolder(config);
  const accounts = await openAccountStore(statePaths(config).keyDatabase);
  try {
    await subcommand(accounts, call, io);
  } finally {
    await accounts.close();
  }
  return exitCodes.ok;
}

async function create(accounts: AccountStore, { name, account, json, positionals }: KeysCall, io: CommandIo) {
  if (positionals.length > 0) throw usageError(`create takes no argument, got ${positionals[0]}`, 'keys');
  const wanted = { account: account ?? defaultAccount, name: name ?? 'key', now: Date.now() };
  const { key, secret } = await accounts.createKey(wanted);
  if (json) io.stdout.write(`${JSON.stringify({ ...toJson(key), secret })}\n`);
  else io.stdout.write(`${secret}\n`);
  if (!json) io.stderr.write(`This is the only time it is shown. Its id is ${key.id}.\n`);
}

async function list(accounts: AccountStore, { account, all, json, positionals }: KeysCall, io: CommandIo) {
  if (positionals.length > 0) throw usageError(`list takes no argument, got ${positionals[0]}`, 'keys');
  const keys = (await accounts.listKeys({ account })).filter((key) => all || key.revokedAt === undefined);
  if (json) {
    io.stdout.write(`${JSON.stringify(keys.map(toJson), null, 2)}\n`);
    return;
  }
  if (keys.length === 0) {
    io.stderr.write('No keys. Make one with: cloister keys create\n');
    return;
  }
  const rows = keys.map(({ id, account, name, preview, createdAt, revokedAt }) => [
    id,
    account,
    name,
    preview,
    new Date(createdAt).toISOString(),
    revokedAt === undefined ? 'live' : `revoked ${new Date(revokedAt).toISOString()}`,
  ]);
  io.stdout.write(table([['ID', 'ACCOUNT', 'NAME', 'KEY', 'CREATED', 'STATE'], ...rows]));
}

async function revoke(accounts: AccountStore, { json, positionals }: KeysCall, io: CommandIo) {
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0) throw usageError('revoke takes one key id, as `keys list` shows it', 'keys');
  const key = await accounts.revokeKey(id, { now: Date.now() });
  io.stdout.write(json ? `${JSON.stringify(toJson(key))}\n` : `revoked ${key.preview} (${key.name})\n`);
}

function toJson({ id, account, name, preview, createdAt, revokedAt }: ApiKey) {
  return {
    id,
    account,
    name,
    preview,
    createdAt: new Date(createdAt).toISOString(),
    revokedAt: revokedAt === undefined ? null : new Date(revokedAt).toISOString(),
  };
}

function readCall(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = { name: text, account: text, 'state-dir': text, config: text, all: flag, json: flag };
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
    const { name, account, config, all, json, 'state-dir': stateDir } = values;
    return { name, account, config, all, json, stateDir, positionals };
  } catch (error) {
    throw usageError((error as Error).message, 'keys');
  }
}
