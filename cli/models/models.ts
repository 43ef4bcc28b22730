/** `cloister models`: what can be served, and where its weights are. */
import { ModelError } from '@cloister/models/interface/errors';
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { addHelp, addModel } from './models-add.ts';
import { listHelp, listModels } from './models-list.ts';
import { pullHelp, pullModels } from './models-pull.ts';
import type { CommandHooks, Subcommand } from './models-setting.ts';
import { verifyHelp, verifyModels } from './models-verify.ts';

const subcommands: Readonly<Record<string, { run: Subcommand; help: string }>> = {
  add: { run: addModel, help: addHelp },
  list: { run: listModels, help: listHelp },
  pull: { run: pullModels, help: pullHelp },
  verify: { run: verifyModels, help: verifyHelp },
};

const help = `Usage: cloister models <command>

  add <source>    put a model in the catalogue, its files pinned by SHA-256
  list            show the catalogue
  pull <id>…      download what is missing, and prove it
  verify [<id>…]  hash the files on disk and compare

Each command has --help.
`;

/**
 * @returns 0, 1 where a model is not as it should be or cannot be had, 130 when interrupted
 * @throws {ServerError} ERR_USAGE, ERR_CONFIG
 */
export async function run(args: string[], io: CommandIo, hooks: CommandHooks = {}): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help') {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  const subcommand = name !== undefined && Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (subcommand === undefined) {
    const known = Object.keys(subcommands).join(', ');
    throw usageError(
      `expected one of ${known}, got ${name === undefined ? 'nothing' : JSON.stringify(name)}`,
      'models',
    );
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    io.stdout.write(subcommand.help);
    return exitCodes.ok;
  }
  return interruptible(hooks, async (signal) => {
    try {
      return await subcommand.run(rest, io, { ...hooks, signal });
    } catch (error) {
      if (!(error instanceof ModelError) && !isSystemError(error)) throw error;
      if (error.code === 'ERR_ABORTED') {
        io.stderr.write('Stopped. What was downloaded stays: the same command goes on from there.\n');
        return exitCodes.interrupted;
      }
      io.stderr.write(`cloister models ${name}: ${error.message}\n`);
      return exitCodes.failure;
    }
  });
}

/** A folder that cannot be written, for example: Node's message names call and path. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** The first signal asks the work to stop tidily; a second one ends the process, as signals do. */
async function interruptible(
  { signal }: CommandHooks,
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  if (signal !== undefined) return work(signal);
  const interrupted = new AbortController();
  const stop = (): void => {
    interrupted.abort();
    release();
  };
  const release = (): void => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await work(interrupted.signal);
  } finally {
    release();
  }
}
