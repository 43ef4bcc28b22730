/** `cloister score`: the verifier's own command, which tenants have as `cloister-verify score`. */
import { runScore } from '@cloister/attestation/cli/score';
import type { CommandIo } from '@cloister/server/program/command';

/** @returns 0 verified, 10 not verified, 20 could not check, 64 wrong usage */
export function run(args: string[], io: CommandIo): Promise<number> {
  return runScore(args, io, 'cloister score');
}
