/** The TypeScript interface of the addon's embedder: validates arguments and sets defaults. */
import { binding, type NativeEmbedder, type NativeEmbedderFacts } from './binding.ts';
import { checkEngineOptions, type EngineOptions, findGpu, requireString } from './options.ts';

export type EmbedderFacts = NativeEmbedderFacts;

export interface EmbedderOptions
  extends Pick<EngineOptions, 'modelPath' | 'threads' | 'poll' | 'gpu' | 'flashAttention'> {
  /** Maximum texts of one pass, 1…256. */
  readonly sequences: number;
  /** Maximum tokens of one pass, and therefore of one text. */
  readonly batchTokens: number;
  /** Default: from the file. `rank`: the model is a cross-encoder, whose vectors are one logit each. */
  readonly pooling?: 'mean' | 'cls' | 'last' | 'rank' | undefined;
  /** Load only the vocabulary for `tokenize`, not the weights. Default false. */
  readonly vocabularyOnly?: boolean;
}

const poolingCodes = { mean: 1, cls: 2, last: 3, rank: 4 } as const;

/** An embedding model loaded with llama.cpp. */
export class Embedder {
  readonly facts: EmbedderFacts;
  readonly #native: NativeEmbedder;

  private constructor(native: NativeEmbedder, facts: EmbedderFacts) {
    this.#native = native;
    this.facts = facts;
  }

  /**
   * @param onProgress called with 0…1, at most ten times per second
   * @throws {Error} ERR_MODEL_LOAD, ERR_MEMORY_BUDGET, ERR_GPU_UNAVAILABLE
   */
  static async load(
    { pooling, vocabularyOnly = false, ...options }: EmbedderOptions,
    { onProgress }: { onProgress?: ((fraction: number) => void) | undefined } = {},
  ): Promise<Embedder> {
    if (pooling !== undefined && !(pooling in poolingCodes))
      throw new TypeError('pooling must be mean, cls, last or rank');
    const useGpu = !vocabularyOnly && (await findGpu(options.gpu ?? 'auto'));
    const checked = checkEngineOptions({ ...options, contextPerSequence: 1, draftTokens: 0 }, useGpu);
    const native = new (binding().Embedder)();
    const timer = setInterval(() => onProgress?.(native.loadProgress()), 100);
    try {
      const facts = await native.load({
        ...checked,
        pooling: pooling === undefined ? -1 : poolingCodes[pooling],
        vocabularyOnly,
      });
      onProgress?.(1);
      return new Embedder(native, facts);
    } finally {
      clearInterval(timer);
    }
  }

  /** Text that spells a control token becomes that token. */
  tokenize(text: string, { addSpecial = true } = {}): Int32Array {
    requireString('text', text);
    return this.#native.tokenize(text, addSpecial);
  }

  /**
   * Computes one pass and blocks the calling thread meanwhile.
   * @param tokens the concatenated texts, special tokens included
   * @param lengths [texts]
   * @returns [texts, dimensions], not normalized
   * @throws {RangeError} if the texts do not fit one pass
   * @throws {Error} ERR_DECODE, ERR_LOGITS_INVALID, ERR_ABORTED
   */
  embed(tokens: Int32Array, lengths: Int32Array): Float32Array {
    if (!(tokens instanceof Int32Array)) throw new TypeError('tokens must be an Int32Array');
    if (!(lengths instanceof Int32Array)) throw new TypeError('lengths must be an Int32Array');
    return this.#native.embed(tokens, lengths);
  }

  /** Frees the model. */
  async close(): Promise<void> {
    await this.#native.close();
  }
}
