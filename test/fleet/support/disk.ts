/** Disks that a test can fill: file systems in memory. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

export function mountDisk(folder: string, { megabytes }: { megabytes: number }): void {
  mkdirSync(folder, { mode: 0o700 });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder]);
}

/** Fills a disk, so that 0 bytes are free. */
export function fillDisk(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  spawnSync('fallocate', ['--length', String(bavail * bsize), join(folder, 'ballast')]);
  // A server may have freed space during the first write.
  spawnSync('dd', ['if=/dev/zero', `of=${join(folder, 'ballast-rest')}`, 'bs=4k'], { stdio: 'ignore' });
}

export function emptyDisk(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith('ballast')) rmSync(join(folder, name));
}

export function unmountDisk(folder: string): void {
  spawnSync('umount', ['--lazy', folder]);
}
