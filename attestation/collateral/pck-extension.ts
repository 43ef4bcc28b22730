/** Parses the SGX extension of a PCK certificate, which describes the platform. Pure. */
import { toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import type { Certificate } from '../x509/certificate.ts';
import { type DerValue, derChildren, derOid, derSmallInteger, derTag, parseDer, requireTag } from '../x509/der.ts';

export interface PckPlatform {
  /** Sixteen SGX component versions. */
  readonly sgxSvns: readonly number[];
  readonly pceSvn: number;
  readonly cpuSvn: Uint8Array;
  /** 6 bytes: the processor family. */
  readonly fmspc: Uint8Array;
  /** 2 bytes. */
  readonly pceId: Uint8Array;
  /** 16 bytes: the processor package. */
  readonly ppid: Uint8Array | undefined;
  /** 16 bytes: the registered platform; only in certificates of the Platform CA. */
  readonly instanceId: Uint8Array | undefined;
}

export const sgxExtension = '1.2.840.113741.1.13.1';

/**
 * @throws {AttestationError} ERR_CERTIFICATE_MALFORMED if the extension or one of these fields is missing
 * @see Intel, SGX PCK Certificate and Certificate Revocation List Profile Specification, §1.3.5
 */
export function parsePckPlatform(certificate: Certificate): PckPlatform {
  const extension = certificate.extensions.get(sgxExtension);
  if (extension === undefined) throw malformed('the PCK certificate has no SGX extension');
  const fields = pairs(parseDer(extension.value, derTag.sequence, 'SGX extension'), sgxExtension);
  const tcb = pairs(requireTag(fields.get('2'), derTag.sequence, 'TCB'), `${sgxExtension}.2`);
  const svns = Array.from({ length: 16 }, (_, index) => derSmallInteger(tcb.get(String(index + 1)), 'SVN'));
  return {
    sgxSvns: svns,
    pceSvn: derSmallInteger(tcb.get('17'), 'PCESVN'),
    cpuSvn: octets(tcb.get('18'), 16, 'CPUSVN'),
    pceId: octets(fields.get('3'), 2, 'PCE-ID'),
    fmspc: octets(fields.get('4'), 6, 'FMSPC'),
    ppid: optionalOctets(fields.get('1'), 16, 'PPID'),
    instanceId: optionalOctets(fields.get('6'), 16, 'platform instance id'),
  };
}

/** A sequence of (object identifier, value), keyed by the identifier's last arc. */
function pairs(parent: DerValue, prefix: string): Map<string, DerValue> {
  const map = new Map<string, DerValue>();
  for (const pair of derChildren(parent, 'SGX extension')) {
    const [oid, value, ...more] = derChildren(requireTag(pair, derTag.sequence, 'SGX extension'), 'SGX extension');
    const text = derOid(oid, 'SGX extension');
    const arc = text.slice(prefix.length + 1);
    if (!text.startsWith(`${prefix}.`) || value === undefined || more.length > 0)
      throw malformed(`unknown field ${text}`);
    if (map.has(arc)) throw malformed(`field ${text} stands twice`);
    map.set(arc, value);
  }
  return map;
}

function octets(value: DerValue | undefined, length: number, field: string): Uint8Array {
  const { content } = requireTag(value, derTag.octetString, field);
  if (content.length !== length) throw malformed(`${field} must have ${length} bytes, got ${toHex(content)}`);
  return content;
}

function optionalOctets(value: DerValue | undefined, length: number, field: string): Uint8Array | undefined {
  return value === undefined ? undefined : octets(value, length, field);
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_CERTIFICATE_MALFORMED', message);
}
