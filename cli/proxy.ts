/** `cloister proxy`: the verifying proxy, which tenants run as `cloister-verify proxy`. */
import { runProxy } from '@cloister/attestation/cli/proxy';
import type { CommandIo } from '@cloister/server/program/command';

/** @returns the exit code */
export function run(args: string[], io: CommandIo): Promise<number> {
  return runProxy(args, io);
}
