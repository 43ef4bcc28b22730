/** Detects TDX and programs of the host. The only file of this room that reads devices. */
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether the host's KVM supports trust domains. */
export function isTdxHost(): boolean {
  try {
    return /^[Y1]/.test(readFileSync('/sys/module/kvm_intel/parameters/tdx', 'utf8'));
  } catch {
    return false;
  }
}

/** @param path the PATH variable · @returns the first of the programs that is installed */
export function findProgram(names: readonly string[], path: string | undefined): string | undefined {
  const folders = (path ?? '/usr/bin:/bin').split(delimiter);
  return names.find((name) => folders.some((folder) => isExecutable(join(folder, name))));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
