/**
 * Whether a GPU report is authentic: signed by an NVIDIA GPU that a trusted root vouches for, over our nonce. Pure.
 * It does not judge what was measured, whether NVIDIA revoked a certificate, or in which mode the GPU is: that is for
 * `verify-reference.ts`.
 */
import { sameBytes, toHex } from '../bytes.ts';
import { type Check, CheckList, refuse } from '../verify/checks.ts';
import { type Certificate, parseCertificate } from '../x509/certificate.ts';
import { requireValidAt, verifyChain } from '../x509/chain.ts';
import { isSignatureValid } from '../x509/ecdsa.ts';
import { parsePemChain } from '../x509/pem.ts';
import { firmwareIdsOf } from './dice-firmware.ts';
import { GPU_CHECKS, type GpuCheckId } from './gpu-check-table.ts';
import { GPU_FIELD, type GpuReport, gpuNonceBytes, parseGpuReport } from './gpu-report.ts';

export interface GpuEvidence {
  /** Request and response, as NVML hands them out. */
  readonly report: Uint8Array;
  /** PEM text, leaf first; the root may be missing. */
  readonly chainPem: Uint8Array | string;
}

export interface GpuExpectations {
  /** Certificates trusted as they are: NVIDIA's device identity root. */
  readonly anchors: readonly Certificate[];
  /** 32 bytes that the report must carry. */
  readonly nonce: Uint8Array;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

export interface GpuVerification {
  /** True only where every check passed. */
  readonly authentic: boolean;
  readonly checks: readonly Check<GpuCheckId>[];
  /** What the report says, for reading: undefined where it does not parse, and worth nothing unless `authentic`. */
  readonly report: GpuReport | undefined;
  /** Leaf first, the anchor last; undefined where it leads to none. */
  readonly chain: readonly Certificate[] | undefined;
}

/**
 * Runs every check and says how each came out; never throws for what the evidence holds.
 * @throws {TypeError} where an expectation is none: a nonce that has not 32 bytes, a time that is no number
 */
export async function verifyGpuEvidence(
  evidence: GpuEvidence,
  { anchors, nonce, nowMs }: GpuExpectations,
): Promise<GpuVerification> {
  if (nonce.length !== gpuNonceBytes) throw new TypeError(`nonce must have 32 bytes, got ${nonce.length}`);
  if (!Number.isFinite(nowMs)) throw new TypeError(`nowMs must be a time in milliseconds, got ${nowMs}`);
  const checks = new CheckList(GPU_CHECKS);
  const report = await checks.run('gpu-report-format', [], () => parseGpuReport(evidence.report));
  const certificates = await checks.run('gpu-certificates', [], () =>
    parsePemChain(evidence.chainPem, 'GPU certificate chain').map(parseCertificate),
  );
  const chain = await checks.run('gpu-chain', [certificates], (list) => verifyChain(list, anchors));
  await checks.run('gpu-chain-dates', [chain], (verified) => requireValidAt(verified.certificates, nowMs));
  await checks.run('gpu-report-signature', [report, chain], async ({ signature, signedBytes }, { leafKey }) => {
    if (!(await isSignatureValid(leafKey, signature, signedBytes))) refuse('the signature is wrong');
  });
  await checks.run('gpu-nonce', [report], ({ requestNonce }) => {
    if (!sameBytes(requestNonce, nonce)) refuse(`the nonce is ${toHex(requestNonce)}, expected ${toHex(nonce)}`);
  });
  await checks.run('gpu-firmware', [report, chain], (parsed, verified) =>
    requireSameFirmware(parsed, verified.certificates[0]!),
  );
  const all = checks.all();
  return {
    authentic: all.every((check) => check.outcome === 'pass'),
    checks: all,
    report: report.value,
    chain: chain.value?.certificates,
  };
}

/** Drivers before 550 report no firmware: then the certificate alone says which it is. */
function requireSameFirmware(report: GpuReport, leaf: Certificate): string {
  const certified = firmwareIdsOf(leaf);
  if (certified.length === 0) return refuse(`"${leaf.commonName}" names no firmware`);
  const reported = report.fields.get(GPU_FIELD.firmwareId);
  if (reported === undefined) return 'the certificate names the firmware, the report does not';
  if (!certified.some((one) => sameBytes(one, reported))) {
    refuse(`the report names firmware ${toHex(reported)}, the certificate ${certified.map(toHex).join(', ')}`);
  }
  return 'both name the same';
}
