/** Asks a server for its evidence and verifies it, with Intel's collateral fetched where it is missing. For Node. */
import { parseReport } from '../aci/report.ts';
import type { Collateral } from '../collateral/collateral.ts';
import { type CollateralSource, fetchCollateral } from '../collateral/fetch.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import { parsePemChain } from '../x509/pem.ts';
import type { ObservedServer } from './channel.ts';
import { type Evidence, parseEvidence } from './evidence.ts';
import type { EvidencePolicy } from './evidence-policy.ts';
import { fetchReport } from './fetch-report.ts';
import { platformFamilyOf } from './platform-family.ts';
import { randomNonce } from './report-request.ts';
import type { EvidenceVerification } from './verification.ts';
import { verifyEvidence } from './verify-evidence.ts';

export interface AttestServerOptions {
  readonly policy: EvidencePolicy | undefined;
  /** PEM text, or DER, as of `EvidenceTrust`. */
  readonly roots?: string | readonly Uint8Array[] | undefined;
  readonly gpuRoots?: string | readonly Uint8Array[] | undefined;
  readonly gpuReference?: GpuReference | undefined;
  /** Default: a random one. */
  readonly nonce?: string | undefined;
  /** Where collateral comes from if the evidence carries none. Default: Intel's service; `'none'` asks nobody. */
  readonly collateral?: CollateralSource | 'none' | undefined;
  readonly connectTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds since 1970. Default: the clock's. */
  readonly now?: (() => number) | undefined;
}

export interface AttestedServer {
  readonly verification: EvidenceVerification;
  /** What it was verified from, as a bundle keeps it. */
  readonly nonce: string;
  readonly report: Uint8Array;
  readonly observed: ObservedServer;
  /** What was fetched because the evidence carries none. */
  readonly collateral: Collateral | undefined;
  readonly takenAtMs: number;
}

/**
 * @param origin `https://host[:port]`
 * @returns the verification, whatever its verdict
 * @throws {AttestationError} ERR_EVIDENCE_UNAVAILABLE, ERR_COLLATERAL_UNAVAILABLE and others of `fetchCollateral`
 */
export async function attestServer(origin: string, options: AttestServerOptions): Promise<AttestedServer> {
  const { policy, gpuReference, connectTimeoutMs, signal, now = Date.now } = options;
  const roots = derOf(options.roots, 'roots');
  const gpuRoots = derOf(options.gpuRoots, 'gpuRoots');
  const nonce = options.nonce ?? randomNonce();
  const { report, observed } = await fetchReport(origin, { nonce, signal, connectTimeoutMs });
  const source = options.collateral ?? {};
  const evidence = source === 'none' ? undefined : readableEvidence(report);
  const isMissing = evidence !== undefined && evidence.collateral === undefined;
  const collateral = isMissing && source !== 'none' ? await collateralFor(evidence.quote, source, signal) : undefined;
  const takenAtMs = now();
  const trust = { policy, roots, gpuRoots, gpuReference, nowMs: takenAtMs };
  const verification = await verifyEvidence({ report, nonce, observed, collateral }, trust);
  return { verification, nonce, report, observed, collateral, takenAtMs };
}

/** The evidence of a report, unverified; undefined where it cannot be read: verifying it says why. */
export function readableEvidence(report: string | Uint8Array): Evidence | undefined {
  try {
    return parseEvidence(parseReport(report).evidence);
  } catch {
    return undefined;
  }
}

/** @returns undefined where the quote does not say which collateral it needs: verifying it will say why */
export async function collateralFor(
  quote: Uint8Array,
  source: CollateralSource,
  signal: AbortSignal | undefined,
): Promise<Collateral | undefined> {
  let family: ReturnType<typeof platformFamilyOf>;
  try {
    family = platformFamilyOf(quote);
  } catch {
    return undefined;
  }
  return fetchCollateral(family, signal === undefined ? source : { ...source, signal });
}

function derOf(roots: string | readonly Uint8Array[] | undefined, field: string): readonly Uint8Array[] | undefined {
  return typeof roots === 'string' ? parsePemChain(roots, field) : roots;
}
