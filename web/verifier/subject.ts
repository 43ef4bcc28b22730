/** What can be verified: a server by its address, a saved bundle, a bare report, or the proof of an answer. */
import {
  type Bundle,
  checkReceipt,
  type EvidenceCheck,
  type EvidencePolicy,
  type EvidenceVerification,
  parseBundle,
  parseEvidencePolicy,
  parsePemChain,
  verifyEvidence,
} from '@cloister/attestation/browser';
import { randomNonce, reportPath, requestReport } from '@cloister/attestation/client/report-request';
import { send } from '../api/request.ts';
import { type Bill, type BilledRequest, type BillProof, proveBill, type Statement } from '../proof/statement.ts';

/** Evidence, and the receipt of an answer if there is one. */
export interface Subject {
  readonly bundle: Bundle;
  /** Whether this page asked the server, over a connection whose key it cannot read. */
  readonly isLive: boolean;
  readonly answer: SavedAnswer | undefined;
  /** A charge and its statement, as the usage page saves them. */
  readonly bill?: Bill;
}

/** What the chat page saves: `request` and `response` are the exact texts that the receipt names. */
export interface SavedAnswer {
  readonly request: string;
  readonly response: string;
  readonly receipt: string;
}

export interface Trust {
  /** The text of a policy file; empty for no policy. */
  readonly policy: string;
  /** PEM text of the root of a simulation; empty for Intel's root. */
  readonly root: string;
}

export interface Finding {
  readonly verification: EvidenceVerification;
  readonly receiptChecks: readonly EvidenceCheck[];
  readonly billProof: BillProof | undefined;
}

/** @throws {Error} with a sentence for people */
export async function fetchSubject(address: string): Promise<Subject> {
  const url = URL.parse(address.includes('://') ? address : `https://${address}`);
  if (url === null || url.protocol !== 'https:')
    throw new Error('the address must be https://host or https://host:port');
  const nonce = randomNonce();
  const request = () => send(`${url.origin}${reportPath}?nonce=${nonce}`, { credentials: 'omit', mode: 'cors' });
  const report = new TextDecoder().decode(await requestReport(request, { signal: undefined }));
  const missing = { observed: undefined, collateral: undefined, gpuReference: undefined };
  return {
    bundle: { takenAtMs: Date.now(), nonce, source: url.origin, report, ...missing },
    isLive: true,
    answer: undefined,
  };
}

/** Reads a bundle, a report, or the proof of an answer. @throws {Error} if the file is none of them */
export function readSubject(text: string): Subject {
  const json = JSON.parse(text) as Readonly<Record<string, unknown>>;
  if (json.kind !== undefined) return { bundle: parseBundle(text), isLive: false, answer: undefined };
  if (typeof json.receipt === 'string' && json.bundle !== undefined) {
    const answer = { request: String(json.request), response: String(json.response), receipt: json.receipt };
    return { bundle: parseBundle(JSON.stringify(json.bundle)), isLive: false, answer };
  }
  if (json.billed !== undefined && json.bundle !== undefined) {
    const bundle = parseBundle(JSON.stringify(json.bundle));
    return { bundle, isLive: false, answer: undefined, bill: readBill(json.billed, json.statement) };
  }
  const missing = { nonce: undefined, observed: undefined, collateral: undefined, gpuReference: undefined };
  return {
    bundle: { takenAtMs: Date.now(), source: 'a file', report: text, ...missing },
    isLive: false,
    answer: undefined,
  };
}

/** @throws {AttestationError} ERR_POLICY_MALFORMED, or the error of a root that is not PEM */
export async function judge({ bundle, isLive, answer, bill }: Subject, trust: Trust): Promise<Finding> {
  const { report, nonce, observed, collateral, gpuReference, takenAtMs } = bundle;
  const policy: EvidencePolicy | undefined = trust.policy.trim() === '' ? undefined : parseEvidencePolicy(trust.policy);
  const roots = trust.root.trim() === '' ? undefined : parsePemChain(trust.root, 'the root');
  const verification = await verifyEvidence(
    { report, nonce, observed: isLive ? 'invisible' : (observed ?? 'none'), collateral },
    { policy, roots, gpuReference, nowMs: takenAtMs },
  );
  const billProof = bill === undefined ? undefined : await proveBill(bill, verification);
  if (answer === undefined) return { verification, receiptChecks: [], billProof };
  const encoder = new TextEncoder();
  const { checks } = await checkReceipt({
    ...{ receipt: answer.receipt, evidence: verification },
    ...{ request: encoder.encode(answer.request), response: encoder.encode(answer.response) },
  });
  return { verification, receiptChecks: checks, billProof };
}

/** Bounds the work of the check: a tree of this height has more requests than a day. */
const proofNodesMax = 64;

/** @throws {Error} if the file has other members than the usage page saves */
function readBill(billed: unknown, statement: unknown): Bill {
  const place = (billed as BilledRequest | null)?.statement;
  const isPlace =
    Number.isSafeInteger(place?.index) &&
    Number.isSafeInteger(place?.size) &&
    Array.isArray(place?.proof) &&
    place.proof.length <= proofNodesMax &&
    place.proof.every((node) => typeof node === 'string');
  if (!isPlace || typeof statement !== 'object' || statement === null) {
    throw new Error('the file is no proof of a charge: save it on the usage page');
  }
  return { request: billed as BilledRequest, statement: statement as Statement };
}

/** Whether an answer's receipt holds: every check passed. */
export function holds(checks: readonly EvidenceCheck[]): boolean {
  return checks.every(({ outcome }) => outcome === 'pass');
}

/** Checks whose outcome a change of the policy changed. */
export function changedChecks(
  before: readonly EvidenceCheck[],
  after: readonly EvidenceCheck[],
): readonly EvidenceCheck[] {
  const outcomes = new Map(before.map(({ id, outcome }) => [id, outcome]));
  return after.filter(({ id, outcome }) => outcomes.has(id) && outcomes.get(id) !== outcome);
}

/** Firmware, kernel and command line; the start log is compared with the fourth register anyway. */
const pinned = ['mrTd', 'rtmr0', 'rtmr1', 'rtmr2'] as const;

/** The measured software of evidence as a policy, to start one from. */
export function policyFrom({ measurements }: EvidenceVerification): string {
  const set = Object.fromEntries(pinned.map((name) => [name, measurements?.[name] ?? '']));
  return `${JSON.stringify({ measurements: [set], sources: 'any' }, null, 2)}\n`;
}
