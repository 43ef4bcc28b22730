/** `cloister verify-receipt`: the verifier's own command, which tenants have as `cloister-verify receipt`. */
import { runVerifyReceipt } from '../../attestation/cli/verify-receipt.ts';
import type { CommandIo } from './command.ts';

/** @returns the exit code: see `exitCodesHelp` */
export function run(args: string[], io: CommandIo): Promise<number> {
  return runVerifyReceipt(args, io, 'cloister verify-receipt');
}
