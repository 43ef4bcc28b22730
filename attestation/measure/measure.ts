/**
 * Computes the registers of a TD that boots given files, and the policy that accepts exactly this image. Anyone with the files computes the
 * same values. Pure, with WebCrypto: no device, no network.
 */
import { toHex } from '../base/bytes.ts';
import { parseEventLog } from '../eventlog/event-log.ts';
import { replayEventLog } from '../eventlog/replay.ts';
import type { EvidencePolicy } from '../policy/evidence-policy.ts';
import type { MeasurementSet } from '../policy/policy.ts';
import { type DirectBoot, type Handover, measureCommandLine, measureKernel } from './direct-boot.ts';
import { requireMatchingEvents } from './firmware-events.ts';
import { measureFirmware, type PageOrder } from './tdvf.ts';
import { measureDiskBoot, measureUki, type UefiBoot } from './uefi-boot.ts';

export interface ImageFiles extends Omit<DirectBoot, 'handover'> {
  readonly firmware: Uint8Array;
}

export interface MeasureOptions {
  readonly pageOrder?: PageOrder;
  readonly handover?: Handover;
  /**
   * The firmware's event log (CCEL) of a trusted first boot of this machine shape, from which RTMR0 is replayed. Values that firmware and
   * memory determine are compared; the VMM's ACPI tables are trusted, because no file determines them.
   */
  readonly eventLog?: Uint8Array;
  /** Memory size of the machine of that log. Without it, the log's memory list is trusted too. */
  readonly memoryBytes?: number;
}

export interface ImageMeasurements {
  readonly mrTd: string;
  /** Undefined without an event log: then the policy leaves RTMR0 open. */
  readonly rtmr0: string | undefined;
  readonly rtmr1: string;
  readonly rtmr2: string;
}

/**
 * Computes the registers.
 * @returns lowercase hexadecimal, 96 digits each
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED · ERR_NOT_VERIFIED if the event log is of another firmware
 */
export async function measureImage(files: ImageFiles, options: MeasureOptions = {}): Promise<ImageMeasurements> {
  const { firmware, kernel, initrd, cmdline } = files;
  const { pageOrder, handover, eventLog, memoryBytes } = options;
  const boot: DirectBoot = { kernel, initrd, cmdline, ...(handover === undefined ? {} : { handover }) };
  return {
    mrTd: toHex(await measureFirmware(firmware, pageOrder)),
    rtmr0: eventLog === undefined ? undefined : toHex(await replayHardware(eventLog, firmware, memoryBytes)),
    rtmr1: toHex(await measureKernel(boot)),
    rtmr2: toHex(await measureCommandLine(boot)),
  };
}

/** The files of a machine that boots from a disk. */
export interface DiskFiles extends UefiBoot {
  readonly firmware: Uint8Array;
}

/**
 * Computes the RTMRs of a machine whose firmware starts the unified kernel image on its disk. MRTD does not depend on the disk.
 * @returns lowercase hexadecimal, 96 digits each
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED · ERR_NOT_VERIFIED if the event log is of another firmware
 */
export async function measureDisk(
  { firmware, ...boot }: DiskFiles,
  { eventLog, memoryBytes }: Pick<MeasureOptions, 'eventLog' | 'memoryBytes'> = {},
): Promise<Omit<ImageMeasurements, 'mrTd'>> {
  return {
    rtmr0: eventLog === undefined ? undefined : toHex(await replayHardware(eventLog, firmware, memoryBytes)),
    rtmr1: toHex(await measureDiskBoot(boot)),
    rtmr2: toHex(await measureUki(boot.uki)),
  };
}

/**
 * The policy that accepts this image: exactly these measurements, and RTMR3 as replayed from the start log. It accepts any source, because
 * every byte of the image is measured.
 * @param shapes one per accepted machine shape and boot method
 */
export function policyFor(shapes: readonly ImageMeasurements[]): EvidencePolicy {
  const measurements = shapes.map(
    ({ mrTd, rtmr0, rtmr1, rtmr2 }): MeasurementSet => ({
      mrTd,
      ...(rtmr0 === undefined ? {} : { rtmr0 }),
      rtmr1,
      rtmr2,
    }),
  );
  return { measurements, rtmr3: 'any', sources: 'any' };
}

/** Replays RTMR0 after comparing the events that firmware and memory determine. */
async function replayHardware(
  eventLog: Uint8Array,
  firmware: Uint8Array,
  memoryBytes: number | undefined,
): Promise<Uint8Array> {
  const { events } = parseEventLog(eventLog);
  await requireMatchingEvents(events, firmware, memoryBytes);
  return (await replayEventLog(events))[0];
}
