/** BERT text encoders on Cloister's own kernels: many texts per pass, without padding. */
import { BertEncoder } from '@cloister/native/bert-encoder';
import type { BertWeights } from '@cloister/native/bert-weights';
import type { EmbeddingModel, EmbeddingModelInfo, TextTokenizer } from '../interface/embedding-model.ts';
import type { Pooling } from '../sentence-transformers/embedding-folder.ts';
import { normalizeRows, poolTokens } from '../sentence-transformers/pooling.ts';
import { type TextPass, textPasses } from '../sentence-transformers/text-passes.ts';
import { type BertHead, logitOf } from './head.ts';

export interface BertEmbeddingOptions {
  readonly weights: BertWeights;
  readonly threads: number;
  /** See the model's info. */
  readonly description: string;
  readonly place: Pick<EmbeddingModelInfo, 'device' | 'whyNotGpu'>;
  readonly contextLength: number;
  readonly pooling: Pooling;
  readonly normalizes: boolean;
  readonly tokenizer: TextTokenizer | undefined;
  /** Only cross-encoders: computes the logit of a pair from its pooled vector. */
  readonly head?: BertHead | undefined;
}

/** Tokens per pass: its activations fit the cache of a large core, and longer passes gain nothing. */
const passTokens = 2048;

export class BertEmbeddingModel implements EmbeddingModel {
  readonly info: EmbeddingModelInfo;
  readonly tokenizer?: TextTokenizer;
  readonly #encoder: BertEncoder;
  readonly #pooling: Pooling;
  readonly #normalizes: boolean;
  readonly #head: BertHead | undefined;

  /** @throws {Error} if the kernels do not support the shape of the weights */
  constructor({ weights, threads, description, place, contextLength, ...options }: BertEmbeddingOptions) {
    this.#encoder = BertEncoder.create(weights, { threads });
    this.#pooling = options.pooling;
    this.#normalizes = options.normalizes;
    this.#head = options.head;
    if (options.tokenizer !== undefined) this.tokenizer = options.tokenizer;
    this.info = {
      description,
      ...place,
      dimensions: options.head ? 1 : weights.width,
      contextLength,
      batching: 'packed',
    };
  }

  async embed(sequences: readonly Int32Array[]): Promise<Float32Array> {
    const { dimensions } = this.info;
    const vectors = new Float32Array(sequences.length * dimensions);
    for (const pass of textPasses(sequences, { tokensMax: passTokens })) this.#compute(pass, vectors);
    if (this.#normalizes) normalizeRows(vectors, dimensions);
    return vectors;
  }

  async close(): Promise<void> {
    this.#encoder.close();
  }

  /** Writes [texts, dimensions] to the place of the texts in `vectors`. */
  #compute({ first, tokens, lengths }: TextPass, vectors: Float32Array): void {
    const { width } = this.#encoder;
    try {
      const rows = this.#encoder.encode(tokens, lengths);
      let at = 0;
      for (const [text, length] of lengths.entries()) {
        const hidden = rows.subarray(at * width, (at + length) * width);
        const one = { hidden, lengths: Int32Array.of(length), length, width };
        if (this.#head === undefined) poolTokens(one, this.#pooling, vectors, (first + text) * width);
        else vectors[first + text] = logitOf(this.#head, hidden.subarray(0, width));
        at += length;
      }
      rows.fill(0);
    } finally {
      // Tokens and rows contain a user's text, so they are zeroed at once and not left to the garbage collector.
      tokens.fill(0);
    }
  }
}
