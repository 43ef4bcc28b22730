/** What verifying evidence takes and gives, and how its checks become one verdict. Pure. */
import type { Keyset } from '../aci/keyset.ts';
import type { SourceProvenance } from '../aci/report.ts';
import type { Collateral } from '../collateral/collateral.ts';
import { AttestationError } from '../errors.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import type { Measurement } from '../policy.ts';
import type { StartEvent } from '../start-log.ts';
import type { Check, Verdict } from '../verify/checks.ts';
import type { ObservedServer } from './channel.ts';
import type { Claim } from './evidence.ts';
import type { EvidencePolicy } from './evidence-policy.ts';

export interface EvidenceInput {
  /** The exact text of the report. */
  readonly report: string | Uint8Array;
  /** What it was asked with, 64 lowercase hexadecimal digits; undefined where nobody of ours asked. */
  readonly nonce: string | undefined;
  /**
   * Whom the connection led to; `'none'` where there is no connection that the evidence is to vouch for; `'invisible'`
   * where there is one whose key a program like a web page cannot see: then bodies must be sealed.
   */
  readonly observed: ObservedServer | 'none' | 'invisible';
  /** Takes the place of what the evidence carries, if anything. */
  readonly collateral?: Collateral | undefined;
}

export interface EvidenceTrust {
  /** DER of the roots that quotes may lead to. Default: Intel's. A simulation's only where its quotes are wanted. */
  readonly roots?: readonly Uint8Array[] | undefined;
  /** DER of the roots that GPU reports and manifests may lead to. Default: NVIDIA's. */
  readonly gpuRoots?: readonly Uint8Array[] | undefined;
  /** NVIDIA's manifests and OCSP responses for the GPUs; without them nothing says that a GPU runs what NVIDIA published. */
  readonly gpuReference?: GpuReference | undefined;
  /** Without one nothing says which software is wanted, and the verdict is at best `could-not-check`. */
  readonly policy: EvidencePolicy | undefined;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** A check whose absence spoils the verdict, or not: a failure always does. */
export interface EvidenceCheck extends Check {
  readonly required: boolean;
}

export interface EvidenceVerification {
  readonly verdict: Verdict;
  readonly checks: readonly EvidenceCheck[];
  /** Whether the quote is of a simulation, by its own word or by the root that it was verified with. */
  readonly simulated: boolean;
  /** What the evidence says, for reading: undefined where it could not be read, and worth nothing unless verified. */
  readonly keysetDigest: string | undefined;
  readonly keyset: Keyset | undefined;
  /** What bodies are sealed to, 32 bytes. */
  readonly sealingKey: Uint8Array | undefined;
  readonly measurements: Readonly<Record<Measurement, string>> | undefined;
  readonly startLog: readonly StartEvent[];
  readonly source: SourceProvenance | undefined;
  readonly claims: readonly Claim[];
  readonly tcbStatus: string | undefined;
  /** Milliseconds since 1970: when the keyset or the first piece of the evidence expires. */
  readonly expiresAtMs: number | undefined;
}

/** Verified where no check failed and all that are required passed. */
export function evidenceVerdict(checks: readonly EvidenceCheck[]): Verdict {
  if (checks.some(({ outcome }) => outcome === 'fail')) return 'not-verified';
  const isComplete = checks.length > 0 && checks.every(({ outcome, required }) => outcome === 'pass' || !required);
  return isComplete ? 'verified' : 'could-not-check';
}

/** The first failed check and its reason, or else the first that kept the verdict from being reached. */
export function whyNotVerified(checks: readonly EvidenceCheck[]): EvidenceCheck | undefined {
  return (
    checks.find(({ outcome }) => outcome === 'fail') ??
    checks.find(({ outcome, required }) => outcome === 'not-checked' && required)
  );
}

/** @throws {AttestationError} ERR_NOT_VERIFIED with the first reason, where the verdict is not `verified` */
export function requireVerified({ verdict, checks }: EvidenceVerification, server: string): void {
  if (verdict === 'verified') return;
  const why = whyNotVerified(checks);
  throw new AttestationError('ERR_NOT_VERIFIED', `${server} is not verified: ${why?.title}: ${why?.reason}`);
}
