/** Verifies certificate chains up to a trust anchor. `requireValidAt` checks the dates separately. */
import { sameBytes } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { type Certificate, extensionOids, keyUsage } from './certificate.ts';
import type { CertificateRevocationList } from './crl.ts';
import { type EcdsaKey, importEcdsaPoint, isSignatureValid } from './ecdsa.ts';

/** A chain with verified signatures, names and usages. Dates and revocation are not checked. */
export interface VerifiedChain {
  /** Leaf first, the anchor last. */
  readonly certificates: readonly Certificate[];
  readonly leafKey: EcdsaKey;
}

const understood: readonly string[] = [extensionOids.keyUsage, extensionOids.basicConstraints];

/**
 * Verifies signatures, names, CA flags, path lengths and key usages from the leaf to an anchor.
 * @param certificates leaf first, each followed by its issuer; the anchor may be missing
 * @param anchors trusted certificates
 * @param options.proven CA certificates that were verified with the same anchors, the anchor last: if the chain has the same bytes, only
 *   the leaf's signature is checked · `caLeaf` if the first certificate must be a CA · `understood` further critical extensions that the
 *   caller handles
 * @throws {AttestationError} ERR_NOT_VERIFIED
 */
export async function verifyChain(
  certificates: readonly Certificate[],
  anchors: readonly Certificate[],
  options: { proven?: readonly Certificate[] | undefined; caLeaf?: boolean; understood?: readonly string[] } = {},
): Promise<VerifiedChain> {
  const leaf = certificates[0];
  if (leaf === undefined) throw refused('the chain is empty');
  if (options.caLeaf !== true) requireEndCertificate(leaf);
  const chain = completeToAnchor(certificates, anchors);
  const isProven = options.proven !== undefined && isSameAuthority(chain, options.proven);
  for (let index = 0; index + 1 < chain.length; index++) {
    const casBelow = options.caLeaf === true ? index + 1 : index;
    if (index === 0 || !isProven) await verifyLink(chain[index]!, chain[index + 1]!, casBelow);
  }
  refuseUnknownCritical(chain, [...understood, ...(options.understood ?? [])]);
  return { certificates: chain, leafKey: await importEcdsaPoint(leaf.curve, leaf.publicPoint) };
}

function requireEndCertificate(leaf: Certificate): void {
  if (leaf.isCa) throw refused(`"${leaf.commonName}" is a CA certificate where an end certificate belongs`);
  if (leaf.keyUsage !== undefined && (leaf.keyUsage & keyUsage.digitalSignature) === 0) {
    throw refused(`"${leaf.commonName}" may not sign data (key usage)`);
  }
}

/** The chain with the anchor as its last certificate. */
function completeToAnchor(certificates: readonly Certificate[], anchors: readonly Certificate[]): Certificate[] {
  const top = certificates[certificates.length - 1]!;
  if (certificates.length > 1 && anchors.some((anchor) => sameBytes(anchor.der, top.der))) return [...certificates];
  const issuer = anchors.find((anchor) => sameBytes(anchor.subject, top.issuer));
  if (issuer === undefined || sameBytes(top.issuer, top.subject)) {
    throw refused(`the chain ends with "${top.commonName}", which is not a trusted root`);
  }
  return [...certificates, issuer];
}

function isSameAuthority(chain: readonly Certificate[], proven: readonly Certificate[]): boolean {
  const known = proven.slice(-chain.length + 1);
  return known.length === chain.length - 1 && known.every((one, index) => sameBytes(one.der, chain[index + 1]!.der));
}

async function verifyLink(subject: Certificate, issuer: Certificate, casBelow: number): Promise<void> {
  const names = `"${subject.commonName}" by "${issuer.commonName}"`;
  if (!sameBytes(subject.issuer, issuer.subject)) throw refused(`${names}: the issuer's name does not match`);
  if (!issuer.isCa) throw refused(`${names}: the issuer is not a CA`);
  if (issuer.keyUsage === undefined || (issuer.keyUsage & keyUsage.keyCertSign) === 0) {
    throw refused(`${names}: the issuer may not sign certificates (key usage)`);
  }
  if (issuer.pathLength !== undefined && casBelow > issuer.pathLength) {
    throw refused(`${names}: ${casBelow} CA certificates below it, ${issuer.pathLength} allowed`);
  }
  if (!(await isSignedBy(subject, issuer))) throw refused(`${names}: the signature is invalid`);
}

function refuseUnknownCritical(chain: readonly Certificate[], understood: readonly string[]): void {
  for (const certificate of chain) {
    for (const [oid, { critical }] of certificate.extensions) {
      if (critical && !understood.includes(oid)) {
        throw refused(`"${certificate.commonName}" has the unknown critical extension ${oid}`);
      }
    }
  }
}

/**
 * Verifies that a CRL was signed by this CA.
 * @throws {AttestationError} ERR_NOT_VERIFIED
 */
export async function verifyCrl(crl: CertificateRevocationList, issuer: Certificate): Promise<void> {
  if (!sameBytes(crl.issuer, issuer.subject)) throw refused(`the CRL's issuer is not "${issuer.commonName}"`);
  if (issuer.keyUsage === undefined || (issuer.keyUsage & keyUsage.crlSign) === 0) {
    throw refused(`"${issuer.commonName}" may not sign CRLs (key usage)`);
  }
  if (!(await isSignedBy(crl, issuer))) throw refused(`the CRL's signature by "${issuer.commonName}" is invalid`);
}

/** Whether the key of `issuer` made the signature. Checks neither names nor usages. */
export async function isSignedBy(
  signed: Pick<Certificate, 'tbs' | 'signature' | 'signatureCurve'>,
  issuer: Certificate,
): Promise<boolean> {
  if (signed.signatureCurve !== issuer.curve) return false;
  const key = await importEcdsaPoint(issuer.curve, issuer.publicPoint);
  return isSignatureValid(key, signed.signature, signed.tbs);
}

/** @throws {AttestationError} ERR_NOT_VERIFIED if a certificate is not yet valid or has expired */
export function requireValidAt(certificates: readonly Certificate[], nowMs: number): void {
  for (const { commonName, notBeforeMs, notAfterMs } of certificates) {
    if (nowMs < notBeforeMs)
      throw refused(`"${commonName}" is valid from ${utc(notBeforeMs)}; the current time is ${utc(nowMs)}`);
    if (nowMs > notAfterMs)
      throw refused(`"${commonName}" expired on ${utc(notAfterMs)}; the current time is ${utc(nowMs)}`);
  }
}

/** ISO 8601 without fractions. */
export function utc(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

function refused(message: string): AttestationError {
  return new AttestationError('ERR_NOT_VERIFIED', message);
}
