/** Counters of an embedding engine. */
import type { EmbeddingModelInfo } from '@cloister/models/interface/embedding-model';
import type { EmbeddingStats } from './embedding-request.ts';

/** Statistics of an engine that has not run yet. */
export const noEmbeddingStats: EmbeddingStats = {
  running: 0,
  waitingTexts: 0,
  texts: 0,
  promptTokens: 0,
  paddingTokens: 0,
  batches: 0,
  computeMs: 0,
};

/** Counters since the start. */
export class EmbeddingCounts {
  #texts = 0;
  #promptTokens = 0;
  #paddingTokens = 0;
  #batches = 0;
  #computeMs = 0;

  get sums(): Omit<EmbeddingStats, 'running' | 'waitingTexts'> {
    return {
      texts: this.#texts,
      promptTokens: this.#promptTokens,
      paddingTokens: this.#paddingTokens,
      batches: this.#batches,
      computeMs: this.#computeMs,
    };
  }

  /** Adds one batch. @param lengths tokens of each text of the batch */
  add(
    lengths: readonly number[],
    { computeMs, batching }: Pick<EmbeddingModelInfo, 'batching'> & { computeMs: number },
  ) {
    const tokens = lengths.reduce((sum, length) => sum + length, 0);
    const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
    this.#texts += lengths.length;
    this.#promptTokens += tokens;
    if (batching === 'padded') this.#paddingTokens += longest * lengths.length - tokens;
    this.#batches += 1;
    this.#computeMs += computeMs;
  }
}
