/**
 * The evidence of the server, verified in the page. A page cannot prove the server that it came from, since that server also sent
 * the code that verifies: the pages say so wherever they show a verdict.
 */
import {
  type EvidencePolicy,
  type EvidenceVerification,
  formatBundle,
  parseEvidence,
  parsePemChain,
  parseQuote,
  parseReport,
  verifyEvidence,
} from '@cloister/attestation/browser';
import { randomNonce, reportPath, requestReport } from '@cloister/attestation/client/report-request';
import { signal } from '@preact/signals';
import { reasonOf, send } from '../api/request.ts';

export interface ServerProof {
  /** Of everything except the software, which the page has no policy for. */
  readonly verification: EvidenceVerification;
  readonly report: Uint8Array;
  readonly nonce: string;
  /** Milliseconds since 1970. */
  readonly takenAtMs: number;
}

export type ProofState =
  | { readonly kind: 'none' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'done'; readonly proof: ServerProof };

/** The last verification. */
export const serverProof = signal<ProofState>({ kind: 'none' });

/** A verification is used for this time. */
const ageMsMax = 600_000;

/** The page does not know its tenant's policy: it reports what the server runs instead of judging it. */
const policy: EvidencePolicy = { measurements: 'any', sources: 'any', gpuMeasurements: 'any' };

let running: Promise<ServerProof> | undefined;

/** Verifies the server, or returns the last verification while it is fresh. @throws {Error} if there is no evidence */
export function proveServer({ isForced = false }: { isForced?: boolean } = {}): Promise<ServerProof> {
  const last = serverProof.value;
  if (!isForced && last.kind === 'done' && isFresh(last.proof)) return Promise.resolve(last.proof);
  running ??= prove(isForced).finally(() => {
    running = undefined;
  });
  return running;
}

/** The inputs of the verification as a file for `cloister-verify`. */
export function bundleOf({ report, nonce, takenAtMs }: ServerProof): string {
  return formatBundle({
    ...{ takenAtMs, nonce, source: location.origin, report: new TextDecoder().decode(report) },
    ...{ observed: undefined, collateral: undefined, gpuReference: undefined },
  });
}

/** A report, and when and why it was requested. */
interface FetchedReport {
  readonly report: Uint8Array;
  readonly nonce: string;
  readonly takenAtMs: number;
}

async function prove(isForced: boolean): Promise<ServerProof> {
  serverProof.value = { kind: 'checking' };
  try {
    const fetched = (isForced ? undefined : keptReport()) ?? (await fetchReport());
    const proof = await verify(fetched);
    serverProof.value = { kind: 'done', proof };
    return proof;
  } catch (error) {
    serverProof.value = { kind: 'failed', reason: reasonOf(error) };
    throw error;
  }
}

async function verify(fetched: FetchedReport): Promise<ServerProof> {
  return { verification: await judge(fetched, policy), ...fetched };
}

/** The verification with the measured software as the policy, which receipts need. */
export async function pinnedVerification(proof: ServerProof): Promise<EvidenceVerification> {
  const { measurements } = proof.verification;
  return await judge(proof, { ...policy, measurements: measurements === undefined ? 'any' : [measurements] });
}

async function judge(
  { report, nonce, takenAtMs }: FetchedReport,
  under: EvidencePolicy,
): Promise<EvidenceVerification> {
  const trust = { policy: under, nowMs: takenAtMs, roots: simulatedRoots(report) };
  return await verifyEvidence({ report, nonce, observed: 'invisible' }, trust);
}

/** Waits as the server asks if it has sent many quotes. @throws {AttestationError} ERR_EVIDENCE_UNAVAILABLE */
async function fetchReport(): Promise<FetchedReport> {
  const nonce = randomNonce();
  const request = () => send(`${reportPath}?nonce=${nonce}`, { credentials: 'omit' });
  const fetched = { report: await requestReport(request, { signal: undefined }), nonce, takenAtMs: Date.now() };
  keep(fetched);
  return fetched;
}

/** The report is public. The next page of this tab verifies it again, instead of asking for another quote. */
const keptName = 'evidence';

function keep({ report, ...facts }: FetchedReport): void {
  sessionStorage.setItem(keptName, JSON.stringify({ ...facts, report: new TextDecoder().decode(report) }));
}

function keptReport(): FetchedReport | undefined {
  const text = sessionStorage.getItem(keptName);
  if (text === null) return undefined;
  const { report, ...facts } = JSON.parse(text) as Omit<FetchedReport, 'report'> & { report: string };
  if (Date.now() - facts.takenAtMs >= ageMsMax) return undefined;
  return { ...facts, report: new TextEncoder().encode(report) };
}

/**
 * The root that a simulation made for itself, so that everything except the hardware can be checked. `verification.simulated` is
 * true with it. @returns undefined for any other evidence, which is checked with Intel's root
 */
function simulatedRoots(report: Uint8Array): readonly Uint8Array[] | undefined {
  try {
    const evidence = parseEvidence(parseReport(report).evidence);
    if (!evidence.simulated) return undefined;
    const chain = parsePemChain(new TextDecoder().decode(parseQuote(evidence.quote).pckChainPem), 'the chain');
    return chain.slice(-1);
  } catch {
    return undefined;
  }
}

function isFresh({ verification, takenAtMs }: ServerProof): boolean {
  const now = Date.now();
  return now - takenAtMs < ageMsMax && now < (verification.expiresAtMs ?? 0);
}
