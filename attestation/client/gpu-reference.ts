/** Fetches what the GPUs in evidence are compared with, where nobody brought it. For Node. */
import { toHex } from '../bytes.ts';
import { fetchGpuReference, type GpuReferenceSource } from '../fetch-gpu-reference.ts';
import { nvidiaDeviceRootCa } from '../gpu/nvidia-roots.ts';
import { type GpuVerification, verifyGpuEvidence } from '../gpu/verify-gpu.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import { parseQuote } from '../quote/quote.ts';
import { parseCertificate } from '../x509/certificate.ts';
import type { Evidence } from './evidence.ts';

/**
 * NVIDIA's manifests for the first GPU, which the others must fit too, and OCSP responses for all.
 * @param expected.gpuRoots DER; default: NVIDIA's
 * @returns undefined where there is no GPU, or one that is not authentic: verifying says which and why
 * @throws {AttestationError} as `fetchGpuReference`
 */
export async function gpuReferenceFor(
  evidence: Evidence,
  expected: { gpuRoots: readonly Uint8Array[] | undefined; nowMs: number },
  source: GpuReferenceSource = {},
): Promise<GpuReference | undefined> {
  const gpus = await authenticGpus(evidence, expected);
  if (gpus.length === 0) return undefined;
  const references = await Promise.all(gpus.map((gpu) => fetchGpuReference(gpu, source)));
  const responses = references.flatMap(({ ocspResponses }) => ocspResponses ?? []);
  const distinct = new Map(responses.map((response) => [toHex(response), response]));
  return { ...references[0]!, ocspResponses: [...distinct.values()] };
}

async function authenticGpus(
  { quote, gpus }: Evidence,
  { gpuRoots, nowMs }: { gpuRoots: readonly Uint8Array[] | undefined; nowMs: number },
): Promise<readonly GpuVerification[]> {
  if (gpus.length === 0) return [];
  let nonce: Uint8Array;
  try {
    nonce = parseQuote(quote).body.reportData.subarray(0, 32);
  } catch {
    return [];
  }
  const anchors = (gpuRoots ?? [nvidiaDeviceRootCa]).map(parseCertificate);
  const verified = await Promise.all(gpus.map((gpu) => verifyGpuEvidence(gpu, { anchors, nonce, nowMs })));
  return verified.every(({ authentic }) => authentic) ? verified : [];
}
