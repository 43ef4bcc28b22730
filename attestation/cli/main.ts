/** The `cloister-verify` program, for tenants who have only this package. */
import { exitCodesHelp, type VerifierIo, verifierExitCodes } from './command-line.ts';
import { runProxy } from './proxy.ts';
import { runScore } from './score.ts';
import { runVerify } from './verify.ts';
import { runVerifyReceipt } from './verify-receipt.ts';

/** Also the program of the package `@cloister/proxy`. */
export { runProxy };

const help = `Usage: cloister-verify <https://host[:port] | file> [options]
       cloister-verify receipt <receipt> (--bundle <file> | --report <file>) [options]
       cloister-verify score <https://host[:port] | file> [options]
       cloister-verify proxy <https://host[:port]> --policy <file> [options]

The first form verifies a server's evidence, the second a receipt for one of its responses; the third prints the factors that
auditors score, and the fourth forwards the requests of programs on this machine to a verified server. For help on each, run
cloister-verify evidence --help, receipt --help, score --help or proxy --help.

${exitCodesHelp}
`;

/** @returns the exit code: see `exitCodesHelp` */
export async function runVerifier(args: readonly string[], io: VerifierIo): Promise<number> {
  const [first, ...rest] = args;
  if (first === 'receipt') return runVerifyReceipt(rest, io, 'cloister-verify receipt');
  if (first === 'score') return runScore(rest, io, 'cloister-verify score');
  if (first === 'proxy') return runProxy(rest, io, { name: 'cloister-verify proxy' });
  if (first === 'evidence') return runVerify(rest, io, 'cloister-verify');
  if (first !== undefined && first !== '--help' && first !== '-h') return runVerify(args, io, 'cloister-verify');
  (first === undefined ? io.stderr : io.stdout).write(help);
  return first === undefined ? verifierExitCodes.usage : verifierExitCodes.verified;
}

/** Runs the program with the process's arguments and streams. @returns the exit code */
export function main(): Promise<number> {
  const { stdout, stderr } = process;
  return runVerifier(process.argv.slice(2), { stdout, stderr, cwd: process.cwd() });
}
