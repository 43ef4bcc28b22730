/**
 * Compares this library's verdict with that of @phala/dcap-qvl 0.3.9 on the same bytes. A table explains each difference; an
 * unexplained difference is a defect of this library. Shared by the oracle test and the long fuzz run.
 */
import { createRequire } from 'node:module';
import { type Collateral, formatCollateral } from '../../../attestation/collateral/collateral.ts';
import { type PreparedCollateral, prepareCollateral } from '../../../attestation/collateral/prepare.ts';
import { parseQuote } from '../../../attestation/quote/quote.ts';
import { verifyPreparedQuote } from '../../../attestation/verify/index.ts';
import type { QuoteCheckId } from '../../../attestation/verify/quote-check-table.ts';

interface Oracle {
  QuoteVerifier: new (root: Buffer) => { verify(quote: Buffer, collateral: unknown, nowSeconds: number): unknown };
}
const { QuoteVerifier } = createRequire(import.meta.url)('@phala/dcap-qvl') as Oracle;

export interface JudgedEvidence {
  readonly quote: Uint8Array;
  readonly collateral: Collateral;
  readonly rootCa: Uint8Array;
  readonly nowMs: number;
  /** Signs a TCB info again; possible only for evidence that the tests generated. */
  readonly signTcbInfo?: (text: string) => Promise<Uint8Array>;
}

/** Checks that refuse evidence which dcap-qvl accepts, with the reason. */
export const stricter: Readonly<Partial<Record<QuoteCheckId, string>>> = {
  'quote-format': 'it ignores bytes after the quote, the QE vendor and the outer certification type',
  'pck-certificates': 'it splits PEM text by regular expression and reads BER leniently',
  'pck-chain': 'it checks no names, key usages or path lengths, and accepts any re-encoding of the root',
  'pck-not-revoked': 'it does not check which issuer the revocation list belongs to',
  'root-crl': 'it does not check the signature, issuer or form of a revocation list',
  'root-crl-dates': 'it does not check the dates of a revocation list',
  'pck-crl-issuer': 'it does not check the certificate chain of the revocation list',
  'pck-crl': 'it does not check the signature, issuer or form of a revocation list',
  'pck-crl-dates': 'it does not check the dates of a revocation list',
  'tcb-info-chain':
    'it checks no names, key usages or path lengths, and accepts any re-encoding of the root and any signer',
  'tcb-info-format': 'it reads only the members that it uses, and accepts numbers, texts and dates of any form',
  'qe-identity-chain':
    'it checks no names, key usages or path lengths, and accepts any re-encoding of the root and any signer',
  'qe-identity-format':
    'it reads only the members that it uses, and accepts a version 3, which Intel has not published',
  'attestation-key': 'it compares the first half of the report data only',
  'platform-family': 'it does not compare PCE ids',
  'tdx-module': 'it does not check the identity, signer and attributes of the TDX module',
  'tdx-module-tcb-level': 'it does not check the TCB levels of the TDX module',
  'platform-tcb-level': 'it does not check the versions that run now (TD 1.5), and accepts levels out of order',
  'tcb-not-revoked': 'it does not check the TCB levels of the TDX module',
};

/**
 * The one rule by which we accept what dcap-qvl rejects: from TDX 1.5 on, the first two TDX components of a level do not count,
 * because the module's identity decides about them. See docs/decisions/2026-11-21-tdx-tcb-rule.md.
 */
export const looser = 'the first two TDX components, from TDX 1.5 on';

export function isAcceptedByOracle({ quote, collateral, rootCa, nowMs }: JudgedEvidence): boolean {
  try {
    const json = JSON.parse(formatCollateral(collateral)) as unknown;
    new QuoteVerifier(Buffer.from(rootCa)).verify(Buffer.from(quote), json, Math.floor(nowMs / 1000));
    return true;
  } catch {
    return false;
  }
}

export interface Comparison {
  readonly ours: boolean;
  readonly theirs: boolean;
  /** Which rows of the tables explain a difference. */
  readonly explainedBy: readonly string[];
  /** The unexplained difference; undefined if there is none. */
  readonly wrong: string | undefined;
}

export async function compare(evidence: JudgedEvidence): Promise<Comparison> {
  const { quote, collateral, rootCa, nowMs } = evidence;
  const { checks, genuine: ours } = await verifyPreparedQuote(quote, await preparedOf(collateral, rootCa), nowMs);
  const theirs = isAcceptedByOracle(evidence);
  const result = (explainedBy: readonly string[], wrong?: string) => ({ ours, theirs, explainedBy, wrong });
  const defect = checks.find((check) => check.reason.startsWith('defect'));
  if (defect !== undefined) return result([], `defect in ${defect.id}: ${defect.reason}`);
  if (ours === theirs) return result([]);
  if (ours) {
    return (await isByModuleRule(evidence)) ? result([looser]) : result([], 'we accept what it rejects');
  }
  const refusing = checks.filter((check) => check.outcome === 'fail').map((check) => check.id);
  const unexplained = refusing.filter((id) => stricter[id] === undefined);
  return unexplained.length === 0 ? result(refusing) : result([], `unexplained: ${unexplained.join(', ')}`);
}

/** Many quotes are verified with the same collateral. */
const prepared = new WeakMap<Collateral, Promise<PreparedCollateral>>();

function preparedOf(collateral: Collateral, rootCa: Uint8Array): Promise<PreparedCollateral> {
  const known = prepared.get(collateral) ?? prepareCollateral(collateral, [rootCa]);
  prepared.set(collateral, known);
  return known;
}

/** Whether dcap-qvl accepts the same evidence if the two components are zero in every level. */
async function isByModuleRule(evidence: JudgedEvidence): Promise<boolean> {
  const { quote, collateral, signTcbInfo } = evidence;
  if (signTcbInfo === undefined || parseQuote(quote).body.teeTcbSvn[1] === 0) return false;
  const document = JSON.parse(collateral.tcbInfo) as { tcbLevels: { tcb: { tdxtcbcomponents: { svn: number }[] } }[] };
  for (const { tcb } of document.tcbLevels) {
    for (const index of [0, 1]) tcb.tdxtcbcomponents[index]!.svn = 0;
  }
  const tcbInfo = JSON.stringify(document);
  const masked = { ...collateral, tcbInfo, tcbInfoSignature: await signTcbInfo(tcbInfo) };
  return isAcceptedByOracle({ ...evidence, collateral: masked });
}
