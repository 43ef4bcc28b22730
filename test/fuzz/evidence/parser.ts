/** Interface of a fuzzed evidence parser, and the tokens of the formats. */
import { toHex } from '../../../attestation/base/bytes.ts';
import { parseReferenceManifest } from '../../../attestation/gpu/rim.ts';
import { verifyXmlSignature } from '../../../attestation/gpu/xml-signature.ts';
import { type Certificate, parseCertificate } from '../../../attestation/x509/certificate.ts';
import { verifyChain } from '../../../attestation/x509/chain.ts';

export interface EvidenceParser {
  readonly name: string;
  readonly good: Uint8Array;
  readonly parse: (bytes: Uint8Array) => unknown;
  /** Tokens of the format. */
  readonly words: readonly Uint8Array[];
  /**
   * Returns the meaning of the bytes to a verifier that trusts the signer of the good input; undefined if it rejects them.
   * May throw the errors of `parse`. Absent for unsigned formats.
   */
  readonly accepts?: (bytes: Uint8Array) => Promise<string | undefined>;
}

export const bytesOf = (text: string) => new TextEncoder().encode(text);
export const latin1 = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);
export const derWords = [
  [0x30, 0x80],
  [0x30, 0x84, 0xff, 0xff, 0xff, 0xff],
  [0x02, 0x01, 0x00],
  [0x05, 0x00],
  [0x06, 0x01, 0x80],
  [0x17, 0x0d],
  [0xa0, 0x03],
  [0x04, 0x00],
].map((word) => Uint8Array.from(word));
export const jsonWords = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  'null',
  '1e999',
  '-0',
  '\\u0000',
  '"__proto__":',
  'true',
].map(bytesOf);
export const xmlWords = [
  '<!DOCTYPE a [<!ENTITY e "x">]>',
  '<!--',
  '-->',
  '<?x',
  '<![CDATA[',
  ']]>',
  '&lt;',
  '&#0;',
  '&e;',
  ' xmlns=""',
  ' xmlns:ns2="u"',
  '<a>',
  '</a>',
  '/>',
  '"',
  '\r',
  '\u0085',
].map(bytesOf);
export const pemWords = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----', '\0', '=', '\n'].map(bytesOf);

/** Returns the claims of a manifest after verifying its signature and signer. */
export async function meaningOfManifest(bytes: Uint8Array, anchors: readonly Certificate[]): Promise<string> {
  const manifest = parseReferenceManifest(bytes);
  const { leafKey } = await verifyChain(manifest.signature.certificates.map(parseCertificate), anchors);
  await verifyXmlSignature(manifest.root, manifest.signature, leafKey);
  const { version, product, measurements } = manifest;
  return [version, product, ...measurements.map(({ index, values }) => [index, ...values.map(toHex)].join())].join(';');
}
