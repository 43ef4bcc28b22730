/** `cloister verify-receipt`: the verifier's command, which tenants run as `cloister-verify receipt`. */
import { runVerifyReceipt } from '@cloister/attestation/cli/verify-receipt';
import type { CommandIo } from '@cloister/server/program/command';

/** @returns the exit code: see `exitCodesHelp` */
export function run(args: string[], io: CommandIo): Promise<number> {
  return runVerifyReceipt(args, io, 'cloister verify-receipt');
}
