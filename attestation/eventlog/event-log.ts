/** Parses the CC event log (CCEL) of firmware and boot loader, in TCG's crypto-agile format. Pure; fields are views. */
import { ByteReader, toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';

/** The part of an event that replaying requires. */
export interface MeasuredEvent {
  /** 0 for MRTD, 1…4 for RTMR0…3. */
  readonly mrIndex: number;
  /** TCG event type, see `eventType`; `noAction` events do not extend a register. */
  readonly type: number;
  /** SHA-384, 48 bytes, with which the register was extended. */
  readonly digest: Uint8Array;
}

export interface LogEvent extends MeasuredEvent {
  /** The measured data, or a description of it: for some event types only, the digest is that of these bytes. */
  readonly data: Uint8Array;
}

export interface EventLog {
  /** The version in the header, for display: `2.0`. */
  readonly specVersion: string;
  /** In log order, without the header. */
  readonly events: readonly LogEvent[];
  /** Size of the log, without its end mark and the filler after it. */
  readonly byteLength: number;
}

/** Above the log area of any real machine (256 KiB). */
export const eventLogBytesMax = 4 * 1024 * 1024;
export const eventsMax = 16 * 1024;
const algorithmsMax = 16;

/** The event types that the code handles. @see TCG PC Client Platform Firmware Profile 1.06, §10.4.1 */
export const eventType = { noAction: 3 } as const;

const signature = toHex(new TextEncoder().encode('Spec ID Event03\0'));
const sha384 = 0x000c;
const sha1Bytes = 20;
export const sha384Bytes = 48;
const end = 0xffffffff;
const mrIndexMax = 4;

/**
 * @param bytes the whole log area, or the log truncated after its last event. The log ends at 0xffffffff or with the bytes; only filler of
 *   0xff or 0x00 may follow the end mark. Only a replay detects missing events at the end.
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 * @see TCG PC Client Platform Firmware Profile 1.06, §10 · UEFI 2.10 §38.4 (mrIndex)
 */
export function parseEventLog(bytes: Uint8Array): EventLog {
  if (bytes.length > eventLogBytesMax) {
    throw malformed(`has ${bytes.length} bytes, at most ${eventLogBytesMax} are read`);
  }
  const reader = new ByteReader(bytes, 'event log', 'ERR_EVIDENCE_MALFORMED');
  const { specVersion, digestBytes } = parseHeader(reader);
  const events: LogEvent[] = [];
  while (reader.at < bytes.length) {
    const byteLength = reader.at;
    const mrIndex = reader.uint32('register index');
    if (mrIndex === end) {
      requireFiller(reader.rest());
      return { specVersion, events, byteLength };
    }
    if (events.length === eventsMax) throw malformed(`has over ${eventsMax} events`);
    events.push(parseEvent(reader, mrIndex, digestBytes));
  }
  return { specVersion, events, byteLength: reader.at };
}

/** The first event, in the old format with one SHA-1 digest. It lists the digest algorithms of the others. */
function parseHeader(reader: ByteReader): { specVersion: string; digestBytes: ReadonlyMap<number, number> } {
  reader.uint32('register index of the header');
  const type = reader.uint32('type of the header');
  if (type !== eventType.noAction) throw malformed(`begins with an event of type ${type}, expected a header (3)`);
  reader.bytes(sha1Bytes, 'digest of the header');
  const data = reader.bytes(reader.uint32('length of the header'), 'header');
  const header = new ByteReader(data, 'header of the event log', 'ERR_EVIDENCE_MALFORMED');
  if (toHex(header.bytes(16, 'signature')) !== signature) throw malformed('does not begin with "Spec ID Event03"');
  header.uint32('platform class');
  const [minor, major] = header.bytes(4, 'version');
  const digestBytes = parseAlgorithms(header);
  const vendorBytes = header.bytes(1, 'length of the vendor information')[0]!;
  header.bytes(vendorBytes, 'vendor information');
  if (header.rest().length > 0) throw malformed(`has ${header.rest().length} bytes after its vendor information`);
  return { specVersion: `${major}.${minor}`, digestBytes };
}

function parseAlgorithms(header: ByteReader): ReadonlyMap<number, number> {
  const count = header.uint32('number of algorithms');
  if (count > algorithmsMax) throw malformed(`names ${count} digest algorithms, at most ${algorithmsMax} are read`);
  const digestBytes = new Map<number, number>();
  for (let index = 0; index < count; index++) {
    const algorithm = header.uint16('algorithm');
    if (digestBytes.has(algorithm)) throw malformed(`names algorithm ${algorithm} twice`);
    digestBytes.set(algorithm, header.uint16('digest length'));
  }
  if (digestBytes.get(sha384) !== sha384Bytes) throw malformed('has no SHA-384 digests of 48 bytes');
  return digestBytes;
}

function parseEvent(reader: ByteReader, mrIndex: number, digestBytes: ReadonlyMap<number, number>): LogEvent {
  if (mrIndex > mrIndexMax) throw malformed(`has an event for register ${mrIndex}, the last one is ${mrIndexMax}`);
  const type = reader.uint32('event type');
  const count = reader.uint32('number of digests');
  if (count > digestBytes.size) throw malformed(`has an event with ${count} digests, ${digestBytes.size} are declared`);
  let digest: Uint8Array | undefined;
  for (let index = 0; index < count; index++) {
    const algorithm = reader.uint16('algorithm');
    const length = digestBytes.get(algorithm);
    if (length === undefined) throw malformed(`has a digest of the undeclared algorithm ${algorithm}`);
    const value = reader.bytes(length, 'digest');
    if (algorithm !== sha384) continue;
    if (digest !== undefined) throw malformed('has an event with two SHA-384 digests');
    digest = value;
  }
  if (digest === undefined) throw malformed('has an event without a SHA-384 digest');
  return { mrIndex, type, digest, data: reader.bytes(reader.uint32('event length'), 'event data') };
}

function requireFiller(rest: Uint8Array): void {
  const filler = rest[0];
  if (filler === undefined) return;
  if ((filler !== 0 && filler !== 0xff) || rest.some((byte) => byte !== filler)) {
    throw malformed(`has non-zero bytes among the ${rest.length} bytes after its end marker`);
  }
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `the event log ${message}`);
}
