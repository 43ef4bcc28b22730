/** Writes an OCSP request for one certificate. Pure. */
import { concatBytes } from '../base/bytes.ts';
import type { Certificate } from './certificate.ts';
import { derTag } from './der.ts';

/** SHA-1, which all responders support. It identifies names and keys here and protects nothing. */
const sha1Algorithm = Uint8Array.of(0x30, 0x09, 0x06, 0x05, 0x2b, 0x0e, 0x03, 0x02, 0x1a, 0x05, 0x00);

/**
 * DER without a nonce, so that the response can be cached and shared until its dates expire.
 * @see RFC 6960 §4.1.1
 */
export async function writeOcspRequest(subject: Certificate, issuer: Certificate): Promise<Uint8Array> {
  const key = concatBytes(Uint8Array.of(4), issuer.publicPoint);
  const id = value(
    derTag.sequence,
    sha1Algorithm,
    value(derTag.octetString, await sha1(issuer.subject)),
    value(derTag.octetString, await sha1(key)),
    value(derTag.integer, serialOctets(subject.serial)),
  );
  // OCSPRequest, TBSRequest, the list of requests, and one request.
  return [0, 1, 2, 3].reduce((inner) => value(derTag.sequence, inner), id);
}

/** Adds a sign octet if the highest bit is set. */
function serialOctets(serial: string): Uint8Array {
  const digits = Uint8Array.from(serial.match(/../g) ?? ['00'], (pair) => Number.parseInt(pair, 16));
  return digits[0]! >= 0x80 ? concatBytes(Uint8Array.of(0), digits) : digits;
}

/** A value of fewer than 256 octets: names and keys are digests, and serial numbers have at most 20 (RFC 5280 §4.1.2.2). */
function value(tag: number, ...content: readonly Uint8Array[]): Uint8Array {
  const whole = concatBytes(...content);
  if (whole.length > 255) throw new RangeError(`an OCSP request has ${whole.length} octets in one value`);
  const length = whole.length < 0x80 ? [whole.length] : [0x81, whole.length];
  return concatBytes(Uint8Array.of(tag, ...length), whole);
}

async function sha1(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-1', bytes as Uint8Array<ArrayBuffer>));
}
