/** Asks a server for its evidence and verifies it, with Intel's collateral fetched where it is missing. For Node. */
import { type Parsed, parsedOrUndefined, parsedValue, tryParse } from '../base/parsed.ts';
import type { Collateral } from '../collateral/collateral.ts';
import { type CollateralSource, fetchCollateral } from '../collateral/fetch.ts';
import { type PlatformFamily, platformFamilyOfChain } from '../collateral/platform-family.ts';
import type { DeviceVerifications } from '../gpu/verify-gpu.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import type { GpuReferenceSource } from '../gpu-reference/fetch-gpu-reference.ts';
import type { EvidencePolicy } from '../policy/evidence-policy.ts';
import { parseQuote, type Quote } from '../quote/quote.ts';
import { parsePemChain } from '../x509/pem.ts';
import type { VerifiedMachine } from './bound-channel.ts';
import type { ObservedServer } from './channel.ts';
import { checkConnection, machineOf } from './check-connection.ts';
import type { Evidence } from './evidence.ts';
import { fetchReport } from './fetch-report.ts';
import { gpuReferenceFor } from './gpu-reference.ts';
import { authenticateDevices, type ParsedReport, parseWholeReport } from './parsed-report.ts';
import { randomNonce } from './report-request.ts';
import { type EvidenceVerification, withCheck } from './verification.ts';
import { verifyParsedEvidence } from './verify-evidence.ts';

/**
 * Whose collateral is used. `'intel'`, or a source with the address of a mirror: always from there, whatever the server
 * carries. `'none'`: the server's alone. Left out: the server's, and Intel's where it has none. It is verified alike, and held
 * against the policy's `tcbEvaluationMin` and `collateralAgeDaysMax`.
 */
export type CollateralChoice = 'intel' | 'none' | CollateralSource;

export interface AttestServerOptions {
  readonly policy: EvidencePolicy | undefined;
  /** PEM text, or DER, as of `EvidenceTrust`. */
  readonly roots?: string | readonly Uint8Array[] | undefined;
  readonly gpuRoots?: string | readonly Uint8Array[] | undefined;
  readonly gpuReference?: GpuReference | undefined;
  /** Default: a random one. */
  readonly nonce?: string | undefined;
  readonly collateral?: CollateralChoice | undefined;
  /** Fetches what `collateral` wants fetched. Default: from there, each time anew. */
  readonly fetchCollateral?: ((family: PlatformFamily) => Promise<Collateral>) | undefined;
  /** Where NVIDIA's manifests and OCSP responses come from if there are none. Default: NVIDIA; `'none'` asks nobody. */
  readonly gpuReferenceSource?: GpuReferenceSource | 'none' | undefined;
  readonly connectTimeoutMs?: number | undefined;
  /** Whether the server must prove the connection that the evidence comes over. Default true. */
  readonly proveConnection?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds since 1970. Default: the clock's. */
  readonly now?: (() => number) | undefined;
}

export interface AttestedServer {
  readonly verification: EvidenceVerification;
  /** What connections to the server are held against; undefined where its report cannot be read. */
  readonly machine: VerifiedMachine | undefined;
  /** What it was verified from, as a bundle keeps it. */
  readonly nonce: string;
  readonly report: Uint8Array;
  readonly observed: ObservedServer;
  /** What was fetched, because the evidence carries none or another was wanted. */
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
  const { policy, gpuReference, connectTimeoutMs, proveConnection = true, signal, now = Date.now } = options;
  const roots = derOf(options.roots, 'roots');
  const gpuRoots = derOf(options.gpuRoots, 'gpuRoots');
  const nonce = options.nonce ?? randomNonce();
  const isProofWanted = proveConnection && policy?.channel !== 'key';
  const fetched = await fetchReport(origin, { nonce, signal, connectTimeoutMs, isProofWanted });
  const { report, observed } = fetched;
  const takenAtMs = now();
  const parsed = parseWholeReport(report);
  const devices = await authenticateDevices(parsed, { gpuRoots, nowMs: takenAtMs });
  const missing = await fetchMissing(parsed, devices, options);
  const reference = gpuReference ?? missing.gpuReference;
  const trust = { policy, roots, gpuRoots, gpuReference: reference, nowMs: takenAtMs };
  const input = { parsed, devices, nonce, observed, collateral: missing.collateral };
  const evidence = await verifyParsedEvidence(input, trust);
  const machine = machineOf(parsed);
  return {
    verification: proveConnection ? withCheck(evidence, await checkConnection(fetched.connection, machine)) : evidence,
    machine,
    nonce,
    report,
    observed,
    collateral: missing.collateral,
    gpuReference: reference,
    takenAtMs,
  };
}

interface Missing {
  readonly collateral?: Collateral | undefined;
  readonly gpuReference?: GpuReference | undefined;
}

/** Intel's collateral and NVIDIA's reference, where the evidence or the caller lack them and verifying will ask for them. */
async function fetchMissing(
  parsed: ParsedReport,
  devices: DeviceVerifications | undefined,
  options: AttestServerOptions,
): Promise<Missing> {
  const { policy, collateral: choice, gpuReference, gpuReferenceSource = {}, signal } = options;
  const evidence = parsedOrUndefined(parsed.evidence);
  if (evidence === undefined) return {};
  const isServersUsed = choice === undefined || choice === 'none';
  const isCollateralWanted = choice !== 'none' && (!isServersUsed || evidence.collateral === undefined);
  const isReferenceMissing =
    gpuReference === undefined && policy?.gpuMeasurements !== 'any' && gpuReferenceSource !== 'none';
  const wait = signal === undefined ? {} : { signal };
  const source = { ...(typeof choice === 'object' ? choice : {}), ...wait };
  const fetchIt = options.fetchCollateral ?? ((family: PlatformFamily) => fetchCollateral(family, source));
  return {
    collateral: isCollateralWanted ? await collateralOfFamily(parsed.quote, fetchIt) : undefined,
    gpuReference: isReferenceMissing ? await gpuReferenceFor(devices, { ...gpuReferenceSource, ...wait }) : undefined,
  };
}

/** The evidence of a report, unverified; undefined where it cannot be read: verifying it says why. */
export function readableEvidence(report: string | Uint8Array): Evidence | undefined {
  return parsedOrUndefined(parseWholeReport(report).evidence);
}

/** @returns undefined where the quote does not say which collateral it needs: verifying it will say why */
export async function collateralFor(
  quote: Uint8Array | Parsed<Quote>,
  source: CollateralSource,
  signal: AbortSignal | undefined,
): Promise<Collateral | undefined> {
  const parsed = quote instanceof Uint8Array ? tryParse(() => parseQuote(quote)) : quote;
  return collateralOfFamily(parsed, (family) =>
    fetchCollateral(family, signal === undefined ? source : { ...source, signal }),
  );
}

async function collateralOfFamily(
  quote: Parsed<Quote>,
  fetchIt: (family: PlatformFamily) => Promise<Collateral>,
): Promise<Collateral | undefined> {
  let family: PlatformFamily;
  try {
    family = platformFamilyOfChain(parsedValue(quote));
  } catch {
    return undefined;
  }
  return fetchIt(family);
}

function derOf(roots: string | readonly Uint8Array[] | undefined, field: string): readonly Uint8Array[] | undefined {
  return typeof roots === 'string' ? parsePemChain(roots, field) : roots;
}
