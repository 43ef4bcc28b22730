/** Writes TDX quotes of version 4 and 5 with all signatures, by keys of a simulated hierarchy. */
import { concatBytes, fromHex } from '../base/bytes.ts';
import type { TdBody } from '../quote/td-body.ts';
import { type SigningKey, signBytes } from './certificates.ts';

/** The contents of a simulated TD's quote. Absent members are zero, except SEPT_VE_DISABLE. */
export type SimulatedTd = Partial<Omit<TdBody, 'version' | 'rtmrs'>> & { readonly rtmrs?: readonly Uint8Array[] };

export interface SimulatedQe {
  readonly mrSigner: Uint8Array;
  readonly isvProdId: number;
  readonly isvSvn: number;
  /** 16 bytes. */
  readonly attributes: Uint8Array;
  /** 4 bytes. */
  readonly miscSelect: Uint8Array;
}

export interface QuoteSigners {
  readonly attestationKey: SigningKey;
  readonly pckKey: SigningKey;
  /** PEM: PCK certificate, CA, root. */
  readonly pckChainPem: string;
}

/** @returns 584 bytes, or 648 for version 1.5 */
export function encodeTdBody(td: SimulatedTd, version: '1.0' | '1.5'): Uint8Array {
  const rtmrs = [0, 1, 2, 3].map((index) => sized(td.rtmrs?.[index], 48));
  const base = [
    sized(td.teeTcbSvn, 16),
    ...[td.mrSeam, td.mrSignerSeam].map((field) => sized(field, 48)),
    sized(td.seamAttributes, 8),
    sized(td.tdAttributes ?? Uint8Array.of(0, 0, 0, 0x10, 0, 0, 0, 0), 8),
    sized(td.xfam ?? Uint8Array.of(0xe7, 0, 6, 0, 0, 0, 0, 0), 8),
    ...[td.mrTd, td.mrConfigId, td.mrOwner, td.mrOwnerConfig].map((field) => sized(field, 48)),
    ...rtmrs,
    sized(td.reportData, 64),
  ];
  const newer = version === '1.5' ? [sized(td.teeTcbSvn2 ?? td.teeTcbSvn, 16), sized(td.mrServiceTd, 48)] : [];
  return concatBytes(...base, ...newer);
}

/** @returns 384 bytes */
export function encodeQeReport(qe: SimulatedQe, reportData: Uint8Array): Uint8Array {
  const zeros = (length: number) => new Uint8Array(length);
  return concatBytes(
    zeros(16),
    sized(qe.miscSelect, 4),
    zeros(28),
    sized(qe.attributes, 16),
    zeros(32 + 32),
    sized(qe.mrSigner, 32),
    zeros(96),
    uint16(qe.isvProdId),
    uint16(qe.isvSvn),
    zeros(60),
    sized(reportData, 64),
  );
}

/**
 * @param form a version 4 quote has a 1.0 body; a version 5 quote has either
 * @returns the quote, without padding
 */
export async function signQuote(
  td: SimulatedTd,
  qe: SimulatedQe,
  signers: QuoteSigners,
  form: { version: 4 | 5; body: '1.0' | '1.5' } = { version: 4, body: '1.0' },
): Promise<Uint8Array> {
  const body = encodeTdBody(td, form.body);
  const header = concatBytes(
    ...[uint16(form.version), uint16(2), uint32(0x81), uint32(0)],
    fromHex('939a7233f79c4ca9940a0db3957f0607')!,
    new Uint8Array(20),
  );
  const kind = form.version === 5 ? [uint16(form.body === '1.0' ? 2 : 3), uint32(body.length)] : [];
  const signed = concatBytes(header, ...kind, body);
  const qeAuthenticationData = Uint8Array.from({ length: 32 }, (_, index) => index);
  const keyText = concatBytes(signers.attestationKey.publicPoint, qeAuthenticationData);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', keyText));
  const qeReport = encodeQeReport(qe, digest);
  const chain = new TextEncoder().encode(signers.pckChainPem);
  const certification = concatBytes(
    qeReport,
    await signBytes(signers.pckKey, qeReport),
    uint16(qeAuthenticationData.length),
    qeAuthenticationData,
    uint16(5),
    uint32(chain.length),
    chain,
  );
  const authentication = concatBytes(
    await signBytes(signers.attestationKey, signed),
    signers.attestationKey.publicPoint,
    uint16(6),
    uint32(certification.length),
    certification,
  );
  return concatBytes(signed, uint32(authentication.length), authentication);
}

/** Pads the bytes with zeros up to `length`. @throws {RangeError} if there are more */
function sized(bytes: Uint8Array | undefined, length: number): Uint8Array {
  const field = new Uint8Array(length);
  if (bytes !== undefined) field.set(bytes);
  return field;
}

function uint16(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, value >> 8);
}

function uint32(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24);
}
