/** Embedding models and cross-encoders in GGUF: implements models/interface/embedding-model.ts on llama.cpp, with many texts per pass. */
import { existsSync } from 'node:fs';
import { Embedder, type EmbedderOptions } from '@cloister/native/embedder';
import { readGgufFacts } from '../gguf/gguf-file.ts';
import type { EmbeddingModel, EmbeddingModelInfo, TextPair, TextTokenizer } from '../interface/embedding-model.ts';
import { ModelError, toModelError } from '../interface/errors.ts';
import { normalizeRows } from '../sentence-transformers/pooling.ts';
import { textPasses } from '../sentence-transformers/text-passes.ts';
import { PairSpecialTokens, SpecialTokens } from '../tokenizer/special-tokens.ts';

export interface LlamaEmbeddingOptions extends Pick<EmbedderOptions, 'modelPath' | 'threads' | 'gpu'> {
  /** Maximum tokens per text; default: the trained context, up to 2048. */
  readonly contextMax?: number | undefined;
  /** Overrides the file; llama.cpp does not support `max`. */
  readonly pooling?: 'cls' | 'mean' | 'last' | 'max' | undefined;
  /** Default true. */
  readonly normalizes?: boolean | undefined;
  /** Whether the model is a cross-encoder: it reads pairs of texts, and its vectors are one logit each. Default false. */
  readonly scoresPairs?: boolean | undefined;
}

/** Tokens per pass: the cost of attention grows with the square of the pass, so longer passes gain nothing. */
const passTokens = 512;
const sequencesMax = 64;
const passLimits = { tokensMax: passTokens, textsMax: sequencesMax };
/** Used if neither the file nor the catalogue states a context. */
const contextFallback = 512;
const contextFallbackMax = 2048;

/** @throws {ModelError} ERR_MODEL_LOAD, ERR_MEMORY_BUDGET, ERR_GPU_UNAVAILABLE */
export async function loadLlamaEmbedding(
  options: LlamaEmbeddingOptions,
  { onProgress }: { onProgress?: (fraction: number) => void } = {},
): Promise<EmbeddingModel> {
  const { modelPath, threads, gpu, scoresPairs = false, contextMax = contextFallbackMax } = options;
  const { pooling = scoresPairs ? 'rank' : undefined, normalizes = !scoresPairs } = options;
  if (pooling === 'max')
    throw new ModelError('ERR_MODEL_LOAD', 'llama.cpp cannot pool by max: choose cls, mean or last');
  try {
    if (!existsSync(modelPath)) throw new ModelError('ERR_MODEL_LOAD', `the model file ${modelPath} does not exist`);
    const { contextLength: trained = contextFallback } = await readGgufFacts(modelPath);
    const contextLength = Math.min(trained, contextMax);
    const batchTokens = Math.max(passTokens, contextLength);
    const embedder = await Embedder.load(
      { modelPath, threads, gpu: gpu ?? 'auto', pooling, batchTokens, sequences: sequencesMax },
      { onProgress },
    );
    return new LlamaEmbeddingModel(embedder, { contextLength, normalizes });
  } catch (error) {
    throw toModelError(error);
  }
}

/** Loads only the vocabulary. @throws {ModelError} ERR_MODEL_LOAD */
export async function loadLlamaTokenizer(modelPath: string): Promise<TextTokenizer> {
  try {
    return new LlamaTokenizer(await loadVocabulary(modelPath));
  } catch (error) {
    throw toModelError(error);
  }
}

function loadVocabulary(modelPath: string): Promise<Embedder> {
  return Embedder.load({ modelPath, threads: 1, gpu: 'off', batchTokens: 1, sequences: 1, vocabularyOnly: true });
}

interface Limits {
  readonly contextLength: number;
  readonly normalizes: boolean;
}

class LlamaEmbeddingModel implements EmbeddingModel {
  readonly info: EmbeddingModelInfo;
  readonly tokenizer: TextTokenizer;
  readonly #embedder: Embedder;
  readonly #normalizes: boolean;

  constructor(embedder: Embedder, limits: Limits) {
    const { description, device, dimensions } = embedder.facts;
    this.info = { description, device, dimensions, contextLength: limits.contextLength, batching: 'packed' };
    // No extra memory: the vocabulary is loaded with the model.
    this.tokenizer = new LlamaTokenizer(embedder);
    this.#embedder = embedder;
    this.#normalizes = limits.normalizes;
  }

  async embed(sequences: readonly Int32Array[]): Promise<Float32Array> {
    const { dimensions } = this.info;
    const vectors = new Float32Array(sequences.length * dimensions);
    for (const { first, tokens, lengths } of textPasses(sequences, passLimits)) {
      vectors.set(this.#embedder.embed(tokens, lengths), first * dimensions);
      tokens.fill(0);
    }
    if (this.#normalizes) normalizeRows(vectors, dimensions);
    return vectors;
  }

  close(): Promise<void> {
    return this.#embedder.close();
  }
}

class LlamaTokenizer implements TextTokenizer {
  readonly vocabularySize: number;
  readonly #embedder: Embedder;
  readonly #special: SpecialTokens;
  readonly #pairSpecial: PairSpecialTokens;

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
    this.vocabularySize = embedder.facts.vocabularySize;
    const { before, after } = findSpecialTokens(embedder);
    this.#special = new SpecialTokens({ before, after });
    this.#pairSpecial = new PairSpecialTokens({ before, between: betweenTexts(embedder, after), after });
  }

  tokenize(texts: readonly string[]): readonly Int32Array[] {
    return texts.map((text) => this.#embedder.tokenize(text.toWellFormed()));
  }

  wrap(tokens: readonly number[]): Int32Array {
    return this.#special.around(tokens);
  }

  tokenizePair({ first, second }: TextPair, { secondTokensMax }: { secondTokensMax?: number | undefined } = {}) {
    const [ofFirst, ofSecond] = [first, second].map((text) =>
      this.#embedder.tokenize(text.toWellFormed(), { addSpecial: false }),
    );
    return this.#pairSpecial.join([...ofFirst!], [...ofSecond!.subarray(0, secondTokensMax)]);
  }

  truncate(tokens: Int32Array, length: number): Int32Array {
    return this.#special.truncate(tokens, length);
  }
}

/**
 * The tokens between the texts of a pair: what ends a text, once for BERT and ModernBERT, twice for models with the tokenizer of
 * RoBERTa or XLM-R. GGUF files do not state it.
 * @see Hugging Face transformers, `build_inputs_with_special_tokens` of these tokenizers
 */
function betweenTexts({ facts }: Embedder, after: readonly number[]): readonly number[] {
  const isOnce = facts.tokenizer === 'bert' || facts.architecture === 'modern-bert';
  return isOnce ? after : [...after, ...after];
}

/** Finds the special tokens by comparing a text tokenized with and without them. */
function findSpecialTokens(embedder: Embedder): Readonly<Record<'before' | 'after', readonly number[]>> {
  const bare = embedder.tokenize('a', { addSpecial: false });
  const whole = embedder.tokenize('a');
  const extra = whole.length - bare.length;
  for (let before = 0; before <= extra; before++) {
    if (bare.every((token, index) => whole[before + index] === token)) {
      return { before: [...whole.subarray(0, before)], after: [...whole.subarray(before + bare.length)] };
    }
  }
  return { before: [], after: [] };
}
