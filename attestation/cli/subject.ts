/** The inputs of `cloister verify`: a server, a bundle, a report, or a bare quote. */
import { fromHex, sameBytes } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { type Parsed, parsedOrUndefined } from '../base/parsed.ts';
import { collateralFor } from '../client/attest-server.ts';
import { type Bundle, isBundle, parseBundle } from '../client/bundle.ts';
import { checkConnection, machineOf } from '../client/check-connection.ts';
import { fetchReport } from '../client/fetch-report.ts';
import { gpuReferenceFor } from '../client/gpu-reference.ts';
import { authenticateDevices, type ParsedReport, parseWholeReport } from '../client/parsed-report.ts';
import { randomNonce } from '../client/report-request.ts';
import { type EvidenceCheck, type EvidenceVerification, withCheck } from '../client/verification.ts';
import { platformFacts, verifyParsedEvidence } from '../client/verify-evidence.ts';
import { type Collateral, parseCollateral } from '../collateral/collateral.ts';
import { intelRootCa } from '../collateral/intel-root.ts';
import type { DeviceVerifications } from '../gpu/verify-gpu.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import { judgeQuote, measurementsOf } from '../policy/policy.ts';
import type { Quote } from '../quote/quote.ts';
import { verdictOf, verifyQuote } from '../verify/index.ts';
import { printable } from './check-table.ts';
import { readInput, readText, type VerifierIo } from './command-line.ts';
import type { Finding } from './finding.ts';
import type { TrustOptions } from './options.ts';

export type Subject =
  | { readonly kind: 'server'; readonly origin: string }
  | { readonly kind: 'bundle'; readonly path: string }
  | { readonly kind: 'file'; readonly path: string };

export interface SubjectOptions extends TrustOptions {
  readonly io: VerifierIo;
}

/** @throws {UsageError} · @throws {AttestationError} if the report cannot be fetched */
export async function verifySubject(subject: Subject, options: SubjectOptions): Promise<Finding> {
  if (subject.kind === 'server') return verifyServer(subject.origin, options);
  const { kind, path } = subject;
  const bytes = readInput(path, options.io);
  const json = jsonOf(bytes);
  if (kind === 'bundle' || isBundle(json)) return verifyBundle(parseBundle(textOf(bytes)), options);
  if (json === undefined) return verifyBareQuote(path, bytes, options);
  return verifyReport({ source: path, report: textOf(bytes), nonce: options.nonce, observed: undefined }, options);
}

async function verifyServer(origin: string, options: SubjectOptions): Promise<Finding> {
  const nonce = options.nonce ?? randomNonce();
  const { policy } = options;
  const { report, observed, connection } = await fetchReport(origin, {
    nonce,
    isProofRequired: policy?.channel !== 'key',
  });
  const finding = await verifyReport({ source: origin, report: textOf(report), nonce, observed }, options);
  const evidence = withCheck(finding.evidence!, await checkConnection(connection, machineOf(finding.parsed!)));
  return { ...finding, evidence, verdict: evidence.verdict, checks: evidence.checks };
}

async function verifyReport(
  fetched: Pick<Bundle, 'source' | 'report' | 'nonce' | 'observed'>,
  options: SubjectOptions,
): Promise<Finding> {
  const takenAtMs = nowOf(options);
  const read = await readReport(fetched.report, { ...options, nowMs: takenAtMs });
  const hasOwn = parsedOrUndefined(read.parsed.evidence)?.collateral !== undefined;
  const collateral = await collateralOf(options, read.parsed.quote, hasOwn);
  const gpuReference = await gpuReferenceOf(options, read.devices);
  return verifyReadReport({ ...fetched, collateral, gpuReference, takenAtMs }, read, options);
}

/** Uses no network, unless `--collateral` requests fresh collateral. */
export async function verifyBundle(saved: Bundle, options: SubjectOptions): Promise<Finding> {
  const read = await readReport(saved.report, { ...options, nowMs: options.nowMs ?? saved.takenAtMs });
  const given = await collateralOf(options, read.parsed.quote, true);
  const bundle = {
    ...saved,
    collateral: given ?? saved.collateral,
    gpuReference: options.gpuReference ?? saved.gpuReference,
    nonce: options.nonce ?? saved.nonce,
  };
  return verifyReadReport(bundle, read, options);
}

/** A report, parsed once, and its devices. */
interface ReadReport {
  readonly parsed: ParsedReport;
  readonly devices: DeviceVerifications | undefined;
}

async function readReport(
  text: string,
  trust: { gpuRoots: readonly Uint8Array[] | undefined; nowMs: number },
): Promise<ReadReport> {
  const parsed = parseWholeReport(text);
  return { parsed, devices: await authenticateDevices(parsed, trust) };
}

async function verifyReadReport(bundle: Bundle, read: ReadReport, options: SubjectOptions): Promise<Finding> {
  const { policy, roots, gpuRoots } = options;
  const atMs = options.nowMs ?? bundle.takenAtMs;
  const { nonce, collateral, observed = 'none' } = bundle;
  const verification = await verifyParsedEvidence(
    { ...read, nonce, collateral, observed },
    {
      policy,
      roots,
      gpuRoots,
      gpuReference: bundle.gpuReference,
      nowMs: atMs,
    },
  );
  return evidenceFinding(verification, { bundle, parsed: read.parsed, atMs, options });
}

/** Runs the quote's checks, and the policy's if there is one. A bare quote does not identify the server's keys. */
async function verifyBareQuote(source: string, bytes: Uint8Array, options: SubjectOptions): Promise<Finding> {
  const quote = quoteBytesOf(bytes);
  const atMs = nowOf(options);
  const roots = options.roots ?? [intelRootCa];
  const verified = await verifyQuote(quote, await collateralOf(options, quote, false), roots, atMs);
  const { policy } = options;
  const checks: readonly EvidenceCheck[] =
    policy === undefined
      ? verified.checks.map((check) => ({ ...check, required: true }))
      : (await judgeQuote(verified, policy, 'any')).checks;
  return {
    verdict: verdictOf(checks),
    ...{ checks, source, atMs, evidence: undefined, bundle: undefined, parsed: undefined },
    measurements: verified.quote === undefined ? undefined : measurementsOf(verified.quote.body),
    platform: platformFacts(verified),
    tcbStatus: verified.tcb?.status,
    simulated: !roots.every((root) => sameBytes(root, intelRootCa)),
    hasPolicy: policy !== undefined,
  };
}

function evidenceFinding(
  evidence: EvidenceVerification,
  { bundle, parsed, atMs, options }: { bundle: Bundle; parsed: ParsedReport; atMs: number; options: SubjectOptions },
): Finding {
  const { verdict, checks, measurements, platform, tcbStatus, simulated } = evidence;
  const hasPolicy = options.policy !== undefined;
  return {
    verdict,
    checks,
    measurements,
    platform,
    tcbStatus,
    simulated,
    hasPolicy,
    source: bundle.source,
    atMs,
    bundle,
    parsed,
    evidence,
  };
}

function nowOf({ nowMs, io }: SubjectOptions): number {
  return nowMs ?? (io.now ?? Date.now)();
}

/** @param hasOwn whether the evidence has collateral, which is used unless `--collateral` replaces it */
export async function collateralOf(
  { collateral, io }: SubjectOptions,
  quote: Uint8Array | Parsed<Quote> | undefined,
  hasOwn: boolean,
): Promise<Collateral | undefined> {
  if (collateral === 'none' || (collateral === undefined && hasOwn)) return undefined;
  const isAddress = /^https?:\/\//.test(collateral ?? '');
  if (collateral !== undefined && collateral !== 'intel' && !isAddress)
    return parseCollateral(readText(collateral, io));
  return quote === undefined
    ? undefined
    : orNote(collateralFor(quote, isAddress ? { url: collateral! } : {}, undefined), io);
}

async function gpuReferenceOf(
  { collateral, gpuReference, policy, io }: SubjectOptions,
  devices: DeviceVerifications | undefined,
): Promise<GpuReference | undefined> {
  const isWanted = collateral !== 'none' && policy?.gpuMeasurements !== 'any';
  if (gpuReference !== undefined || !isWanted) return gpuReference;
  return orNote(gpuReferenceFor(devices), io);
}

/** Prints a failed fetch and continues: the table of checks shows which ones could not run without the data. */
async function orNote<T>(fetched: Promise<T>, { stderr }: VerifierIo): Promise<T | undefined> {
  try {
    return await fetched;
  } catch (error) {
    if (!(error instanceof AttestationError)) throw error;
    stderr.write(`${printable(error.message)}\n`);
    return undefined;
  }
}

/** The parsed JSON; an empty object if it is malformed; undefined if the bytes are not JSON. */
function jsonOf(bytes: Uint8Array): unknown {
  if (bytes[0] !== 0x7b) return undefined;
  try {
    return JSON.parse(textOf(bytes));
  } catch {
    return {};
  }
}

/** A quote as bytes, or as hexadecimal or base64 text. */
function quoteBytesOf(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === 4 || bytes[0] === 5) return bytes;
  const text = textOf(bytes).trim();
  const hex = fromHex(text);
  if (hex !== undefined) return hex;
  const isBase64 = /^[A-Za-z0-9+/\s]+={0,2}$/.test(text);
  return isBase64 ? new Uint8Array(Buffer.from(text, 'base64')) : bytes;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
