/** The ACPI table with the location of the event log. Pure. */
import { ByteReader, toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';

export interface CcelTable {
  /** Size of the log area, which may exceed the log. */
  readonly logBytesMax: bigint;
  /** Physical address in the guest. */
  readonly logAddress: bigint;
}

export const ccelTableBytes = 56;

const signature = toHex(new TextEncoder().encode('CCEL'));
const tdx = 2;

/**
 * @param bytes exactly 56
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 * @see ACPI 6.5 §5.2.34, with the 36 bytes of every table's header (§5.2.6)
 */
export function parseCcelTable(bytes: Uint8Array): CcelTable {
  if (bytes.length !== ccelTableBytes) throw malformed(`has ${ccelTableBytes} bytes, got ${bytes.length}`);
  const reader = new ByteReader(bytes, 'CCEL table', 'ERR_EVIDENCE_MALFORMED');
  if (toHex(reader.bytes(4, 'signature')) !== signature) throw malformed('begins with "CCEL"');
  const length = reader.uint32('length');
  if (length !== ccelTableBytes) throw malformed(`states its length, 56; it states ${length}`);
  reader.bytes(28, 'rest of the header');
  const [type] = reader.bytes(2, 'type');
  if (type !== tdx) throw malformed(`is of type 2 (TDX), got ${type}`);
  if (bytes.reduce((sum, byte) => (sum + byte) & 0xff, 0) !== 0)
    throw malformed('sums up to zero; its checksum is wrong');
  reader.bytes(2, 'reserved');
  return { logBytesMax: uint64(reader, 'log length'), logAddress: uint64(reader, 'log address') };
}

function uint64(reader: ByteReader, field: string): bigint {
  const low = reader.uint32(field);
  return (BigInt(reader.uint32(field)) << 32n) | BigInt(low);
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `a CCEL table ${message}`);
}
