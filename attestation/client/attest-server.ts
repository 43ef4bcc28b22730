/** Asks a server for its evidence and verifies it, with Intel's collateral fetched where it is missing. For Node. */
import { parseReport } from '../aci/report.ts';
import type { Collateral } from '../collateral/collateral.ts';
import { type CollateralSource, fetchCollateral } from '../collateral/fetch.ts';
import { type PlatformFamily, platformFamilyOfChain } from '../collateral/platform-family.ts';
import type { GpuReferenceSource } from '../fetch-gpu-reference.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import { parseQuote } from '../quote/quote.ts';
import { parsePemChain } from '../x509/pem.ts';
import type { ObservedServer } from './channel.ts';
import { type Evidence, parseEvidence } from './evidence.ts';
import type { EvidencePolicy } from './evidence-policy.ts';
import { fetchReport } from './fetch-report.ts';
import { gpuReferenceFor } from './gpu-reference.ts';
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
  /** Where NVIDIA's manifests and OCSP responses come from if there are none. Default: NVIDIA; `'none'` asks nobody. */
  readonly gpuReferenceSource?: GpuReferenceSource | 'none' | undefined;
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
  /** What was given, or fetched because the evidence has GPUs. */
  readonly gpuReference: GpuReference | undefined;
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
  const takenAtMs = now();
  const missing = await fetchMissing(report, { ...options, roots, gpuRoots, nowMs: takenAtMs });
  const reference = gpuReference ?? missing.gpuReference;
  const trust = { policy, roots, gpuRoots, gpuReference: reference, nowMs: takenAtMs };
  const verification = await verifyEvidence({ report, nonce, observed, collateral: missing.collateral }, trust);
  return { verification, nonce, report, observed, collateral: missing.collateral, gpuReference: reference, takenAtMs };
}

interface Missing {
  readonly collateral?: Collateral | undefined;
  readonly gpuReference?: GpuReference | undefined;
}

/** Intel's collateral and NVIDIA's reference, where the evidence or the caller lack them and verifying will ask for them. */
async function fetchMissing(
  report: Uint8Array,
  options: AttestServerOptions & { gpuRoots: readonly Uint8Array[] | undefined; nowMs: number },
): Promise<Missing> {
  const { policy, collateral: source = {}, gpuReference, gpuReferenceSource = {}, gpuRoots, nowMs, signal } = options;
  const evidence = readableEvidence(report);
  if (evidence === undefined) return {};
  const isCollateralMissing = evidence.collateral === undefined && source !== 'none';
  const isReferenceMissing =
    gpuReference === undefined && policy?.gpuMeasurements !== 'any' && gpuReferenceSource !== 'none';
  const wait = signal === undefined ? {} : { signal };
  return {
    collateral: isCollateralMissing ? await collateralFor(evidence.quote, source, signal) : undefined,
    gpuReference: isReferenceMissing
      ? await gpuReferenceFor(evidence, { gpuRoots, nowMs }, { ...gpuReferenceSource, ...wait })
      : undefined,
  };
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
  let family: PlatformFamily;
  try {
    family = platformFamilyOfChain(parseQuote(quote));
  } catch {
    return undefined;
  }
  return fetchCollateral(family, signal === undefined ? source : { ...source, signal });
}

function derOf(roots: string | readonly Uint8Array[] | undefined, field: string): readonly Uint8Array[] | undefined {
  return typeof roots === 'string' ? parsePemChain(roots, field) : roots;
}
