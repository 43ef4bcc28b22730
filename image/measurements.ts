/** Computes the measurements of an image with its disks, for each way to boot it. */
import { basename, join } from 'node:path';
import {
  type ImageMeasurements,
  type MeasureOptions,
  measureDisk,
  measureImage,
} from '@cloister/attestation/measure/measure';
import { type AttachedDisks, artifactNames, commandLineOf, readArtifact, sha256 } from './artifacts.ts';
import { type BootDisk, canBootFromDisk, planBootDisk } from './boot-disk.ts';

/** `direct`: the VMM passes kernel, initial RAM disk and command line; `uefi`: the firmware starts the boot disk. */
export type BootMethod = 'direct' | 'uefi';

/** Registers that depend on the boot method. */
interface BootMeasurements extends Pick<ImageMeasurements, 'rtmr0' | 'rtmr1' | 'rtmr2'> {
  readonly cmdline: string;
}

/** Contents of `measurements.json`: the registers of a direct boot, and those of a boot from the boot disk. */
export interface MeasurementFile extends ImageMeasurements, BootMeasurements {
  readonly format: 'cloister.measurements.v1';
  /** Source of RTMR0, which does not depend on the image alone. */
  readonly rtmr0From: 'event-log' | 'not-measured';
  /** Undefined if the image was built without systemd's stub. */
  readonly uefi: BootMeasurements | undefined;
  /** SHA-256 of each measured file. */
  readonly files: Readonly<Record<string, string>>;
}

export interface ArtifactOptions extends MeasureOptions {
  /** The boot method of the machine that wrote the event log. */
  readonly bootOfLog?: BootMethod;
  /** Path of the machine's firmware, if it is not the image's. */
  readonly firmware?: string | undefined;
}

/** @throws {ImageError} · @throws {AttestationError} as `measureImage` */
export async function measureArtifacts(
  folder: string,
  disks: AttachedDisks = {},
  { bootOfLog = 'direct', firmware = join(folder, artifactNames.firmware), ...options }: ArtifactOptions = {},
): Promise<MeasurementFile> {
  const { kernel, initrd, stub } = artifactNames;
  const names = [kernel, initrd, ...(canBootFromDisk(folder) ? [stub] : [])];
  const firmwareBytes = readArtifact(firmware);
  const bytes = Object.fromEntries(names.map((name) => [name, readArtifact(join(folder, name))]));
  const cmdline = commandLineOf(folder, disks);
  const { eventLog, memoryBytes, ...others } = options;
  const optionsFor = (boot: BootMethod): MeasureOptions => (boot === bootOfLog ? options : others);
  const measured = await measureImage(
    { firmware: firmwareBytes, kernel: bytes[kernel]!, initrd: bytes[initrd]!, cmdline },
    optionsFor('direct'),
  );
  return {
    format: 'cloister.measurements.v1',
    ...measured,
    rtmr0From: eventLog === undefined ? 'not-measured' : 'event-log',
    cmdline,
    uefi: canBootFromDisk(folder)
      ? await measureBootDisk(planBootDisk(folder, disks), firmwareBytes, optionsFor('uefi'))
      : undefined,
    files: {
      [basename(firmware)]: sha256(firmwareBytes),
      ...Object.fromEntries(Object.entries(bytes).map(([name, content]) => [name, sha256(content)])),
    },
  };
}

async function measureBootDisk(
  { uki, cmdline, layout }: BootDisk,
  firmware: Uint8Array,
  options: MeasureOptions,
): Promise<BootMeasurements> {
  return { ...(await measureDisk({ firmware, uki, disk: layout.head }, options)), cmdline };
}

/** The registers of one boot method. Undefined if the image has none for it. */
export function measurementsOf(file: MeasurementFile, boot: BootMethod): ImageMeasurements | undefined {
  if (boot === 'direct') return file;
  return file.uefi === undefined ? undefined : { mrTd: file.mrTd, ...file.uefi };
}

/** Formats deterministically: the same measurements give the same bytes. */
export function formatMeasurements({
  format,
  mrTd,
  rtmr0From,
  uefi,
  cmdline,
  files,
  ...direct
}: MeasurementFile): string {
  const registers = ({ rtmr0, rtmr1, rtmr2 }: Omit<BootMeasurements, 'cmdline'>) => ({
    rtmr0: rtmr0 ?? null,
    rtmr1,
    rtmr2,
  });
  const { rtmr0, rtmr1, rtmr2 } = registers(direct);
  const ordered = {
    ...{ format, mrTd, rtmr0, rtmr0From, rtmr1, rtmr2, cmdline },
    ...(uefi === undefined ? {} : { uefi: { ...registers(uefi), cmdline: uefi.cmdline } }),
    files,
  };
  return `${JSON.stringify(ordered, null, 2)}\n`;
}
