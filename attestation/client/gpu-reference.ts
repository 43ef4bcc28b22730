/** Fetches the reference values for the GPUs and switches in evidence, if the caller has none. For Node. */
import type { DeviceVerifications } from '../gpu/verify-gpu.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import { fetchGpuReference, type GpuReferenceSource } from '../gpu-reference/fetch-gpu-reference.ts';

/**
 * Fetches NVIDIA's manifests for the first GPU and the first switch, which all others must match, and OCSP responses for all.
 * @param devices from `authenticateDevices`
 * @returns undefined if the evidence has no GPU, or a device is not authentic: the verification reports which and why
 * @throws {AttestationError} as `fetchGpuReference`
 */
export async function gpuReferenceFor(
  devices: DeviceVerifications | undefined,
  source: GpuReferenceSource = {},
): Promise<GpuReference | undefined> {
  if (devices === undefined || devices.gpus.length === 0) return undefined;
  const isAuthentic = [...devices.gpus, ...devices.switches].every(({ authentic }) => authentic);
  return isAuthentic ? fetchGpuReference(devices, source) : undefined;
}
