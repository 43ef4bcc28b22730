/** A disk of one mebibyte, if the tests may mount one. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk. */
  fill(): void;
  /** Frees the space again. */
  empty(): void;
  remove(): void;
}

/** @returns a disk, or the reason why it cannot be mounted */
export function mountSmallDisk(): SmallDisk | { readonly missing: string } {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
  if (status !== 0) {
    rmSync(folder, { recursive: true });
    return { missing: 'a file system can only be mounted by root' };
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill() {
      for (const size of [4096, 1]) {
        const fills = () => {
          try {
            writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' });
            return true;
          } catch {
            return false;
          }
        };
        while (fills());
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    remove() {
      spawnSync('umount', [folder], { stdio: 'ignore' });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
