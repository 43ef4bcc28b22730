/** What NVIDIA's libraries tell of the GPUs and the switches between them, and what they must say before one is used. */
import {
  type GpuState,
  nscqLibrary,
  nvmlLibrary,
  readGpuEvidence,
  readGpuState,
  readSwitchEvidence,
} from '@cloister/native/guest';
import { AttestationError } from '../base/errors.ts';
import type { GpuEvidence } from '../gpu/verify-gpu.ts';

/** The GPUs of this machine and their state, as their driver tells it. */
export interface GpuFacts {
  readonly driverVersion: string;
  readonly environment: 'unavailable' | 'simulation' | 'production' | `unknown ${number}`;
  readonly confidentialCompute: boolean;
  readonly developerTools: boolean;
  readonly multiGpu: 'none' | 'protected-pcie' | 'nvlink-encryption' | 'unknown' | `unknown ${number}`;
  readonly gpus: readonly { readonly uuid: string; readonly name: string; readonly vbiosVersion: string }[];
}

/** Evidence of every GPU, in the driver's order, and of every switch where they make up a node in protected PCIe mode. */
export interface DeviceEvidence {
  readonly gpus: readonly GpuEvidence[];
  readonly switches: readonly (GpuEvidence & { readonly uuid: string })[];
}

/** Paths, or names on the loader's path. */
export interface NvidiaLibraries {
  readonly nvml?: string;
  readonly nscq?: string;
}

export const gpuEvidenceWaitingMax = 64;

const environments = ['unavailable', 'simulation', 'production'] as const;
const multiGpu = ['none', 'protected-pcie', 'nvlink-encryption'] as const;

/** @throws {AttestationError} ERR_NVML_MISSING, ERR_NVML_FAILED */
export async function readGpuFacts(library: string = nvmlLibrary): Promise<GpuFacts> {
  const state: GpuState = await readGpuState(library).catch((error) => {
    throw nvmlError(error);
  });
  return {
    driverVersion: state.driverVersion,
    environment: environments[state.environment] ?? `unknown ${state.environment}`,
    confidentialCompute: state.ccFeature === 1,
    // Whatever is not off is on.
    developerTools: state.devToolsMode !== 0,
    multiGpu:
      state.multiGpuMode === undefined ? 'unknown' : (multiGpu[state.multiGpuMode] ?? `unknown ${state.multiGpuMode}`),
    gpus: state.gpus.map(({ uuid, name, vbiosVersion }) => ({ uuid, name, vbiosVersion })),
  };
}

/** Passes where prompts may be given to these GPUs. @throws {AttestationError} ERR_GPU_NOT_CONFIDENTIAL */
export function requireConfidentialGpus(facts: GpuFacts): void {
  const refuse = (reason: string): never => {
    throw new AttestationError('ERR_GPU_NOT_CONFIDENTIAL', reason);
  };
  if (facts.gpus.length === 0) refuse('the driver finds no GPU');
  // Protected PCIe is a mode of its own beside the one that the driver calls confidential computing.
  if (facts.multiGpu !== 'protected-pcie') {
    if (!facts.confidentialCompute) refuse('confidential computing is off on the GPU');
    if (facts.environment !== 'production')
      refuse(`the GPU's confidential mode is for ${facts.environment}, not production`);
  }
  if (facts.developerTools) refuse('developer tools are on: they may look into the GPU');
}

/**
 * A report of each device over `nonce`, with its certificates, as `verifyGpuEvidence` and `verifySwitchEvidence` take them.
 * @param nonce 32 bytes: the first half of the quote's report data ties both together
 * @throws {AttestationError} ERR_NVML_MISSING, ERR_NVML_FAILED, ERR_NSCQ_MISSING, ERR_NSCQ_FAILED, ERR_GPU_NOT_CONFIDENTIAL
 */
export async function collectDeviceEvidence(
  nonce: Uint8Array,
  { nvml = nvmlLibrary, nscq = nscqLibrary }: NvidiaLibraries = {},
): Promise<DeviceEvidence> {
  const facts = await readGpuFacts(nvml);
  requireConfidentialGpus(facts);
  const gpus: GpuEvidence[] = [];
  // One after another: the driver answers one at a time anyway.
  for (const index of facts.gpus.keys()) {
    const { report, certificateChain } = await readGpuEvidence(index, nonce, nvml).catch((error) => {
      throw nvmlError(error);
    });
    gpus.push({ report, chainPem: certificateChain });
  }
  if (facts.multiGpu !== 'protected-pcie') return { gpus, switches: [] };
  const read = await readSwitchEvidence(nonce, nscq).catch((error) => {
    throw nvmlError(error);
  });
  return {
    gpus,
    switches: read.map(({ uuid, report, certificateChain }) => ({ uuid, report, chainPem: certificateChain })),
  };
}

/** Asks for evidence one request after another: the driver answers so anyway, and waiting threads are few. */
export class DeviceEvidenceLine {
  readonly #libraries: NvidiaLibraries;
  #waiting = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(libraries: NvidiaLibraries = {}) {
    this.#libraries = libraries;
  }

  /** As `collectDeviceEvidence`. @throws {AttestationError} also ERR_QUOTE_BUSY where too many wait, ERR_ABORTED */
  collect(nonce: Uint8Array, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<DeviceEvidence> {
    if (this.#waiting >= gpuEvidenceWaitingMax) {
      const message = `${gpuEvidenceWaitingMax} requests wait for GPU evidence already`;
      return Promise.reject(new AttestationError('ERR_QUOTE_BUSY', message));
    }
    this.#waiting++;
    const done = this.#tail
      .then(() => {
        if (signal?.aborted) throw new AttestationError('ERR_ABORTED', 'the caller does not wait for it any more');
        return collectDeviceEvidence(nonce, this.#libraries);
      })
      .finally(() => {
        this.#waiting--;
      });
    this.#tail = done.catch(() => undefined);
    return done;
  }
}

/** Errors of NVIDIA's libraries as ours. */
export function nvmlError(error: unknown): unknown {
  const { code, message } = Object(error) as { code?: unknown; message?: string };
  const known = (['ERR_NVML_MISSING', 'ERR_NVML_FAILED', 'ERR_NSCQ_MISSING', 'ERR_NSCQ_FAILED'] as const).find(
    (one) => one === code,
  );
  return known === undefined ? error : new AttestationError(known, String(message), { cause: error });
}
