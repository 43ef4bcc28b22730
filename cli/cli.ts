/** The `cloister` command: finds the subcommand, and turns its errors into a message and an exit code. */
import { ServerError } from '@cloister/server/http/errors';
import { type Command, type CommandIo, exitCodes } from '@cloister/server/program/command';
import { processEnvironment } from '@cloister/server/program/config';
import { version } from '@cloister/server/program/version';

const help = `Usage: cloister <command> [options]

  serve           serve the API on this machine's GPU or CPU
  config          show and check the configuration of serve
  accounts        create, credit, audit and close accounts, and change their plan
  keys            create, list and revoke API keys
  plans           list, create and change plans
  compute         serve the compute API, check its file, audit its ledger, announce system news
  models          add, pull, list and verify models
  verify          verify a server's evidence: its machine, software and keys
  verify-receipt  verify the receipt of a response
  proxy           forward requests of programs on this machine to a verified server
  score           print the factors by which auditors score a server's evidence
  image           build and run the confidential VM's image, make its disks, provision its secrets
  measure         compute an image's expected measurements, and the policy for verify

Each command has --help. cloister --version prints the version.
Exit codes: 0 success, 1 failure, 3 already done (a payment that is already booked), 64 wrong usage, 78 wrong
configuration, 130 interrupted; verify and score also: 10 not verified, 20 check could not run.
`;

/** Each command is loaded only when it runs: `keys` does not need the web server. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: () => import('./serve.ts'),
  config: () => import('./config.ts'),
  accounts: () => import('./accounts/accounts.ts'),
  keys: () => import('./accounts/keys.ts'),
  plans: () => import('./accounts/plans.ts'),
  compute: () => import('./compute/compute.ts'),
  models: () => import('./models/models.ts'),
  verify: () => import('./verify.ts'),
  'verify-receipt': () => import('./verify-receipt.ts'),
  proxy: () => import('./proxy.ts'),
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
    io.stderr.write(name === undefined ? help : `cloister: unknown command ${name}\n\n${help}`);
    return exitCodes.usage;
  }
  try {
    return await (await command()).run(rest, io);
  } catch (error) {
    return explain(error, io);
  }
}

/** Classes of errors whose message is enough to act on. */
const expectedErrors = [
  'ServerError',
  'AccountError',
  'ComputeError',
  'ModelError',
  'RuntimeError',
  'AttestationError',
  'ImageError',
];

/** Prints the message of an expected error, or the stack of an unexpected one, which is a defect. */
function explain(error: unknown, { stderr }: CommandIo): number {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  stderr.write(`cloister: ${expectedErrors.includes(name) ? message : (stack ?? message)}\n`);
  if (!(error instanceof ServerError)) return exitCodes.failure;
  if (error.code === 'ERR_USAGE') return exitCodes.usage;
  return error.code === 'ERR_CONFIG' ? exitCodes.configuration : exitCodes.failure;
}

/** Runs the command line of this process. @returns the exit code */
export async function main(): Promise<number> {
  const { stdout, stderr } = process;
  for (const stream of [stdout, stderr]) stream.on('error', ignoreClosedReader);
  return runCli(process.argv.slice(2), { stdout, stderr, env: processEnvironment(), cwd: process.cwd() });
}

/** A closed pipe (EPIPE) or terminal (EIO) must not end a running command. */
function ignoreClosedReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
}
