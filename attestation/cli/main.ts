/** The `cloister-verify` program: what a tenant runs who has nothing else of Cloister. */
import { exitCodesHelp, type VerifierIo, verifierExitCodes } from './command-line.ts';
import { runScore } from './score.ts';
import { runVerify } from './verify.ts';
import { runVerifyReceipt } from './verify-receipt.ts';

const help = `Usage: cloister-verify <https://host[:port] | file> [options]
       cloister-verify receipt <receipt> (--bundle <file> | --report <file>) [options]
       cloister-verify score <https://host[:port] | file> [options]

The first verifies a server's evidence, the second a receipt of one of its answers; the third prints the factors that
auditors score. Each has --help: cloister-verify evidence --help, and likewise for receipt and score.

${exitCodesHelp}
`;

/** @returns the exit code: see `exitCodesHelp` */
export async function runVerifier(args: readonly string[], io: VerifierIo): Promise<number> {
  const [first, ...rest] = args;
  if (first === 'receipt') return runVerifyReceipt(rest, io, 'cloister-verify receipt');
  if (first === 'score') return runScore(rest, io, 'cloister-verify score');
  if (first === 'evidence') return runVerify(rest, io, 'cloister-verify');
  if (first !== undefined && first !== '--help' && first !== '-h') return runVerify(args, io, 'cloister-verify');
  (first === undefined ? io.stderr : io.stdout).write(help);
  return first === undefined ? verifierExitCodes.usage : verifierExitCodes.verified;
}

/** The whole program. @returns the exit code */
export function main(): Promise<number> {
  const { stdout, stderr } = process;
  return runVerifier(process.argv.slice(2), { stdout, stderr, cwd: process.cwd() });
}
