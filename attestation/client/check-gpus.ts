/** The checks of the GPUs in evidence: each authentic, for this very report, and as NVIDIA published. Pure. */
import { toHex } from '../bytes.ts';
import { nvidiaDeviceRootCa, nvidiaManifestRootCa } from '../gpu/nvidia-roots.ts';
import { type GpuEvidence, verifyGpuEvidence } from '../gpu/verify-gpu.ts';
import { verifyGpuReference } from '../gpu/verify-reference.ts';
import { checkVersionFloors } from '../gpu/version-floor.ts';
import { type Check, refuse } from '../verify/checks.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { parsePemChain } from '../x509/pem.ts';
import type { EvidenceCheck, EvidenceTrust } from './verification.ts';

/** @param nonce the first half of the quote's report data, so that GPU and quote were made for the same request */
export async function checkGpus(
  gpus: readonly GpuEvidence[],
  nonce: Uint8Array,
  trust: EvidenceTrust,
): Promise<EvidenceCheck[]> {
  const all = await Promise.all(gpus.map((gpu) => checkGpu(gpu, nonce, trust)));
  if (all.length === 1) return all[0]!;
  return all.flatMap((checks, index) =>
    checks.map((check) => ({
      ...check,
      id: `${check.id}-${index + 1}`,
      title: `GPU ${index + 1}: ${check.title}`,
    })),
  );
}

/**
 * That each piece of evidence is of another GPU: a good one that answers twice must not cover for one that cannot.
 * @throws {AttestationError} ERR_NOT_VERIFIED · ERR_CERTIFICATE_MALFORMED where a chain cannot be read
 */
export function requireDistinctGpus(gpus: readonly GpuEvidence[]): void {
  // Keys, not certificates: an ECDSA signature has a second form that holds as well.
  const keys = gpus.map(({ chainPem }) => toHex(parseCertificate(parsePemChain(chainPem, 'chain')[0]!).publicPoint));
  const again = keys.findIndex((key, index) => keys.indexOf(key) !== index);
  if (again >= 0) refuse(`GPU ${again + 1} is the same as GPU ${keys.indexOf(keys[again]!) + 1}`);
}

async function checkGpu(gpu: GpuEvidence, nonce: Uint8Array, trust: EvidenceTrust): Promise<EvidenceCheck[]> {
  const { policy, gpuRoots, gpuReference = {}, nowMs } = trust;
  const anchors = (gpuRoots ?? [nvidiaDeviceRootCa]).map(parseCertificate);
  const rimAnchors = (gpuRoots ?? [nvidiaManifestRootCa]).map(parseCertificate);
  const verified = await verifyGpuEvidence(gpu, { anchors, nonce, nowMs });
  const isWaived = policy?.gpuMeasurements === 'any';
  const modes = policy?.gpuModes ?? (isWaived ? 'any' : undefined);
  const expectations = { rimAnchors, nowMs, ...(modes === undefined ? {} : { modes }) };
  const { checks } = await verifyGpuReference(verified, gpuReference, expectations);
  const report = verified.authentic ? { id: 'gpu', value: verified.report! } : { id: 'gpu' };
  const floors = await checkVersionFloors(report, { driver: policy?.gpuDriverMin, vbios: policy?.gpuVbiosMin });
  return [
    ...[...verified.checks, ...floors].map((check: Check) => ({ ...check, required: true })),
    ...checks.map((check: Check) => ({ ...check, required: !isWaived })),
  ];
}
