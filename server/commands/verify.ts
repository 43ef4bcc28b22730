/** `cloister verify`: the verifier's own command, which tenants have as `cloister-verify`. */
import { runVerify } from '../../attestation/cli/verify.ts';
import type { CommandIo } from './command.ts';

/** @returns the exit code: see `exitCodesHelp` */
export function run(args: string[], io: CommandIo): Promise<number> {
  return runVerify(args, io, 'cloister verify');
}
