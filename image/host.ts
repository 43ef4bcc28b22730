/** What the machine that runs the image's QEMU offers. The only file here that looks at devices. */
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether KVM here makes trust domains. */
export function isTdxHost(): boolean {
  try {
    return /^[Y1]/.test(readFileSync('/sys/module/kvm_intel/parameters/tdx', 'utf8'));
  } catch {
    return false;
  }
}

/** @param path as the environment has it · @returns the first of the programs that is there */
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
