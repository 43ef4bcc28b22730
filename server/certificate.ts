/** A self-signed X.509 certificate for an ECDSA P-256 key, written in DER by hand. See RFC 5280 and X.690. */
import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

export interface CertificateSubject {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly commonName: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** @returns PEM */
export function selfSignedCertificate(subject: CertificateSubject): string {
  const name = sequence(set(sequence(oid('2.5.4.3'), utf8String(subject.commonName))));
  const signatureAlgorithm = sequence(oid('1.2.840.10045.4.3.2')); // ecdsa-with-SHA256
  const body = sequence(
    explicit(0, integer(Buffer.of(2))), // version 3
    integer(serialNumber()),
    signatureAlgorithm,
    name, // issuer
    sequence(time(subject.notBefore), time(subject.notAfter)),
    name,
    subject.publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions(subject))),
  );
  const certificate = sequence(body, signatureAlgorithm, bitString(sign('sha256', body, subject.privateKey), 0));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** Positive and 127 bits long: RFC 5280 §4.1.2.2 wants it unpredictable and at most 20 bytes. */
function serialNumber(): Buffer {
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  return serial;
}

/** A server's certificate that vouches for no other; the two key identifiers are what strict verifiers ask for. */
function extensions({ publicKey, dnsNames, ipAddresses }: CertificateSubject): Buffer[] {
  const { x, y } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]);
  const keyId = createHash('sha1').update(point).digest();
  const names = [
    ...dnsNames.map((name) => context(2, Buffer.from(name, 'latin1'))),
    ...ipAddresses.map((address) => context(7, ipBytes(address))),
  ];
  const critical = element(0x01, Buffer.of(0xff));
  return [
    sequence(oid('2.5.29.17'), octets(sequence(...names))), // subject alternative names
    sequence(oid('2.5.29.19'), critical, octets(sequence())), // basic constraints: not an authority
    sequence(oid('2.5.29.15'), critical, octets(bitString(Buffer.of(0x80), 7))), // key usage: digital signature
    sequence(oid('2.5.29.37'), octets(sequence(oid('1.3.6.1.5.5.7.3.1')))), // extended key usage: server
    sequence(oid('2.5.29.14'), octets(octets(keyId))), // subject key identifier
    sequence(oid('2.5.29.35'), octets(sequence(context(0, keyId)))), // authority key identifier
  ];
}

function ipBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // The URL parser turns an embedded IPv4 address into hexadecimal groups.
  const [head = '', tail] = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1).split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function element(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag), length(content.length), content]);
}

function length(bytes: number): Buffer {
  if (bytes < 0x80) return Buffer.of(bytes);
  return bytes < 0x100 ? Buffer.of(0x81, bytes) : Buffer.of(0x82, bytes >> 8, bytes & 0xff);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return element(0x30, ...contents);
}

function set(...contents: readonly Buffer[]): Buffer {
  return element(0x31, ...contents);
}

function integer(bytes: Buffer): Buffer {
  return element(0x02, bytes);
}

function octets(bytes: Buffer): Buffer {
  return element(0x04, bytes);
}

function bitString(bytes: Buffer, unusedBits: number): Buffer {
  return element(0x03, Buffer.of(unusedBits), bytes);
}

function utf8String(text: string): Buffer {
  return element(0x0c, Buffer.from(text));
}

function explicit(tag: number, content: Buffer): Buffer {
  return element(0xa0 | tag, content);
}

function context(tag: number, content: Buffer): Buffer {
  return element(0x80 | tag, content);
}

/** `261120231250Z`; four digits of year from 2050 on. */
function time(date: Date): Buffer {
  const digits = date.toISOString().slice(0, 19).replaceAll(/\D/g, '');
  // RFC 5280 §4.1.2.5.
  return Number(digits.slice(0, 4)) < 2050
    ? element(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : element(0x18, Buffer.from(`${digits}Z`));
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}
