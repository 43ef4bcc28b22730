/** An engine whose weights are still being verified: it counts as loading, and becomes the real one afterwards. */
import type { ChatMessage, TokenPrompt } from '@cloister/models/interface/model';
import { emptyEngineStats } from '@cloister/runtime/chat/engine-stats';
import type {
  ChatEngine,
  ChatEvent,
  CountRequest,
  EngineStats,
  PinnedPrefix,
  PrefixOptions,
  PromptRequest,
} from '@cloister/runtime/chat/request';
import type {
  EmbeddingEngine,
  EmbeddingRequest,
  EmbeddingResult,
  EmbeddingStats,
} from '@cloister/runtime/embeddings/embedding-request';
import { noEmbeddingStats } from '@cloister/runtime/embeddings/embedding-stats';
import {
  type ImageEngine,
  type ImageEvent,
  type ImageRequest,
  type ImageStats,
  noImageStats,
} from '@cloister/runtime/images/image-engine';
import type { Engine, EngineState } from '@cloister/runtime/pool/engine-state';
import { requireReady } from '@cloister/runtime/pool/engine-state';
import { type EngineHealth, healthy } from '@cloister/runtime/pool/watchdog';

export interface Preparation {
  readonly signal: AbortSignal;
  /** @param fraction of the work before the engine can start, 0…1 */
  onProgress(fraction: number): void;
}

type FactsOf<Real> = Real extends Engine<infer Facts> ? Facts : never;

/** Common to every kind of model; subclasses delegate the work. */
abstract class Preparing<Real extends Engine<FactsOf<Real>>> implements Engine<FactsOf<Real>> {
  protected engine: Real | undefined;
  #state: EngineState<FactsOf<Real>> = { kind: 'loading', fraction: 0 };
  readonly #stop = new AbortController();
  readonly #onState: (state: EngineState<never>) => void;
  /** Resolves once the real engine exists or has failed. */
  protected readonly prepared: Promise<void>;

  /** @param prepare starts the real engine · @param onState receives the states before that */
  constructor(
    prepare: (preparation: Preparation) => Promise<Real>,
    { onState }: { onState: (state: EngineState<never>) => void },
  ) {
    this.#onState = onState;
    this.prepared = this.#run(prepare);
  }

  get state(): EngineState<FactsOf<Real>> {
    return this.engine?.state ?? this.#state;
  }

  get health(): EngineHealth {
    return this.engine?.health ?? healthy;
  }

  async drain(options: { signal: AbortSignal }): Promise<void> {
    if (this.engine === undefined) {
      this.#state = { kind: 'draining' };
      this.#stop.abort();
      await this.prepared;
    }
    await this.engine?.drain(options);
  }

  /** @throws {RuntimeError} ERR_NOT_READY, ERR_DRAINING, ERR_ENGINE_LOST */
  protected requireEngine(): Real {
    // It is never ready itself.
    if (this.engine === undefined) requireReady(this.#state);
    return this.engine!;
  }

  async #run(prepare: (preparation: Preparation) => Promise<Real>): Promise<void> {
    try {
      this.engine = await prepare({
        signal: this.#stop.signal,
        onProgress: (fraction) => this.#report({ kind: 'loading', fraction }),
      });
    } catch (error) {
      this.#report({ kind: 'failed', message: (error as Error).message });
    }
  }

  #report(state: EngineState<never>): void {
    if (this.#state.kind === 'draining') return;
    this.#state = state;
    this.#onState(state);
  }
}

export class PreparingEngine extends Preparing<ChatEngine> implements ChatEngine {
  get stats(): EngineStats {
    return this.engine?.stats ?? emptyEngineStats;
  }

  chat(request: PromptRequest, options: { signal: AbortSignal }): AsyncIterable<ChatEvent> {
    return this.requireEngine().chat(request, options);
  }

  async countPrompt(request: CountRequest, options: { signal: AbortSignal }): Promise<number> {
    return await this.requireEngine().countPrompt(request, options);
  }

  async tokenize(request: CountRequest, options: { signal: AbortSignal }): Promise<readonly number[]> {
    return await this.requireEngine().tokenize(request, options);
  }

  async detokenize(request: CountRequest<TokenPrompt>, options: { signal: AbortSignal }): Promise<string> {
    return await this.requireEngine().detokenize(request, options);
  }

  async pinPrefix(messages: readonly ChatMessage[], options: PrefixOptions = {}): Promise<PinnedPrefix> {
    await this.prepared;
    return await this.requireEngine().pinPrefix(messages, options);
  }
}

export class PreparingImageEngine extends Preparing<ImageEngine> implements ImageEngine {
  get stats(): ImageStats {
    return this.engine?.stats ?? noImageStats;
  }

  draw(request: ImageRequest, options: { signal: AbortSignal }): AsyncIterable<ImageEvent> {
    return this.requireEngine().draw(request, options);
  }
}

export class PreparingEmbeddingEngine extends Preparing<EmbeddingEngine> implements EmbeddingEngine {
  get stats(): EmbeddingStats {
    return this.engine?.stats ?? noEmbeddingStats;
  }

  async embed(request: EmbeddingRequest, options: { signal: AbortSignal }): Promise<EmbeddingResult> {
    return await this.requireEngine().embed(request, options);
  }
}
