/** What the firmware file itself decides of RTMR0, looked for in the event log of a boot. Pure, with WebCrypto. */
import { sameBytes } from '../bytes.ts';
import { AttestationError } from '../errors.ts';
import type { LogEvent } from '../eventlog/event-log.ts';
import { sha384 } from './extend.ts';
import { tdvfSectionBytes } from './tdvf.ts';

const RTMR0 = 1;
/** EV_EFI_PLATFORM_FIRMWARE_BLOB2: here the initial variables, as they stand in the file. */
const FIRMWARE_BLOB = 0x8000000a;

/**
 * That the log is of a boot with this firmware's variables: one of another firmware would give an RTMR0 that this image
 * never has.
 * @throws {AttestationError} ERR_NOT_VERIFIED, ERR_EVIDENCE_MALFORMED
 */
export async function requireFirmwareVariables(events: readonly LogEvent[], firmware: Uint8Array): Promise<void> {
  const expected = await sha384(tdvfSectionBytes(firmware, 'variables'));
  const blobs = events.filter(({ mrIndex, type }) => mrIndex === RTMR0 && type === FIRMWARE_BLOB);
  if (blobs.length !== 1) throw refused(`has ${blobs.length} events for the firmware's variables, expected one`);
  if (!sameBytes(blobs[0]!.digest, expected)) throw refused('is of a boot with another firmware, or other variables');
}

function refused(message: string): AttestationError {
  return new AttestationError('ERR_NOT_VERIFIED', `the event log ${message}`);
}
