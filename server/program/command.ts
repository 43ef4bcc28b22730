/** The interface of every command of the `cloister` program. */
import { ServerError } from '../http/errors.ts';

/** The input and output of a command; tests pass their own. */
export interface CommandIo {
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** `process.stdout` and `process.stderr` conform; `isTTY` enables progress bars and colours. */
export interface TextSink {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Node answers by the terminal and by `NO_COLOR`, `NODE_DISABLE_COLORS` and `FORCE_COLOR`. */
  readonly hasColors?: () => boolean;
  write(text: string): unknown;
}

/** A module under `commands/`. */
export interface Command {
  /** @returns the exit code · @throws {ServerError} ERR_USAGE, ERR_CONFIG */
  run(args: string[], io: CommandIo): Promise<number>;
}

/** Numbers of sysexits.h where it defines one. */
export const exitCodes = { ok: 0, failure: 1, alreadyDone: 3, usage: 64, configuration: 78, interrupted: 130 } as const;

/** `message` says what to do instead; a reference to the help text follows it. */
export function usageError(message: string, command: string): ServerError {
  return new ServerError('ERR_USAGE', `${message}\nSee: cloister ${command} --help`);
}

/** Aligned columns for people; the first row is the heading. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}
