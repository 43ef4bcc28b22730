/**
 * Prepares collateral for many quotes: all steps that depend on neither the time nor the quote, which are parsing, chains and signatures. The
 * verifier checks dates and revocation.
 */
import { AttestationError } from '../base/errors.ts';
import { type Certificate, parseCertificate } from '../x509/certificate.ts';
import { type VerifiedChain, verifyChain, verifyCrl } from '../x509/chain.ts';
import { type CertificateRevocationList, parseCrl } from '../x509/crl.ts';
import { isSignatureValid } from '../x509/ecdsa.ts';
import { parsePemChain } from '../x509/pem.ts';
import type { Collateral } from './collateral.ts';
import { sgxExtension } from './pck-extension.ts';
import { parseQeIdentity, parseTcbInfo, type QeIdentity, type TcbInfo } from './tcb-info.ts';

/** A value, or the error that prevented it. */
export type Settled<T> = { readonly value: T } | { readonly error: unknown };

export interface PreparedCollateral {
  readonly anchors: readonly Certificate[];
  readonly rootCrl: Settled<CertificateRevocationList>;
  readonly pckCrl: Settled<CertificateRevocationList>;
  /** The issuer of the PCK CRL and the certificates above it, the anchor last. */
  readonly pckCrlIssuer: Settled<readonly Certificate[]>;
  readonly tcbInfoChain: Settled<VerifiedChain>;
  /** With a verified signature. */
  readonly tcbInfoText: Settled<string>;
  readonly tcbInfo: Settled<TcbInfo>;
  readonly qeIdentityChain: Settled<VerifiedChain>;
  readonly qeIdentityText: Settled<string>;
  readonly qeIdentity: Settled<QeIdentity>;
}

/**
 * Never rejects for invalid collateral: each part has its own result, so that a verifier can report every fault.
 * @param anchors DER of the trusted root certificates; Intel's is `intelRootCa`
 * @throws {AttestationError} ERR_CERTIFICATE_MALFORMED if an anchor is malformed
 */
export async function prepareCollateral(
  collateral: Collateral,
  anchors: readonly Uint8Array[],
): Promise<PreparedCollateral> {
  const roots = anchors.map(parseCertificate);
  const rootCrl = await settle(() => verifiedRootCrl(collateral.rootCaCrl, roots));
  const pckCrlIssuer = await settle(() => crlIssuer(collateral.pckCrlIssuerChain, roots));
  const pckCrl = await settle(async () => {
    const crl = parseCrl(collateral.pckCrl);
    await verifyCrl(crl, unwrap(pckCrlIssuer)[0]!);
    return crl;
  });
  const tcbInfo = await prepareSigned(
    { pem: collateral.tcbInfoIssuerChain, text: collateral.tcbInfo, signature: collateral.tcbInfoSignature },
    roots,
    parseTcbInfo,
  );
  const qeIdentity = await prepareSigned(
    { pem: collateral.qeIdentityIssuerChain, text: collateral.qeIdentity, signature: collateral.qeIdentitySignature },
    roots,
    parseQeIdentity,
  );
  return {
    anchors: roots,
    rootCrl,
    pckCrl,
    pckCrlIssuer,
    tcbInfoChain: tcbInfo.chain,
    tcbInfoText: tcbInfo.text,
    tcbInfo: tcbInfo.parsed,
    qeIdentityChain: qeIdentity.chain,
    qeIdentityText: qeIdentity.text,
    qeIdentity: qeIdentity.parsed,
  };
}

async function verifiedRootCrl(der: Uint8Array, roots: readonly Certificate[]): Promise<CertificateRevocationList> {
  const crl = parseCrl(der);
  let refusal: unknown;
  for (const root of roots) {
    try {
      await verifyCrl(crl, root);
      return crl;
    } catch (error) {
      refusal = error;
    }
  }
  throw refusal ?? new AttestationError('ERR_NOT_VERIFIED', 'no root is trusted');
}

/** The first certificate is a CA here, so its own link is verified like that of a CA below the root. */
async function crlIssuer(pem: string, roots: readonly Certificate[]): Promise<readonly Certificate[]> {
  const [ca, ...above] = parsePemChain(pem, 'PCK CRL issuer chain').map(parseCertificate);
  if (ca === undefined || !ca.isCa) throw new AttestationError('ERR_NOT_VERIFIED', "the PCK CRL's issuer is not a CA");
  const chain = await verifyChain([ca, ...above], roots, { caLeaf: true });
  return chain.certificates;
}

async function prepareSigned<T>(
  { pem, text, signature }: { pem: string; text: string; signature: Uint8Array },
  roots: readonly Certificate[],
  parse: (text: string) => T,
): Promise<{ chain: Settled<VerifiedChain>; text: Settled<string>; parsed: Settled<T> }> {
  const chain = await settle(() => documentSigner(pem, roots));
  const signed = await settle(async () => {
    if (!(await isSignatureValid(unwrap(chain).leafKey, signature, new TextEncoder().encode(text)))) {
      throw new AttestationError('ERR_NOT_VERIFIED', 'the signature does not match the text');
    }
    return text;
  });
  return { chain, text: signed, parsed: await settle(() => parse(unwrap(signed))) };
}

/**
 * Intel's TCB signing certificate must be directly below the root and must not be a platform's. A platform's key signs reports, and nothing
 * it signs may be accepted as a document of Intel.
 */
async function documentSigner(pem: string, roots: readonly Certificate[]): Promise<VerifiedChain> {
  const chain = await verifyChain(parsePemChain(pem, 'issuer chain').map(parseCertificate), roots);
  const signer = chain.certificates[0]!;
  if (chain.certificates.length !== 2) {
    throw new AttestationError('ERR_NOT_VERIFIED', `"${signer.commonName}" was not issued by a root`);
  }
  if (signer.extensions.has(sgxExtension)) {
    throw new AttestationError(
      'ERR_NOT_VERIFIED',
      `"${signer.commonName}" is a platform's certificate and must not sign collateral`,
    );
  }
  return chain;
}

async function settle<T>(work: () => T | Promise<T>): Promise<Settled<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}

/** The value. @throws the error in its place */
export function unwrap<T>(settled: Settled<T>): T {
  if ('error' in settled) throw settled.error;
  return settled.value;
}
