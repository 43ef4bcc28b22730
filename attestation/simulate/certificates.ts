/** Issues certificates and revocation lists of a simulated hierarchy: ECDSA on P-256 with SHA-256, like Intel's. */
import { keyUsage } from '../x509/certificate.ts';
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
  derUnsignedInteger,
} from '../x509/der-writer.ts';

export interface SigningKey {
  readonly privateKey: Awaited<ReturnType<typeof crypto.subtle.importKey>>;
  /** x ‖ y */
  readonly publicPoint: Uint8Array;
}

/** A certificate with its private key. */
export interface Authority {
  readonly der: Uint8Array;
  readonly name: Uint8Array;
  readonly key: SigningKey;
}

export interface CertificateRequest {
  readonly commonName: string;
  readonly publicPoint: Uint8Array;
  readonly serial: Uint8Array;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** Maximum number of CA certificates below it; undefined for an end certificate. */
  readonly caPathLength?: number | undefined;
  /** Bits of the key usage. Default: those of its role. */
  readonly keyUsage?: number;
  readonly extensions?: readonly Uint8Array[];
}

const organisation = 'Cloister simulation, not Intel';
const ecdsaSha256 = () => derSequence(derObjectIdentifier('1.2.840.10045.4.3.2'));

/** A fresh key that never leaves this process. */
export async function createSigningKey(): Promise<SigningKey> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']);
  const raw = await crypto.subtle.exportKey('raw', pair.publicKey);
  return { privateKey: pair.privateKey, publicPoint: new Uint8Array(raw).subarray(1) };
}

/** @returns r ‖ s, 64 bytes */
export async function signBytes(key: SigningKey, data: Uint8Array): Promise<Uint8Array> {
  const copy = new Uint8Array(data);
  return new Uint8Array(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key.privateKey, copy));
}

/** A self-signed root. */
export async function createRoot(
  key: SigningKey,
  request: Omit<CertificateRequest, 'publicPoint'>,
): Promise<Authority> {
  const name = derName(request.commonName, organisation);
  const self = { der: new Uint8Array(), name, key };
  return { name, key, der: await issueCertificate(self, { ...request, publicPoint: key.publicPoint }) };
}

/** A CA below `issuer`. */
export async function createIntermediate(
  issuer: Authority,
  key: SigningKey,
  request: Omit<CertificateRequest, 'publicPoint'>,
): Promise<Authority> {
  const name = derName(request.commonName, organisation);
  return { name, key, der: await issueCertificate(issuer, { ...request, publicPoint: key.publicPoint }) };
}

/** @returns DER */
export async function issueCertificate(issuer: Authority, request: CertificateRequest): Promise<Uint8Array> {
  const isCa = request.caPathLength !== undefined;
  const usage = request.keyUsage ?? (isCa ? keyUsage.keyCertSign | keyUsage.crlSign : keyUsage.digitalSignature | 0x40);
  const constraints = isCa ? derSequence(derTrue(), derNumber(request.caPathLength)) : derSequence();
  const spki = derSequence(
    derSequence(derObjectIdentifier('1.2.840.10045.2.1'), derObjectIdentifier('1.2.840.10045.3.1.7')),
    derBits(new Uint8Array([4, ...request.publicPoint])),
  );
  const extensions = derSequence(
    derExtension('2.5.29.15', derBits(Uint8Array.of(usage), trailingZeros(usage)), true),
    derExtension('2.5.29.19', constraints, true),
    ...(request.extensions ?? []),
  );
  const tbs = derSequence(
    der(0xa0, derNumber(2)),
    derUnsignedInteger(request.serial),
    ecdsaSha256(),
    issuer.name,
    derSequence(derTime(request.notBeforeMs), derTime(request.notAfterMs)),
    derName(request.commonName, organisation),
    spki,
    der(0xa3, extensions),
  );
  return signStructure(issuer.key, tbs);
}

/** @returns DER of a list with the given serial numbers */
export async function issueCrl(
  issuer: Authority,
  dates: { thisUpdateMs: number; nextUpdateMs: number },
  revokedSerials: readonly Uint8Array[] = [],
): Promise<Uint8Array> {
  const entries = revokedSerials.map((serial) => derSequence(derUnsignedInteger(serial), derTime(dates.thisUpdateMs)));
  const tbs = derSequence(
    derNumber(1),
    ecdsaSha256(),
    issuer.name,
    derTime(dates.thisUpdateMs),
    derTime(dates.nextUpdateMs),
    ...(entries.length > 0 ? [derSequence(...entries)] : []),
    der(0xa0, derSequence(derExtension('2.5.29.20', derNumber(1), false))),
  );
  return signStructure(issuer.key, tbs);
}

async function signStructure(key: SigningKey, tbs: Uint8Array): Promise<Uint8Array> {
  const raw = await signBytes(key, tbs);
  const signature = derSequence(derUnsignedInteger(raw.subarray(0, 32)), derUnsignedInteger(raw.subarray(32)));
  return derSequence(tbs, ecdsaSha256(), derBits(signature));
}

function trailingZeros(usage: number): number {
  return usage === 0 ? 0 : 31 - Math.clz32(usage & -usage);
}
