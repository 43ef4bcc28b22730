/** One embedding request and what comes back of it, between whoever speaks a protocol and the engine. Types only. */
import type { EmbeddingModelInfo } from '@cloister/models/interface/embedding-model';
import type { Engine } from '../pool/engine-state.ts';

export interface EmbeddingRequest {
  /** Texts, or token ids without the special ones; at least one, none of them empty. */
  readonly input: readonly (string | readonly number[])[];
  /** Whose fair share the work is booked on. */
  readonly account: string;
  /** Cut what is too long instead of refusing it. */
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
  /** Tokens computed, special ones included, padding left out. */
  readonly promptTokens: number;
  /** From arrival until the first batch with work of it began, milliseconds. */
  readonly queuedMs: number;
}

/** What a server needs of an embedding engine; `runtime/embeddings/embedding-engine.ts` is the real one, `test/support` has a fake. */
export interface EmbeddingEngine extends Engine<EmbeddingFacts> {
  /** Counters and gauges since the start. */
  readonly stats: EmbeddingStats;
  /**
   * Aborting the signal drops what has not started.
   * @throws {RuntimeError} ERR_NOT_READY, ERR_QUEUE_FULL, ERR_CONTEXT_OVERFLOW, ERR_TOKEN_UNKNOWN, ERR_INPUT_EMPTY,
   * ERR_DEADLINE, ERR_CANCELLED, ERR_DRAINING, ERR_ENGINE_LOST, ERR_INTERNAL
   */
  embed(request: EmbeddingRequest, options: { signal: AbortSignal }): Promise<EmbeddingResult>;
}

/** What is worth telling people and clients about a loaded model. */
export interface EmbeddingFacts extends EmbeddingModelInfo {
  readonly loadMs: number;
}

export interface EmbeddingStats {
  /** Requests being worked on. */
  readonly running: number;
  /** Texts accepted and not yet in a batch. */
  readonly waitingTexts: number;
  /** Since the start: texts and tokens computed, tokens computed as padding, and batches. */
  readonly texts: number;
  readonly promptTokens: number;
  readonly paddingTokens: number;
  readonly batches: number;
  /** Time that threads spent computing, milliseconds. */
  readonly computeMs: number;
}
