/** The checks of collateral that depend on the time: dates and revocation. `prepareCollateral` has checked the signatures. */
import { type PreparedCollateral, type Settled, unwrap } from '../collateral/prepare.ts';
import type { QeIdentity, TcbInfo } from '../collateral/tcb-info.ts';
import type { Certificate } from '../x509/certificate.ts';
import { requireValidAt, utc } from '../x509/chain.ts';
import type { CertificateRevocationList } from '../x509/crl.ts';
import { type CheckList, refuse, type Step } from './checks.ts';
import type { QuoteCheckId } from './quote-check-table.ts';

/** The collateral that the quote checks require. */
export interface CollateralSteps {
  /** Signed and current. */
  readonly rootCrl: Step<CertificateRevocationList>;
  readonly pckCrl: Step<CertificateRevocationList>;
  readonly pckCrlIssuer: Step<readonly Certificate[]>;
  readonly tcbInfo: Step<TcbInfo>;
  readonly qeIdentity: Step<QeIdentity>;
  /** The signers of these documents, and their CAs. */
  readonly signers: readonly Certificate[];
}

export async function verifyCollateral(
  checks: CheckList<QuoteCheckId>,
  prepared: PreparedCollateral,
  nowMs: number,
): Promise<CollateralSteps> {
  const rootCrl = await checks.run('root-crl', [], () => unwrap(prepared.rootCrl));
  const rootCrlNow = await checks.run('root-crl-dates', [rootCrl], (crl) =>
    current(crl, 'root revocation list', nowMs),
  );
  const pckCrlIssuer = await checks.run('pck-crl-issuer', [], () => unwrap(prepared.pckCrlIssuer));
  const pckCrl = await checks.run('pck-crl', [pckCrlIssuer], () => unwrap(prepared.pckCrl));
  const pckCrlNow = await checks.run('pck-crl-dates', [pckCrl, pckCrlIssuer], (crl, issuer) => {
    requireValidAt(issuer, nowMs);
    return current(crl, 'platform revocation list', nowMs);
  });
  const tcbInfo = await signedDocument(checks, 'tcb-info', rootCrlNow, nowMs, {
    chain: prepared.tcbInfoChain,
    text: prepared.tcbInfoText,
    parsed: prepared.tcbInfo,
  });
  const qeIdentity = await signedDocument(checks, 'qe-identity', rootCrlNow, nowMs, {
    chain: prepared.qeIdentityChain,
    text: prepared.qeIdentityText,
    parsed: prepared.qeIdentity,
  });
  const signers = [pckCrlIssuer, tcbInfo.chain, qeIdentity.chain].flatMap(({ value = [] }) => value);
  const documents = { tcbInfo: tcbInfo.parsed, qeIdentity: qeIdentity.parsed };
  return { rootCrl: rootCrlNow, pckCrl: pckCrlNow, pckCrlIssuer, ...documents, signers };
}

async function signedDocument<T extends { issueDateMs: number; nextUpdateMs: number }>(
  checks: CheckList<QuoteCheckId>,
  name: 'tcb-info' | 'qe-identity',
  rootCrl: Step<CertificateRevocationList>,
  nowMs: number,
  parts: { chain: PreparedCollateral['tcbInfoChain']; text: Settled<string>; parsed: Settled<T> },
): Promise<{ chain: Step<readonly Certificate[]>; parsed: Step<T> }> {
  const chain = await checks.run(`${name}-chain`, [], () => unwrap(parts.chain).certificates);
  await checks.run(`${name}-chain-dates`, [chain], (certificates) => requireValidAt(certificates, nowMs));
  await checks.run(`${name}-signer-not-revoked`, [chain, rootCrl], (certificates, crl) =>
    requireNotRevoked(certificates, crl),
  );
  const signed = await checks.run(`${name}-signature`, [chain], () => {
    unwrap(parts.text);
  });
  const parsed = await checks.run(`${name}-format`, [signed], () => unwrap(parts.parsed));
  await checks.run(`${name}-dates`, [parsed], ({ issueDateMs, nextUpdateMs }) => {
    requireBetween({ fromMs: issueDateMs, untilMs: nextUpdateMs, nowMs, what: name });
  });
  return { chain, parsed };
}

/** @throws {AttestationError} ERR_NOT_VERIFIED if the list names one of the certificates, which its issuer must have issued */
export function requireNotRevoked(certificates: readonly Certificate[], crl: CertificateRevocationList): void {
  for (const { serial, commonName } of certificates) {
    if (crl.revokedSerials.has(serial)) refuse(`"${commonName}" (${serial}) is revoked`);
  }
}

function current(crl: CertificateRevocationList, what: string, nowMs: number): CertificateRevocationList {
  requireBetween({ fromMs: crl.thisUpdateMs, untilMs: crl.nextUpdateMs, nowMs, what });
  return crl;
}

function requireBetween(span: { fromMs: number; untilMs: number; nowMs: number; what: string }): void {
  const { fromMs, untilMs, nowMs, what } = span;
  if (nowMs < fromMs) refuse(`the ${what} was issued on ${utc(fromMs)}, but the current time is ${utc(nowMs)}`);
  if (nowMs > untilMs) refuse(`the ${what} expired on ${utc(untilMs)}, and the current time is ${utc(nowMs)}`);
}
