/** `cloister verify`: the verifier's command, which tenants run as `cloister-verify`. */
import { runVerify } from '@cloister/attestation/cli/verify';
import type { CommandIo } from '@cloister/server/program/command';

/** @returns the exit code: see `exitCodesHelp` */
export function run(args: string[], io: CommandIo): Promise<number> {
  return runVerify(args, io, 'cloister verify');
}
