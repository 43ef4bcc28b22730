/** Options for loading a model with llama.cpp: defaults, and the validation that the addon relies on. */
import { availableParallelism } from 'node:os';
import { binding, type NativeModelOptions } from './binding.ts';
import { gpuLibraries } from './gpu-libraries.ts';

export type GpuChoice = 'auto' | 'cuda' | 'vulkan' | 'off';

export interface EngineOptions {
  /** A GGUF file; of a split model, its first part (`…-00001-of-00003.gguf`). */
  readonly modelPath: string;
  /** The projector of the model (`mmproj` GGUF), if it takes images. */
  readonly projectorPath?: string | undefined;
  /** LoRA adapters of the model (GGUF), which the rows of a step name by position, from 1. Default: none. At most 64. */
  readonly adapterPaths?: readonly string[];
  /** Answers that can be generated in parallel, 1…256. */
  readonly sequences: number;
  /** Tokens per sequence, prompt and answer; rounded up to a multiple of 256. */
  readonly contextPerSequence: number;
  /** Maximum tokens of one step. Default 512. */
  readonly batchTokens?: number;
  /** Maximum draft tokens that one step verifies, over all rows; each needs memory for one row of logits. Default 64. */
  readonly draftTokens?: number;
  /** Compute threads; never more than free cores. */
  readonly threads: number;
  /** How long idle compute threads spin before they sleep, 0 (no spinning, the default) … 100. Spinning gains nothing and starves other threads. */
  readonly poll?: number;
  /** Default 'auto': a GPU if one is available, else the CPU. */
  readonly gpu?: GpuChoice;
  /** Layers on the GPU. Default: as many as fit. */
  readonly gpuLayers?: number;
  readonly flashAttention?: 'auto' | 'on' | 'off';
  /**
   * Element type of the KV cache. Default f16. q8_0 takes 17/32 of its memory, and needs flash attention and heads whose size is a
   * multiple of 32.
   */
  readonly kvCacheType?: 'f16' | 'q8_0';
  /** Use one pool of cells for all sequences: copies are free, but each step reads every cell. Default false. */
  readonly unifiedKv?: boolean;
  /** Use Cloister's kernels if the CPU has AVX-512 VNNI or AVX2 and no GPU is used, else llama.cpp's. Default true. */
  readonly ownKernels?: boolean;
  /** Lock the weights in memory so that they are not swapped out. Default false. */
  readonly lockMemory?: boolean;
  /** Threads for slow preparations of chats. Default: half the cores, at least one. */
  readonly preparationThreads?: number;
}

/** Maximum LoRA adapters of one model. */
export const adaptersMax = 64;

const gpuKinds = ['cuda', 'vulkan'] as const;
const flashAttentionCodes = { auto: -1, off: 0, on: 1 } as const;

/** @returns whether a GPU can be used · @throws {Error} ERR_GPU_UNAVAILABLE if 'cuda' or 'vulkan' is requested and cannot be used */
export async function findGpu(choice: GpuChoice): Promise<boolean> {
  if (!['auto', 'cuda', 'vulkan', 'off'].includes(choice)) {
    throw new TypeError(`gpu must be auto, cuda, vulkan or off, got ${choice}`);
  }
  if (choice === 'off') return false;
  for (const kind of choice === 'auto' ? gpuKinds : [choice]) {
    const missing = await binding().loadGpu(gpuLibraries(kind));
    if (missing === '') return true;
    if (choice !== 'auto') {
      throw Object.assign(new Error(`No ${kind} GPU can be used: ${missing}`), { code: 'ERR_GPU_UNAVAILABLE' });
    }
  }
  return false;
}

/** @throws {TypeError | RangeError} naming the option */
export function checkEngineOptions(options: EngineOptions, useGpu: boolean): NativeModelOptions {
  requireString('modelPath', options.modelPath);
  if (options.projectorPath !== undefined) requireString('projectorPath', options.projectorPath);
  const { adapterPaths = [] } = options;
  requireInteger('adapterPaths.length', adapterPaths.length, 0, adaptersMax);
  for (const path of adapterPaths) requireString('an adapter path', path);
  const { batchTokens = 512, draftTokens = 64, poll = 0, gpuLayers } = options;
  const { flashAttention = 'auto', kvCacheType = 'f16' } = options;
  requireInteger('sequences', options.sequences, 1, 256);
  requireInteger('contextPerSequence', options.contextPerSequence, 1, 2 ** 24);
  const contextPerSequence = Math.ceil(options.contextPerSequence / 256) * 256;
  if (contextPerSequence * options.sequences >= 2 ** 31) {
    throw new RangeError('contextPerSequence × sequences must be less than 2^31');
  }
  requireInteger('batchTokens', batchTokens, 1, 2 ** 16);
  requireInteger('draftTokens', draftTokens, 0, 4096);
  requireInteger('threads', options.threads, 1, 512);
  requireInteger('poll', poll, 0, 100);
  const { preparationThreads = Math.max(1, Math.floor(availableParallelism() / 2)) } = options;
  requireInteger('preparationThreads', preparationThreads, 1, 512);
  if (gpuLayers !== undefined) requireInteger('gpuLayers', gpuLayers, 0, 10_000);
  if (!(flashAttention in flashAttentionCodes)) throw new TypeError('flashAttention must be auto, on or off');
  if (kvCacheType !== 'f16' && kvCacheType !== 'q8_0') throw new TypeError('kvCacheType must be f16 or q8_0');
  if (kvCacheType === 'q8_0' && flashAttention === 'off') throw new TypeError('kvCacheType q8_0 needs flashAttention');
  return {
    modelPath: options.modelPath,
    projectorPath: options.projectorPath ?? '',
    adapterPaths,
    sequences: options.sequences,
    contextPerSequence,
    batchTokens: Math.max(batchTokens, options.sequences),
    draftTokens,
    threads: options.threads,
    poll,
    useGpu: useGpu && gpuLayers !== 0,
    gpuLayers: gpuLayers ?? -1,
    flashAttention: flashAttentionCodes[flashAttention],
    kvQ8: kvCacheType === 'q8_0',
    unifiedKv: options.unifiedKv ?? false,
    ownKernels: options.ownKernels ?? true,
    lockMemory: options.lockMemory ?? false,
    preparationThreads,
  };
}

/** @throws {TypeError} naming it */
export function requireString(name: string, value: unknown): void {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string, got ${typeof value}`);
}

/** @throws {TypeError | RangeError} naming it */
export function requireInteger(name: string, value: number, min: number, max: number): void {
  if (typeof value !== 'number') throw new TypeError(`${name} must be a number, got ${typeof value}`);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} must be an integer ${min}…${max}, got ${value}`);
  }
}

/** @throws {TypeError | RangeError} naming it */
export function requireNumber(name: string, value: number, min: number, max: number): void {
  if (typeof value !== 'number') throw new TypeError(`${name} must be a number, got ${typeof value}`);
  if (!(value >= min && value <= max)) throw new RangeError(`${name} must be ${min}…${max}, got ${value}`);
}
