/** Parses X.509 v3 certificates with ECDSA keys and signatures on P-256 or P-384, which Intel and NVIDIA issue. Pure. */
import { toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import {
  type DerValue,
  derBitOctets,
  derBoolean,
  derChildren,
  derOid,
  derSmallInteger,
  derTag,
  derTimeMs,
  derUnsigned,
  parseDer,
  requireTag,
} from './der.ts';
import { type Curve, rawSignature } from './ecdsa.ts';

export interface CertificateExtension {
  readonly critical: boolean;
  /** The contents of the extension's octet string. */
  readonly value: Uint8Array;
}

export interface Certificate {
  readonly der: Uint8Array;
  /** The signed part with its tag and length. */
  readonly tbs: Uint8Array;
  /** r ‖ s */
  readonly signature: Uint8Array;
  /** The curve that the issuer's key must have for this signature algorithm. */
  readonly signatureCurve: Curve;
  /** Hexadecimal without leading zero octets. */
  readonly serial: string;
  /** The names as DER, compared byte for byte. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  /** The last common name of the subject, for display; empty if absent. */
  readonly commonName: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly curve: Curve;
  /** x ‖ y */
  readonly publicPoint: Uint8Array;
  /** DER of the SubjectPublicKeyInfo. */
  readonly spki: Uint8Array;
  /** Extensions by object identifier. */
  readonly extensions: ReadonlyMap<string, CertificateExtension>;
  readonly isCa: boolean;
  /** The maximum number of CA certificates below this one. */
  readonly pathLength: number | undefined;
  /** The bits of the key usage extension, `digitalSignature` highest; undefined without the extension. */
  readonly keyUsage: number | undefined;
}

export const keyUsage = { digitalSignature: 0x80, keyCertSign: 0x04, crlSign: 0x02 } as const;

export const extensionOids = {
  keyUsage: '2.5.29.15',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  crlNumber: '2.5.29.20',
} as const;

/** The required curve of the key by signature algorithm (object identifier). */
export const signatureCurves: Readonly<Record<string, Curve>> = {
  '1.2.840.10045.4.3.2': 'P-256',
  '1.2.840.10045.4.3.3': 'P-384',
};
const keyCurves: Readonly<Record<string, Curve>> = { '1.2.840.10045.3.1.7': 'P-256', '1.3.132.0.34': 'P-384' };
const ecPublicKey = '1.2.840.10045.2.1';
const commonNameOid = '2.5.4.3';

/**
 * @param der exactly one certificate; the result's fields are views of it
 * @throws {AttestationError} ERR_CERTIFICATE_MALFORMED
 * @see RFC 5280 §4.1
 */
export function parseCertificate(der: Uint8Array): Certificate {
  const signed = parseSigned(der, 'certificate');
  const fields = derChildren(signed.tbs, 'certificate');
  const [version, serial, algorithm, issuer, validity, subject, spki, ...optional] = fields;
  const versionNumber = derSmallInteger(derChildren(requireTag(version, 0xa0, 'version'), 'version')[0], 'version');
  if (versionNumber !== 2) throw malformed(`version is ${versionNumber + 1}, expected 3`);
  signed.requireSameAlgorithm(algorithm);
  const dates = derChildren(requireTag(validity, derTag.sequence, 'validity'), 'validity');
  if (dates.length !== 2) throw malformed(`validity has ${dates.length} dates`);
  const extensions = parseExtensions(onlyExtensions(optional));
  return {
    der,
    tbs: signed.tbs.whole,
    signature: signed.signature,
    signatureCurve: signed.signatureCurve,
    serial: toHex(derUnsigned(serial, 'serial number')),
    issuer: requireTag(issuer, derTag.sequence, 'issuer').whole,
    subject: requireTag(subject, derTag.sequence, 'subject').whole,
    commonName: commonName(subject!),
    notBeforeMs: derTimeMs(dates[0], 'not before'),
    notAfterMs: derTimeMs(dates[1], 'not after'),
    ...parsePublicKey(requireTag(spki, derTag.sequence, 'public key')),
    extensions,
    ...parseBasicConstraints(extensions.get(extensionOids.basicConstraints)),
    keyUsage: parseKeyUsage(extensions.get(extensionOids.keyUsage)),
  };
}

export interface SignedStructure {
  readonly tbs: DerValue;
  readonly signature: Uint8Array;
  readonly signatureCurve: Curve;
  /** The algorithm inside the signed part must be the one outside it (RFC 5280 §4.1.1.2). */
  requireSameAlgorithm(inner: DerValue | undefined): void;
}

/** The common structure of certificates and CRLs: a signed part, an algorithm and a signature. */
export function parseSigned(der: Uint8Array, what: string): SignedStructure {
  const parts = derChildren(parseDer(der, derTag.sequence, what), what);
  if (parts.length !== 3) throw malformed(`a ${what} has three parts, not ${parts.length}`);
  const algorithm = requireTag(parts[1], derTag.sequence, 'signature algorithm');
  const [oid, ...parameters] = derChildren(algorithm, 'signature algorithm');
  const signatureCurve = signatureCurves[derOid(oid, 'signature algorithm')];
  if (signatureCurve === undefined || parameters.length > 0) {
    throw malformed(`the ${what} is not signed with ECDSA and SHA-256 or SHA-384`);
  }
  return {
    tbs: requireTag(parts[0], derTag.sequence, what),
    signature: rawSignature(derBitOctets(parts[2], 'signature'), signatureCurve),
    signatureCurve,
    requireSameAlgorithm(inner) {
      if (toHex(requireTag(inner, derTag.sequence, 'inner algorithm').whole) !== toHex(algorithm.whole)) {
        throw malformed(`the ${what} names two signature algorithms`);
      }
    },
  };
}

/**
 * The field after the public key: extensions or nothing. With two blocks of extensions, two parsers could choose different ones. The
 * obsolete unique identifiers (RFC 5280 §4.1.2.8) are refused.
 */
export function onlyExtensions(fields: readonly DerValue[]): DerValue | undefined {
  if (fields.length > 1) throw malformed(`${fields.length} fields follow the public key, only extensions are expected`);
  return fields[0] === undefined ? undefined : requireTag(fields[0], 0xa3, 'extensions');
}

/** @param wrapper the [3] of a certificate or [0] of a CRL */
export function parseExtensions(wrapper: DerValue | undefined): ReadonlyMap<string, CertificateExtension> {
  if (wrapper === undefined) return new Map();
  const [list, ...more] = derChildren(wrapper, 'extensions');
  if (more.length > 0) throw malformed('unexpected data follows the extensions');
  return parseExtensionList(list);
}

/** @param list the sequence of extensions */
export function parseExtensionList(list: DerValue | undefined): ReadonlyMap<string, CertificateExtension> {
  const extensions = new Map<string, CertificateExtension>();
  for (const entry of derChildren(requireTag(list, derTag.sequence, 'extensions'), 'extensions')) {
    const parts = derChildren(requireTag(entry, derTag.sequence, 'extension'), 'extension');
    const oid = derOid(parts[0], 'extension');
    if (extensions.has(oid)) throw malformed(`extension ${oid} stands twice`);
    const critical = parts.length === 3 && derBoolean(parts[1], 'critical');
    if (parts.length > 3) throw malformed(`extension ${oid} has ${parts.length} parts`);
    extensions.set(oid, { critical, value: requireTag(parts.at(-1), derTag.octetString, 'extension').content });
  }
  return extensions;
}

function parsePublicKey(spki: DerValue): Pick<Certificate, 'curve' | 'publicPoint' | 'spki'> {
  const [algorithm, key, ...more] = derChildren(spki, 'public key');
  const [kind, curveOid] = derChildren(requireTag(algorithm, derTag.sequence, 'key algorithm'), 'key algorithm');
  if (more.length > 0) throw malformed('unexpected data follows the public key');
  const curve = derOid(kind, 'key algorithm') === ecPublicKey ? keyCurves[derOid(curveOid, 'curve')] : undefined;
  if (curve === undefined) throw malformed('the public key is not on P-256 or P-384');
  const point = derBitOctets(key, 'public key');
  if (point[0] !== 4 || point.length !== (curve === 'P-256' ? 65 : 97)) throw malformed('the public key is compressed');
  return { curve, publicPoint: point.subarray(1), spki: spki.whole };
}

function parseBasicConstraints(extension: CertificateExtension | undefined): Pick<Certificate, 'isCa' | 'pathLength'> {
  if (extension === undefined) return { isCa: false, pathLength: undefined };
  const parts = derChildren(parseDer(extension.value, derTag.sequence, 'basic constraints'), 'basic constraints');
  const isCa = parts[0]?.tag === derTag.boolean && derBoolean(parts[0], 'CA flag');
  const [length, ...more] = parts.slice(parts[0]?.tag === derTag.boolean ? 1 : 0);
  if (more.length > 0) throw malformed('unexpected data follows the basic constraints');
  return { isCa, pathLength: length === undefined ? undefined : derSmallInteger(length, 'path length') };
}

function parseKeyUsage(extension: CertificateExtension | undefined): number | undefined {
  if (extension === undefined) return undefined;
  const { content } = parseDer(extension.value, derTag.bitString, 'key usage');
  if (content.length < 2 || content.length > 3 || content[0]! > 7) throw malformed('key usage is not a bit string');
  return content[1];
}

function commonName(subject: DerValue): string {
  let name = '';
  for (const set of derChildren(subject, 'subject')) {
    for (const pair of derChildren(requireTag(set, derTag.set, 'subject'), 'subject')) {
      const [oid, value] = derChildren(requireTag(pair, derTag.sequence, 'subject'), 'subject');
      if (derOid(oid, 'subject') === commonNameOid) name = new TextDecoder().decode(value?.content);
    }
  }
  return name;
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_CERTIFICATE_MALFORMED', message);
}
