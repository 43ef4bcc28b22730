/** A simulated server with a GPU in confidential mode, which answers what the quote is made over. */
import { createSimulatedPlatform } from '../../attestation/simulate/platform.ts';
import { type AttestedServerOptions, startLogWith } from './attested-server.ts';
import { buildGpuEvidence, gpuNowMs } from './gpu-evidence.ts';

export const confidentialGpu = { gpus: [{}], confidentialCompute: true, developerTools: false };

export interface GpuServerOptions {
  /** What was measured of the GPU at the start. */
  readonly state?: object;
  /** What the GPU answers instead of the report data. */
  readonly foreignNonce?: () => Uint8Array | undefined;
  /** How often the one GPU is shown. Default: once. */
  readonly copies?: number;
  /** Called with the root of each evidence, which is another every time. */
  readonly onRoot: (root: Uint8Array) => void;
}

export async function gpuServerOptions({
  state = confidentialGpu,
  foreignNonce = () => undefined,
  copies = 1,
  onRoot,
}: GpuServerOptions): Promise<AttestedServerOptions> {
  return {
    platform: await createSimulatedPlatform(gpuNowMs),
    keyset: { notAfter: gpuNowMs / 1000 + 3600 },
    startLog: startLogWith('gpu', state),
    evidence: (all, reportData) => {
      const gpu = buildGpuEvidence({ report: { nonce: foreignNonce() ?? reportData.subarray(0, 32) } });
      onRoot(gpu.authorities.root);
      const report = Buffer.from(gpu.report).toString('base64');
      return { ...all, gpu: Array.from({ length: copies }, () => ({ report, certificate_chain: gpu.chainPem })) };
    },
  };
}
