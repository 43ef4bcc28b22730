/** An engine whose weights are still being proven: it counts as loading, and becomes the real one afterwards. */
import { NO_STATS } from '../runtime/engine-client.ts';
import { RuntimeError } from '../runtime/errors.ts';
import type { ChatEngine, ChatEvent, ChatRequest, EngineState, EngineStats } from '../runtime/request.ts';

export interface Preparation {
  readonly signal: AbortSignal;
  /** @param fraction of the work before the engine can start, 0…1 */
  onProgress(fraction: number): void;
}

const retryAfterSeconds = 30;

export class PreparingEngine implements ChatEngine {
  #engine: ChatEngine | undefined;
  #state: EngineState = { kind: 'loading', fraction: 0 };
  readonly #stop = new AbortController();
  readonly #onState: (state: EngineState) => void;
  readonly #prepared: Promise<void>;

  /** @param prepare starts the engine once it may · @param onState hears of states before that */
  constructor(
    prepare: (preparation: Preparation) => Promise<ChatEngine>,
    { onState }: { onState: (state: EngineState) => void },
  ) {
    this.#onState = onState;
    this.#prepared = this.#run(prepare);
  }

  get state(): EngineState {
    return this.#engine?.state ?? this.#state;
  }

  get stats(): EngineStats {
    return this.#engine?.stats ?? NO_STATS;
  }

  chat(request: ChatRequest, options: { signal: AbortSignal }): AsyncIterable<ChatEvent> {
    if (this.#engine !== undefined) return this.#engine.chat(request, options);
    if (this.#state.kind === 'draining') throw new RuntimeError('ERR_DRAINING', 'the service is stopping');
    if (this.#state.kind === 'failed') throw new RuntimeError('ERR_ENGINE_LOST', 'the model is not available');
    throw new RuntimeError('ERR_NOT_READY', 'the model is still loading', { details: { retryAfterSeconds } });
  }

  async drain(options: { signal: AbortSignal }): Promise<void> {
    if (this.#engine === undefined) {
      this.#state = { kind: 'draining' };
      this.#stop.abort();
      await this.#prepared;
    }
    await this.#engine?.drain(options);
  }

  async #run(prepare: (preparation: Preparation) => Promise<ChatEngine>): Promise<void> {
    try {
      this.#engine = await prepare({
        signal: this.#stop.signal,
        onProgress: (fraction) => this.#report({ kind: 'loading', fraction }),
      });
    } catch (error) {
      this.#report({ kind: 'failed', message: (error as Error).message });
    }
  }

  #report(state: EngineState): void {
    if (this.#state.kind === 'draining') return;
    this.#state = state;
    this.#onState(state);
  }
}
