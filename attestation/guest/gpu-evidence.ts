/** Reads GPU and switch evidence from NVIDIA's libraries, and requires confidential mode before a GPU is used. */
import {
  type GpuLoad,
  type GpuState,
  nscqLibrary,
  nvmlLibrary,
  readGpuEvidence,
  readGpuState,
  readGpuLoads as readLoads,
  readSwitchEvidence,
} from '@cloister/native/guest';
import { AttestationError } from '../base/errors.ts';
import type { GpuEvidence } from '../gpu/verify-gpu.ts';

/** The GPUs of this machine and their state, from the driver. */
export interface GpuFacts {
  readonly driverVersion: string;
  readonly environment: 'unavailable' | 'simulation' | 'production' | `unknown ${number}`;
  readonly confidentialCompute: boolean;
  readonly developerTools: boolean;
  readonly multiGpu: 'none' | 'protected-pcie' | 'nvlink-encryption' | 'unknown' | `unknown ${number}`;
  readonly gpus: readonly { readonly uuid: string; readonly name: string; readonly vbiosVersion: string }[];
}

/** Evidence of every GPU, in the driver's order, and of every switch in protected PCIe mode. */
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
    // Any value other than off counts as on.
    developerTools: state.devToolsMode !== 0,
    multiGpu:
      state.multiGpuMode === undefined ? 'unknown' : (multiGpu[state.multiGpuMode] ?? `unknown ${state.multiGpuMode}`),
    gpus: state.gpus.map(({ uuid, name, vbiosVersion }) => ({ uuid, name, vbiosVersion })),
  };
}

/** Reads the load of every GPU, in the driver's order. @throws {AttestationError} ERR_NVML_MISSING, ERR_NVML_FAILED */
export async function readGpuLoads(library: string = nvmlLibrary): Promise<readonly GpuLoad[]> {
  return await readLoads(library).catch((error) => {
    throw nvmlError(error);
  });
}

/** Requires that these GPUs may process prompts. @throws {AttestationError} ERR_GPU_NOT_CONFIDENTIAL */
export function requireConfidentialGpus(facts: GpuFacts): void {
  const refuse = (reason: string): never => {
    throw new AttestationError('ERR_GPU_NOT_CONFIDENTIAL', reason);
  };
  if (facts.gpus.length === 0) refuse('the driver finds no GPU');
  // The driver reports confidential computing as off in protected PCIe mode, which is a separate mode.
  if (facts.multiGpu !== 'protected-pcie') {
    if (!facts.confidentialCompute) refuse('confidential computing is off on the GPU');
    if (facts.environment !== 'production')
      refuse(`the GPU's confidential mode is for ${facts.environment}, not production`);
  }
  if (facts.developerTools) refuse('developer tools are on: they can read GPU memory');
}

/**
 * Collects a report of each device over `nonce`, with its certificates, for `verifyGpuEvidence` and `verifySwitchEvidence`.
 * @param nonce 32 bytes: the first half of the quote's report data, which binds the devices to the quote
 * @throws {AttestationError} ERR_NVML_MISSING, ERR_NVML_FAILED, ERR_NSCQ_MISSING, ERR_NSCQ_FAILED, ERR_GPU_NOT_CONFIDENTIAL
 */
export async function collectDeviceEvidence(
  nonce: Uint8Array,
  { nvml = nvmlLibrary, nscq = nscqLibrary }: NvidiaLibraries = {},
): Promise<DeviceEvidence> {
  const facts = await readGpuFacts(nvml);
  requireConfidentialGpus(facts);
  const gpus: GpuEvidence[] = [];
  // Sequential: the driver handles one request at a time.
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

/** Serializes the requests for evidence, because the driver handles one at a time, and bounds the queue. */
export class DeviceEvidenceLine {
  readonly #libraries: NvidiaLibraries;
  #waiting = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(libraries: NvidiaLibraries = {}) {
    this.#libraries = libraries;
  }

  /** Like `collectDeviceEvidence`. @throws {AttestationError} also ERR_QUOTE_BUSY if the queue is full, ERR_ABORTED */
  collect(nonce: Uint8Array, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<DeviceEvidence> {
    if (this.#waiting >= gpuEvidenceWaitingMax) {
      const message = `the queue for GPU evidence is full: ${gpuEvidenceWaitingMax} requests`;
      return Promise.reject(new AttestationError('ERR_QUOTE_BUSY', message));
    }
    this.#waiting++;
    const done = this.#tail
      .then(() => {
        if (signal?.aborted)
          throw new AttestationError('ERR_ABORTED', 'the caller aborted the request for GPU evidence');
        return collectDeviceEvidence(nonce, this.#libraries);
      })
      .finally(() => {
        this.#waiting--;
      });
    this.#tail = done.catch(() => undefined);
    return done;
  }
}

/** Converts errors of NVIDIA's libraries. */
export function nvmlError(error: unknown): unknown {
  const { code, message } = Object(error) as { code?: unknown; message?: string };
  const known = (['ERR_NVML_MISSING', 'ERR_NVML_FAILED', 'ERR_NSCQ_MISSING', 'ERR_NSCQ_FAILED'] as const).find(
    (one) => one === code,
  );
  return known === undefined ? error : new AttestationError(known, String(message), { cause: error });
}
