/** Requests a server's evidence, fetches missing collateral and reference values, and verifies the evidence. For Node. */

import { reportCharactersMax } from '../aci/report.ts';
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
import type { NewConnection } from './new-connection.ts';
import { authenticateDevices, type ParsedReport, parseWholeReport } from './parsed-report.ts';
import { randomNonce, reportPath, requestReport } from './report-request.ts';
import { type EvidenceVerification, withCheck } from './verification.ts';
import { verifyParsedEvidence } from './verify-evidence.ts';

/**
 * The source of Intel's collateral. `'intel'` always fetches it from Intel, an object from a mirror; `'none'` uses only the
 * server's. By default the server's collateral is used, and Intel's if the server sends none. Collateral from every source is
 * verified alike, including the policy's `tcbEvaluationMin` and `collateralAgeDaysMax`.
 */
export type CollateralChoice = 'intel' | 'none' | CollateralSource;

export interface AttestServerOptions {
  readonly policy: EvidencePolicy | undefined;
  /** As in `EvidenceTrust`, as PEM text or DER. */
  readonly roots?: string | readonly Uint8Array[] | undefined;
  readonly gpuRoots?: string | readonly Uint8Array[] | undefined;
  readonly gpuReference?: GpuReference | undefined;
  /** 64 lowercase hexadecimal digits. Default: random. */
  readonly nonce?: string | undefined;
  readonly collateral?: CollateralChoice | undefined;
  /** Fetches collateral in place of `fetchCollateral`, for example through a cache. */
  readonly fetchCollateral?: ((family: PlatformFamily) => Promise<Collateral>) | undefined;
  /** Where to fetch NVIDIA's manifests and OCSP responses without `gpuReference`. Default: NVIDIA; `'none'` disables fetching. */
  readonly gpuReferenceSource?: GpuReferenceSource | 'none' | undefined;
  readonly connectTimeoutMs?: number | undefined;
  /** Whether the server must prove that it terminates the connection that delivers the evidence. Default true. */
  readonly proveConnection?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

export interface AttestedServer<Observed extends ObservedServer | 'none' = ObservedServer> {
  readonly verification: EvidenceVerification;
  /** What later connections must match; undefined if the report is malformed. */
  readonly machine: VerifiedMachine | undefined;
  /** This and the next members are the inputs of the verification, as a bundle stores them. */
  readonly nonce: string;
  readonly report: Uint8Array;
  readonly observed: Observed;
  /** The fetched collateral; undefined if the server's was used. */
  readonly collateral: Collateral | undefined;
  /** The given or fetched reference values for GPUs. */
  readonly gpuReference: GpuReference | undefined;
  readonly takenAtMs: number;
}

/**
 * Verifies the server at an origin. A failed check is part of the result and does not throw.
 * @param origin `https://host[:port]`
 * @throws {AttestationError} ERR_EVIDENCE_UNAVAILABLE, ERR_COLLATERAL_UNAVAILABLE and others of `fetchCollateral`
 */
export async function attestServer(origin: string, options: AttestServerOptions): Promise<AttestedServer> {
  const { policy, connectTimeoutMs, proveConnection = true, signal } = options;
  derOf(options.roots, 'roots');
  derOf(options.gpuRoots, 'gpuRoots');
  const nonce = options.nonce ?? randomNonce();
  const isProofRequired = proveConnection && policy?.channel !== 'key';
  const fetched = await fetchReport(origin, { nonce, signal, connectTimeoutMs, isProofRequired });
  const server = await attestReport({ ...fetched, nonce }, options);
  if (!proveConnection) return server;
  const connection = await checkConnection(fetched.connection, server.machine);
  return { ...server, verification: withCheck(server.verification, connection) };
}

/**
 * Verifies the server that a new connection has reached, which may be any of several behind a load balancer. Proves nothing about
 * the connection itself.
 * @throws {AttestationError} as `attestServer`
 */
export async function attestConnection(
  connection: NewConnection,
  options: Omit<AttestServerOptions, 'connectTimeoutMs' | 'proveConnection'>,
): Promise<AttestedServer> {
  const nonce = options.nonce ?? randomNonce();
  const report = await requestReport(() => askForReport(connection, nonce), { signal: options.signal });
  return attestReport({ report, observed: connection.server, nonce }, options);
}

async function askForReport(connection: NewConnection, nonce: string): Promise<Response> {
  const path = `${reportPath}?nonce=${nonce}`;
  const { status, headers, body } = await connection.get(path, { bytesMax: reportCharactersMax });
  const retryAfter = headers['retry-after'];
  return new Response(body, { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });
}

export interface ReceivedReport<Observed extends ObservedServer | 'none' = ObservedServer | 'none'> {
  /** The exact bytes. */
  readonly report: Uint8Array;
  /** `'none'` if the report did not come over a connection to its server. */
  readonly observed: Observed;
  /** 64 lowercase hexadecimal digits. */
  readonly nonce: string;
}

/**
 * Verifies a report that was received in any way, and fetches missing collateral and reference values.
 * @throws {AttestationError} as `attestServer`, except for the request of the report
 */
export async function attestReport<Observed extends ObservedServer | 'none'>(
  { report, observed, nonce }: ReceivedReport<Observed>,
  options: Omit<AttestServerOptions, 'nonce' | 'connectTimeoutMs' | 'proveConnection'>,
): Promise<AttestedServer<Observed>> {
  const { policy, gpuReference, now = Date.now } = options;
  const roots = derOf(options.roots, 'roots');
  const gpuRoots = derOf(options.gpuRoots, 'gpuRoots');
  const takenAtMs = now();
  const parsed = parseWholeReport(report);
  const devices = await authenticateDevices(parsed, { gpuRoots, nowMs: takenAtMs });
  const missing = await fetchMissing(parsed, devices, options);
  const reference = gpuReference ?? missing.gpuReference;
  const trust = { policy, roots, gpuRoots, gpuReference: reference, nowMs: takenAtMs };
  const verification = await verifyParsedEvidence(
    { parsed, devices, nonce, observed, collateral: missing.collateral },
    trust,
  );
  return {
    ...{ verification, nonce, report, observed, takenAtMs },
    machine: machineOf(parsed),
    collateral: missing.collateral,
    gpuReference: reference,
  };
}

interface Missing {
  readonly collateral?: Collateral | undefined;
  readonly gpuReference?: GpuReference | undefined;
}

/** Fetches the collateral and the GPU reference values that the verification needs and neither evidence nor caller supplied. */
async function fetchMissing(
  parsed: ParsedReport,
  devices: DeviceVerifications | undefined,
  options: AttestServerOptions,
): Promise<Missing> {
  const { policy, collateral: choice, gpuReference, gpuReferenceSource = {}, signal } = options;
  const evidence = parsedOrUndefined(parsed.evidence);
  if (evidence === undefined) return {};
  const isServersUsed = choice === undefined || choice === 'none';
  const isCollateralMissing = choice !== 'none' && (!isServersUsed || evidence.collateral === undefined);
  const isReferenceMissing =
    gpuReference === undefined && policy?.gpuMeasurements !== 'any' && gpuReferenceSource !== 'none';
  const abort = signal === undefined ? {} : { signal };
  const source = { ...(typeof choice === 'object' ? choice : {}), ...abort };
  const fetchFor = options.fetchCollateral ?? ((family: PlatformFamily) => fetchCollateral(family, source));
  return {
    collateral: isCollateralMissing ? await collateralOfFamily(parsed.quote, fetchFor) : undefined,
    gpuReference: isReferenceMissing ? await gpuReferenceFor(devices, { ...gpuReferenceSource, ...abort }) : undefined,
  };
}

/** Parses the evidence in a report without verifying it. @returns undefined if it is malformed */
export function readableEvidence(report: string | Uint8Array): Evidence | undefined {
  return parsedOrUndefined(parseWholeReport(report).evidence);
}

/** @returns undefined if the quote or its certificate chain is malformed: the verification reports why */
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
  fetchFor: (family: PlatformFamily) => Promise<Collateral>,
): Promise<Collateral | undefined> {
  let family: PlatformFamily;
  try {
    family = platformFamilyOfChain(parsedValue(quote));
  } catch {
    return undefined;
  }
  return fetchFor(family);
}

function derOf(roots: string | readonly Uint8Array[] | undefined, field: string): readonly Uint8Array[] | undefined {
  return typeof roots === 'string' ? parsePemChain(roots, field) : roots;
}
