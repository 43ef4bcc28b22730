/** `cloister serve`: runs the server until a signal stops it. */
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { readConfig } from '@cloister/server/program/config';
import { settingsHelp } from '@cloister/server/program/settings-help';

const help = (columns: number | undefined) => `Usage: cloister serve [options]

Serves the OpenAI-compatible API over TLS 1.3. Without options it serves the demo models that come with Cloister.
Each option is also an environment variable (--drain-timeout-s is CLOISTER_DRAIN_TIMEOUT_S) and a key of the --config
file (drainTimeoutS). Flags take precedence over variables, variables over the file.

Examples:
  cloister serve                                       the demo models, on https://localhost:8443/v1
  cloister serve --model ./model.gguf --context 8192   a file
  cloister serve --host 0.0.0.0 --tls-name api.internal --metrics-host 0.0.0.0
                                                       on every interface of the machine
  cloister serve --config cloister.json                settings of a file; check it with cloister config check

${settingsHelp(
  [
    ['--config <file>', 'JSON file of settings'],
    ['--json', 'print one JSON object per line instead of text'],
  ],
  columns,
)}`;

export async function run(args: string[], io: CommandIo): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    io.stdout.write(help(io.stdout.isTTY === true ? io.stdout.columns : undefined));
    return exitCodes.ok;
  }
  const read = () => readConfig({ args, env: io.env, cwd: io.cwd }, { extra: ['json'] });
  const { config, warnings, flags, positionals } = read();
  if (positionals.length > 0) throw usageError(`serve takes no argument, got ${positionals[0]}`, 'serve');
  // Load the server's modules only after the settings are validated.
  const { serve } = await import('@cloister/server/start/main');
  return serve(config, io, { json: flags.has('json'), warnings, rereadConfig: () => read().config });
}
