/** The GPUs that this machine has, through NVIDIA's libraries. */
import { collectDeviceEvidence, readGpuFacts } from '../../attestation/guest/gpu-evidence.ts';
import { setGpusReady } from '../../attestation/guest/gpu-ready.ts';
import type { Config } from '../config.ts';
import type { GpuSystem } from './gpu-admission.ts';

export function nvidiaSystem({ gpuReference }: Pick<Config, 'gpuReference'>): GpuSystem {
  return {
    readFacts: () => readGpuFacts(),
    collectEvidence: (nonce) => collectDeviceEvidence(nonce),
    // Loaded only where there are GPUs.
    async findReference(devices) {
      const { findGpuReference } = await import('./gpu-reference.ts');
      return findGpuReference(devices, gpuReference);
    },
    setReady: () => setGpusReady(),
  };
}
