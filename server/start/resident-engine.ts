/**
 * The part that engines of every kind share while their model is not in memory: its weights are verified and loaded at the start; an
 * idle model can be unloaded, and the next request loads it again, after its files were verified again.
 */
import type { Engine, EngineState } from '@cloister/runtime/pool/engine-state';
import { requireReady } from '@cloister/runtime/pool/engine-state';
import { cancelled, draining, outOfTime, queueFull, RuntimeError } from '@cloister/runtime/pool/errors';
import { type EngineHealth, healthy } from '@cloister/runtime/pool/watchdog';

export type FactsOf<Real> = Real extends Engine<infer Facts> ? Facts : never;

export interface Preparation<Facts = never> {
  readonly signal: AbortSignal;
  /** @param fraction of the work before the engine can start, 0…1 */
  onProgress(fraction: number): void;
  /** Receives the states of the engine that is started. */
  onState(state: EngineState<Facts>): void;
}

/** Whether a model is in memory. Requests for an unloaded model load it. */
export type Residence = 'loading' | 'loaded' | 'unloading' | 'unloaded';

export interface ResidentOptions<Facts> {
  /** Receives the states before the engine exists, and those of the engine. */
  readonly onState: (state: EngineState<Facts>) => void;
  /** Requests that may wait while the model is loaded again. */
  readonly waitingMax?: number;
  /** Runs after the model was loaded again and before it serves. */
  readonly beforeServing?: () => Promise<void>;
  /** Runs after the model was unloaded, or could not be loaded again. */
  readonly onUnloaded?: () => void;
}

/** After the model could not be loaded again, requests are refused for this time: a load may read all of its files. */
const retryMs = 30_000;

/** Subclasses delegate the work. */
export abstract class ResidentEngine<Real extends Engine<FactsOf<Real>>> implements Engine<FactsOf<Real>> {
  protected engine: Real | undefined;
  #state: EngineState<FactsOf<Real>> = { kind: 'loading', fraction: 0 };
  readonly #stop = new AbortController();
  readonly #prepare: (preparation: Preparation<FactsOf<Real>>) => Promise<Real>;
  readonly #options: ResidentOptions<FactsOf<Real>>;
  /** Of the model that is not in memory; undefined while it is, and before it was. */
  #facts: FactsOf<Real> | undefined;
  #unloading: Promise<void> | undefined;
  #reloading: Promise<Real> | undefined;
  #fraction = 0;
  #waiting = 0;
  #failure: { readonly message: string; readonly untilMs: number } | undefined;
  #usedAtMs = performance.now();
  /** Resolves once the first engine exists or has failed. */
  protected readonly prepared: Promise<void>;

  /** @param prepare verifies the files and starts an engine */
  constructor(
    prepare: (preparation: Preparation<FactsOf<Real>>) => Promise<Real>,
    options: ResidentOptions<FactsOf<Real>>,
  ) {
    this.#prepare = prepare;
    this.#options = options;
    this.prepared = this.#prepareFirst();
  }

  /** A model that is not in memory counts as ready, because the next request loads it. */
  get state(): EngineState<FactsOf<Real>> {
    if (this.#facts === undefined) return this.engine?.state ?? this.#state;
    if (this.#hasFailed) return { kind: 'failed', message: this.#failure!.message };
    return { kind: 'ready', model: this.#facts };
  }

  get health(): EngineHealth {
    return this.engine?.health ?? healthy;
  }

  get residence(): Residence {
    if (this.#unloading !== undefined) return 'unloading';
    if (this.#reloading !== undefined) return 'loading';
    if (this.#facts !== undefined) return 'unloaded';
    return this.state.kind === 'loading' ? 'loading' : 'loaded';
  }

  /** Part of the load that is done, 0…1. */
  get loadedFraction(): number {
    if (this.residence !== 'loading') return 1;
    return this.#facts === undefined && this.state.kind === 'loading' ? this.state.fraction : this.#fraction;
  }

  /** Requests that wait until the model is loaded again. */
  protected get waitingForLoad(): number {
    return this.#waiting;
  }

  /** Milliseconds since the engine was last seen with work. Call it regularly: it looks at the current work. */
  get idleMs(): number {
    if (this.residence !== 'loaded' || this.isBusy()) this.#usedAtMs = performance.now();
    return performance.now() - this.#usedAtMs;
  }

  protected abstract isBusy(): boolean;

  /** Frees the model after running work. @returns false if the model is not loaded */
  async unload({ signal }: { signal: AbortSignal }): Promise<boolean> {
    const { engine } = this;
    if (engine === undefined || this.#facts !== undefined || engine.state.kind !== 'ready') return false;
    this.#facts = engine.state.model;
    this.#unloading = engine.drain({ signal }).finally(() => {
      this.engine = undefined;
      this.#unloading = undefined;
      this.#options.onUnloaded?.();
    });
    await this.#unloading;
    return true;
  }

  /** Loads the model now if it is not in memory. @throws the reason if it cannot be loaded */
  async load(): Promise<void> {
    if (this.#facts !== undefined) await this.#reload();
  }

  async drain(options: { signal: AbortSignal }): Promise<void> {
    const isAway = this.#facts !== undefined;
    if (isAway || this.engine === undefined) {
      this.#state = { kind: 'draining' };
      this.#facts = undefined;
      this.#stop.abort();
      await this.prepared;
    }
    await this.#unloading;
    const reloading = this.#reloading;
    await this.engine?.drain(options);
    await reloading?.catch(() => undefined);
  }

  /** @returns undefined if the model is not in memory · @throws {RuntimeError} ERR_NOT_READY, ERR_DRAINING, ERR_ENGINE_LOST */
  protected requireEngine(): Real | undefined {
    this.#usedAtMs = performance.now();
    if (this.#facts !== undefined) {
      requireReady(this.state);
      return undefined;
    }
    // It is never ready itself.
    if (this.engine === undefined) requireReady(this.#state);
    return this.engine!;
  }

  /**
   * Waits until the model is loaded again; requests at the same time wait for the same load.
   * @returns the engine, and the time that is left of the request's limit
   * @throws {RuntimeError} ERR_QUEUE_FULL, ERR_CANCELLED, ERR_DEADLINE, ERR_DRAINING, ERR_ENGINE_LOST
   */
  protected async loaded({ signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number }) {
    const { waitingMax = 256 } = this.#options;
    if (this.#waiting >= waitingMax) throw queueFull(this.#waiting);
    const startedMs = performance.now();
    const deadline = AbortSignal.timeout(Math.ceil(timeoutMs));
    this.#waiting += 1;
    try {
      const engine = await abortable(this.#reload(), AbortSignal.any([signal, deadline]));
      return { engine, leftMs: Math.max(1, Math.ceil(timeoutMs - (performance.now() - startedMs))) };
    } catch {
      if (signal.aborted) throw cancelled();
      if (deadline.aborted) throw outOfTime();
      if (this.#stop.signal.aborted) throw draining();
      // The reason is logged; it names files and settings, which are not the caller's.
      const details = { retryAfterSeconds: retryMs / 1000 };
      throw new RuntimeError('ERR_ENGINE_LOST', 'the model is not available', { details });
    } finally {
      this.#waiting -= 1;
    }
  }

  get #hasFailed(): boolean {
    return this.#failure !== undefined && performance.now() < this.#failure.untilMs;
  }

  async #prepareFirst(): Promise<void> {
    try {
      this.engine = await this.#prepare({
        signal: this.#stop.signal,
        onProgress: (fraction) => this.#report({ kind: 'loading', fraction }),
        onState: (state) => this.#options.onState(state),
      });
    } catch (error) {
      this.#report({ kind: 'failed', message: (error as Error).message });
    }
  }

  #report(state: EngineState<FactsOf<Real>>): void {
    if (this.#state.kind === 'draining') return;
    this.#state = state;
    this.#options.onState(state);
  }

  #reload(): Promise<Real> {
    this.#reloading ??= this.#reloadNow().finally(() => {
      this.#reloading = undefined;
    });
    return this.#reloading;
  }

  async #reloadNow(): Promise<Real> {
    this.#fraction = 0;
    await this.#unloading;
    const ready = Promise.withResolvers<void>();
    ready.promise.catch(() => undefined);
    let hasReported = false;
    const onState = (state: EngineState<FactsOf<Real>>) => {
      if (state.kind === 'loading') this.#fraction = Math.max(this.#fraction, state.fraction);
      else if (state.kind === 'ready') ready.resolve();
      else ready.reject(state.kind === 'failed' ? new RuntimeError('ERR_MODEL_LOAD', state.message) : draining());
      hasReported ||= state.kind === 'failed';
      this.#options.onState(state);
    };
    try {
      this.#stop.signal.throwIfAborted();
      const onProgress = (fraction: number) => onState({ kind: 'loading', fraction });
      this.engine = await this.#prepare({ signal: this.#stop.signal, onProgress, onState });
      this.#stop.signal.throwIfAborted();
      await ready.promise;
      await this.#options.beforeServing?.();
      this.#facts = undefined;
      this.#failure = undefined;
      this.#usedAtMs = performance.now();
      return this.engine;
    } catch (error) {
      await this.engine?.drain({ signal: AbortSignal.abort() });
      this.engine = undefined;
      this.#options.onUnloaded?.();
      const { message } = error as Error;
      this.#failure = { message, untilMs: performance.now() + retryMs };
      if (!hasReported && !this.#stop.signal.aborted) this.#options.onState({ kind: 'failed', message });
      throw error;
    }
  }
}

/** Settles like the promise, or rejects when the signal aborts; the promise goes on. */
async function abortable<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
