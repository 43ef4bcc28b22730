/** The serving thread's client of an image model: one worker thread, a bounded queue, progress and cancellation per step. */
import type { ImageJob, ImageModel, ImagePreview, RawImage } from '@cloister/models/interface/image-model';
import { type Engine, type EngineState, requireReady } from '../pool/engine-state.ts';
import { draining, RuntimeError } from '../pool/errors.ts';
import { EventChannel } from '../pool/event-channel.ts';
import type { OpenWorker } from '../pool/pool-worker.ts';
import { type RestartDelays, Restarts } from '../pool/restarts.ts';
import type { EngineHealth, ThreadWatch } from '../pool/watchdog.ts';
import { WorkerPool } from '../pool/worker-pool.ts';

export interface ImageRequest extends ImageJob {
  /** From arrival to the last step, milliseconds. */
  readonly timeoutMs: number;
}

export type ImageEvent =
  /** The first event: the job has left the queue. */
  | { readonly kind: 'started'; readonly queuedMs: number }
  | { readonly kind: 'step'; readonly step: number; readonly steps: number }
  | ({ readonly kind: 'preview' } & ImagePreview)
  /** The last event. The images have the model's native size. */
  | { readonly kind: 'finished'; readonly images: readonly RawImage[] };

/** Facts of a loaded image model that the server reports to operators and clients. */
export interface ImageFacts {
  readonly description: string;
  readonly device: string;
  /** Sizes such as `512×512`. */
  readonly nativeSizes: readonly string[];
}

export interface ImageStats {
  readonly running: number;
  readonly waiting: number;
  /** Since the start. */
  readonly images: number;
  readonly steps: number;
}

/** An image engine, as the server uses it; `test/support` has a fake. */
export interface ImageEngine extends Engine<ImageFacts> {
  readonly stats: ImageStats;
  /**
   * Yields the events of one request, in order. Aborting the signal, or leaving the loop, cancels the job within one step.
   * @throws {RuntimeError} ERR_QUEUE_FULL, ERR_DEADLINE, ERR_CANCELLED, ERR_NOT_READY, ERR_DRAINING, ERR_ENGINE_LOST
   */
  draw(request: ImageRequest, options: { signal: AbortSignal }): AsyncIterable<ImageEvent>;
}

export interface ImageEngineOptions {
  /** Entry point of the worker, `server/start/image-worker.ts` or one of the tests. */
  readonly workerUrl: URL;
  readonly workerData: unknown;
  readonly queuedJobsMax: number;
  /** Called before a restarted thread loads the model again; rejects if its files must not be loaded any more. */
  readonly verifyWeights: () => Promise<unknown>;
  readonly onState?: (state: EngineState<ImageFacts>) => void;
  readonly watch: ThreadWatch;
  readonly restartDelays?: RestartDelays;
}

export const noImageStats: ImageStats = { running: 0, waiting: 0, images: 0, steps: 0 };

/** Progress that the thread reports while it runs a job. */
export type ImageProgress =
  | { readonly kind: 'step'; readonly step: number }
  | ({ readonly kind: 'preview' } & ImagePreview);

/** Wraps an image model for a pool thread. */
export function openImageWorker(
  model: ImageModel,
): OpenWorker<ImageJob, readonly RawImage[], ImageFacts, ImageProgress> {
  const { description, device, nativeSizes } = model.info;
  return {
    facts: { description, device, nativeSizes: nativeSizes.map(({ width, height }) => `${width}×${height}`) },
    async run(job, { isCancelled, report }) {
      const images = await model.draw(job, {
        isCancelled,
        onStep: (step) => report({ kind: 'step', step }),
        onPreview: (preview) => report({ kind: 'preview', ...preview }, buffersOf(preview.images)),
      });
      return { result: images, transfer: buffersOf(images) };
    },
    close: () => model.close(),
  };
}

function buffersOf(images: readonly RawImage[]): ArrayBuffer[] {
  return images.map(({ pixels }) => pixels.buffer as ArrayBuffer);
}

export function startImageEngine(options: ImageEngineOptions): ImageEngine {
  return new PooledImageEngine(options);
}

class PooledImageEngine implements ImageEngine {
  readonly #pool: WorkerPool<ImageJob, readonly RawImage[], ImageFacts, ImageProgress>;
  readonly #onState: ((state: EngineState<ImageFacts>) => void) | undefined;
  readonly #stopping = new AbortController();
  #state: EngineState<ImageFacts> = { kind: 'loading', fraction: 0 };
  #images = 0;
  #steps = 0;
  readonly #restarts: Restarts;

  constructor({
    workerUrl,
    workerData,
    queuedJobsMax,
    verifyWeights,
    onState,
    watch,
    restartDelays,
  }: ImageEngineOptions) {
    this.#restarts = new Restarts({
      ...{ verifyWeights, delays: restartDelays },
      onLoss: (loss) => this.#setState({ kind: 'loading', fraction: 0, loss }),
    });
    this.#pool = new WorkerPool({
      ...{ workerUrl, workerData, threads: 1, waitingTasksMax: queuedJobsMax, watch },
      reopen: (open, reason) => this.#reopen(open, reason),
    });
    this.#onState = onState;
    void this.#open();
  }

  get state(): EngineState<ImageFacts> {
    return this.#state;
  }

  get health(): EngineHealth {
    return { stalledMs: this.#pool.stalledMs, losses: this.#restarts.losses };
  }

  get stats(): ImageStats {
    return {
      running: 1 - this.#pool.freeThreads,
      waiting: this.#pool.waitingTasks,
      images: this.#images,
      steps: this.#steps,
    };
  }

  draw({ timeoutMs, ...job }: ImageRequest, { signal }: { signal: AbortSignal }): AsyncIterable<ImageEvent> {
    requireReady(this.#state);
    const left = new AbortController();
    const deadline = AbortSignal.timeout(timeoutMs);
    const channel = new EventChannel<ImageEvent>({ onLeave: () => left.abort() });
    const arrivedAt = performance.now();
    const onStart = () => channel.push({ kind: 'started', queuedMs: performance.now() - arrivedAt });
    const onProgress = (progress: ImageProgress) => {
      if (progress.kind === 'preview') return channel.push(progress);
      this.#steps += 1;
      channel.push({ ...progress, steps: job.steps });
    };
    const stop = AbortSignal.any([signal, left.signal, deadline, this.#stopping.signal]);
    this.#pool.run(job, { signal: stop, onStart, onProgress }).then(
      (images) => {
        this.#images += images.length;
        channel.push({ kind: 'finished', images });
        channel.close();
      },
      (error) => channel.fail(this.#reasonOf(error, { isLate: deadline.aborted && !signal.aborted })),
    );
    return channel;
  }

  async drain({ signal }: { signal: AbortSignal }): Promise<void> {
    this.#setState({ kind: 'draining' });
    this.#restarts.stop();
    if (signal.aborted) this.#stopping.abort();
    else signal.addEventListener('abort', () => this.#stopping.abort(), { once: true });
    await this.#pool.close({ signal });
  }

  async #open(): Promise<void> {
    const onProgress = (fraction: number) => this.#setState({ kind: 'loading', fraction });
    // The state reports a failure; no caller waits.
    await this.#ready(() => this.#restarts.open(() => this.#pool.open({ onProgress }))).catch(() => undefined);
  }

  async #reopen(open: () => Promise<readonly ImageFacts[]>, reason: string): Promise<void> {
    await this.#ready(async () => {
      await this.#restarts.afterLoss(reason);
      return await this.#restarts.open(open);
    });
  }

  async #ready(open: () => Promise<readonly ImageFacts[]>): Promise<void> {
    try {
      const [facts] = await open();
      this.#setState({ kind: 'ready', model: facts! });
    } catch (error) {
      this.#setState({ kind: 'failed', message: (error as Error).message });
      throw error;
    }
  }

  #reasonOf(error: unknown, { isLate }: { isLate: boolean }): unknown {
    if (!(error instanceof RuntimeError) || error.code !== 'ERR_CANCELLED') return error;
    if (isLate) return new RuntimeError('ERR_DEADLINE', 'the request ran out of time; ask for fewer steps or images');
    return this.#stopping.signal.aborted ? draining() : error;
  }

  #setState(state: EngineState<ImageFacts>): void {
    if (this.#state.kind === 'draining') return;
    this.#state = state;
    this.#onState?.(state);
  }
}
