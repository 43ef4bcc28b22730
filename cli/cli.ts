/** The `cloister` command: finds the subcommand, and turns its errors into a message and an exit code. */
import { ServerError } from '@cloister/server/http/errors';
import { type CommandIo, exitCodes } from '@cloister/server/program/command';
import { processEnvironment } from '@cloister/server/program/config';
import { suggestion } from '@cloister/server/program/suggestion';
import { version } from '@cloister/server/program/version';
import { commands } from './commands.ts';

const nameColumns = Math.max(...commands.map(({ name }) => name.length)) + 2;

const help = `Usage: cloister <command> [options]

${commands.map(({ name, summary }) => `  ${name.padEnd(nameColumns)}${summary}\n`).join('')}
Each command has --help. cloister --version (-v) prints the version, cloister --man the manual page.
Exit codes: 0 success, 1 failure, 3 already done (a payment that is already booked), 64 wrong usage, 78 wrong
configuration, 130 interrupted; verify and score also: 10 not verified, 20 check could not run.
`;

/** @returns the exit code */
export async function runCli(args: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v') {
    io.stdout.write(`${version}\n`);
    return exitCodes.ok;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  if (name === '--man') {
    const { manualPage } = await import('./manual.ts');
    io.stdout.write(await manualPage(commands, { version, help }));
    return exitCodes.ok;
  }
  const command = commands.find((one) => one.name === name);
  if (command === undefined) {
    const names = commands.map((one) => one.name);
    const unknown = `cloister: unknown command ${name}${suggestion(name ?? '', names)}\nSee: cloister --help\n`;
    io.stderr.write(name === undefined ? help : unknown);
    return exitCodes.usage;
  }
  try {
    return await (await command.load()).run(rest, io);
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
