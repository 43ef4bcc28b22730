/** Writes the disk from which UEFI firmware boots the guest: a unified kernel image, and the guest's disks as partitions. */
import { closeSync, createReadStream, existsSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type AttachedDisks, artifactNames, commandLineOf, readArtifact } from './artifacts.ts';
import { ImageError } from './errors.ts';
import { type EfiPartition, layOutEfiPartition } from './fat.ts';
import { type DiskLayout, layOutDisk, sectorBytes } from './gpt.ts';
import { buildUki } from './uki.ts';

/** The parameter by which init looks for its disks among the partitions, by their names. */
const partitionsWord = 'cloister.disks=partitions';

export interface BootDisk {
  readonly uki: Buffer<ArrayBuffer>;
  readonly cmdline: string;
  readonly efi: EfiPartition;
  readonly layout: DiskLayout;
  /** The files of the data partitions, in their order after the EFI system partition. */
  readonly files: readonly string[];
}

/** Whether the image was built with systemd's stub. */
export function canBootFromDisk(folder: string): boolean {
  return existsSync(join(folder, artifactNames.stub));
}

/**
 * Computes the contents of the disk, of which the large files are not read.
 * @throws {ImageError} ERR_IMAGE_INCOMPLETE · ERR_DISK_INVALID
 */
export function planBootDisk(folder: string, disks: AttachedDisks = {}): BootDisk {
  const { stub, kernel, initrd, root } = artifactNames;
  const cmdline = `${commandLineOf(folder, disks)} ${partitionsWord}`;
  const part = (name: string) => readArtifact(join(folder, name));
  const uki = buildUki({ stub: part(stub), kernel: part(kernel), cmdline, initrd: part(initrd) });
  const data = [
    { name: 'cloister-root', file: join(folder, root) },
    ...(disks.config === undefined ? [] : [{ name: 'cloister-config', file: disks.config }]),
    ...(disks.models ?? []).map((file, index) => ({ name: `cloister-model-${index}`, file })),
  ];
  const efi = layOutEfiPartition(uki.length);
  const layout = layOutDisk([
    { name: 'cloister-efi', kind: 'efi-system', bytes: efi.bytes },
    ...data.map(({ name, file }) => ({ name, kind: 'data' as const, bytes: wholeSectors(file) })),
  ]);
  return { uki, cmdline, efi, layout, files: data.map(({ file }) => file) };
}

/** Writes the disk as a sparse file. The same image and disks give the same bytes. */
export async function writeBootDisk(path: string, { uki, efi, layout, files }: BootDisk): Promise<void> {
  const [efiAt, ...dataAt] = layout.offsets;
  const disk = openSync(path, 'w');
  try {
    ftruncateSync(disk, layout.bytes);
    writeAll(disk, layout.head, 0);
    writeAll(disk, layout.tail, layout.bytes - layout.tail.length);
    writeAll(disk, efi.head, efiAt!);
    writeAll(disk, uki, efiAt! + efi.fileAt);
    for (const [index, file] of files.entries()) {
      let at = dataAt[index]!;
      for await (const chunk of createReadStream(file, { highWaterMark: 1024 ** 2 }) as AsyncIterable<Buffer>) {
        writeAll(disk, chunk, at);
        at += chunk.length;
      }
    }
  } finally {
    closeSync(disk);
  }
}

function writeAll(file: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, position + at);
}

/** The guest hashes the whole configuration partition, so a file must fill its partition. */
function wholeSectors(file: string): number {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size;
  if (bytes === undefined) throw new ImageError('ERR_IMAGE_INCOMPLETE', `there is no ${file}`);
  if (bytes === 0 || bytes % sectorBytes !== 0) {
    throw new ImageError(
      'ERR_DISK_INVALID',
      `${file} has ${bytes} bytes, expected a multiple of ${sectorBytes}: make the disk again`,
    );
  }
  return bytes;
}
