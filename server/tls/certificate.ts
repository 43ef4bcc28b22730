/** X.509 for ECDSA P-256 keys: certificates of servers and authorities, and certificate requests. See RFC 5280 and RFC 2986. */
import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { ratlsExtensionValue, ratlsPemGuard, ratlsQuoteOid } from '@cloister/attestation/ratls/ratls';
import {
  der,
  derBits,
  derExtension,
  derNumber,
  derObjectIdentifier,
  derOctets,
  derSequence,
  derTime,
  derUnsignedInteger,
} from '@cloister/attestation/x509/der-writer';

export interface CertificateNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

export interface CertificateSubject extends CertificateNames {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly commonName: string;
}

/** An authority that issues certificates of servers. */
export interface CertificateIssuer {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly commonName: string;
  /** PEM. */
  readonly certificate: string;
}

export interface SelfSigned extends CertificateSubject {
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** A quote of this machine over this key: see `attestation/ratls/ratls.ts`. */
  readonly quote?: Uint8Array | undefined;
  /** Undefined: self-signed. */
  readonly issuer?: CertificateIssuer | undefined;
}

const ecdsaWithSha256 = '1.2.840.10045.4.3.2';
/** Netscape's comment extension, which verifiers ignore. */
const commentOid = '2.16.840.1.113730.1.13';
const extensionRequest = '1.2.840.113549.1.9.14';

/** A server's certificate, self-signed or signed by `issuer`. @returns PEM */
export function serverCertificate(subject: SelfSigned): string {
  const { quote, issuer = subject } = subject;
  const extensions = [
    ...extensionsOf(subject),
    derExtension('2.5.29.35', derSequence(der(0x80, keyIdOf(issuer))), false), // authority key identifier
    ...(quote === undefined ? [] : quoteExtensions(quote)),
  ];
  return certificateOf(subject, { issuer, extensions });
}

/** In this order: the guard must precede the quote. */
function quoteExtensions(quote: Uint8Array): Uint8Array[] {
  const comment = der(0x16, Buffer.from(ratlsPemGuard, 'latin1'));
  return [derExtension(commentOid, comment, false), derExtension(ratlsQuoteOid, ratlsExtensionValue(quote), false)];
}

/** The certificate of an authority that is restricted to servers of these names. @returns PEM */
export function authorityCertificate(subject: Omit<SelfSigned, 'quote' | 'issuer'>): string {
  const permitted = [
    ...subject.dnsNames.map((name) => derSequence(der(0x82, Buffer.from(name, 'latin1')))),
    ...subject.ipAddresses.map((address) => derSequence(der(0x87, ipBytes(address), ipMask(address)))),
  ];
  const extensions = [
    derExtension('2.5.29.19', derSequence(der(0x01, Uint8Array.of(0xff)), derNumber(0)), true), // an authority, of servers only
    derExtension('2.5.29.15', derBits(Uint8Array.of(0x04), 2), true), // key usage: signing certificates
    derExtension('2.5.29.30', derSequence(der(0xa0, ...permitted)), true), // name constraints
    derExtension('2.5.29.14', derOctets(keyIdOf(subject)), false), // subject key identifier
  ];
  return certificateOf(subject, { issuer: subject, extensions });
}

function certificateOf(
  subject: Omit<SelfSigned, 'issuer'>,
  { issuer, extensions }: { issuer: Signer; extensions: readonly Uint8Array[] },
): string {
  const { notBefore, notAfter } = subject;
  const body = derSequence(
    der(0xa0, derNumber(2)), // version 3
    derUnsignedInteger(serialNumber()),
    derSequence(derObjectIdentifier(ecdsaWithSha256)),
    nameOf(issuer),
    derSequence(derTime(notBefore.getTime()), derTime(notAfter.getTime())),
    nameOf(subject),
    spkiOf(subject),
    der(0xa3, derSequence(...extensions)),
  );
  return signed(body, issuer, 'CERTIFICATE');
}

type Signer = Pick<CertificateSubject, 'publicKey' | 'privateKey' | 'commonName'>;

/** A PKCS#10 certificate request for this key. @returns PEM */
export function certificateRequest(subject: CertificateSubject): string {
  const wish = derSequence(derObjectIdentifier(extensionRequest), der(0x31, derSequence(...extensionsOf(subject))));
  const body = derSequence(derNumber(0), nameOf(subject), spkiOf(subject), der(0xa0, wish));
  return signed(body, subject, 'CERTIFICATE REQUEST');
}

function signed(body: Uint8Array, { privateKey }: Signer, label: string): string {
  const signature = new Uint8Array(sign('sha256', body, privateKey));
  const whole = derSequence(body, derSequence(derObjectIdentifier(ecdsaWithSha256)), derBits(signature));
  const lines =
    Buffer.from(whole)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/** Positive and 127 bits long: RFC 5280 §4.1.2.2 requires an unpredictable number of at most 20 bytes. */
function serialNumber(): Uint8Array {
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  return serial;
}

/** Extensions of a server's certificate, which is not an authority. Strict verifiers require the key identifiers. */
function extensionsOf(subject: CertificateSubject): Uint8Array[] {
  const names = [
    ...subject.dnsNames.map((name) => der(0x82, Buffer.from(name, 'latin1'))),
    ...subject.ipAddresses.map((address) => der(0x87, ipBytes(address))),
  ];
  const serverAuthentication = derObjectIdentifier('1.3.6.1.5.5.7.3.1');
  return [
    derExtension('2.5.29.17', derSequence(...names), false), // subject alternative names
    derExtension('2.5.29.19', derSequence(), true), // basic constraints: not an authority
    derExtension('2.5.29.15', derBits(Uint8Array.of(0x80), 7), true), // key usage: digital signature
    derExtension('2.5.29.37', derSequence(serverAuthentication), false), // extended key usage
    derExtension('2.5.29.14', derOctets(keyIdOf(subject)), false), // subject key identifier
  ];
}

function nameOf({ commonName }: Signer): Uint8Array {
  return derSequence(der(0x31, derSequence(derObjectIdentifier('2.5.4.3'), der(0x0c, Buffer.from(commonName)))));
}

function spkiOf({ publicKey }: Signer): Uint8Array {
  return new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }));
}

/** SHA-1 of the point, as RFC 5280 §4.2.1.2 suggests. It is an identifier, not a security measure. */
function keyIdOf({ publicKey }: Signer): Uint8Array {
  const { x, y } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]);
  return new Uint8Array(createHash('sha1').update(point).digest());
}

/** A name constraint of a single address. */
function ipMask(address: string): Uint8Array {
  return new Uint8Array(isIPv4(address) ? 4 : 16).fill(0xff);
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
