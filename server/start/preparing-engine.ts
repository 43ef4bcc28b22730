/** The engines of every kind of model, whose model may not be in memory: while its weights are verified, and after it was unloaded. */
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
import { ResidentEngine } from './resident-engine.ts';

interface Waiting {
  readonly signal: AbortSignal;
}

/** A prefix that every load of the model computes again. */
interface Pin {
  readonly messages: readonly ChatMessage[];
  readonly options: PrefixOptions;
}

export class PreparingEngine extends ResidentEngine<ChatEngine> implements ChatEngine {
  readonly #pins: Pin[] = [];
  #pinnedBy: ChatEngine | undefined;

  get stats(): EngineStats {
    const { waitingForLoad: waiting } = this;
    const stats = this.engine?.stats ?? emptyEngineStats;
    return waiting === 0 ? stats : { ...stats, waiting: stats.waiting + waiting };
  }

  chat(request: PromptRequest, options: Waiting): AsyncIterable<ChatEvent> {
    const engine = this.requireEngine();
    if (engine === undefined) return this.#chatLater(request, options);
    this.#pinAgain(engine);
    return engine.chat(request, options);
  }

  async countPrompt(request: CountRequest, options: Waiting): Promise<number> {
    const { engine, leftMs: timeoutMs } = await this.#whenLoaded(request, options);
    return await engine.countPrompt({ ...request, timeoutMs }, options);
  }

  async tokenize(request: CountRequest, options: Waiting): Promise<readonly number[]> {
    const { engine, leftMs: timeoutMs } = await this.#whenLoaded(request, options);
    return await engine.tokenize({ ...request, timeoutMs }, options);
  }

  async detokenize(request: CountRequest<TokenPrompt>, options: Waiting): Promise<string> {
    const { engine, leftMs: timeoutMs } = await this.#whenLoaded(request, options);
    return await engine.detokenize({ ...request, timeoutMs }, options);
  }

  /** The prefix is computed again after each load, in the background. */
  async pinPrefix(messages: readonly ChatMessage[], options: PrefixOptions = {}): Promise<PinnedPrefix> {
    await this.prepared;
    await this.load();
    const engine = this.requireEngine()!;
    const pinned = await engine.pinPrefix(messages, options);
    this.#pins.push({ messages, options });
    this.#pinnedBy = engine;
    return pinned;
  }

  protected override isBusy(): boolean {
    const { preparing, running, waiting } = this.stats;
    return preparing + running + waiting > 0;
  }

  async #whenLoaded({ timeoutMs }: { timeoutMs: number }, { signal }: Waiting) {
    const engine = this.requireEngine();
    const found = engine === undefined ? await this.loaded({ signal, timeoutMs }) : { engine, leftMs: timeoutMs };
    this.#pinAgain(found.engine);
    return found;
  }

  async *#chatLater(request: PromptRequest, options: Waiting): AsyncIterable<ChatEvent> {
    const { engine, leftMs: timeoutMs } = await this.#whenLoaded(request, options);
    yield* engine.chat({ ...request, timeoutMs }, options);
  }

  #pinAgain(engine: ChatEngine): void {
    if (engine === this.#pinnedBy) return;
    this.#pinnedBy = engine;
    for (const { messages, options } of this.#pins) engine.pinPrefix(messages, options).catch(() => undefined);
  }
}

export class PreparingImageEngine extends ResidentEngine<ImageEngine> implements ImageEngine {
  get stats(): ImageStats {
    const stats = this.engine?.stats ?? noImageStats;
    return { ...stats, waiting: stats.waiting + this.waitingForLoad };
  }

  draw(request: ImageRequest, options: Waiting): AsyncIterable<ImageEvent> {
    const engine = this.requireEngine();
    return engine === undefined ? this.#drawLater(request, options) : engine.draw(request, options);
  }

  protected override isBusy(): boolean {
    return this.stats.running + this.stats.waiting > 0;
  }

  async *#drawLater(request: ImageRequest, options: Waiting): AsyncIterable<ImageEvent> {
    const { engine, leftMs } = await this.loaded({ ...options, timeoutMs: request.timeoutMs });
    yield* engine.draw({ ...request, timeoutMs: leftMs }, options);
  }
}

export class PreparingEmbeddingEngine extends ResidentEngine<EmbeddingEngine> implements EmbeddingEngine {
  get stats(): EmbeddingStats {
    const stats = this.engine?.stats ?? noEmbeddingStats;
    const { waitingForLoad: waiting } = this;
    return waiting === 0 ? stats : { ...stats, running: stats.running + waiting };
  }

  async embed(request: EmbeddingRequest, options: Waiting): Promise<EmbeddingResult> {
    const own = this.requireEngine();
    if (own !== undefined) return await own.embed(request, options);
    const { engine, leftMs } = await this.loaded({ ...options, timeoutMs: request.timeoutMs });
    return await engine.embed({ ...request, timeoutMs: leftMs }, options);
  }

  protected override isBusy(): boolean {
    return this.stats.running + this.stats.waitingTexts > 0;
  }
}
