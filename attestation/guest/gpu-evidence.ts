/** What NVIDIA's library tells of the GPUs, and the gate: confidential mode on, developer tools off, or nothing. */

import { type GpuState, nvmlLibrary, readGpuEvidence, readGpuState } from '../../native/guest.ts';
import { AttestationError } from '../errors.ts';
import type { GpuEvidence } from '../gpu/verify-gpu.ts';

/** The GPUs of this machine and their state, as measured at start. */
export interface GpuFacts {
  readonly driverVersion: string;
  readonly environment: 'unavailable' | 'simulation' | 'production' | `unknown ${number}`;
  readonly confidentialCompute: boolean;
  readonly developerTools: boolean;
  readonly multiGpu: 'none' | 'protected-pcie' | 'nvlink-encryption' | 'unknown' | `unknown ${number}`;
  readonly gpus: readonly { readonly uuid: string; readonly name: string; readonly vbiosVersion: string }[];
}

export const gpuEvidenceWaitingMax = 64;

const ENVIRONMENTS = ['unavailable', 'simulation', 'production'] as const;
const MULTI_GPU = ['none', 'protected-pcie', 'nvlink-encryption'] as const;

/** @throws {AttestationError} ERR_NVML_MISSING, ERR_NVML_FAILED */
export async function readGpuFacts(library: string = nvmlLibrary): Promise<GpuFacts> {
  const state: GpuState = await readGpuState(library).catch((error) => {
    throw nvmlError(error);
  });
  return {
    driverVersion: state.driverVersion,
    environment: ENVIRONMENTS[state.environment] ?? `unknown ${state.environment}`,
    confidentialCompute: state.ccFeature === 1,
    // Whatever is not off is on.
    developerTools: state.devToolsMode !== 0,
    multiGpu:
      state.multiGpuMode === undefined ? 'unknown' : (MULTI_GPU[state.multiGpuMode] ?? `unknown ${state.multiGpuMode}`),
    gpus: state.gpus.map(({ uuid, name, vbiosVersion }) => ({ uuid, name, vbiosVersion })),
  };
}

/** Passes where prompts may be given to these GPUs. @throws {AttestationError} ERR_GPU_NOT_CONFIDENTIAL */
export function requireConfidentialGpus(facts: GpuFacts): void {
  const refuse = (reason: string): never => {
    throw new AttestationError('ERR_GPU_NOT_CONFIDENTIAL', reason);
  };
  if (facts.gpus.length === 0) refuse('the driver finds no GPU');
  if (!facts.confidentialCompute) refuse('confidential computing is off on the GPU');
  if (facts.environment !== 'production')
    refuse(`the GPU's confidential mode is for ${facts.environment}, not production`);
  if (facts.developerTools) refuse('developer tools are on: they may look into the GPU');
}

/**
 * A report of each GPU over `nonce`, with its certificates, as `verifyGpuEvidence` takes them.
 * @param nonce 32 bytes: the first half of the quote's report data ties both together
 * @throws {AttestationError} ERR_NVML_MISSING, ERR_NVML_FAILED, ERR_GPU_NOT_CONFIDENTIAL
 */
export async function collectGpuEvidence(
  nonce: Uint8Array,
  library: string = nvmlLibrary,
): Promise<readonly GpuEvidence[]> {
  const facts = await readGpuFacts(library);
  requireConfidentialGpus(facts);
  const evidence: GpuEvidence[] = [];
  // One after another: the driver answers one at a time anyway.
  for (const index of facts.gpus.keys()) {
    const { report, certificateChain } = await readGpuEvidence(index, nonce, library).catch((error) => {
      throw nvmlError(error);
    });
    evidence.push({ report, chainPem: certificateChain });
  }
  return evidence;
}

/** Asks for evidence one request after another: the driver answers so anyway, and waiting threads are few. */
export class GpuEvidenceLine {
  readonly #library: string;
  #waiting = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(library: string = nvmlLibrary) {
    this.#library = library;
  }

  /** As `collectGpuEvidence`. @throws {AttestationError} also ERR_QUOTE_BUSY where too many wait, ERR_ABORTED */
  collect(nonce: Uint8Array, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<readonly GpuEvidence[]> {
    if (this.#waiting >= gpuEvidenceWaitingMax) {
      const message = `${gpuEvidenceWaitingMax} requests wait for GPU evidence already`;
      return Promise.reject(new AttestationError('ERR_QUOTE_BUSY', message));
    }
    this.#waiting++;
    const done = this.#tail
      .then(() => {
        if (signal?.aborted) throw new AttestationError('ERR_ABORTED', 'the caller does not wait for it any more');
        return collectGpuEvidence(nonce, this.#library);
      })
      .finally(() => {
        this.#waiting--;
      });
    this.#tail = done.catch(() => undefined);
    return done;
  }
}

function nvmlError(error: unknown): unknown {
  const { code, message } = Object(error) as { code?: unknown; message?: string };
  if (code !== 'ERR_NVML_MISSING' && code !== 'ERR_NVML_FAILED') return error;
  return new AttestationError(code, String(message), { cause: error });
}
