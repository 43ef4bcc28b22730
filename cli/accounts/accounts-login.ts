/** `cloister accounts login`: prints a single-use sign-in link to the server's pages or to the console of the compute service. */
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { parseCommandArgs } from '@cloister/server/program/command-args';
import { readCommandConfig } from '@cloister/server/program/config';
import { consoleLink, signInLink } from '@cloister/server/program/sign-in-link';
import { withAccounts } from './open-accounts.ts';

const computeUrlDefault = 'https://localhost:8444';

/** @throws {ServerError} ERR_USAGE, ERR_CONFIG · @throws {AccountError} ERR_ACCOUNT_UNKNOWN */
export async function login(args: string[], io: CommandIo): Promise<number> {
  const { name, url, compute, svc, json, settingArgs } = readCall(args);
  const { config } = readCommandConfig(settingArgs, io);
  await withAccounts(config, async ({ accounts }) => {
    const { id } = await accounts.findAccount(name);
    const { secret, expiresAt } = await accounts.makeLoginLink({ accountId: id, now: Date.now() });
    const link = compute
      ? consoleLink(withoutSlash(url ?? computeUrlDefault), { svc, secret })
      : signInLink(withoutSlash(url ?? config.publicUrl ?? `https://localhost:${config.port}`), secret);
    const expires = new Date(expiresAt).toISOString();
    io.stdout.write(json ? `${JSON.stringify({ link, expiresAt: expires })}\n` : `${link}\n`);
    if (!json) io.stderr.write(`The link signs in to account ${name}. It works once and expires at ${expires}.\n`);
  });
  return exitCodes.ok;
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}

function readCall(args: string[]) {
  const settingFlags = ['state-dir', 'database-url', 'config'] as const;
  const text = { type: 'string' } as const;
  const parsed = parseCommandArgs(args, {
    command: 'accounts',
    options: {
      url: text,
      svc: text,
      compute: { type: 'boolean' },
      json: { type: 'boolean' },
      ...Object.fromEntries(settingFlags.map((flag) => [flag, text])),
    },
  });
  const values = parsed.values as Readonly<Record<string, string | boolean | undefined>>;
  const [name, ...more] = parsed.positionals;
  if (name === undefined || more.length > 0) throw usageError('login takes the name of an account', 'accounts');
  return {
    name,
    url: values.url === undefined ? undefined : String(values.url),
    compute: values.compute === true || values.svc !== undefined,
    svc: String(values.svc ?? 'svc'),
    json: values.json === true,
    settingArgs: settingFlags.flatMap((flag) =>
      values[flag] === undefined ? [] : [`--${flag}`, String(values[flag])],
    ),
  };
}
