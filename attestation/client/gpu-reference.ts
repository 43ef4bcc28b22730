/** Fetches what the GPUs and switches in evidence are compared with, where nobody brought it. For Node. */
import { nvidiaDeviceRootCa } from '../gpu/nvidia-roots.ts';
import { verifyDeviceEvidence } from '../gpu/verify-gpu.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import { fetchGpuReference, type GpuReferenceSource } from '../gpu-reference/fetch-gpu-reference.ts';
import { parseQuote } from '../quote/quote.ts';
import { parseCertificate } from '../x509/certificate.ts';
import type { Evidence } from './evidence.ts';

/**
 * NVIDIA's manifests for the first GPU and the first switch, which the others must fit too, and OCSP responses for all.
 * @param expected.gpuRoots DER; default: NVIDIA's
 * @returns undefined where there is no GPU, or a device that is not authentic: verifying says which and why
 * @throws {AttestationError} as `fetchGpuReference`
 */
export async function gpuReferenceFor(
  evidence: Evidence,
  { gpuRoots, nowMs }: { gpuRoots: readonly Uint8Array[] | undefined; nowMs: number },
  source: GpuReferenceSource = {},
): Promise<GpuReference | undefined> {
  const nonce = nonceOf(evidence);
  if (evidence.gpus.length === 0 || nonce === undefined) return undefined;
  const expected = { anchors: (gpuRoots ?? [nvidiaDeviceRootCa]).map(parseCertificate), nonce, nowMs };
  const devices = await verifyDeviceEvidence(evidence, expected);
  const isAuthentic = [...devices.gpus, ...devices.switches].every(({ authentic }) => authentic);
  return isAuthentic ? fetchGpuReference(devices, source) : undefined;
}

function nonceOf({ quote }: Evidence): Uint8Array | undefined {
  try {
    return parseQuote(quote).body.reportData.subarray(0, 32);
  } catch {
    return undefined;
  }
}
