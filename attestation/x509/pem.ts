/**
 * Parses PEM texts with certificates. Strict: complete blocks, the standard alphabet, and only white space between and after them.
 */
import { AttestationError } from '../base/errors.ts';

const beginLine = '-----BEGIN CERTIFICATE-----';
const endLine = '-----END CERTIFICATE-----';
const outside = 'has text outside its certificates';

/** Above any chain of Intel or NVIDIA. */
export const chainCertificatesMax = 8;

/**
 * The certificates in a PEM text as DER, in order. Trailing zero bytes are accepted, because quotes end their chain as a C string.
 * @throws {AttestationError} ERR_CERTIFICATE_MALFORMED
 */
export function parsePemChain(pem: Uint8Array | string, field: string): Uint8Array[] {
  const text = typeof pem === 'string' ? pem : latin1(pem);
  const certificates: Uint8Array[] = [];
  let at = 0;
  for (;;) {
    const begin = text.indexOf(beginLine, at);
    if (begin < 0) break;
    requireBlank(text.slice(at, begin), field);
    const end = text.indexOf(endLine, begin);
    if (end < 0) throw malformed(field, 'has a certificate without its end line');
    if (certificates.length === chainCertificatesMax)
      throw malformed(field, `has over ${chainCertificatesMax} certificates`);
    certificates.push(decodeBase64(text.slice(begin + beginLine.length, end), field));
    at = end + endLine.length;
  }
  // An expression that strips the zeros first would try each of a million positions.
  if (!/^[\r\n\t ]*\0*$/.test(text.slice(at))) throw malformed(field, outside);
  if (certificates.length === 0) throw malformed(field, 'holds no certificate');
  return certificates;
}

/** The PEM text of DER certificates, each with a final line feed. */
export function formatPemChain(certificates: readonly Uint8Array[]): string {
  return certificates
    .map((der) => `${beginLine}\n${btoa(latin1(der)).replace(/.{1,64}/g, '$&\n')}${endLine}\n`)
    .join('');
}

/** Decodes base64 with optional line ends. @throws {AttestationError} ERR_CERTIFICATE_MALFORMED */
export function decodeBase64(block: string, field: string): Uint8Array {
  const digits = block.replace(/[\r\n\t ]+/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(digits) || digits.length % 4 !== 0) throw malformed(field, 'is not base64');
  return Uint8Array.from(atob(digits), (letter) => letter.charCodeAt(0));
}

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return text;
}

function requireBlank(between: string, field: string): void {
  if (/[^\r\n\t ]/.test(between)) throw malformed(field, outside);
}

function malformed(field: string, why: string): AttestationError {
  return new AttestationError('ERR_CERTIFICATE_MALFORMED', `${field} ${why}`);
}
