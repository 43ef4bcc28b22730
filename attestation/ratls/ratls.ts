/**
 * RA-TLS: a certificate that carries the quote of the machine that holds its key, for clients that check at the handshake.
 * The convention is dstack's: the extension's value is a DER octet string with the quote, and the quote's report data is
 * the SHA-512 of `ratls-cert:` and the DER of the public key. It proves no freshness: a report with a nonce does.
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

/** @param spki DER of a SubjectPublicKeyInfo · @returns the 64 bytes of the quote that its certificate carries */
export async function ratlsReportData(spki: Uint8Array): Promise<Uint8Array> {
  const label = new TextEncoder().encode('ratls-cert:');
  return new Uint8Array(await crypto.subtle.digest('SHA-512', concatBytes(label, spki)));
}

/**
 * A comment that stands in the certificate before the quote. The quote holds Intel's certificates as PEM text, and OpenSSL's
 * PEM reader searches any bytes for such text: `new X509Certificate(der)` of Node, which tries PEM before DER, returned
 * Intel's certificate, and a client that pins keys that way read the wrong one. The search ends with the first text it
 * finds: this one cannot be decoded, so that OpenSSL goes on to DER. The quote stays as other readers know it.
 */
export const ratlsPemGuard = '\n-----BEGIN CERTIFICATE-----\n*\n-----END CERTIFICATE-----\n';

/** What the extension holds. */
export function ratlsExtensionValue(quote: Uint8Array): Uint8Array {
  return der(derTag.octetString, quote);
}

export interface RatlsEvidence {
  readonly quote: Uint8Array;
  /** What the quote's report data must be: compare after the quote was verified. */
  readonly reportData: Uint8Array;
}

/**
 * Neither the certificate's signature nor its dates matter here: the quote vouches for the key.
 * @param certificate DER
 * @returns undefined where the certificate carries no quote
 * @throws {AttestationError} ERR_CERTIFICATE_MALFORMED
 */
export async function readRatls(certificate: Uint8Array): Promise<RatlsEvidence | undefined> {
  const whole = derChildren(parseDer(certificate, derTag.sequence, 'certificate'), 'certificate');
  const fields = derChildren(requireTag(whole[0], derTag.sequence, 'certificate'), 'certificate');
  const [version, , , , , , spki, ...optional] = fields;
  // Without it, the fields after it would be others than those that TLS takes for them, the key among them.
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
 * Judges the machine that a certificate's key was born in: what a client does at the handshake, before anything is sent.
 * @param trust.collateral prepared with the roots that the quote may lead to: the certificate carries none
 * @returns undefined where the certificate carries no quote: it proves nothing, which is not the same as passing
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
