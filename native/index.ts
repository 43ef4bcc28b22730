/**
 * The face of the native addon: checks types and ranges, fills in defaults, documents units. Misuse is a TypeError or
 * RangeError here; what can fail in native code rejects with an Error that has a `code`.
 */
import {
  binding,
  type NativeDeviceMemory,
  type NativeEngine,
  type NativeFacts,
  type NativeModelOptions,
  type NativePreparedChat,
  type NativeSampled,
  type NativeSampler,
  type NativeSampling,
} from './binding.ts';
import {
  checkEngineOptions,
  type EngineOptions,
  findGpu,
  requireInteger,
  requireNumber,
  requireString,
} from './options.ts';

export type DeviceMemory = NativeDeviceMemory;
export type EngineFacts = NativeFacts & Pick<NativeModelOptions, 'preparationThreads'>;
export type {
  ChatDelta,
  ChatParser,
  NativePreparedChat,
  NativePromptBound,
  NativeSampled,
  ToolCallDelta,
} from './binding.ts';
export type { EngineOptions, GpuChoice } from './options.ts';

/** How the next token is sampled. */
export interface SamplingOptions {
  /** 0 is greedy. */
  readonly temperature: number;
  /** Nucleus mass, 0…1; 1 switches it off. */
  readonly topP: number;
  /** Candidates kept, 0 switches it off. */
  readonly topK: number;
  /** Least probability relative to the best candidate, 0…1; 0 switches it off. */
  readonly minP: number;
  /** Subtracted once from every token that the answer already holds. */
  readonly presencePenalty: number;
  /** Subtracted per occurrence in the answer. */
  readonly frequencyPenalty: number;
  /** Added to a token's logit, −100…100. */
  readonly logitBias: readonly { readonly token: number; readonly bias: number }[];
  /** Unsigned 32-bit. The same seed, parameters and prompt give the same draws. */
  readonly seed: number;
  /** Alternatives to report per token, 0…20; undefined: no log probabilities at all. */
  readonly logprobs: number | undefined;
}

export interface PreparationOptions {
  /** A prompt that is certain to have more tokens is not tokenized; default: all are. */
  readonly tokensMax?: number | undefined;
  /** It may take long, and must not hold up those that do not. */
  readonly isSlow?: boolean | undefined;
  /** Aborting makes it reject with ERR_ABORTED, as soon as its thread is free again. */
  readonly signal?: AbortSignal | undefined;
}

/** llama.cpp with one model loaded, on a thread of its own. */
export class Engine {
  readonly facts: EngineFacts;
  readonly #native: NativeEngine;
  #nextPreparation = 0;

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
      return new Engine(native, { ...facts, preparationThreads: checked.preparationThreads });
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
   * @param packed operations and rows as native/src/engine/step_plan.h describes them; copied before the call returns
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

  /** Frees what `beginSampling` set, for all sequences. */
  endSampling(): void {
    this.#native.endSampling();
  }

  /**
   * Renders and tokenizes a chat, off the JavaScript thread and libuv's.
   * @param request JSON: messages, tools, tool_choice, parallel_tool_calls, json_schema (text or null), reasoning
   * @param options.tokensMax a prompt that is certain to have more comes back without tokens; 0, the default, counts all
   * @param options.isSlow it may take long, and must not hold up those that do not; default false
   * @throws {Error} ERR_CHAT_TEMPLATE, ERR_CHAT_TOO_COMPLEX, ERR_GRAMMAR_INVALID, ERR_ABORTED once the signal aborts: at the end of the
   * piece of work under way, and not before the thread is free
   */
  prepareChat(
    request: string,
    { tokensMax = 0, isSlow = false, signal }: PreparationOptions = {},
  ): Promise<NativePreparedChat> {
    requireString('request', request);
    requireInteger('tokensMax', tokensMax, 0, 2 ** 31 - 1);
    if (signal?.aborted) {
      return Promise.reject(Object.assign(new Error('the preparation was cancelled'), { code: 'ERR_ABORTED' }));
    }
    const id = this.#nextPreparation;
    this.#nextPreparation = (id + 1) >>> 0;
    const preparing = this.#native.prepareChat(id, request, tokensMax, isSlow);
    const cancel = () => this.#native.cancelPreparation(id);
    signal?.addEventListener('abort', cancel, { once: true });
    return preparing.finally(() => signal?.removeEventListener('abort', cancel));
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
