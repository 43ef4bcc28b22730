/** What tests of embedding engines share with their threads. */

export interface FakeEmbeddingData {
  /** [computing, open]: batches count up the first and wait until the second is set. */
  readonly gate?: Int32Array;
  /** The same for tokenising. */
  readonly tokenizerGate?: Int32Array;
  readonly failsToOpen?: boolean;
}

/** By their first character. */
export const FAKE_TEXTS = { fails: '!', dies: '†', empty: '∅' } as const;
export const FAKE_DIMENSIONS = 3;
export const FAKE_CONTEXT = 40;
