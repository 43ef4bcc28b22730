/** `cloister ps`: the models of a running server. */
import type { LoadedModel } from '@cloister/server/operator/loaded-model';
import { type CommandIo, exitCodes, table, usageError } from '@cloister/server/program/command';
import { parseCommandArgs } from '@cloister/server/program/command-args';
import { readCommandConfig } from '@cloister/server/program/config';
import { formatBytes } from '@cloister/server/program/progress';
import { adminUrl, callAdmin } from './admin-client.ts';

const help = `Usage: cloister ps [options]

Lists the models of a running server: status, main memory that they have claimed, requests, device, and for how long they
have been loaded and idle. Calls the admin API, with the admin token of the state folder.

  --url <url>           address of the admin API [from the settings, http://127.0.0.1:9443]
  --cert, --key <file>  client certificate and its key, for a server with --admin-ca
  --json                print JSON
  --state-dir <folder>  state folder [CLOISTER_STATE_DIR, .cloister]
  --config <file>       JSON file of settings, as for serve [CLOISTER_CONFIG]
`;

const settingFlags = ['state-dir', 'config'] as const;

/** @returns 0 · @throws {ServerError} ERR_USAGE, ERR_CONFIG, and as `callAdmin` */
export async function run(args: string[], io: CommandIo): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  const text = { type: 'string' } as const;
  const { values, positionals } = parseCommandArgs(args, {
    command: 'ps',
    options: { url: text, cert: text, key: text, json: { type: 'boolean' }, 'state-dir': text, config: text },
  });
  if (positionals.length > 0) throw usageError(`expected no argument, got ${positionals[0]}`, 'ps');
  const { cert, key, url } = values;
  if ((cert === undefined) !== (key === undefined)) throw usageError('--cert and --key belong together', 'ps');
  if (url !== undefined && !/^https?:\/\//.test(url)) throw usageError(`--url must be an http or https address`, 'ps');
  const settingArgs = settingFlags.flatMap((flag) => (values[flag] === undefined ? [] : [`--${flag}`, values[flag]]));
  const { config } = readCommandConfig(settingArgs, io);
  const certificate = cert === undefined || key === undefined ? undefined : { cert, key };
  const at = url === undefined ? adminUrl(config) : new URL(url);
  const models = (await callAdmin('/admin/models', { config, url: at, certificate })) as readonly LoadedModel[];
  io.stdout.write(values.json ? `${JSON.stringify({ models }, null, 2)}\n` : describe(models, Date.now()));
  return exitCodes.ok;
}

function describe(models: readonly LoadedModel[], now: number): string {
  const rows = models.map((model) => [
    model.id,
    model.kind,
    model.status,
    formatBytes(model.memoryBytes),
    model.sequences === null ? String(model.running) : `${model.running} of ${model.sequences}`,
    String(model.waiting),
    model.device ?? '-',
    model.loadedAt === null ? '-' : duration((now - model.loadedAt) / 1000),
    model.idleSeconds === null ? '-' : duration(model.idleSeconds),
  ]);
  return table([['ID', 'KIND', 'STATUS', 'MEMORY', 'RUNNING', 'WAITING', 'DEVICE', 'LOADED', 'IDLE'], ...rows]);
}

/** `45 s`, `12 min`, `3 h`, `9 d` */
function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 120) return `${whole} s`;
  if (whole < 7200) return `${Math.floor(whole / 60)} min`;
  return whole < 172_800 ? `${Math.floor(whole / 3600)} h` : `${Math.floor(whole / 86_400)} d`;
}
