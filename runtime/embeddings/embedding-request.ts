/** An embedding request and its result, as the server and the engine exchange them. */
import type { EmbeddingModelInfo, TextPair } from '@cloister/models/interface/embedding-model';
import type { Engine } from '../pool/engine-state.ts';

/** A text, token ids without special tokens, or a pair of texts for a cross-encoder. Not empty. */
export type EmbeddingItem = string | readonly number[] | TextPair;

export interface EmbeddingRequest {
  /** At least one. */
  readonly input: readonly EmbeddingItem[];
  /** The field of the caller's body that errors name; default `input`. */
  readonly field?: string | undefined;
  /** Tokens of the second text of a pair; longer ones lose their end. Default: as many as the model takes. */
  readonly secondTokensMax?: number | undefined;
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

/** Characters or token ids of an item. */
export function itemSize(item: EmbeddingItem): number {
  return isPair(item) ? item.first.length + item.second.length : item.length;
}

export function isPair(item: EmbeddingItem): item is TextPair {
  return typeof item === 'object' && 'second' in item;
}
