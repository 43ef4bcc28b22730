/** Checks the revocation status of a chain's certificates by OCSP responses. Pure: the responses and the time are arguments. */
import { AttestationError } from '../base/errors.ts';
import { type Certificate, extensionOids } from './certificate.ts';
import { isSignedBy, requireValidAt, utc, verifyChain } from './chain.ts';
import { derChildren, derOid, derTag, parseDer } from './der.ts';
import { answerAbout, namesOcspResponder, type OcspAnswer, type OcspResponse } from './ocsp.ts';

/** Maximum age of a response without a time of the next update. */
export const ocspAgeMaxMs = 24 * 3_600_000;
const ocspSigning = '1.3.6.1.5.5.7.3.9';

/**
 * The certificates of a chain whose status an OCSP responder can state: they name a responder, and their issuer is in the chain.
 */
export function certificatesToCheck(chain: readonly Certificate[]): Certificate[] {
  return chain.slice(0, -1).filter(namesOcspResponder);
}

/**
 * Verifies that each certificate with a responder has a current response of status good, signed by the issuer or its delegate.
 * Certificates without a responder are skipped: a GPU issues its own leaf.
 * @param chain verified, leaf first, the anchor last
 * @returns the number of checked certificates
 * @throws {AttestationError} ERR_NOT_VERIFIED
 * @see RFC 6960 §3.2, §4.2.2
 */
export async function requireNotRevokedByOcsp(
  chain: readonly Certificate[],
  responses: readonly OcspResponse[],
  nowMs: number,
): Promise<number> {
  const asked = certificatesToCheck(chain);
  for (const subject of asked) {
    const issuer = chain[chain.indexOf(subject) + 1]!;
    await requireGood(subject, issuer, { responses, nowMs });
  }
  return asked.length;
}

async function requireGood(
  subject: Certificate,
  issuer: Certificate,
  { responses, nowMs }: { responses: readonly OcspResponse[]; nowMs: number },
): Promise<void> {
  let isAnswered = false;
  for (const response of responses) {
    const answer = await answerAbout(response, subject, issuer);
    if (answer === undefined) continue;
    await requireResponder(response, issuer, nowMs);
    requireCurrent(answer, subject.commonName, nowMs);
    if (answer.status !== 'good') throw refused(`"${subject.commonName}" (${subject.serial}) is ${answer.status}`);
    isAnswered = true;
  }
  if (!isAnswered) throw refused(`no OCSP response is for "${subject.commonName}" (${subject.serial})`);
}

/** The signer must be the issuer, or have a certificate of the issuer for OCSP signing. */
async function requireResponder(response: OcspResponse, issuer: Certificate, nowMs: number): Promise<void> {
  if (await isSignedBy(response, issuer)) return;
  for (const certificate of response.certificates) {
    if (!(await isSignedBy(response, certificate))) continue;
    if (!mayAnswer(certificate))
      throw refused(`"${certificate.commonName}" may not sign OCSP responses for its issuer`);
    const chain = await verifyChain([certificate], [issuer], { understood: [extensionOids.extendedKeyUsage] });
    requireValidAt(chain.certificates, nowMs);
    return;
  }
  throw refused(`the OCSP response is not signed by "${issuer.commonName}", nor by one of its responders`);
}

function mayAnswer(certificate: Certificate): boolean {
  const extension = certificate.extensions.get(extensionOids.extendedKeyUsage);
  if (extension === undefined) return false;
  const purposes = derChildren(parseDer(extension.value, derTag.sequence, 'extended key usage'), 'extended key usage');
  return purposes.some((purpose) => derOid(purpose, 'extended key usage') === ocspSigning);
}

function requireCurrent({ thisUpdateMs, nextUpdateMs }: OcspAnswer, name: string, nowMs: number): void {
  const untilMs = nextUpdateMs ?? thisUpdateMs + ocspAgeMaxMs;
  if (nowMs < thisUpdateMs)
    throw refused(
      `the OCSP response for "${name}" was issued on ${utc(thisUpdateMs)}; the current time is ${utc(nowMs)}`,
    );
  if (nowMs > untilMs)
    throw refused(`the OCSP response for "${name}" expired on ${utc(untilMs)}; the current time is ${utc(nowMs)}`);
}

function refused(message: string): AttestationError {
  return new AttestationError('ERR_NOT_VERIFIED', message);
}
