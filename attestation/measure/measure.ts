/**
 * What a TD that boots these files will hold in its registers, and the policy that accepts it and nothing else. Anyone who
 * has the files computes the same. Pure, with WebCrypto: no device, no network.
 */
import { toHex } from '../base/bytes.ts';
import { parseEventLog } from '../eventlog/event-log.ts';
import { replayEventLog } from '../eventlog/replay.ts';
import type { EvidencePolicy } from '../policy/evidence-policy.ts';
import type { MeasurementSet } from '../policy/policy.ts';
import { type DirectBoot, type Handover, measureCommandLine, measureKernel } from './direct-boot.ts';
import { requireMatchingEvents } from './firmware-events.ts';
import { measureFirmware, type PageOrder } from './tdvf.ts';

export interface ImageFiles extends Omit<DirectBoot, 'handover'> {
  readonly firmware: Uint8Array;
}

export interface MeasureOptions {
  readonly pageOrder?: PageOrder;
  readonly handover?: Handover;
  /**
   * Firmware's event log (CCEL) of a first boot of this shape by somebody trusted: RTMR0 is replayed from it. All that
   * firmware and memory decide of it is compared; what is taken on trust are the VMM's ACPI tables, which no file decides.
   */
  readonly eventLog?: Uint8Array;
  /** Of the machine of that log. Without it, its memory is taken on trust too. */
  readonly memoryBytes?: number;
}

export interface ImageMeasurements {
  readonly mrTd: string;
  /** Undefined where no event log was given: then a policy leaves it open. */
  readonly rtmr0: string | undefined;
  readonly rtmr1: string;
  readonly rtmr2: string;
}

/**
 * @returns lowercase hexadecimal, 96 digits each
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED · ERR_NOT_VERIFIED where the event log is of another firmware
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

/**
 * The policy that accepts this image: these measurements in whole, and RTMR3 as the start log explains it. Which sources the
 * image names makes no difference: its every byte is measured.
 * @param shapes one for each shape of machine that is to be accepted
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

/** RTMR0 of the log, once what firmware and memory decide of it was found in it. */
async function replayHardware(
  eventLog: Uint8Array,
  firmware: Uint8Array,
  memoryBytes: number | undefined,
): Promise<Uint8Array> {
  const { events } = parseEventLog(eventLog);
  await requireMatchingEvents(events, firmware, memoryBytes);
  return (await replayEventLog(events))[0];
}
