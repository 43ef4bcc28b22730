/** Every command with its own help text; subcommands before the commands that they belong to. */
import { tmpdir } from 'node:os';
import { runCloister } from '../support/cloister.ts';

export const commands = [
  ...['build', 'run', 'config-disk', 'model-disk', 'boot-disk', 'provision'].map((name) => `image ${name}`),
  ...['add', 'alias', 'list', 'pull', 'rm', 'verify'].map((name) => `models ${name}`),
  ...['serve', 'config', 'accounts', 'keys', 'plans', 'compute', 'models'],
  ...['ps', 'verify', 'verify-receipt', 'proxy', 'score', 'fleet', 'image', 'measure', 'completion'],
];

/** What `cloister COMMAND --help` prints; the list of commands for an empty one. */
export const help = (command: string) => runCloister(`${command} --help`, { cwd: tmpdir() });
