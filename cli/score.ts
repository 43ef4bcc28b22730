/** `cloister score`: the verifier's command, which tenants run as `cloister-verify score`. */
import { runScore } from '@cloister/attestation/cli/score';
import type { CommandIo } from '@cloister/server/program/command';

/** @returns 0 verified, 10 not verified, 20 check could not run, 64 wrong usage */
export function run(args: string[], io: CommandIo): Promise<number> {
  return runScore(args, io, 'cloister score');
}
