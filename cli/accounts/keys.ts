/** `cloister keys`: creates, lists and revokes API keys, also while a server runs on the same database. */
import { AccountError } from '@cloister/accounts/base/errors';
import { demoAccount } from '@cloister/accounts/demo-account';
import type { ApiKey } from '@cloister/accounts/store';
import { type CommandIo, table } from '@cloister/server/program/command';
import {
  type AccountSubcommand,
  databaseHelp,
  isoTime,
  noArgument,
  onlyArgument,
  runAccountCommand,
} from './account-command.ts';

const command = 'keys';

const help = `Usage: cloister keys create [--name <name>] [--account <account>] [--scopes <list>] [--expires <time>]
       cloister keys list [--account <account>] [--all]
       cloister keys revoke <id>

A key is shown only when it is created; only its SHA-256 is stored. A revoked key is rejected from the next request.

  --account <account>   existing account that owns the key (create: [${demoAccount}], list: [every account])
  --name <name>         name of the key [key]
  --scopes <list>       permissions of the key, separated by commas: pods, templates, ssh-keys,
                        docker-credentials, machines, balance, inference [all]
  --expires <time>      expiry: a date (2027-01-31), a time (2027-01-31T12:00Z) or a number of days (90d) [never]
  --all                 include revoked keys in the list
${databaseHelp}  --json                print JSON
`;

/** @throws {ServerError} ERR_USAGE, ERR_CONFIG · @throws {AccountError} */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const texts = ['name', 'account', 'scopes', 'expires'];
  const subcommands = { create, list, revoke };
  return await runAccountCommand({ name: command, help, subcommands, texts, booleans: ['all'] }, args, io);
}

const create: AccountSubcommand = async (accounts, call, io) => {
  noArgument(call, { name: 'create', command });
  const { name = 'key', account = demoAccount, scopes, expires } = call.values;
  const now = Date.now();
  const { key, secret } = await accounts.createKey({
    account,
    name,
    now,
    scopes: scopes?.split(',').map((scope) => scope.trim()),
    expiresAt: expires === undefined ? undefined : parseExpiry(expires, now),
  });
  if (call.json) io.stdout.write(`${JSON.stringify({ ...toJson(key), secret })}\n`);
  else io.stdout.write(`${secret}\n`);
  if (!call.json) io.stderr.write(`The key is shown only once. Its ID is ${key.id}.\n`);
};

const list: AccountSubcommand = async (accounts, call, io) => {
  noArgument(call, { name: 'list', command });
  const { account } = call.values;
  const all = call.flags.has('all');
  const keys = (await accounts.listKeys({ account })).filter((key) => all || key.revokedAt === undefined);
  if (call.json) {
    io.stdout.write(`${JSON.stringify(keys.map(toJson), null, 2)}\n`);
    return;
  }
  if (keys.length === 0) {
    io.stderr.write('No keys. Create one with: cloister keys create\n');
    return;
  }
  const rows = keys.map((key) => [
    key.id,
    key.account,
    key.name,
    key.preview,
    new Date(key.createdAt).toISOString(),
    stateOf(key),
    isoTime(key.lastUsedAt)?.slice(0, 10) ?? 'never',
  ]);
  io.stdout.write(table([['ID', 'ACCOUNT', 'NAME', 'KEY', 'CREATED', 'STATE', 'LAST USED'], ...rows]));
};

const revoke: AccountSubcommand = async (accounts, call, io) => {
  const id = onlyArgument(call, { takes: 'revoke takes one key ID, as in `cloister keys list`', command });
  const key = await accounts.revokeKey(id, { now: Date.now() });
  io.stdout.write(call.json ? `${JSON.stringify(toJson(key))}\n` : `revoked ${key.preview} (${key.name})\n`);
};

function stateOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt !== undefined) return `revoked ${isoTime(revokedAt)}`;
  if (expiresAt === undefined) return 'live';
  return `${expiresAt <= Date.now() ? 'expired' : 'live until'} ${isoTime(expiresAt)}`;
}

/** @returns milliseconds since 1970 · @throws {AccountError} ERR_EXPIRY_INVALID */
function parseExpiry(text: string, now: number): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const time = days === undefined ? Date.parse(text) : now + Number(days) * 86_400_000;
  if (!Number.isNaN(time)) return time;
  throw new AccountError(
    'ERR_EXPIRY_INVALID',
    `--expires must be a date, a time or a number of days such as 90d, got ${text}`,
  );
}

function toJson({ id, account, name, preview, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }: ApiKey) {
  return {
    id,
    account,
    name,
    preview,
    scopes,
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(expiresAt),
    lastUsed: isoTime(lastUsedAt)?.slice(0, 10) ?? null,
    revokedAt: isoTime(revokedAt),
  };
}
