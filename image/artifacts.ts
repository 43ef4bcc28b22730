/** Locates the files of a built image and computes their measurements. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ImageMeasurements, type MeasureOptions, measureImage } from '@cloister/attestation/measure/measure';
import { ImageError } from './errors.ts';

/** File names in the output folder of `cloister image build`. */
export const artifactNames = {
  firmware: 'OVMF.fd',
  kernel: 'vmlinuz',
  initrd: 'initrd.img',
  root: 'rootfs.img',
  cmdline: 'cmdline',
  measurements: 'measurements.json',
} as const;

/** Disks attached after the root disk, in the order in which the guest expects them. */
export interface AttachedDisks {
  readonly config?: string | undefined;
  /** Model disks, each next to its `.words` file. */
  readonly models?: readonly string[];
}

/** Contents of `measurements.json`. */
export interface MeasurementFile extends ImageMeasurements {
  readonly format: 'cloister.measurements.v1';
  /** Source of RTMR0, which does not depend on the image alone. */
  readonly rtmr0From: 'event-log' | 'not-measured';
  readonly cmdline: string;
  /** SHA-256 of each measured file. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Builds the kernel command line for an image with these disks.
 * @throws {ImageError} ERR_IMAGE_INCOMPLETE if a file is missing
 */
export function commandLineOf(folder: string, { config, models = [] }: AttachedDisks = {}): string {
  const words = [read(join(folder, artifactNames.cmdline)).toString('utf8')];
  if (config !== undefined) words.push(`cloister.config=${sha256(read(config))}`);
  for (const disk of models) words.push(readWords(disk));
  return words.join(' ');
}

/** @throws {ImageError} · @throws {AttestationError} as `measureImage` */
export async function measureArtifacts(
  folder: string,
  disks: AttachedDisks = {},
  options: MeasureOptions = {},
): Promise<MeasurementFile> {
  const { firmware, kernel, initrd } = artifactNames;
  const bytes = Object.fromEntries([firmware, kernel, initrd].map((name) => [name, read(join(folder, name))]));
  const cmdline = commandLineOf(folder, disks);
  const measured = await measureImage(
    { firmware: bytes[firmware]!, kernel: bytes[kernel]!, initrd: bytes[initrd]!, cmdline },
    options,
  );
  return {
    format: 'cloister.measurements.v1',
    ...measured,
    rtmr0From: options.eventLog === undefined ? 'not-measured' : 'event-log',
    cmdline,
    files: Object.fromEntries(Object.entries(bytes).map(([name, content]) => [name, sha256(content)])),
  };
}

/** Formats deterministically: the same measurements give the same bytes. */
export function formatMeasurements({ format, mrTd, rtmr0, rtmr1, rtmr2, rtmr0From, ...rest }: MeasurementFile): string {
  const { cmdline, files } = rest;
  const ordered = { format, mrTd, rtmr0: rtmr0 ?? null, rtmr0From, rtmr1, rtmr2, cmdline, files };
  return `${JSON.stringify(ordered, null, 2)}\n`;
}

/** Reads the `.words` file that `cloister image model-disk` wrote next to the disk. */
function readWords(disk: string): string {
  const words = read(`${disk}.words`).toString('utf8').trim();
  if (/^cloister\.model=[0-9a-f]{64}:\d+:[0-9a-f]{64}$/.test(words)) return words;
  throw new ImageError('ERR_DISK_INVALID', `${basename(disk)}.words is malformed: make the disk again`);
}

function read(path: string): Buffer<ArrayBuffer> {
  if (!existsSync(path)) {
    throw new ImageError('ERR_IMAGE_INCOMPLETE', `there is no ${path}: build the image with \`cloister image build\``);
  }
  return readFileSync(path);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
