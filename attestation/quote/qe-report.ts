/** Parses the SGX report of the quoting enclave, which contains the attestation key's digest. Views of the quote's bytes. */
import { ByteReader } from '../base/bytes.ts';

export interface QeReport {
  readonly cpuSvn: Uint8Array;
  /** 4 bytes, little-endian. */
  readonly miscSelect: Uint8Array;
  /** 16 bytes: flags, then XFRM. */
  readonly attributes: Uint8Array;
  readonly mrEnclave: Uint8Array;
  /** 32 bytes. */
  readonly mrSigner: Uint8Array;
  readonly isvProdId: number;
  readonly isvSvn: number;
  /** 64 bytes: SHA-256 of the attestation key and the QE's authentication data, then zeros. */
  readonly reportData: Uint8Array;
}

export const qeReportBytes = 384;

/** @param bytes exactly 384 bytes */
export function parseQeReport(bytes: Uint8Array): QeReport {
  const reader = new ByteReader(bytes, 'QE report', 'ERR_QUOTE_MALFORMED');
  const cpuSvn = reader.bytes(16, 'CPUSVN');
  const miscSelect = reader.bytes(4, 'MISCSELECT');
  reader.bytes(28, 'reserved');
  const attributes = reader.bytes(16, 'ATTRIBUTES');
  const mrEnclave = reader.bytes(32, 'MRENCLAVE');
  reader.bytes(32, 'reserved');
  const mrSigner = reader.bytes(32, 'MRSIGNER');
  reader.bytes(96, 'reserved');
  const isvProdId = reader.uint16('ISVPRODID');
  const isvSvn = reader.uint16('ISVSVN');
  reader.bytes(60, 'reserved');
  return {
    cpuSvn,
    miscSelect,
    attributes,
    mrEnclave,
    mrSigner,
    isvProdId,
    isvSvn,
    reportData: reader.bytes(64, 'REPORTDATA'),
  };
}
