/** Parses the arguments of the `cloister image` commands and reads the files that they name. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { usageError } from '@cloister/server/program/command';
import { parseCommandArgs } from '@cloister/server/program/command-args';

export interface ImageArguments {
  readonly values: Readonly<Record<string, string | undefined>> & { readonly help?: boolean };
  /** Values of the options that may be repeated. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly flags: ReadonlySet<string>;
  readonly positionals: readonly string[];
}

/** @param command subcommand for the error message, without `image` · @throws {ServerError} ERR_USAGE */
export function readImageArguments(
  args: string[],
  command: string,
  names: readonly string[],
  { repeated = [], flags = [] }: { repeated?: readonly string[]; flags?: readonly string[] } = {},
): ImageArguments {
  const { values, positionals } = parseCommandArgs(args, {
    command: `image ${command}`,
    options: {
      help: { type: 'boolean', short: 'h' },
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
      ...Object.fromEntries(repeated.map((name) => [name, { type: 'string' as const, multiple: true }])),
      ...Object.fromEntries(flags.map((name) => [name, { type: 'boolean' as const }])),
    },
  });
  const given = values as Record<string, string | boolean | string[] | undefined>;
  return {
    values: given as ImageArguments['values'],
    lists: Object.fromEntries(repeated.map((name) => [name, (given[name] ?? []) as string[]])),
    flags: new Set(flags.filter((name) => given[name] === true)),
    positionals,
  };
}

/**
 * Reads a file that an option names.
 * @param option the option, for the error message · @param command the command, for example `image run`
 * @throws {ServerError} ERR_USAGE if the file cannot be read
 */
export function readGivenFile(
  path: string,
  { cwd, option, command }: { cwd: string; option: string; command: string },
): Buffer<ArrayBuffer> {
  try {
    return readFileSync(resolve(cwd, path));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw usageError(`${option}: cannot read ${path}: ${reason}`, command);
  }
}
