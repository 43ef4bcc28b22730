/** Certificates on P-384 like those of NVIDIA, issued with test keys. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import {
  der,
  derBits,
  derExtension,
  derName,
  derNumber,
  derObjectIdentifier,
  derSequence,
  derTime,
  derTrue,
} from '../../../attestation/x509/der-writer.ts';

export type KeyPair = { publicKey: KeyObject; privateKey: KeyObject };

export interface P384Certificate {
  name: string;
  issuer: string;
  key: KeyPair;
  by: KeyPair;
  isCa: boolean;
  notBeforeMs: number;
  notAfterMs: number;
  /** A number up to 2³¹, or hexadecimal digits. */
  serial?: number | string;
  /** Further ones, DER. */
  extensions?: readonly Uint8Array[];
}

export const ecdsaSha384 = (): Uint8Array => derSequence(derObjectIdentifier('1.2.840.10045.4.3.3'));

/** Names an OCSP responder for the certificate. */
export const ocspResponderExtension = (): Uint8Array =>
  derExtension(
    '1.3.6.1.5.5.7.1.1',
    derSequence(
      derSequence(
        derObjectIdentifier('1.3.6.1.5.5.7.48.1'),
        der(0x86, new TextEncoder().encode('http://ocsp.example.com')),
      ),
    ),
    false,
  );

/** Allows the certificate's key to sign OCSP responses for its issuer. */
export const ocspSigningExtension = (): Uint8Array =>
  derExtension('2.5.29.37', derSequence(derObjectIdentifier('1.3.6.1.5.5.7.3.9')), true);

export function newKeyPair(): KeyPair {
  return generateKeyPairSync('ec', { namedCurve: 'secp384r1' });
}

/** DER. */
export function issueP384(certificate: P384Certificate): Uint8Array {
  const { isCa, serial = 1, extensions = [] } = certificate;
  const usage = isCa ? derBits(Uint8Array.of(0x04), 2) : derBits(Uint8Array.of(0x80), 7);
  const list = derSequence(
    derExtension('2.5.29.15', usage, true),
    ...(isCa ? [derExtension('2.5.29.19', derSequence(derTrue()), true)] : []),
    ...extensions,
  );
  const tbs = derSequence(
    der(0xa0, derNumber(2)),
    typeof serial === 'string' ? der(0x02, Buffer.from(serial, 'hex')) : derNumber(serial),
    ecdsaSha384(),
    derName(certificate.issuer, 'Test'),
    derSequence(derTime(certificate.notBeforeMs), derTime(certificate.notAfterMs)),
    derName(certificate.name, 'Test'),
    new Uint8Array(certificate.key.publicKey.export({ type: 'spki', format: 'der' })),
    der(0xa3, list),
  );
  return derSequence(tbs, ecdsaSha384(), derBits(new Uint8Array(sign('sha384', tbs, certificate.by.privateKey))));
}
