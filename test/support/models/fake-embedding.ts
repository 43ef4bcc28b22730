/** Data that tests of embedding engines share with their threads. */
import type { EmbeddingModelInfo } from '../../../models/interface/embedding-model.ts';

export interface FakeEmbeddingData {
  /** [computing, open] A batch increments the first and waits until the second is set. */
  readonly gate?: Int32Array;
  /** Like `gate`, for tokenizing. */
  readonly tokenizerGate?: Int32Array;
  /** [tokenizer threads, model threads] Number of tokenized texts. */
  readonly tokenized?: Int32Array;
  /** Whether the wide model has a tokenizer. Default true. */
  readonly takesText?: boolean;
  readonly failsToOpen?: boolean;
  /** [shared models, wide model] Number of loads. */
  readonly opened?: Int32Array;
  readonly batching?: EmbeddingModelInfo['batching'];
  /** [shared models, wide model] Number of batches. */
  readonly computed?: Int32Array;
}

/** Special texts, by their first character. */
export const fakeTexts = { fails: '!', dies: '†', empty: '∅', nan: '÷' } as const;
export const fakeDimensions = 3;
export const fakeContext = 40;
