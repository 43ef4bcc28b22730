/** An embedding request and its result, as the server and the engine exchange them. Types only. */
import type { EmbeddingModelInfo } from '@cloister/models/interface/embedding-model';
import type { Engine } from '../pool/engine-state.ts';

export interface EmbeddingRequest {
  /** Texts, or arrays of token ids without special tokens; at least one item, and no empty item. */
  readonly input: readonly (string | readonly number[])[];
  /** The account whose fair share is charged. */
  readonly account: string;
  /** Truncate items that are too long instead of refusing them. */
  readonly truncate: boolean;
  /** Higher goes first; 0 is normal. */
  readonly priority: number;
  /** From arrival to the last vector, milliseconds. */
  readonly timeoutMs: number;
}

export interface EmbeddingResult {
  /** [input, dimensions], in the order of the input */
  readonly vectors: Float32Array;
  readonly dimensions: number;
  /** Tokens computed, including special tokens, excluding padding. */
  readonly promptTokens: number;
  /** Milliseconds from arrival until the first batch with a text of the request started. */
  readonly queuedMs: number;
}

/** An embedding engine, as the server uses it; implemented by `runtime/embeddings/embedding-engine.ts` and a fake in `test/support`. */
export interface EmbeddingEngine extends Engine<EmbeddingFacts> {
  /** Counters since the start, and gauges. */
  readonly stats: EmbeddingStats;
  /**
   * Computes one vector per item. Aborting the signal removes items that have not started.
   * @throws {RuntimeError} ERR_NOT_READY, ERR_QUEUE_FULL, ERR_CONTEXT_OVERFLOW, ERR_TOKEN_UNKNOWN, ERR_INPUT_EMPTY,
   * ERR_DEADLINE, ERR_CANCELLED, ERR_DRAINING, ERR_ENGINE_LOST, ERR_INTERNAL
   */
  embed(request: EmbeddingRequest, options: { signal: AbortSignal }): Promise<EmbeddingResult>;
}

/** Facts of a loaded model that the server reports to operators and clients. */
export interface EmbeddingFacts extends EmbeddingModelInfo {
  readonly loadMs: number;
}

export interface EmbeddingStats {
  /** Requests in flight. */
  readonly running: number;
  /** Texts that are accepted and not in a batch yet. */
  readonly waitingTexts: number;
  /** Since the start: texts and tokens computed, tokens computed as padding, and batches. */
  readonly texts: number;
  readonly promptTokens: number;
  readonly paddingTokens: number;
  readonly batches: number;
  /** Milliseconds that threads spent computing. */
  readonly computeMs: number;
}
