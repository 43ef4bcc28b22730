/** The GPUs of this machine, through NVIDIA's libraries. */
import { collectDeviceEvidence, readGpuFacts } from '@cloister/attestation/guest/gpu-evidence';
import { setGpusReady } from '@cloister/attestation/guest/gpu-ready';
import type { GpuSystem } from '../enclave/gpu-admission.ts';
import type { Config } from '../program/config.ts';

export function nvidiaSystem({ gpuReference }: Pick<Config, 'gpuReference'>): GpuSystem {
  return {
    readFacts: () => readGpuFacts(),
    collectEvidence: (nonce) => collectDeviceEvidence(nonce),
    // Loaded only if there are GPUs.
    async findReference(devices) {
      const { findGpuReference } = await import('../enclave/gpu-reference.ts');
      return findGpuReference(devices, gpuReference);
    },
    setReady: () => setGpusReady(),
  };
}
