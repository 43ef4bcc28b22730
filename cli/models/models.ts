/** `cloister models`: manages the catalogue of models and the files of their weights. */
import { ModelError } from '@cloister/models/interface/errors';
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { suggestion } from '@cloister/server/program/suggestion';
import { addHelp, addModel } from './models-add.ts';
import { aliasHelp, aliasModel } from './models-alias.ts';
import { listHelp, listModels } from './models-list.ts';
import { loadHelp, loadModel, unloadHelp, unloadModel } from './models-load.ts';
import { pullHelp, pullModels } from './models-pull.ts';
import { removeModels, rmHelp } from './models-rm.ts';
import type { CommandHooks, Subcommand } from './models-setting.ts';
import { verifyHelp, verifyModels } from './models-verify.ts';

const subcommands: Readonly<Record<string, { run: Subcommand; help: string }>> = {
  add: { run: addModel, help: addHelp },
  alias: { run: aliasModel, help: aliasHelp },
  list: { run: listModels, help: listHelp },
  load: { run: loadModel, help: loadHelp },
  pull: { run: pullModels, help: pullHelp },
  rm: { run: removeModels, help: rmHelp },
  unload: { run: unloadModel, help: unloadHelp },
  verify: { run: verifyModels, help: verifyHelp },
};

const help = `Usage: cloister models <command>

  add <source>        add a model to the catalogue and pin its files by SHA-256
  alias <name> <id>   give a model another name for requests
  list                list the models of the catalogue
  load <id>           load a model into a running server
  pull <id>…          download missing files and verify their digests
  rm <id>…            remove models from the catalogue
  unload <id>         unload a model of a running server
  verify [<id>…]      verify the digests of the files on disk

Each command has --help.
`;

/**
 * @returns 0, 1 if a model does not match or is unavailable, 130 when interrupted
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
    const known = Object.keys(subcommands);
    throw usageError(
      `expected one of ${known.join(', ')}, got ${name === undefined ? 'nothing' : `${JSON.stringify(name)}${suggestion(name, known)}`}`,
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
        io.stderr.write('Interrupted. Partial downloads are kept: run the same command again to resume.\n');
        return exitCodes.interrupted;
      }
      io.stderr.write(`cloister models ${name}: ${error.message}\n`);
      return exitCodes.failure;
    }
  });
}

/** True for errors such as a folder that cannot be written. Node's message names the system call and the path. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** The first signal aborts the work; a second signal ends the process. */
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
