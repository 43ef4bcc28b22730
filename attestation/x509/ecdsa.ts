/** ECDSA with WebCrypto, for Node and browsers: keys from certificates and quotes, signatures in raw and DER form. */
import { concatBytes } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { derChildren, derTag, derUnsigned, parseDer } from './der.ts';

export type Curve = 'P-256' | 'P-384';
export type EcdsaKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const coordinateBytes: Readonly<Record<Curve, number>> = { 'P-256': 32, 'P-384': 48 };
const hash: Readonly<Record<Curve, string>> = { 'P-256': 'SHA-256', 'P-384': 'SHA-384' };

/**
 * @param point x ‖ y, big-endian, 64 bytes on P-256 and 96 on P-384
 * @throws {AttestationError} ERR_NOT_VERIFIED if the point is not on the curve
 */
export async function importEcdsaPoint(curve: Curve, point: Uint8Array): Promise<EcdsaKey> {
  const uncompressed = concatBytes(Uint8Array.of(4), point);
  try {
    return await crypto.subtle.importKey('raw', uncompressed, { name: 'ECDSA', namedCurve: curve }, true, ['verify']);
  } catch (cause) {
    throw new AttestationError('ERR_NOT_VERIFIED', `a public key is not a point of ${curve}`, { cause });
  }
}

/**
 * Whether `signature` was made by `key` over `data`. P-256 uses SHA-256, P-384 uses SHA-384, as Intel and NVIDIA do.
 * @param signature r ‖ s, big-endian, each as long as a coordinate
 */
export async function isSignatureValid(key: EcdsaKey, signature: Uint8Array, data: Uint8Array): Promise<boolean> {
  const curve = (key.algorithm as unknown as { namedCurve: Curve }).namedCurve;
  if (signature.length !== 2 * coordinateBytes[curve]) return false;
  return crypto.subtle.verify(
    { name: 'ECDSA', hash: hash[curve] },
    key,
    signature as Uint8Array<ArrayBuffer>,
    data as Uint8Array<ArrayBuffer>,
  );
}

/**
 * Converts the DER form of certificates to r ‖ s.
 * @throws {AttestationError} ERR_CERTIFICATE_MALFORMED
 */
export function rawSignature(der: Uint8Array, curve: Curve): Uint8Array {
  const parts = derChildren(parseDer(der, derTag.sequence, 'signature'), 'signature');
  const size = coordinateBytes[curve];
  const raw = new Uint8Array(2 * size);
  if (parts.length !== 2) throw new AttestationError('ERR_CERTIFICATE_MALFORMED', 'a signature has two numbers');
  parts.forEach((part, index) => {
    const digits = derUnsigned(part, 'signature');
    if (digits.length > size) throw new AttestationError('ERR_CERTIFICATE_MALFORMED', 'a signature is too long');
    raw.set(digits, (index + 1) * size - digits.length);
  });
  return raw;
}
