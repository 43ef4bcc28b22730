/** `cloister score`: the verifier's own command, which tenants have as `cloister-verify score`. */
import { runScore } from '../../attestation/cli/score.ts';
import type { CommandIo } from './command.ts';

/** @returns 0 verified, 10 not verified, 20 could not check, 64 wrong usage */
export function run(args: string[], io: CommandIo): Promise<number> {
  return runScore(args, io, 'cloister score');
}
