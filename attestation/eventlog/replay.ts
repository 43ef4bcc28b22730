/** Replays an event log to register values. With WebCrypto, for Node and browsers. */
import { concatBytes, sameBytes, toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { eventType, type LogEvent, type MeasuredEvent, sha384Bytes } from './event-log.ts';

/** RTMR0…3, 48 bytes each. */
export type Rtmrs = readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
export type RtmrNumber = 0 | 1 | 2 | 3;

/**
 * Each register starts as zeros and becomes SHA-384(register ‖ digest) with each of its events.
 * Events of MRTD (index 0) and of type `noAction` do not extend a register.
 * @param events in order; events of a guest log may follow those of the firmware
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED for an invalid register or digest
 */
export async function replayEventLog(events: readonly MeasuredEvent[]): Promise<Rtmrs> {
  const rtmrs: [Uint8Array, Uint8Array, Uint8Array, Uint8Array] = [zeros(), zeros(), zeros(), zeros()];
  for (const { mrIndex, type, digest } of events) {
    if (!Number.isInteger(mrIndex) || mrIndex < 0 || mrIndex > rtmrs.length || digest.length !== sha384Bytes) {
      throw new AttestationError(
        'ERR_EVIDENCE_MALFORMED',
        `an event extends register ${mrIndex} with ${digest.length} bytes; registers are 0 to 4, digests have 48 bytes`,
      );
    }
    if (mrIndex === 0 || type === eventType.noAction) continue;
    rtmrs[mrIndex - 1] = await sha384(concatBytes(rtmrs[mrIndex - 1]!, digest));
  }
  return rtmrs;
}

/**
 * Verifies that a log replays to the registers of a quote: no event is missing, added, changed or reordered.
 * Verifies neither the quote nor the events' data: see `isDigestOfData`.
 * @param rtmrs from the body of a verified quote
 * @param registers to compare; default: all
 * @throws {AttestationError} ERR_NOT_VERIFIED, ERR_EVIDENCE_MALFORMED
 */
export async function requireReplay(
  events: readonly MeasuredEvent[],
  rtmrs: Rtmrs,
  registers: readonly RtmrNumber[] = [0, 1, 2, 3],
): Promise<void> {
  const replayed = await replayEventLog(events);
  for (const register of registers) {
    if (!sameBytes(replayed[register], rtmrs[register])) {
      throw new AttestationError(
        'ERR_NOT_VERIFIED',
        `the event log gives RTMR${register} as ${toHex(replayed[register])}, the quote says ${toHex(rtmrs[register])}`,
      );
    }
  }
}

/** Whether the digest is that of the event's data. Otherwise, only the digest is proven, not the data. */
export async function isDigestOfData({ digest, data }: Pick<LogEvent, 'digest' | 'data'>): Promise<boolean> {
  return sameBytes(await sha384(data), digest);
}

async function sha384(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-384', bytes as Uint8Array<ArrayBuffer>));
}

function zeros(): Uint8Array {
  return new Uint8Array(sha384Bytes);
}
