/**
 * RA-TLS: certificates with the quote of the machine that has the key, for clients that verify during the handshake. The format is dstack's:
 * the extension's value is a DER octet string with the quote, and the quote's report data is the SHA-512 of `ratls-cert:` and the DER of
 * the public key. It proves no freshness, which a report with a nonce does.
 */
import { concatBytes } from '../base/bytes.ts';
import type { PreparedCollateral } from '../collateral/prepare.ts';
import { type Judgement, judgeQuote, type Policy } from '../policy/policy.ts';
import { verifyPreparedQuote } from '../verify/verify-quote.ts';
import { onlyExtensions, parseExtensions } from '../x509/certificate.ts';
import { derChildren, derTag, parseDer, requireTag } from '../x509/der.ts';
import { der } from '../x509/der-writer.ts';

/** @see https://github.com/Dstack-TEE/dstack ra-tls/src/oids.rs */
export const ratlsQuoteOid = '1.3.6.1.4.1.62397.1.1';

/** @param spki DER of a SubjectPublicKeyInfo · @returns the 64 bytes of report data for a quote in its certificate */
export async function ratlsReportData(spki: Uint8Array): Promise<Uint8Array> {
  const label = new TextEncoder().encode('ratls-cert:');
  return new Uint8Array(await crypto.subtle.digest('SHA-512', concatBytes(label, spki)));
}

/**
 * A comment in the certificate, placed before the quote. The quote contains Intel's certificates as PEM text. OpenSSL's PEM reader searches
 * any bytes for such text, and Node's `new X509Certificate(der)` tries PEM before DER, so it returned Intel's certificate to clients that
 * pin keys. The search ends with the first PEM text. This one cannot be decoded, so OpenSSL continues with DER. Other readers of the
 * quote are not affected.
 */
export const ratlsPemGuard = '\n-----BEGIN CERTIFICATE-----\n*\n-----END CERTIFICATE-----\n';

/** The value of the certificate extension. */
export function ratlsExtensionValue(quote: Uint8Array): Uint8Array {
  return der(derTag.octetString, quote);
}

export interface RatlsEvidence {
  readonly quote: Uint8Array;
  /** The report data that the quote must have: compare it after verifying the quote. */
  readonly reportData: Uint8Array;
}

/**
 * Ignores the certificate's signature and dates, because the quote authenticates the key.
 * @param certificate DER
 * @returns undefined if the certificate has no quote
 * @throws {AttestationError} ERR_CERTIFICATE_MALFORMED
 */
export async function readRatls(certificate: Uint8Array): Promise<RatlsEvidence | undefined> {
  const whole = derChildren(parseDer(certificate, derTag.sequence, 'certificate'), 'certificate');
  const fields = derChildren(requireTag(whole[0], derTag.sequence, 'certificate'), 'certificate');
  const [version, , , , , , spki, ...optional] = fields;
  // Without the version, the fields after it would shift, and the key would differ from the one that TLS uses.
  requireTag(version, 0xa0, 'version');
  const extensions = parseExtensions(onlyExtensions(optional));
  const extension = extensions.get(ratlsQuoteOid);
  if (extension === undefined) return undefined;
  return {
    quote: parseDer(extension.value, derTag.octetString, 'quote extension').content,
    reportData: await ratlsReportData(requireTag(spki, derTag.sequence, 'public key').whole),
  };
}

/**
 * Judges the machine in a certificate during the handshake, before a client sends anything.
 * @param trust.collateral prepared with the trusted roots; certificates contain no collateral
 * @returns undefined if the certificate has no quote: the server is not verified
 * @throws {AttestationError} ERR_CERTIFICATE_MALFORMED
 */
export async function judgeRatls(
  certificate: Uint8Array,
  trust: { collateral: PreparedCollateral; policy: Policy; nowMs: number },
): Promise<Judgement | undefined> {
  const evidence = await readRatls(certificate);
  if (evidence === undefined) return undefined;
  const verification = await verifyPreparedQuote(evidence.quote, trust.collateral, trust.nowMs);
  return judgeQuote(verification, trust.policy, evidence.reportData);
}
