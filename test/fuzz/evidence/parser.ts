/** A parser of evidence that is fuzzed, and the tokens of the formats. */
import { toHex } from '../../../attestation/base/bytes.ts';
import { parseReferenceManifest } from '../../../attestation/gpu/rim.ts';
import { verifyXmlSignature } from '../../../attestation/gpu/xml-signature.ts';
import { type Certificate, parseCertificate } from '../../../attestation/x509/certificate.ts';
import { verifyChain } from '../../../attestation/x509/chain.ts';

export interface EvidenceParser {
  readonly name: string;
  readonly good: Uint8Array;
  readonly parse: (bytes: Uint8Array) => unknown;
  /** Pieces that mean something in the format. */
  readonly words: readonly Uint8Array[];
  /**
   * What these bytes mean to a verifier that trusts who made the good ones; undefined where it refuses them. May throw what
   * `parse` throws. Absent where nothing is signed.
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

/** What a manifest says, after its signature and its signer were verified. */
export async function meaningOfManifest(bytes: Uint8Array, anchors: readonly Certificate[]): Promise<string> {
  const manifest = parseReferenceManifest(bytes);
  const { leafKey } = await verifyChain(manifest.signature.certificates.map(parseCertificate), anchors);
  await verifyXmlSignature(manifest.root, manifest.signature, leafKey);
  const { version, product, measurements } = manifest;
  return [version, product, ...measurements.map(({ index, values }) => [index, ...values.map(toHex)].join())].join(';');
}
