/** An embedding engine without threads: each vector identifies its text, and requests fail on demand. */
import {
  type EmbeddingEngine,
  type EmbeddingFacts,
  type EmbeddingRequest,
  type EmbeddingResult,
  itemSize,
} from '../../../runtime/embeddings/embedding-request.ts';
import { noEmbeddingStats } from '../../../runtime/embeddings/embedding-stats.ts';
import type { EngineState } from '../../../runtime/pool/engine-state.ts';
import { RuntimeError } from '../../../runtime/pool/errors.ts';
import { type EngineHealth, healthy } from '../../../runtime/pool/watchdog.ts';

export class FakeEmbeddingEngine implements EmbeddingEngine {
  health: EngineHealth = healthy;
  state: EngineState<EmbeddingFacts> = {
    kind: 'ready',
    model: { description: 'fake', device: 'nowhere', dimensions: 4, contextLength: 64, batching: 'padded', loadMs: 1 },
  };
  readonly stats = noEmbeddingStats;
  /** Every request so far. */
  readonly requests: EmbeddingRequest[] = [];
  /** If set, each request fails with this error. */
  refusal: Error | undefined;
  /** Requests wait until this resolves or their caller disconnects. */
  gate: Promise<void> = Promise.resolve();

  /** If set, the engine is a cross-encoder: the logit of item k. */
  logitOf: ((index: number) => number) | undefined;

  /** The vector of item k is [3, 4, k, 0] / its length. */
  async embed(request: EmbeddingRequest, { signal }: { signal: AbortSignal }): Promise<EmbeddingResult> {
    this.requests.push(request);
    if (this.refusal !== undefined) throw this.refusal;
    const left = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => left.reject(new RuntimeError('ERR_CANCELLED', 'the caller disconnected')));
    await Promise.race([this.gate, left.promise]);
    const promptTokens = request.input.reduce((sum, item) => sum + itemSize(item), 0);
    if (this.logitOf !== undefined) {
      const { logitOf } = this;
      const logits = Float32Array.from(request.input, (_, index) => logitOf(index));
      return { vectors: logits, dimensions: 1, promptTokens, queuedMs: 1 };
    }
    const vectors = request.input.flatMap((_, index) => [3, 4, index, 0].map((one) => one / Math.hypot(3, 4, index)));
    return { vectors: Float32Array.from(vectors), dimensions: 4, promptTokens, queuedMs: 1 };
  }

  async drain(): Promise<void> {}
}
