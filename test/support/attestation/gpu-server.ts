/** A simulated server with a GPU in confidential mode, which answers what the quote is made over. */
import { gpuIdentityOf } from '../../../attestation/gpu/device-identity.ts';
import { verifyGpuEvidence } from '../../../attestation/gpu/verify-gpu.ts';
import { createSimulatedPlatform } from '../../../attestation/simulate/platform.ts';
import { type AttestedServerOptions, startLogWith } from './attested-server.ts';
import { buildGpuEvidence, type GpuChange, gpuNonce, gpuNowMs, newGpuKeys } from './gpu-evidence.ts';
import { newestFields } from './gpu-reference.ts';

/** Measured of a GPU that nobody can know. */
export const confidentialGpu = { gpus: [{}], confidentialCompute: true, developerTools: false };

/** Of the one GPU that these servers have. */
export const serverGpuKeys = newGpuKeys();

/** What such a server measures of its GPU. */
export async function measuredGpu(change: GpuChange = {}): Promise<object> {
  const report = { fields: newestFields, ...change.report };
  const { root, ...evidence } = buildGpuEvidence({ of: serverGpuKeys, ...change, report });
  const verified = await verifyGpuEvidence(evidence, { anchors: [root], nonce: gpuNonce, nowMs: gpuNowMs });
  const identity = await gpuIdentityOf({ report: verified.report!, chain: verified.chain! });
  return { uuid: 'GPU-0', name: 'Test GPU', ...identity };
}

export interface GpuServerOptions {
  /** Changes what was measured at the start. */
  readonly state?: object;
  /** What the GPU answers instead of the report data. */
  readonly foreignNonce?: () => Uint8Array | undefined;
  /** How often the one GPU is shown. Default: once. */
  readonly copies?: number;
  /** Changes what is shown, not what was measured. */
  readonly shown?: GpuChange;
  /** Called with the root of each evidence. */
  readonly onRoot: (root: Uint8Array) => void;
}

export async function gpuServerOptions({
  state = {},
  foreignNonce = () => undefined,
  copies = 1,
  shown = {},
  onRoot,
}: GpuServerOptions): Promise<AttestedServerOptions> {
  return {
    platform: await createSimulatedPlatform(gpuNowMs),
    keyset: { notAfter: gpuNowMs / 1000 + 3600 },
    startLog: startLogWith('gpu', { ...confidentialGpu, gpus: [await measuredGpu()], ...state }),
    evidence: (all, reportData) => {
      const nonce = foreignNonce() ?? reportData.subarray(0, 32);
      const report = { fields: newestFields, ...shown.report, nonce };
      const gpu = buildGpuEvidence({ of: serverGpuKeys, ...shown, report });
      onRoot(gpu.authorities.root);
      const bytes = Buffer.from(gpu.report).toString('base64');
      return {
        ...all,
        gpu: Array.from({ length: copies }, () => ({ report: bytes, certificate_chain: gpu.chainPem })),
      };
    },
  };
}
