/** The interface of an embedding model. Types only: this file imports nothing. */

/** Facts of a loaded embedding model. */
export interface EmbeddingModelInfo {
  /** One line for display: name, size, quantization. */
  readonly description: string;
  /** The device, for display: `CPU, 2 threads` or `CUDA0 NVIDIA H200`. */
  readonly device: string;
  /** Why no GPU is used, if one was requested or searched for. */
  readonly whyNotGpu?: string;
  /** Why ONNX Runtime computes a graph on the CPU. */
  readonly whyNotOwnKernels?: string;
  /** Numbers per embedding. */
  readonly dimensions: number;
  /** Maximum tokens of a text, special tokens included. */
  readonly contextLength: number;
  /** `padded`: shorter texts of a batch cost as much as its longest. `packed`: each costs its own length. `none`: texts are computed one by one. */
  readonly batching: 'padded' | 'packed' | 'none';
}

/** A loaded embedding model, or a cross-encoder, whose vectors are one logit per pair. Implemented by `models/embedding/onnx-embedding-model.ts`, `models/bert/embedding.ts`, `models/embedding/llama-embedding.ts` and a fake in `test/support`. */
export interface EmbeddingModel {
  readonly info: EmbeddingModelInfo;
  /** For single texts, which then need no tokenizer thread. Undefined if another copy would take much memory. */
  readonly tokenizer?: TextTokenizer;
  /**
   * Embeds texts; one call at a time.
   * @param sequences token ids with special tokens, each 1…contextLength long
   * @returns [sequences, dimensions], row by row; each row has length 1 if the model normalizes
   */
  embed(sequences: readonly Int32Array[]): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Two texts that a cross-encoder reads together: a query and a document. */
export interface TextPair {
  readonly first: string;
  readonly second: string;
}

/** The token ids of a pair. */
export interface PairTokens {
  /** With special tokens, not truncated. */
  readonly tokens: Int32Array;
  /** Number of ids ahead of the second text. */
  readonly secondFrom: number;
}

/** Converts texts to token ids for `embed`. Runs on a separate thread, because a long text takes time. */
export interface TextTokenizer {
  /** Token ids are less than this. */
  readonly vocabularySize: number;
  /** @returns one array per text, special tokens included, not truncated */
  tokenize(texts: readonly string[]): readonly Int32Array[];
  /** Adds the special tokens to token ids from a request. */
  wrap(tokens: readonly number[]): Int32Array;
  /**
   * Joins two texts as the model was trained to read them. Undefined if the tokenizer does not state how.
   * @param options.secondTokensMax longest second text; longer ones lose their end
   */
  readonly tokenizePair?: (pair: TextPair, options?: { readonly secondTokensMax?: number | undefined }) => PairTokens;
  /** Truncates to `length` tokens and keeps the special tokens at both ends. @throws {RangeError} if no other token would be left */
  truncate(tokens: Int32Array, length: number): Int32Array;
}
