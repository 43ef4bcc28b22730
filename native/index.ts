/**
 * The face of the native addon: checks types and ranges, fills in defaults, documents units. Misuse is a TypeError or
 * RangeError here; what can fail in native code rejects with an Error that has a `code`.
 */
import {
  binding,
  gpuLibraries,
  type NativeDeviceMemory,
  type NativeEngine,
  type NativeFacts,
  type NativeModelOptions,
  type NativePreparedChat,
  type NativeSampled,
  type NativeSampler,
  type NativeSampling,
} from './binding.ts';

export type { NativeChatDelta, NativeChatReader, NativePreparedChat, NativeSampled } from './binding.ts';
export type DeviceMemory = NativeDeviceMemory;
export type EngineFacts = NativeFacts;

export type GpuChoice = 'auto' | 'cuda' | 'vulkan' | 'off';

export interface EngineOptions {
  /** A GGUF file; of a split model, its first part (`…-00001-of-00003.gguf`). */
  readonly modelPath: string;
  /** Answers that can be generated at once, 1…256. */
  readonly sequences: number;
  /** Tokens per sequence, prompt and answer; rounded up to a multiple of 256. */
  readonly contextPerSequence: number;
  /** Most tokens of one step. Default 512. */
  readonly batchTokens?: number;
  /** Compute threads; never more than free cores. */
  readonly threads: number;
  /** How long idle compute threads spin before they sleep, 0 (at once, the default) … 100. Spinning gains nothing and starves others. */
  readonly poll?: number;
  /** Default 'auto': a GPU if one can be used, else the CPU. */
  readonly gpu?: GpuChoice;
  /** Layers on the GPU; default as many as fit. */
  readonly gpuLayers?: number;
  readonly flashAttention?: 'auto' | 'on' | 'off';
  /** Precision of the attention state. Default f16. */
  readonly kvType?: 'f16' | 'q8_0';
  /** One pool of cells for all sequences: copies are free, steps see every cell. Default false. */
  readonly unifiedKv?: boolean;
  /** Keep the weights from being swapped out. Default false. */
  readonly lockMemory?: boolean;
}

export interface SamplingOptions {
  readonly temperature: number;
  readonly topP: number;
  readonly topK: number;
  readonly minP: number;
  readonly presencePenalty: number;
  readonly frequencyPenalty: number;
  readonly logitBias: readonly { readonly token: number; readonly bias: number }[];
  readonly seed: number;
  readonly logprobs: number | undefined;
}

const GPU_KINDS = ['cuda', 'vulkan'] as const;
const FLASH_ATTENTION = { auto: -1, off: 0, on: 1 } as const;

/** llama.cpp with one model loaded, on a thread of its own. */
export class Engine {
  readonly facts: EngineFacts;
  readonly #native: NativeEngine;

  private constructor(native: NativeEngine, facts: EngineFacts) {
    this.#native = native;
    this.facts = facts;
  }

  /**
   * @param onProgress called with 0…1, ten times a second at most
   * @throws {Error} ERR_MODEL_LOAD, ERR_MEMORY_BUDGET, ERR_GPU_UNAVAILABLE, ERR_ABORTED
   */
  static async load(
    options: EngineOptions,
    { onProgress, signal }: { onProgress?: (fraction: number) => void; signal?: AbortSignal } = {},
  ): Promise<Engine> {
    const checked = checkEngineOptions(options, await findGpu(options.gpu ?? 'auto'));
    signal?.throwIfAborted();
    const native = new (binding().Engine)();
    const abort = () => native.abort();
    signal?.addEventListener('abort', abort, { once: true });
    const timer = setInterval(() => onProgress?.(native.loadProgress()), 100);
    try {
      const facts = await native.load(checked);
      onProgress?.(1);
      return new Engine(native, facts);
    } catch (error) {
      await native.close();
      throw error;
    } finally {
      clearInterval(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  /**
   * Runs one batch; one at a time.
   * @param packed operations and rows as native/src/step_plan.h describes them; copied before the call returns
   * @param length how much of `packed` counts
   * @throws {RangeError} where the plan does not fit the engine
   * @throws {Error} ERR_NO_KV_SLOT, ERR_DECODE, ERR_STATE, ERR_LOGITS_INVALID, ERR_ABORTED
   */
  step(packed: Int32Array, length: number): Promise<NativeSampled> {
    if (!(packed instanceof Int32Array)) throw new TypeError('packed must be an Int32Array');
    requireInteger('length', length, 2, packed.length);
    return this.#native.step(packed, length);
  }

  /** Sets how `sequence` samples from the next step on; without it, greedily. */
  beginSampling(sequence: number, sampling: SamplingOptions, prepared?: NativePreparedChat): void {
    requireInteger('sequence', sequence, 0, this.facts.sequences - 1);
    this.#native.beginSampling(sequence, checkSampling(sampling, this.facts.vocabularyControl.length), prepared);
  }

  /**
   * Renders and tokenises a chat, off the JavaScript thread.
   * @param request JSON: messages, tools, tool_choice, parallel_tool_calls, json_schema (text or null), reasoning
   * @throws {Error} ERR_CHAT_TEMPLATE, ERR_GRAMMAR_INVALID
   */
  prepareChat(request: string): Promise<NativePreparedChat> {
    requireString('request', request);
    return this.#native.prepareChat(request);
  }

  /** @param parseSpecial whether text that spells a control token becomes that token */
  tokenize(text: string, { addSpecial = false, parseSpecial = false } = {}): Int32Array {
    requireString('text', text);
    return this.#native.tokenize(text, addSpecial, parseSpecial);
  }

  /** Makes the running step and all later ones reject with ERR_ABORTED, so that a long prefill ends early. */
  abort(): void {
    this.#native.abort();
  }

  /** Frees the model, after zeroing what it held of its callers. @throws if a step is in flight */
  close(): Promise<void> {
    return this.#native.close();
  }
}

/** One sequence's sampler over logits of any origin. The engine's sampler is the same code. */
export class Sampler {
  readonly #native: NativeSampler;
  readonly #vocabulary: number;

  constructor(sampling: SamplingOptions, vocabulary: number) {
    requireInteger('vocabulary', vocabulary, 1, 2 ** 24);
    this.#vocabulary = vocabulary;
    this.#native = new (binding().Sampler)(checkSampling(sampling, vocabulary));
  }

  /** @param logits [vocabulary] @throws {Error} ERR_LOGITS_INVALID */
  next(logits: Float32Array): NativeSampled {
    if (!(logits instanceof Float32Array)) throw new TypeError('logits must be a Float32Array');
    if (logits.length !== this.#vocabulary) {
      throw new RangeError(`logits must have ${this.#vocabulary} entries, got ${logits.length}`);
    }
    return this.#native.next(logits);
  }
}

/**
 * What loading would take on each device, without loading.
 * @throws {Error} ERR_MODEL_LOAD, ERR_GPU_UNAVAILABLE
 */
export async function planMemory(options: EngineOptions): Promise<readonly DeviceMemory[]> {
  return binding().planMemory(checkEngineOptions(options, await findGpu(options.gpu ?? 'auto')));
}

/** @throws {Error} ERR_GPU_UNAVAILABLE where a kind of GPU was asked for by name and cannot be used */
async function findGpu(choice: GpuChoice): Promise<boolean> {
  if (!['auto', 'cuda', 'vulkan', 'off'].includes(choice)) {
    throw new TypeError(`gpu must be auto, cuda, vulkan or off, got ${choice}`);
  }
  if (choice === 'off') return false;
  for (const kind of choice === 'auto' ? GPU_KINDS : [choice]) {
    const missing = await binding().loadGpu(gpuLibraries(kind));
    if (missing === '') return true;
    if (choice !== 'auto') {
      throw Object.assign(new Error(`No ${kind} GPU can be used: ${missing}`), { code: 'ERR_GPU_UNAVAILABLE' });
    }
  }
  return false;
}

function checkEngineOptions(options: EngineOptions, useGpu: boolean): NativeModelOptions {
  requireString('modelPath', options.modelPath);
  const { batchTokens = 512, poll = 0, gpuLayers, flashAttention = 'auto', kvType = 'f16' } = options;
  requireInteger('sequences', options.sequences, 1, 256);
  requireInteger('contextPerSequence', options.contextPerSequence, 1, 2 ** 24);
  const contextPerSequence = Math.ceil(options.contextPerSequence / 256) * 256;
  if (contextPerSequence * options.sequences >= 2 ** 31) {
    throw new RangeError('contextPerSequence × sequences must be less than 2^31');
  }
  requireInteger('batchTokens', batchTokens, 1, 2 ** 16);
  requireInteger('threads', options.threads, 1, 512);
  requireInteger('poll', poll, 0, 100);
  if (gpuLayers !== undefined) requireInteger('gpuLayers', gpuLayers, 0, 10_000);
  if (!(flashAttention in FLASH_ATTENTION)) throw new TypeError('flashAttention must be auto, on or off');
  if (kvType !== 'f16' && kvType !== 'q8_0') throw new TypeError('kvType must be f16 or q8_0');
  return {
    modelPath: options.modelPath,
    sequences: options.sequences,
    contextPerSequence,
    batchTokens: Math.max(batchTokens, options.sequences),
    threads: options.threads,
    poll,
    useGpu: useGpu && gpuLayers !== 0,
    gpuLayers: gpuLayers ?? -1,
    flashAttention: FLASH_ATTENTION[flashAttention],
    kvQ8: kvType === 'q8_0',
    unifiedKv: options.unifiedKv ?? false,
    lockMemory: options.lockMemory ?? false,
  };
}

function checkSampling(sampling: SamplingOptions, vocabulary: number): NativeSampling {
  requireNumber('temperature', sampling.temperature, 0, 100);
  requireNumber('topP', sampling.topP, 0, 1);
  requireInteger('topK', sampling.topK, 0, 2 ** 31 - 1);
  requireNumber('minP', sampling.minP, 0, 1);
  requireNumber('presencePenalty', sampling.presencePenalty, -100, 100);
  requireNumber('frequencyPenalty', sampling.frequencyPenalty, -100, 100);
  requireInteger('seed', sampling.seed, 0, 2 ** 32 - 1);
  if (sampling.logprobs !== undefined) requireInteger('logprobs', sampling.logprobs, 0, 20);
  for (const { token, bias } of sampling.logitBias) {
    requireInteger('a biased token', token, 0, vocabulary - 1);
    requireNumber('a bias', bias, -100, 100);
  }
  return {
    temperature: sampling.temperature,
    topP: sampling.topP,
    topK: sampling.topK,
    minP: sampling.minP,
    presencePenalty: sampling.presencePenalty,
    frequencyPenalty: sampling.frequencyPenalty,
    biasTokens: Int32Array.from(sampling.logitBias, ({ token }) => token),
    biases: Float32Array.from(sampling.logitBias, ({ bias }) => bias),
    seed: sampling.seed,
    logprobs: sampling.logprobs ?? -1,
  };
}

function requireString(name: string, value: unknown): void {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string, got ${typeof value}`);
}

function requireInteger(name: string, value: number, min: number, max: number): void {
  if (typeof value !== 'number') throw new TypeError(`${name} must be a number, got ${typeof value}`);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} must be an integer ${min}…${max}, got ${value}`);
  }
}

function requireNumber(name: string, value: number, min: number, max: number): void {
  if (typeof value !== 'number') throw new TypeError(`${name} must be a number, got ${typeof value}`);
  if (!(value >= min && value <= max)) throw new RangeError(`${name} must be ${min}…${max}, got ${value}`);
}
