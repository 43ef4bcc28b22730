/** Parses complete certificate revocation lists, version 2. Pure. */
import { toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { extensionOids, parseExtensionList, parseExtensions, parseSigned } from './certificate.ts';
import { type DerValue, derChildren, derSmallInteger, derTag, derTimeMs, derUnsigned, requireTag } from './der.ts';
import type { Curve } from './ecdsa.ts';

export interface CertificateRevocationList {
  /** The signed part with its tag and length. */
  readonly tbs: Uint8Array;
  /** r ‖ s */
  readonly signature: Uint8Array;
  readonly signatureCurve: Curve;
  /** DER of the name. */
  readonly issuer: Uint8Array;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs: number;
  /** Serial numbers in the format of `Certificate.serial`. */
  readonly revokedSerials: ReadonlySet<string>;
}

const understood: readonly string[] = [extensionOids.crlNumber, extensionOids.authorityKeyIdentifier];

/**
 * @param der exactly one list
 * @throws {AttestationError} ERR_CERTIFICATE_MALFORMED, also for a critical extension (a partial or indirect list)
 * @see RFC 5280 §5.1
 */
export function parseCrl(der: Uint8Array): CertificateRevocationList {
  const signed = parseSigned(der, 'CRL');
  const [version, algorithm, issuer, thisUpdate, nextUpdate, ...optional] = derChildren(signed.tbs, 'CRL');
  if (derSmallInteger(version, 'CRL version') !== 1) throw malformed('a CRL must be of version 2');
  signed.requireSameAlgorithm(algorithm);
  const entries = optional[0]?.tag === derTag.sequence ? derChildren(optional[0], 'revoked certificates') : [];
  const after = optional[0]?.tag === derTag.sequence ? optional.slice(1) : optional;
  if (after.length > 1 || (after[0] !== undefined && after[0].tag !== 0xa0))
    throw malformed('a CRL has unknown fields');
  for (const [oid, extension] of parseExtensions(after[0])) {
    if (extension.critical && !understood.includes(oid)) throw malformed(`critical CRL extension ${oid} is unknown`);
  }
  return {
    tbs: signed.tbs.whole,
    signature: signed.signature,
    signatureCurve: signed.signatureCurve,
    issuer: requireTag(issuer, derTag.sequence, 'CRL issuer').whole,
    thisUpdateMs: derTimeMs(thisUpdate, 'this update'),
    nextUpdateMs: derTimeMs(nextUpdate, 'next update'),
    revokedSerials: new Set(entries.map(revokedSerial)),
  };
}

/** An entry with a critical extension may refer to another issuer's certificate (RFC 5280 §5.3.3). */
function revokedSerial(entry: DerValue): string {
  const fields = derChildren(requireTag(entry, derTag.sequence, 'revoked certificate'), 'revoked certificate');
  const [serial, date, extensions, ...more] = fields;
  derTimeMs(date, 'revocation date');
  const all = extensions === undefined ? [] : [...parseExtensionList(extensions).values()];
  if (more.length > 0 || all.some(({ critical }) => critical)) throw malformed('a CRL has entries of an unknown form');
  return toHex(derUnsigned(serial, 'revoked serial number'));
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_CERTIFICATE_MALFORMED', message);
}
