/** What the verifier's commands share: where they read and write, how they end, and their flags. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { AttestationError } from '../base/errors.ts';
import type { Check, Verdict } from '../verify/checks.ts';
import { parsePemChain } from '../x509/pem.ts';

/** Where a command reads and writes; tests pass their own. */
export interface VerifierIo {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly cwd: string;
  /** Milliseconds since 1970; default: the clock's. */
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
 * @param checks of the evidence: they say whether it is for the policy that nothing could be said
 */
export function exitCodeOf(verdict: Verdict, checks: readonly Check[]): number {
  if (verdict === 'verified') return verifierExitCodes.verified;
  if (verdict === 'not-verified') return verifierExitCodes.notVerified;
  return isSoftwareOpen(checks) ? verifierExitCodes.softwareOpen : verifierExitCodes.couldNotCheck;
}

/** Whether a policy was given that the quote fits, and that does not say which software it wants. */
export function isSoftwareOpen(checks: readonly Check[]): boolean {
  const outcomeOf = (id: string) => checks.find((check) => check.id === id)?.outcome;
  return outcomeOf('measurements') === 'pass' && outcomeOf('software') === 'not-checked';
}

/** The command line is wrong: the message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface CommandLine {
  /** What the command is called in its texts. */
  readonly name: string;
  readonly help: string;
  /** Flags with a value; `--json` is every command's. */
  readonly texts: readonly string[];
}

/** Prints the help where it is asked for; else runs with what the line says. @returns the exit code; never throws what it foresees */
export async function runCommand(
  { name, help, texts }: CommandLine,
  args: readonly string[],
  io: VerifierIo,
  run: (call: Flags) => Promise<number>,
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    io.stdout.write(help);
    return verifierExitCodes.verified;
  }
  return endWithCode(name, io, async () => run(readFlags(args, { texts, booleans: ['json'] })));
}

/**
 * Runs a command, and turns what it throws into a line and an exit code: 64 for a wrong command line or policy, 20 for
 * everything that kept it from checking.
 */
async function endWithCode(command: string, io: VerifierIo, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const { message } = error as Error;
    const isUsage = error instanceof UsageError;
    const isForeseen = isUsage || error instanceof AttestationError;
    io.stderr.write(`${command}: ${isForeseen ? message : ((error as Error).stack ?? message)}\n`);
    if (isUsage) io.stderr.write(`See: ${command} --help\n`);
    const isPolicy = error instanceof AttestationError && error.code === 'ERR_POLICY_MALFORMED';
    return isUsage || isPolicy ? verifierExitCodes.usage : verifierExitCodes.couldNotCheck;
  }
}

/** Flags with a value, flags without, and what else stands in the line. */
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

/** @throws {UsageError} where the file cannot be read */
export function readInput(path: string, { cwd }: VerifierIo): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(readFileSync(resolve(cwd, path)));
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}`);
  }
  if (bytes.length > fileBytesMax) throw new UsageError(`${path} has over ${fileBytesMax} bytes`);
  return bytes;
}

export function readText(path: string, io: VerifierIo): string {
  return new TextDecoder().decode(readInput(path, io));
}

/** DER of the certificates in a PEM file, or undefined where none was named. @throws {UsageError} */
export function readRoots(path: string | undefined, io: VerifierIo): readonly Uint8Array[] | undefined {
  if (path === undefined) return undefined;
  try {
    return parsePemChain(readInput(path, io), path);
  } catch (error) {
    throw error instanceof AttestationError ? new UsageError(error.message) : error;
  }
}
