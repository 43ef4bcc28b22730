/** The `cloister` command: finds the subcommand, and turns what it throws into a line and an exit code. */
import { ServerError } from '@cloister/server/http/errors';
import { type Command, type CommandIo, exitCodes } from '@cloister/server/program/command';
import { processEnvironment } from '@cloister/server/program/config';
import { version } from '@cloister/server/program/version';

const help = `Usage: cloister <command> [options]

  serve    serve the API on this machine's GPU or CPU
  accounts open accounts, pay in, move them to a plan, close them
  keys     create, list and revoke API keys
  plans    show and change what accounts may use
  compute  rent out machines: serve the compute API, check its file and books
  models   add, pull, list and verify models
  verify   verify a server's evidence: its machine, software and keys
  verify-receipt  verify the receipt of an answer
  score    print the factors that auditors score, for any server's evidence
  image    build and run the image of the confidential VM, make its disks
  measure  compute what a confidential VM's image measures, and the policy for verify

Each command has --help. cloister --version prints the version.
Exit codes: 0 done, 1 failed, 3 done before (a payment that was booked already), 64 wrong usage, 78 wrong configuration, 130 interrupted; verify, score: 10 not verified, 20 could
not check.
`;

/** Loaded when asked for: `keys` needs no web server. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: () => import('./serve.ts'),
  accounts: () => import('./accounts/accounts.ts'),
  keys: () => import('./accounts/keys.ts'),
  plans: () => import('./accounts/plans.ts'),
  compute: () => import('./compute/compute.ts'),
  models: () => import('./models/models.ts'),
  verify: () => import('./verify.ts'),
  'verify-receipt': () => import('./verify-receipt.ts'),
  score: () => import('./score.ts'),
  image: () => import('./image/image.ts'),
  measure: () => import('./image/measure.ts'),
};

/** @returns the exit code */
export async function runCli(args: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--version') {
    io.stdout.write(`${version}\n`);
    return exitCodes.ok;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    io.stderr.write(name === undefined ? help : `cloister: there is no command ${name}\n\n${help}`);
    return exitCodes.usage;
  }
  try {
    return await (await command()).run(rest, io);
  } catch (error) {
    return explain(error, io);
  }
}

/** Errors whose message tells people what to do. */
const foreseen = [
  'ServerError',
  'AccountError',
  'ComputeError',
  'ModelError',
  'RuntimeError',
  'AttestationError',
  'ImageError',
];

/** One line for what people can put right; the stack too for what only a defect explains. */
function explain(error: unknown, { stderr }: CommandIo): number {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  stderr.write(`cloister: ${foreseen.includes(name) ? message : (stack ?? message)}\n`);
  if (!(error instanceof ServerError)) return exitCodes.failure;
  if (error.code === 'ERR_USAGE') return exitCodes.usage;
  return error.code === 'ERR_CONFIG' ? exitCodes.configuration : exitCodes.failure;
}

/** The whole program. @returns the exit code */
export async function main(): Promise<number> {
  const { stdout, stderr } = process;
  for (const stream of [stdout, stderr]) stream.on('error', forgetReader);
  return runCli(process.argv.slice(2), { stdout, stderr, env: processEnvironment(), cwd: process.cwd() });
}

/** Whoever read what is written may have gone, a terminal may be closed: then there is nobody to tell, and no reason to stop. */
function forgetReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
}
