/** The embedding engine: tokenizes texts on some threads, forms batches here, and computes them on threads with a model each. */
import { type EngineState, requireReady } from '../pool/engine-state.ts';
import { cancelled, draining, RuntimeError } from '../pool/errors.ts';
import { FairQueue } from '../pool/queue.ts';
import type { EngineHealth } from '../pool/watchdog.ts';
import { batcherFor, EmbeddingBatcher } from './embedding-batcher.ts';
import { boundInput } from './embedding-bound.ts';
import { EmbeddingJob, type JobText, type Slice, sliceOf } from './embedding-job.ts';
import type {
  EmbeddingEngine,
  EmbeddingFacts,
  EmbeddingRequest,
  EmbeddingResult,
  EmbeddingStats,
} from './embedding-request.ts';
import { EmbeddingCounts } from './embedding-stats.ts';
import { EmbeddingThreads, type EmbeddingThreadsOptions } from './embedding-threads.ts';
import { type EmbedOutcome, type PackedTexts, packTexts, unpackTexts } from './embedding-worker.ts';

export interface EmbeddingEngineOptions
  extends Omit<EmbeddingThreadsOptions, 'onReload' | 'onLoss' | 'onTokenizerFree' | 'onModelFree'> {
  /** Maximum texts that are accepted and not in a batch; one account may have three quarters of it. */
  readonly queuedTextsMax: number;
  /** Maximum tokens of a batch, padding included. */
  readonly batchTokensMax: number;
  readonly onState?: (state: EngineState<EmbeddingFacts>) => void;
}

/** Texts of up to this many characters are tokenized on a model's thread, which costs less than waking another thread. */
const directSizeMax = 4096;
/** Maximum share of the queue of an account that already has texts in it, so that others find room. */
const accountShare = 0.75;

/** Starts loading; `state` reports the progress. */
export function startEmbeddingEngine(options: EmbeddingEngineOptions): EmbeddingEngine {
  const engine = new PooledEmbeddingEngine(options);
  void engine.load();
  return engine;
}

class PooledEmbeddingEngine implements EmbeddingEngine {
  readonly #options: EmbeddingEngineOptions;
  readonly #threads: EmbeddingThreads;
  readonly #untokenized = new FairQueue<Slice>();
  /** Replaced after the model is loaded and its kind of batching is known. */
  #batcher: EmbeddingBatcher<JobText>;
  readonly #jobs = new Set<EmbeddingJob>();
  #state: EngineState<EmbeddingFacts> = { kind: 'loading', fraction: 0 };
  #model: EmbeddingFacts | undefined;
  #reloads = 0;
  readonly #counts = new EmbeddingCounts();
  #idle = Promise.withResolvers<void>();

  constructor(options: EmbeddingEngineOptions) {
    this.#options = options;
    this.#threads = new EmbeddingThreads({
      ...options,
      onReload: (reload) => void this.#reload(reload),
      onLoss: (loss) => this.#setState({ kind: 'loading', fraction: 0, loss }),
      onTokenizerFree: () => this.#tokenizeNext(),
      onModelFree: () => this.#computeNext(),
    });
    this.#batcher = new EmbeddingBatcher(options);
  }

  get state(): EngineState<EmbeddingFacts> {
    return this.#state;
  }

  get health(): EngineHealth {
    return this.#threads.health;
  }

  get stats(): EmbeddingStats {
    return { ...this.#counts.sums, running: this.#jobs.size, waitingTexts: this.#waitingTexts(() => true) };
  }

  async load(): Promise<void> {
    const started = performance.now();
    try {
      const info = await this.#threads.open({
        onProgress: (fraction) => this.#setState({ kind: 'loading', fraction }),
      });
      const model: EmbeddingFacts = { ...info, loadMs: performance.now() - started };
      this.#model = model;
      this.#batcher = batcherFor(model, this.#options);
      this.#setState({ kind: 'ready', model });
    } catch (error) {
      this.#setState({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  }

  async embed(request: EmbeddingRequest, { signal }: { signal: AbortSignal }): Promise<EmbeddingResult> {
    const { dimensions, contextLength } = requireReady(this.#state);
    if (signal.aborted) throw cancelled();
    const bounded = boundInput(request, contextLength);
    this.#requireRoom(request);
    const job = new EmbeddingJob(bounded, { dimensions, now: performance.now() });
    this.#jobs.add(job);
    const onAbort = () => job.fail(cancelled());
    const onDeadline = () =>
      job.fail(new RuntimeError('ERR_DEADLINE', 'the request ran out of time; send fewer texts'));
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(onDeadline, request.timeoutMs);
    try {
      const slices = [...sliceOf(job, { limit: contextLength })];
      if (this.#isDirect(slices)) {
        void this.#embedDirectly(slices[0]!);
      } else {
        for (const slice of slices) this.#untokenized.push(slice);
        this.#tokenizeNext();
      }
      return await job.result;
    } catch (error) {
      this.#forget(job);
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.#jobs.delete(job);
      this.#resolveIdle();
    }
  }

  async drain({ signal }: { signal: AbortSignal }): Promise<void> {
    this.#setState({ kind: 'draining' });
    const stop = () => {
      for (const job of this.#jobs) job.fail(draining());
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    this.#resolveIdle();
    await this.#idle.promise;
    signal.removeEventListener('abort', stop);
    await this.#threads.close({ signal });
  }

  /** Refuses new requests until the reload settles; waiting requests stay queued. */
  async #reload(reload: Promise<void>): Promise<void> {
    this.#reloads += 1;
    this.#setState({ kind: 'loading', fraction: 0 });
    try {
      await reload;
      this.#reloads -= 1;
      if (this.#reloads === 0 && this.#model) this.#setState({ kind: 'ready', model: this.#model });
    } catch (error) {
      // `#reloads` stays above 0, so that no other reload sets the state to ready.
      this.#setState({ kind: 'failed', message: (error as Error).message });
    }
    this.#tokenizeNext();
    this.#computeNext();
  }

  #requireRoom({ account, input }: EmbeddingRequest): void {
    const { queuedTextsMax } = this.#options;
    const own = this.#waitingTexts((job) => job.request.account === account);
    const all = this.#waitingTexts(() => true);
    const isOverShare = own > 0 && own + input.length > queuedTextsMax * accountShare;
    if (!isOverShare && all + input.length <= queuedTextsMax) return;
    throw new RuntimeError('ERR_QUEUE_FULL', `${all} texts are already queued; try again later`);
  }

  #waitingTexts(of: (job: EmbeddingJob) => boolean): number {
    let sum = 0;
    for (const job of this.#jobs) if (of(job)) sum += job.waitingTexts;
    return sum;
  }

  /** Whether the request is one short text and the engine is idle. */
  #isDirect([slice, ...others]: readonly Slice[]): boolean {
    if (others.length > 0 || slice!.task.items.length > 1 || slice!.size > directSizeMax) return false;
    return this.#untokenized.length === 0 && this.#batcher.length === 0 && this.#threads.canEmbedText;
  }

  async #embedDirectly({ job, task }: Slice): Promise<void> {
    job.begun(performance.now());
    try {
      const { vectors, lengths, computeMs } = await this.#threads.embedText(task);
      this.#counts.add([...lengths], { computeMs, batching: this.#model!.batching });
      job.computedDirectly(lengths[0]!, vectors);
    } catch (error) {
      job.fail(error);
    }
  }

  #tokenizeNext(): void {
    while (this.#threads.canTokenize) {
      const slice = this.#untokenized.take();
      if (slice === undefined) return;
      this.#untokenized.charge(slice.account, slice.size);
      void this.#tokenize(slice);
    }
  }

  async #tokenize({ job, task }: Slice): Promise<void> {
    try {
      const packed = await this.#threads.tokenize(task, { signal: job.signal });
      if (job.isOver) return;
      for (const text of job.textsOf(unpackTexts(packed), task.first)) this.#batcher.push(text);
      this.#computeNext();
    } catch (error) {
      job.fail(error);
    }
  }

  #computeNext(): void {
    while (this.#threads.freeModels > 0) {
      const batch = this.#batcher.take(performance.now(), { threads: this.#threads.freeModels });
      if (batch.length === 0) return;
      void this.#compute(batch);
    }
  }

  async #compute(batch: readonly JobText[]): Promise<void> {
    const now = performance.now();
    const isLast = this.#batcher.length === 0;
    for (const { job } of batch) job.begun(now);
    try {
      await this.#computeBatch(batch, (packed) => this.#threads.compute(packed, { isLast }));
    } catch (error) {
      const jobs = Map.groupBy(batch, ({ job }) => job);
      const isSingleJob = jobs.size === 1 || !(error instanceof RuntimeError && error.code === 'ERR_INTERNAL');
      for (const [job, texts] of jobs) {
        if (isSingleJob) job.fail(error);
        // One request's texts may have caused the error. Computed alone, only that request fails.
        else
          this.#computeBatch(texts, (packed) => this.#threads.computeAgain(packed)).catch((cause) => job.fail(cause));
      }
    }
  }

  async #computeBatch(
    batch: readonly JobText[],
    compute: (packed: PackedTexts) => Promise<EmbedOutcome>,
  ): Promise<void> {
    const { vectors, computeMs } = await compute(packTexts(batch.map(({ tokens }) => tokens)));
    const lengths = batch.map(({ tokens }) => tokens.length);
    this.#counts.add(lengths, { computeMs, batching: this.#model!.batching });
    for (const [row, text] of batch.entries()) text.job.computed(text, vectors, row);
  }

  /** Removes a job's texts that have not started from all queues. */
  #forget(job: EmbeddingJob): void {
    for (const slice of [...this.#untokenized.items()]) if (slice.job === job) this.#untokenized.remove(slice);
    this.#batcher.remove(job.request.account, (text) => text.job === job);
  }

  #resolveIdle(): void {
    if (this.#state.kind === 'draining' && this.#jobs.size === 0) this.#idle.resolve();
  }

  #setState(state: EngineState<EmbeddingFacts>): void {
    if (this.#state.kind === 'draining') return;
    this.#state = state;
    this.#options.onState?.(state);
  }
}
