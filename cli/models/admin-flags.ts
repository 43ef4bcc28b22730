/** The flags of commands that call the admin API of a running server. */
import { type CommandIo, usageError } from '@cloister/server/program/command';
import { parseCommandArgs } from '@cloister/server/program/command-args';
import { type Config, readCommandConfig } from '@cloister/server/program/config';
import { adminUrl, type ClientCertificate } from './admin-client.ts';

export const adminHelp = `  --url <url>           address of the admin API [from the settings, http://127.0.0.1:9443]
  --cert, --key <file>  client certificate and its key, for a server with --admin-ca
  --json                print JSON
  --state-dir <folder>  state folder [CLOISTER_STATE_DIR, .cloister]
  --config <file>       JSON file of settings, as for serve [CLOISTER_CONFIG]
`;

export interface AdminTarget {
  readonly config: Config;
  readonly url: URL;
  readonly certificate: ClientCertificate | undefined;
}

const settingFlags = ['state-dir', 'config'] as const;

/** @throws {ServerError} ERR_USAGE, ERR_CONFIG */
export function readAdminFlags(
  args: string[],
  { command, io }: { command: string; io: CommandIo },
): { target: AdminTarget; json: boolean; positionals: readonly string[] } {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseCommandArgs(args, {
    command,
    options: { url: text, cert: text, key: text, json: { type: 'boolean' }, 'state-dir': text, config: text },
  });
  const { cert, key, url } = values;
  if ((cert === undefined) !== (key === undefined)) throw usageError('--cert and --key belong together', command);
  if (url !== undefined && !/^https?:\/\//.test(url))
    throw usageError(`--url must be an http or https address`, command);
  const settingArgs = settingFlags.flatMap((flag) => (values[flag] === undefined ? [] : [`--${flag}`, values[flag]]));
  const { config } = readCommandConfig(settingArgs, io);
  const certificate = cert === undefined || key === undefined ? undefined : { cert, key };
  const target = { config, url: url === undefined ? adminUrl(config) : new URL(url), certificate };
  return { target, json: values.json === true, positionals };
}
