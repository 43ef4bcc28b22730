/**
 * Parses DER: definite lengths in their shortest form, without trailing bytes. Pure. Values are views of the input.
 * Strict, because two readings of one certificate would be two certificates.
 */
import { AttestationError } from '../base/errors.ts';

/** One tag, length and value. */
export interface DerValue {
  /** The identifier octet: class, constructed bit and number. */
  readonly tag: number;
  readonly content: Uint8Array;
  /** Tag, length and content, which signatures and comparisons cover. */
  readonly whole: Uint8Array;
}

export const derTag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Parses exactly one value. @throws {AttestationError} ERR_CERTIFICATE_MALFORMED */
export function parseDer(bytes: Uint8Array, tag: number, field: string): DerValue {
  const value = readValue(bytes, 0, field);
  if (value.whole.length !== bytes.length) {
    throw malformed(field, `is followed by ${bytes.length - value.whole.length} bytes`);
  }
  return requireTag(value, tag, field);
}

/** The values inside a constructed value, in order. @throws {AttestationError} ERR_CERTIFICATE_MALFORMED */
export function derChildren(parent: DerValue, field: string): DerValue[] {
  const children: DerValue[] = [];
  for (let at = 0; at < parent.content.length; ) {
    const child = readValue(parent.content, at, field);
    children.push(child);
    at += child.whole.length;
  }
  return children;
}

/** @throws {AttestationError} ERR_CERTIFICATE_MALFORMED if the value is missing or has another type */
export function requireTag(value: DerValue | undefined, tag: number, field: string): DerValue {
  if (value === undefined) throw malformed(field, 'is missing');
  if (value.tag !== tag) throw malformed(field, `has type 0x${value.tag.toString(16)}, expected 0x${tag.toString(16)}`);
  return value;
}

/** Dotted decimal. @throws {AttestationError} ERR_CERTIFICATE_MALFORMED */
export function derOid(value: DerValue | undefined, field: string): string {
  const { content } = requireTag(value, derTag.objectIdentifier, field);
  if (content.length === 0 || content[content.length - 1]! >= 0x80)
    throw malformed(field, 'is a truncated object identifier');
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of content) {
    if (arc === 0 && byte === 0x80) throw malformed(field, 'is padded');
    if (arc > 0x1f_ffff) throw malformed(field, 'has an arc above 28 bits');
    arc = arc * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const first = Math.min(2, Math.floor(arcs[0]! / 40));
  return [first, arcs[0]! - 40 * first, ...arcs.slice(1)].join('.');
}

/** A non-negative integer below 2^31. @throws {AttestationError} ERR_CERTIFICATE_MALFORMED */
export function derSmallInteger(value: DerValue | undefined, field: string): number {
  const digits = derUnsigned(value, field);
  if (digits.length > 4 || digits[0]! >= 0x80) throw malformed(field, `is too large: ${digits.length} bytes`);
  return digits.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** The big-endian digits of a non-negative integer, without the sign octet; zero is one zero octet. */
export function derUnsigned(value: DerValue | undefined, field: string): Uint8Array {
  const { content } = requireTag(value, derTag.integer, field);
  if (content.length === 0) throw malformed(field, 'is an empty integer');
  if (content[0]! >= 0x80) throw malformed(field, 'is negative');
  if (content.length === 1 || content[0] !== 0) return content;
  if (content[1]! < 0x80) throw malformed(field, 'is a padded integer');
  return content.subarray(1);
}

export function derBoolean(value: DerValue | undefined, field: string): boolean {
  const { content } = requireTag(value, derTag.boolean, field);
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) throw malformed(field, 'is not a DER boolean');
  return content[0] === 0xff;
}

/** The octets of a bit string without unused bits. */
export function derBitOctets(value: DerValue | undefined, field: string): Uint8Array {
  const { content } = requireTag(value, derTag.bitString, field);
  if (content.length === 0 || content[0] !== 0) throw malformed(field, 'is not a bit string of whole octets');
  return content.subarray(1);
}

/** Milliseconds since 1970. Accepts UTCTime up to 2049 and GeneralizedTime, in the form that RFC 5280 §4.1.2.5 requires. */
export function derTimeMs(value: DerValue | undefined, field: string): number {
  if (value === undefined) throw malformed(field, 'is missing');
  const text = String.fromCharCode(...value.content.subarray(0, 32));
  const isShort = value.tag === derTag.utcTime && /^\d{12}Z$/.test(text);
  const isLong = value.tag === derTag.generalizedTime && /^\d{14}Z$/.test(text);
  if (!isShort && !isLong) throw malformed(field, 'is not a time in UTC with seconds');
  const century = Number(text.slice(0, 2)) >= 50 ? '19' : '20';
  const digits = isShort ? century + text : text;
  const [year, month, day, hour, minute, second] = [
    digits.slice(0, 4),
    ...[4, 6, 8, 10, 12].map((at) => digits.slice(at, at + 2)),
  ].map(Number) as [number, number, number, number, number, number];
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  // Date.UTC converts February 30 to March: the result must have the same digits.
  if (new Date(ms).toISOString().replace(/[-:T]|\.000/g, '') !== digits)
    throw malformed(field, `is not a valid date: ${digits}`);
  return ms;
}

function readValue(bytes: Uint8Array, at: number, field: string): DerValue {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) throw malformed(field, 'is cut short');
  if ((tag & 0x1f) === 0x1f) throw malformed(field, 'has a tag number above 30');
  let length = first;
  let start = at + 2;
  if (first >= 0x80) {
    const count = first - 0x80;
    if (count === 0 || count > 3) throw malformed(field, `has a length of ${count} octets`);
    length = 0;
    for (let index = 0; index < count; index++) length = length * 256 + (bytes[start + index] ?? 0);
    if (length < (count === 1 ? 0x80 : 256 ** (count - 1))) throw malformed(field, 'has a padded length');
    start += count;
  }
  const end = start + length;
  if (end > bytes.length) throw malformed(field, `is truncated: ${end} bytes announced, ${bytes.length} present`);
  return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) };
}

function malformed(field: string, why: string): AttestationError {
  return new AttestationError('ERR_CERTIFICATE_MALFORMED', `${field} ${why}`);
}
