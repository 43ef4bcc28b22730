/** A simulated server with a GPU in confidential mode, whose report contains the report data of the quote. */
import { gpuIdentityOf } from '../../../attestation/gpu/device-identity.ts';
import { verifyGpuEvidence } from '../../../attestation/gpu/verify-gpu.ts';
import { createSimulatedPlatform } from '../../../attestation/simulate/platform.ts';
import { type AttestedServerOptions, startLogWith } from './attested-server.ts';
import { buildGpuEvidence, type GpuChange, gpuNonce, gpuNowMs, newGpuKeys } from './gpu-evidence.ts';
import { newestFields } from './gpu-reference.ts';

/** The start log's entry for a GPU without a verifiable identity. */
export const confidentialGpu = { gpus: [{}], confidentialCompute: true, developerTools: false };

/** Keys of the only GPU of these servers. */
export const serverGpuKeys = newGpuKeys();

/** The measurement of the GPU in such a server's start log. */
export async function measuredGpu(change: GpuChange = {}): Promise<object> {
  const report = { fields: newestFields, ...change.report };
  const { root, ...evidence } = buildGpuEvidence({ of: serverGpuKeys, ...change, report });
  const verified = await verifyGpuEvidence(evidence, { anchors: [root], nonce: gpuNonce, nowMs: gpuNowMs });
  const identity = await gpuIdentityOf({ report: verified.report!, chain: verified.chain! });
  return { uuid: 'GPU-0', name: 'Test GPU', ...identity };
}

export interface GpuServerOptions {
  /** Changes the measurement made at the start. */
  readonly state?: object;
  /** Nonce that the GPU signs instead of the report data. */
  readonly foreignNonce?: () => Uint8Array | undefined;
  /** How often the evidence contains the GPU. Default: once. */
  readonly copies?: number;
  /** Changes the evidence, not the measurement. */
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
