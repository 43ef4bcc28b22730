/** Shared by the verifier's commands: streams, exit codes, flags and input files. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { AttestationError } from '../base/errors.ts';
import type { Check, Verdict } from '../verify/checks.ts';
import { parsePemChain } from '../x509/pem.ts';

/** The streams, working directory and clock of a command. */
export interface VerifierIo {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly cwd: string;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

export const verifierExitCodes = {
  verified: 0,
  notVerified: 10,
  couldNotCheck: 20,
  softwareOpen: 21,
  usage: 64,
} as const;

export const exitCodesHelp = `\
Exit codes: 0 verified, 10 not verified, 20 could not check, 21 could not check because the policy does not pin the software
(MRTD, RTMR1 and RTMR2), 64 wrong usage.`;

/**
 * The exit code of a verdict.
 * @param checks of the evidence; they show whether the policy leaves the software open
 */
export function exitCodeOf(verdict: Verdict, checks: readonly Check[]): number {
  if (verdict === 'verified') return verifierExitCodes.verified;
  if (verdict === 'not-verified') return verifierExitCodes.notVerified;
  return isSoftwareOpen(checks) ? verifierExitCodes.softwareOpen : verifierExitCodes.couldNotCheck;
}

/** Whether the quote matches a policy that does not pin the software. */
export function isSoftwareOpen(checks: readonly Check[]): boolean {
  const outcomeOf = (id: string) => checks.find((check) => check.id === id)?.outcome;
  return outcomeOf('measurements') === 'pass' && outcomeOf('software') === 'not-checked';
}

/** An invalid command line. The message names the problem. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface CommandLine {
  /** The command's name in messages and help. */
  readonly name: string;
  readonly help: string;
  /** Flags with a value. Every command also has `--json`. */
  readonly texts: readonly string[];
  /** Flags without a value, in addition to `--json`. */
  readonly booleans?: readonly string[];
}

/** Prints the help for `--help`, otherwise parses the flags and runs the command. @returns the exit code; expected errors become one */
export async function runCommand(
  { name, help, texts, booleans = [] }: CommandLine,
  args: readonly string[],
  io: VerifierIo,
  run: (call: Flags) => Promise<number>,
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    io.stdout.write(help);
    return verifierExitCodes.verified;
  }
  return endWithCode(name, io, async () => run(readFlags(args, { texts, booleans: ['json', ...booleans] })));
}

/**
 * Runs a command and converts an error to a message and an exit code: 64 for an invalid command line or policy, 20 for any other
 * error.
 */
async function endWithCode(command: string, io: VerifierIo, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const { message } = error as Error;
    const isUsage = error instanceof UsageError;
    const isExpected = isUsage || error instanceof AttestationError;
    io.stderr.write(`${command}: ${isExpected ? message : ((error as Error).stack ?? message)}\n`);
    if (isUsage) io.stderr.write(`See: ${command} --help\n`);
    const isPolicy = error instanceof AttestationError && error.code === 'ERR_POLICY_MALFORMED';
    return isUsage || isPolicy ? verifierExitCodes.usage : verifierExitCodes.couldNotCheck;
  }
}

/** The parsed command line. */
export interface Flags {
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly flags: ReadonlySet<string>;
  readonly positionals: readonly string[];
}

/** @throws {UsageError} */
export function readFlags(
  args: readonly string[],
  known: { texts: readonly string[]; booleans: readonly string[] },
): Flags {
  const options: ParseArgsOptionsConfig = Object.fromEntries([
    ...known.texts.map((flag) => [flag, { type: 'string' }]),
    ...known.booleans.map((flag) => [flag, { type: 'boolean' }]),
  ]);
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { values, positionals } = parsed;
  return {
    positionals,
    values: Object.fromEntries(known.texts.map((flag) => [flag, values[flag] as string | undefined])),
    flags: new Set(known.booleans.filter((flag) => values[flag] === true)),
  };
}

const fileBytesMax = 64 * 1024 * 1024;

/** @throws {UsageError} if the file cannot be read or is too large */
export function readInput(path: string, { cwd }: VerifierIo): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(readFileSync(resolve(cwd, path)));
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}`);
  }
  if (bytes.length > fileBytesMax) throw new UsageError(`${path} is too large: at most ${fileBytesMax} bytes are read`);
  return bytes;
}

export function readText(path: string, io: VerifierIo): string {
  return new TextDecoder().decode(readInput(path, io));
}

/** The certificates of a PEM file as DER; undefined without a path. @throws {UsageError} */
export function readRoots(path: string | undefined, io: VerifierIo): readonly Uint8Array[] | undefined {
  if (path === undefined) return undefined;
  try {
    return parsePemChain(readInput(path, io), path);
  } catch (error) {
    throw error instanceof AttestationError ? new UsageError(error.message) : error;
  }
}
