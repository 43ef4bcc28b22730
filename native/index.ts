/**
 * The TypeScript interface of the native addon: validates types and ranges, and sets defaults. Misuse throws a TypeError or
 * RangeError here; failures in native code reject with an Error that has a `code`.
 */
import {
  binding,
  type NativeDeviceMemory,
  type NativeEngine,
  type NativeFacts,
  type NativeImage,
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
  NativeImage,
  NativePreparedChat,
  NativePromptBound,
  NativeSampled,
  ToolCallDelta,
} from './binding.ts';
export type { EngineOptions, GpuChoice } from './options.ts';

/** Sampling parameters. */
export interface SamplingOptions {
  /** 0 is greedy. */
  readonly temperature: number;
  /** Nucleus mass, 0…1; 1 disables it. */
  readonly topP: number;
  /** Number of candidates kept; 0 disables it. */
  readonly topK: number;
  /** Minimum probability relative to the best candidate, 0…1; 0 disables it. */
  readonly minP: number;
  /** Subtracted once from the logit of every token that occurs in the answer. */
  readonly presencePenalty: number;
  /** Subtracted from a token's logit per occurrence in the answer. */
  readonly frequencyPenalty: number;
  /** Added to a token's logit, −100…100. */
  readonly logitBias: readonly { readonly token: number; readonly bias: number }[];
  /** Unsigned 32-bit. The same seed, parameters and prompt give the same tokens. */
  readonly seed: number;
  /** Tokens of the answer that another sampler has drawn: the next token uses the random number after theirs. Default 0. */
  readonly drawn?: number;
  /** Alternatives to report per token, 0…20; undefined: no log probabilities. */
  readonly logprobs: number | undefined;
}

/** Maximum width and height of an image, in pixels. */
export const imageSideMax = 2048;

export interface PreparationOptions {
  /** A prompt that is certain to have more tokens is not tokenized. Default: no limit. */
  readonly tokensMax?: number | undefined;
  /** Count the tokens of images without computing their embeddings; the prompt cannot be fed then. Default false. */
  readonly countsImages?: boolean | undefined;
  /** Run on the threads for slow preparations, so that quick ones do not wait. Default false. */
  readonly isSlow?: boolean | undefined;
  /** Aborting rejects with ERR_ABORTED as soon as the thread is free. */
  readonly signal?: AbortSignal | undefined;
}

/** A model loaded with llama.cpp, on a separate thread. */
export class Engine {
  readonly facts: EngineFacts;
  readonly #native: NativeEngine;
  #nextPreparation = 0;

  private constructor(native: NativeEngine, facts: EngineFacts) {
    this.#native = native;
    this.facts = facts;
  }

  /**
   * @param onProgress called with 0…1, at most ten times per second
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
   * Runs one batch; one step at a time.
   * @param packed operations and rows in the format of native/src/engine/step_plan.h; copied before the call returns
   * @param length used length of `packed`
   * @throws {RangeError} if the plan is invalid for the engine
   * @throws {Error} ERR_NO_KV_SLOT, ERR_DECODE, ERR_STATE, ERR_LOGITS_INVALID, ERR_ABORTED
   */
  step(packed: Int32Array, length: number): Promise<NativeSampled> {
    if (!(packed instanceof Int32Array)) throw new TypeError('packed must be an Int32Array');
    requireInteger('length', length, 2, packed.length);
    return this.#native.step(packed, length);
  }

  /** Sets the sampling of `sequence` from the next step on; the default is greedy. */
  beginSampling(sequence: number, sampling: SamplingOptions, prepared?: NativePreparedChat): void {
    requireInteger('sequence', sequence, 0, this.facts.sequences - 1);
    this.#native.beginSampling(sequence, checkSampling(sampling, this.facts.vocabularyControl.length), prepared);
  }

  /** Resets the sampling of all sequences. */
  endSampling(): void {
    this.#native.endSampling();
  }

  /**
   * Renders and tokenizes a chat on the addon's own threads.
   * @param request JSON: messages, tools, tool_choice, parallel_tool_calls, json_schema (text or null), reasoning
   * @param options.tokensMax a prompt that is certain to have more tokens is returned without tokens; 0, the default, is no limit
   * @param images in the order of their places in the messages, which U+FDD2 marks
   * @throws {Error} ERR_CHAT_TEMPLATE, ERR_CHAT_TOO_COMPLEX, ERR_GRAMMAR_INVALID; ERR_ABORTED after the signal aborts, when the
   * running piece of work has ended and the thread is free
   */
  prepareChat(
    request: string,
    { tokensMax = 0, isSlow = false, countsImages = false, signal }: PreparationOptions = {},
    images: readonly NativeImage[] = [],
  ): Promise<NativePreparedChat> {
    requireString('request', request);
    requireInteger('tokensMax', tokensMax, 0, 2 ** 31 - 1);
    for (const image of images) checkImage(image);
    return this.#prepare(signal, (id) =>
      this.#native.prepareChat(id, request, tokensMax, isSlow, images, countsImages),
    );
  }

  /**
   * Tokenizes a prompt as it is, without a chat template, on the threads of `prepareChat`. Text that spells a control token
   * becomes that token.
   * @param options.addSpecial whether the tokens that the vocabulary puts around every text are added
   * @param options.suffix the text after a gap that the answer fills; no control tokens may be spelled around a gap
   * @throws {Error} ERR_CHAT_TEMPLATE for a run of characters that is too long, and for a suffix if the vocabulary has no tokens for
   * it; ERR_ABORTED as `prepareChat`
   */
  prepareText(
    text: string,
    {
      addSpecial,
      suffix,
      tokensMax = 0,
      isSlow = false,
      signal,
    }: PreparationOptions & { addSpecial: boolean; suffix?: string | undefined },
  ): Promise<NativePreparedChat> {
    requireString('text', text);
    if (suffix !== undefined) requireString('suffix', suffix);
    requireInteger('tokensMax', tokensMax, 0, 2 ** 31 - 1);
    return this.#prepare(signal, (id) => this.#native.prepareText(id, text, tokensMax, isSlow, addSpecial, suffix));
  }

  #prepare(
    signal: AbortSignal | undefined,
    begin: (id: number) => Promise<NativePreparedChat>,
  ): Promise<NativePreparedChat> {
    if (signal?.aborted) {
      return Promise.reject(Object.assign(new Error('the preparation was cancelled'), { code: 'ERR_ABORTED' }));
    }
    const id = this.#nextPreparation;
    this.#nextPreparation = (id + 1) >>> 0;
    const preparing = begin(id);
    const cancel = () => this.#native.cancelPreparation(id);
    signal?.addEventListener('abort', cancel, { once: true });
    return preparing.finally(() => signal?.removeEventListener('abort', cancel));
  }

  /** @param parseSpecial whether text that spells a control token becomes that token */
  tokenize(text: string, { addSpecial = false, parseSpecial = false } = {}): Int32Array {
    requireString('text', text);
    return this.#native.tokenize(text, addSpecial, parseSpecial);
  }

  /** Rejects the running step and all later steps with ERR_ABORTED, so that a long prefill ends early. */
  abort(): void {
    this.#native.abort();
  }

  /** Zeroes all request data and frees the model. @throws if a step is in flight */
  close(): Promise<void> {
    return this.#native.close();
  }
}

/** The sampler of one sequence, for arbitrary logits. The engine uses the same code. */
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
 * Computes the memory that loading would use on each device, without loading.
 * @throws {Error} ERR_MODEL_LOAD, ERR_GPU_UNAVAILABLE
 */
export async function planMemory(options: EngineOptions): Promise<readonly DeviceMemory[]> {
  return binding().planMemory(checkEngineOptions(options, await findGpu(options.gpu ?? 'auto')));
}

function checkImage({ pixels, width, height, identity }: NativeImage): void {
  requireInteger('width', width, 1, imageSideMax);
  requireInteger('height', height, 1, imageSideMax);
  if (!(pixels instanceof Uint8Array)) throw new TypeError('pixels must be a Uint8Array');
  requireInteger('bytes of pixels', pixels.length, 3 * width * height, 3 * width * height);
  if (!(identity instanceof Uint8Array)) throw new TypeError('identity must be a Uint8Array');
  requireInteger('bytes of identity', identity.length, 32, 32);
}

function checkSampling(sampling: SamplingOptions, vocabulary: number): NativeSampling {
  requireNumber('temperature', sampling.temperature, 0, 100);
  requireNumber('topP', sampling.topP, 0, 1);
  requireInteger('topK', sampling.topK, 0, 2 ** 31 - 1);
  requireNumber('minP', sampling.minP, 0, 1);
  requireNumber('presencePenalty', sampling.presencePenalty, -100, 100);
  requireNumber('frequencyPenalty', sampling.frequencyPenalty, -100, 100);
  requireInteger('seed', sampling.seed, 0, 2 ** 32 - 1);
  requireInteger('drawn', sampling.drawn ?? 0, 0, 2 ** 32 - 1);
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
    drawn: sampling.drawn ?? 0,
    logprobs: sampling.logprobs ?? -1,
  };
}
