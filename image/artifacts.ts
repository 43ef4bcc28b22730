/** Locates the files of a built image and builds its command line. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ImageError } from './errors.ts';

/** File names in the output folder of `cloister image build`. */
export const artifactNames = {
  firmware: 'OVMF.fd',
  kernel: 'vmlinuz',
  initrd: 'initrd.img',
  root: 'rootfs.img',
  cmdline: 'cmdline',
  stub: 'stub.efi',
  uki: 'uki.efi',
  measurements: 'measurements.json',
} as const;

/** Disks attached after the root disk, in the order in which the guest expects them. */
export interface AttachedDisks {
  readonly config?: string | undefined;
  /** Model disks, each next to its `.words` file. */
  readonly models?: readonly string[];
}

/**
 * Builds the kernel command line for an image with these disks.
 * @throws {ImageError} ERR_IMAGE_INCOMPLETE if a file is missing
 */
export function commandLineOf(folder: string, { config, models = [] }: AttachedDisks = {}): string {
  const words = [readArtifact(join(folder, artifactNames.cmdline)).toString('utf8')];
  if (config !== undefined) words.push(`cloister.config=${sha256(readArtifact(config))}`);
  for (const disk of models) words.push(readWords(disk));
  return words.join(' ');
}

/** Reads the `.words` file that `cloister image model-disk` wrote next to the disk. */
function readWords(disk: string): string {
  const words = readArtifact(`${disk}.words`).toString('utf8').trim();
  if (/^cloister\.model=[0-9a-f]{64}:\d+:[0-9a-f]{64}$/.test(words)) return words;
  throw new ImageError('ERR_DISK_INVALID', `${basename(disk)}.words is malformed: make the disk again`);
}

/** @throws {ImageError} ERR_IMAGE_INCOMPLETE if the file is missing */
export function readArtifact(path: string): Buffer<ArrayBuffer> {
  if (!existsSync(path)) {
    throw new ImageError('ERR_IMAGE_INCOMPLETE', `there is no ${path}: build the image with \`cloister image build\``);
  }
  return readFileSync(path);
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
