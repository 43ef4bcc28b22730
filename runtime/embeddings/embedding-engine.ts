/** Texts in, vectors out: tokenised on some threads, batched here, computed on others that hold a model each. */
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
  /** Texts accepted and not yet in a batch; one account may hold three quarters of it. */
  readonly queuedTextsMax: number;
  /** Tokens of one batch, padding included. */
  readonly batchTokensMax: number;
  readonly onState?: (state: EngineState<EmbeddingFacts>) => void;
}

/** Characters that are tokenised on a model's thread: less work than waking another. */
const atOnceSizeMax = 4096;
/** What one account may hold of the queue when it already waits, so that others find room. */
const accountShare = 0.75;

/** Starts loading; `state` tells how far it is. */
export function startEmbeddingEngine(options: EmbeddingEngineOptions): EmbeddingEngine {
  const engine = new PooledEmbeddingEngine(options);
  void engine.load();
  return engine;
}

class PooledEmbeddingEngine implements EmbeddingEngine {
  readonly #options: EmbeddingEngineOptions;
  readonly #threads: EmbeddingThreads;
  readonly #untokenized = new FairQueue<Slice>();
  /** Another once the model has said how it computes batches. */
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
      if (this.#isAtOnce(slices)) {
        void this.#embedAtOnce(slices[0]!);
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

  /** New work is refused meanwhile, and what waits goes on waiting. */
  async #reload(reload: Promise<void>): Promise<void> {
    this.#reloads += 1;
    this.#setState({ kind: 'loading', fraction: 0 });
    try {
      await reload;
      this.#reloads -= 1;
      if (this.#reloads === 0 && this.#model) this.#setState({ kind: 'ready', model: this.#model });
    } catch (error) {
      // Counts as a reload for ever, so that no other makes it ready.
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
    throw new RuntimeError('ERR_QUEUE_FULL', `${all} texts wait already; try again later`);
  }

  #waitingTexts(of: (job: EmbeddingJob) => boolean): number {
    let sum = 0;
    for (const job of this.#jobs) if (of(job)) sum += job.waitingTexts;
    return sum;
  }

  /** One short text while nothing else is under way. */
  #isAtOnce([slice, ...others]: readonly Slice[]): boolean {
    if (others.length > 0 || slice!.task.items.length > 1 || slice!.size > atOnceSizeMax) return false;
    return this.#untokenized.length === 0 && this.#batcher.length === 0 && this.#threads.canEmbedText;
  }

  async #embedAtOnce({ job, task }: Slice): Promise<void> {
    job.begun(performance.now());
    try {
      const { vectors, lengths, computeMs } = await this.#threads.embedText(task);
      this.#counts.saw([...lengths], { computeMs, batching: this.#model!.batching });
      job.computedAtOnce(lengths[0]!, vectors);
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
      await this.#computeTogether(batch, (packed) => this.#threads.compute(packed, { isLast }));
    } catch (error) {
      const jobs = Map.groupBy(batch, ({ job }) => job);
      const isOfOne = jobs.size === 1 || !(error instanceof RuntimeError && error.code === 'ERR_INTERNAL');
      for (const [job, texts] of jobs) {
        if (isOfOne) job.fail(error);
        // What one request sent is at fault, perhaps: computed by itself, it alone fails.
        else this.#computeTogether(texts, (packed) => this.#threads.computeAgain(packed)).catch((own) => job.fail(own));
      }
    }
  }

  async #computeTogether(
    batch: readonly JobText[],
    compute: (packed: PackedTexts) => Promise<EmbedOutcome>,
  ): Promise<void> {
    const { vectors, computeMs } = await compute(packTexts(batch.map(({ tokens }) => tokens)));
    const lengths = batch.map(({ tokens }) => tokens.length);
    this.#counts.saw(lengths, { computeMs, batching: this.#model!.batching });
    for (const [row, text] of batch.entries()) text.job.computed(text, vectors, row);
  }

  /** Takes what has not started of a job that is over out of every queue. */
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
