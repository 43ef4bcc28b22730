/** Parses TDX quotes, version 4 and 5, with an ECDSA P-256 attestation key. Pure; fields are views of the input. */
import { ByteReader, isAllZero, toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { parseQeReport, type QeReport, qeReportBytes } from './qe-report.ts';
import { parseTdBody, type TdBody, tdBody10Bytes, tdBody15Bytes } from './td-body.ts';

export interface Quote {
  readonly version: 4 | 5;
  /** 20 bytes, chosen by the quoting enclave: a platform id and zeros. */
  readonly userData: Uint8Array;
  readonly body: TdBody;
  /** Header and body, which the attestation key signed. */
  readonly signedBytes: Uint8Array;
  /** r ‖ s over `signedBytes`. */
  readonly signature: Uint8Array;
  /** x ‖ y of the attestation key. */
  readonly attestationKey: Uint8Array;
  readonly qeReport: QeReport;
  /** The 384 bytes that the PCK signed. */
  readonly qeReportBytes: Uint8Array;
  readonly qeReportSignature: Uint8Array;
  readonly qeAuthenticationData: Uint8Array;
  /** PEM text of the PCK certificate, its CA and the root. */
  readonly pckChainPem: Uint8Array;
  /** Size of the quote, without trailing zeros. */
  readonly byteLength: number;
}

/** Above any real quote: the buffer of Intel's quote service has 8 KiB. */
export const quoteBytesMax = 16 * 1024;

const intelQeVendor = '939a7233f79c4ca9940a0db3957f0607';
const ecdsaP256 = 2;
const tdx = 0x81;
const certificationTypes = { pckChain: 5, qeReport: 6 } as const;

/**
 * @param bytes a quote; trailing zeros are accepted, because guests return the whole buffer
 * @throws {AttestationError} ERR_QUOTE_MALFORMED, ERR_QUOTE_UNSUPPORTED
 * @see Intel, TDX DCAP Quote Generation Library and Quote Verification Library, appendix 3 (formats 4 and 5)
 */
export function parseQuote(bytes: Uint8Array): Quote {
  if (bytes.length > quoteBytesMax) throw malformed(`a quote has at most ${quoteBytesMax} bytes, got ${bytes.length}`);
  const reader = new ByteReader(bytes, 'quote', 'ERR_QUOTE_MALFORMED');
  const header = parseHeader(reader);
  const body = parseTdBody(reader.bytes(header.version === 5 ? bodyBytes(reader) : tdBody10Bytes, 'TD body'));
  const signedBytes = bytes.subarray(0, reader.at);
  const authentication = parseAuthentication(reader.bytes(reader.uint32('length'), 'authentication data'));
  if (!isAllZero(reader.rest())) {
    throw malformed(`${reader.rest().length} bytes follow the quote, and they are not all zero`);
  }
  return { ...header, body, signedBytes, ...authentication, byteLength: reader.at };
}

function parseHeader(reader: ByteReader): Pick<Quote, 'version' | 'userData'> {
  const version = reader.uint16('version');
  const keyType = reader.uint16('attestation key type');
  const teeType = reader.uint32('TEE type');
  reader.bytes(4, 'reserved');
  const vendor = reader.bytes(16, 'QE vendor');
  const userData = reader.bytes(20, 'user data');
  if (version !== 4 && version !== 5) throw unsupported(`quote version must be 4 or 5, got ${version}`);
  if (teeType !== tdx) throw unsupported(`TEE type must be 0x81 (TDX), got 0x${teeType.toString(16)}`);
  if (keyType !== ecdsaP256) throw unsupported(`attestation key type must be 2 (ECDSA P-256), got ${keyType}`);
  if (toHex(vendor) !== intelQeVendor) throw unsupported(`QE vendor must be Intel's, got ${toHex(vendor)}`);
  return { version, userData };
}

/** In version 5, the body's type and size must match. */
function bodyBytes(reader: ByteReader): number {
  const type = reader.uint16('body type');
  const size = reader.uint32('body size');
  const expected = type === 2 ? tdBody10Bytes : type === 3 ? tdBody15Bytes : undefined;
  if (expected === undefined) throw unsupported(`body type must be 2 (TD 1.0) or 3 (TD 1.5), got ${type}`);
  if (size !== expected) throw malformed(`a body of type ${type} has ${expected} bytes, got ${size}`);
  return size;
}

type Authentication = Omit<Quote, 'version' | 'userData' | 'body' | 'signedBytes' | 'byteLength'>;

function parseAuthentication(bytes: Uint8Array): Authentication {
  const reader = new ByteReader(bytes, 'authentication data', 'ERR_QUOTE_MALFORMED');
  const signature = reader.bytes(64, 'signature');
  const attestationKey = reader.bytes(64, 'attestation key');
  const certification = certificationData(reader, certificationTypes.qeReport);
  const inner = new ByteReader(certification, 'QE certification data', 'ERR_QUOTE_MALFORMED');
  const qeReport = inner.bytes(qeReportBytes, 'QE report');
  const qeReportSignature = inner.bytes(64, 'QE report signature');
  const qeAuthenticationData = inner.bytes(inner.uint16('length'), 'QE authentication data');
  const pckChainPem = certificationData(inner, certificationTypes.pckChain);
  return {
    signature,
    attestationKey,
    qeReport: parseQeReport(qeReport),
    qeReportBytes: qeReport,
    qeReportSignature,
    qeAuthenticationData,
    pckChainPem,
  };
}

/** Type, length and bytes, without trailing bytes. */
function certificationData(reader: ByteReader, type: number): Uint8Array {
  const found = reader.uint16('certification data type');
  if (found !== type) throw unsupported(`certification data type must be ${type} here, got ${found}`);
  const data = reader.bytes(reader.uint32('length'), 'certification data');
  if (reader.rest().length > 0) throw malformed(`${reader.rest().length} bytes follow the certification data`);
  return data;
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_QUOTE_MALFORMED', message);
}

function unsupported(message: string): AttestationError {
  return new AttestationError('ERR_QUOTE_UNSUPPORTED', message);
}
