/** What tests of embedding engines share with their threads. */
import type { EmbeddingModelInfo } from '../../../models/interface/embedding-model.ts';

export interface FakeEmbeddingData {
  /** [computing, open]: batches count up the first and wait until the second is set. */
  readonly gate?: Int32Array;
  /** The same for tokenizing. */
  readonly tokenizerGate?: Int32Array;
  /** [tokenizing threads, threads with a model]: texts that each tokenized, counted up. */
  readonly tokenized?: Int32Array;
  /** Default true: a thread that is to take text brings a tokenizer. */
  readonly takesText?: boolean;
  readonly failsToOpen?: boolean;
  /** [shared models, the wide one]: opened, counted up. */
  readonly opened?: Int32Array;
  readonly batching?: EmbeddingModelInfo['batching'];
  /** [batches of shared models, batches of the wide one], counted up. */
  readonly computed?: Int32Array;
}

/** By their first character. */
export const fakeTexts = { fails: '!', dies: '†', empty: '∅', nan: '÷' } as const;
export const fakeDimensions = 3;
export const fakeContext = 40;
