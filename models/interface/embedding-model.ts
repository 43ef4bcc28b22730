/** What an embedding model is, as the runtime sees it. Interfaces only: this file imports nothing. */

/** Facts of a loaded embedding model. */
export interface EmbeddingModelInfo {
  /** One line for people: name, size, quantisation. */
  readonly description: string;
  /** Where it runs, for people: `CPU, 2 threads` or `CUDA0 NVIDIA H200`. */
  readonly device: string;
  /** What a GPU lacks, where one was looked for in vain. */
  readonly whyNotGpu?: string;
  /** Why a graph on the CPU is left to ONNX Runtime. */
  readonly whyNotOwnKernels?: string;
  /** Numbers per embedding. */
  readonly dimensions: number;
  /** Tokens one text may hold, special tokens included. */
  readonly contextLength: number;
  /** `padded`: shorter texts of a batch cost as much as its longest. `packed`: each costs its own length. `none`: texts are computed one by one. */
  readonly batching: 'padded' | 'packed' | 'none';
}

/** A loaded embedding model: `models/embedding/onnx-embedding-model.ts`, `models/bert/embedding.ts`, `models/embedding/llama-embedding.ts`, and a fake in `test/support`. */
export interface EmbeddingModel {
  readonly info: EmbeddingModelInfo;
  /** For a text that comes alone: then it need not pass through another thread. Absent where a copy would take much memory. */
  readonly tokenizer?: TextTokenizer;
  /**
   * One call at a time.
   * @param sequences token ids with special tokens, each 1…contextLength long
   * @returns [sequences, dimensions], row after row, each row of length 1 where the model normalises
   */
  embed(sequences: readonly Int32Array[]): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Turns texts into what `embed` takes; on a thread of its own, since a long text takes a while. */
export interface TextTokenizer {
  /** Ids go from 0 to this, exclusive. */
  readonly vocabularySize: number;
  /** @returns one array per text, special tokens included, not cut */
  tokenize(texts: readonly string[]): readonly Int32Array[];
  /** Adds the special tokens to token ids that a caller sent. */
  wrap(tokens: readonly number[]): Int32Array;
  /** Cuts to `length` tokens, keeping the special tokens at both ends. @throws {RangeError} if nothing would be left */
  truncate(tokens: Int32Array, length: number): Int32Array;
}
