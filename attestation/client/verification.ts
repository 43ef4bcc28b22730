/** What verifying evidence takes and gives, and how its checks become one verdict. Pure. */
import type { Keyset } from '../aci/keyset.ts';
import type { SourceProvenance } from '../aci/report.ts';
import { AttestationError } from '../base/errors.ts';
import type { Collateral } from '../collateral/collateral.ts';
import type { StartEvent } from '../eventlog/start-log.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import type { EvidencePolicy } from '../policy/evidence-policy.ts';
import type { JudgedCheck, Measurement, OptionalAttribute } from '../policy/policy.ts';
import { type Verdict, verdictOf } from '../verify/checks.ts';
import type { ObservedServer } from './channel.ts';
import type { Claim } from './evidence.ts';

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

export type EvidenceCheck = JudgedCheck;

export interface EvidenceVerification {
  readonly verdict: Verdict;
  /**
   * Whether the policy lets its author use this server: verified, or short of it only because `measurements` is `'any'`, which
   * says that any software will do.
   */
  readonly acceptable: boolean;
  readonly checks: readonly EvidenceCheck[];
  /** Whether the quote is of a simulation, by its own word or by the root that it was verified with. */
  readonly simulated: boolean;
  /** What the evidence says, for reading: undefined where it could not be read, and worth nothing unless verified. */
  readonly keysetDigest: string | undefined;
  readonly keyset: Keyset | undefined;
  /** What bodies are sealed to, 32 bytes. */
  readonly sealingKey: Uint8Array | undefined;
  readonly measurements: Readonly<Record<Measurement, string>> | undefined;
  readonly platform: PlatformFacts | undefined;
  readonly startLog: readonly StartEvent[];
  readonly source: SourceProvenance | undefined;
  readonly claims: readonly Claim[];
  readonly tcbStatus: string | undefined;
  /** Milliseconds since 1970: when the keyset or the first piece of the evidence expires. */
  readonly expiresAtMs: number | undefined;
}

/** What policies can name of a machine besides its measurements, in the form that policies have. */
export interface PlatformFacts {
  readonly tdAttributes: readonly OptionalAttribute[];
  readonly xfam: string;
  readonly teeTcbSvn: string;
  /** Undefined where the PCK certificate cannot be read. */
  readonly fmspc: string | undefined;
  readonly platformIds: readonly string[];
}

/** The first failed check and its reason, or else the first that kept the verdict from being reached. */
export function whyNotVerified(checks: readonly EvidenceCheck[]): EvidenceCheck | undefined {
  return (
    checks.find(({ outcome }) => outcome === 'fail') ??
    checks.find(({ outcome, required }) => outcome === 'not-checked' && required)
  );
}

/** @throws {AttestationError} ERR_NOT_VERIFIED with the first reason, where the server is not acceptable */
export function requireVerified({ acceptable, checks }: EvidenceVerification, server: string): void {
  if (acceptable) return;
  const why = whyNotVerified(checks);
  throw new AttestationError('ERR_NOT_VERIFIED', `${server} is not verified: ${why?.title}: ${why?.reason}`);
}

/** The same verification with one more check. */
export function withCheck(verification: EvidenceVerification, check: EvidenceCheck): EvidenceVerification {
  const checks = [...verification.checks, check];
  const isHarmless = check.outcome === 'pass' || (check.outcome === 'not-checked' && !check.required);
  return { ...verification, checks, verdict: verdictOf(checks), acceptable: verification.acceptable && isHarmless };
}
