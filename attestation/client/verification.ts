/** The inputs and the result of verifying evidence, and how checks become one verdict. Pure. */
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
  /** The report's exact text. */
  readonly report: string | Uint8Array;
  /** The nonce of the report request, 64 lowercase hexadecimal digits. Without one, freshness is not verified. */
  readonly nonce: string | undefined;
  /**
   * The server at the other end of the connection. `'none'` if there is no connection to check; `'invisible'` if the program, like a
   * web page, cannot read the connection's key, so that bodies must be sealed.
   */
  readonly observed: ObservedServer | 'none' | 'invisible';
  /** Replaces the collateral in the evidence. */
  readonly collateral?: Collateral | undefined;
}

export interface EvidenceTrust {
  /** Trusted roots for quotes, DER. Default: Intel's. Pass a simulation's root only to accept its quotes. */
  readonly roots?: readonly Uint8Array[] | undefined;
  /** Trusted roots for GPU reports and manifests, DER. Default: NVIDIA's. */
  readonly gpuRoots?: readonly Uint8Array[] | undefined;
  /** NVIDIA's manifests and OCSP responses for the GPUs. Without them, a GPU's firmware could not be checked. */
  readonly gpuReference?: GpuReference | undefined;
  /** The tenant's requirements. Without a policy, the verdict is at best `could-not-check`. */
  readonly policy: EvidencePolicy | undefined;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

export type EvidenceCheck = JudgedCheck;

export interface EvidenceVerification {
  readonly verdict: Verdict;
  /**
   * Whether the policy permits sending requests to this server: the verdict is `verified`, or only `measurements: 'any'` prevents
   * it.
   */
  readonly acceptable: boolean;
  readonly checks: readonly EvidenceCheck[];
  /** Whether the platform is simulated, by the server's statement or by the trusted root. */
  readonly simulated: boolean;
  /** This and the next members are contents of the evidence: undefined if malformed, and trustworthy only if verified. */
  readonly keysetDigest: string | undefined;
  readonly keyset: Keyset | undefined;
  /** The public key to seal bodies to, 32 bytes. */
  readonly sealingKey: Uint8Array | undefined;
  readonly measurements: Readonly<Record<Measurement, string>> | undefined;
  readonly platform: PlatformFacts | undefined;
  readonly startLog: readonly StartEvent[];
  readonly source: SourceProvenance | undefined;
  readonly claims: readonly Claim[];
  readonly tcbStatus: string | undefined;
  /** Milliseconds since 1970: when the keyset or the first part of the evidence expires. */
  readonly expiresAtMs: number | undefined;
}

/** The properties of a machine, apart from its measurements, that a policy can require, in the policy's format. */
export interface PlatformFacts {
  readonly tdAttributes: readonly OptionalAttribute[];
  readonly xfam: string;
  readonly teeTcbSvn: string;
  /** Undefined if the PCK certificate is malformed. */
  readonly fmspc: string | undefined;
  readonly platformIds: readonly string[];
}

/** The check that prevents the verdict `verified`: the first that failed, or else the first required one that did not run. */
export function blockingCheck(checks: readonly EvidenceCheck[]): EvidenceCheck | undefined {
  return (
    checks.find(({ outcome }) => outcome === 'fail') ??
    checks.find(({ outcome, required }) => outcome === 'not-checked' && required)
  );
}

/** @throws {AttestationError} ERR_NOT_VERIFIED with the reason of the blocking check, unless the server is acceptable */
export function requireVerified({ acceptable, checks }: EvidenceVerification, server: string): void {
  if (acceptable) return;
  const check = blockingCheck(checks);
  throw new AttestationError('ERR_NOT_VERIFIED', `${server} is not verified: ${check?.title}: ${check?.reason}`);
}

/** Adds a check to a verification and updates the verdict. */
export function withCheck(verification: EvidenceVerification, check: EvidenceCheck): EvidenceVerification {
  const checks = [...verification.checks, check];
  const isHarmless = check.outcome === 'pass' || (check.outcome === 'not-checked' && !check.required);
  return { ...verification, checks, verdict: verdictOf(checks), acceptable: verification.acceptable && isHarmless };
}
