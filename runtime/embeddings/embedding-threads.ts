/** The threads of an embedding engine: tokenizers, and models. Decides which thread runs a task. */
import type { EmbeddingModelInfo } from '@cloister/models/interface/embedding-model';
import { draining } from '../pool/errors.ts';
import { type Loss, type RestartDelays, Restarts } from '../pool/restarts.ts';
import type { EngineHealth, ThreadWatch } from '../pool/watchdog.ts';
import { WorkerPool, type WorkerPoolOptions } from '../pool/worker-pool.ts';
import type {
  EmbeddingThreadData,
  EmbedOutcome,
  EmbedTask,
  ModelThreadFacts,
  PackedTexts,
  TokenizeTask,
} from './embedding-worker.ts';

export interface EmbeddingThreadsOptions {
  /** Entry point of the threads; its default export is created by `serveTokenizer` or `serveEmbeddingModel`. */
  readonly workerUrl: URL;
  /** Passed to each thread as `EmbeddingThreadData.data`. */
  readonly workerData: unknown;
  readonly tokenizerThreads: number;
  /**
   * Number of models that compute in parallel, in addition to one that uses every core. Not used if it is 1, or if the model
   * packs texts: such a model divides a batch among the cores itself.
   */
  readonly sessionThreads: number;
  /** Verifies the files before a restarted thread loads them again. @throws if they must not be loaded any more */
  readonly verifyWeights: () => Promise<unknown>;
  /** Called when a thread was lost. No task starts until the promise settles; if it rejects, none ever does. */
  readonly onReload: (reload: Promise<void>) => void;
  /** Called with the time of the restart. */
  readonly onLoss: (loss: Loss) => void;
  readonly watch: ThreadWatch;
  readonly restartDelays?: RestartDelays | undefined;
  /** Called when a thread becomes free. */
  readonly onTokenizerFree: () => void;
  readonly onModelFree: () => void;
}

type ModelPool = WorkerPool<EmbedTask, EmbedOutcome, ModelThreadFacts>;

/**
 * Maximum retries that wait for a thread. All other work waits in the engine, where it can be ordered and cancelled, and is
 * posted only to free threads.
 */
const retriesMax = 4096;

export class EmbeddingThreads {
  readonly #options: EmbeddingThreadsOptions;
  readonly #tokenizers: WorkerPool<TokenizeTask, PackedTexts, undefined>;
  readonly #wideModel: ModelPool;
  /** Models that use some of the cores each. */
  #narrowModels: ModelPool | undefined;
  readonly #restarts: Restarts;
  #reloads = 0;
  #takesText = false;
  #isClosing = false;

  constructor(options: EmbeddingThreadsOptions) {
    this.#options = options;
    const { tokenizerThreads, onTokenizerFree, restartDelays: delays } = options;
    this.#restarts = new Restarts({ ...options, delays });
    this.#tokenizers = new WorkerPool(this.#poolOf('tokenizer', tokenizerThreads, onTokenizerFree));
    this.#wideModel = new WorkerPool(this.#poolOf('wide-model', 1, options.onModelFree));
  }

  /** @returns the facts of the model · @throws {RuntimeError} ERR_MODEL_LOAD, ERR_MEMORY_BUDGET, ERR_ENGINE_LOST */
  async open({ onProgress }: { onProgress: (fraction: number) => void }): Promise<EmbeddingModelInfo> {
    const openBoth = () => Promise.all([this.#wideModel.open({ onProgress }), this.#tokenizers.open()]);
    const [[wideModel]] = await this.#restarts.open(openBoth);
    if (this.#isClosing) throw draining();
    const { info, takesText } = wideModel!;
    const { sessionThreads, onModelFree } = this.#options;
    if (sessionThreads > 1 && info.batching !== 'packed') {
      const narrowModels: ModelPool = new WorkerPool(this.#poolOf('model', sessionThreads, onModelFree));
      this.#narrowModels = narrowModels;
      await this.#restarts.open(() => narrowModels.open());
    }
    this.#takesText = takesText;
    return info;
  }

  /** @param options.signal see `WorkerPool.close` */
  async close(options: { signal?: AbortSignal } = {}): Promise<void> {
    this.#isClosing = true;
    this.#restarts.stop();
    const pools = [this.#tokenizers, this.#wideModel, ...(this.#narrowModels ? [this.#narrowModels] : [])];
    await Promise.all(pools.map((pool) => pool.close(options)));
  }

  get health(): EngineHealth {
    const pools = [this.#tokenizers, this.#wideModel, ...(this.#narrowModels ? [this.#narrowModels] : [])];
    const stalledMs = Math.max(...pools.map((pool) => pool.stalledMs));
    return { stalledMs, losses: this.#restarts.losses };
  }

  get canTokenize(): boolean {
    return this.#reloads === 0 && this.#tokenizers.freeThreads > 0;
  }

  /** Number of models that can start a batch; 0 while the wide model computes, which uses every core. */
  get freeModels(): number {
    const { freeThreads } = this.#wideModel;
    return this.#reloads > 0 || freeThreads === 0 ? 0 : (this.#narrowModels?.freeThreads ?? freeThreads);
  }

  /** Whether a model can take a text without a tokenizer thread: it has a tokenizer, and the engine is idle. */
  get canEmbedText(): boolean {
    return this.#takesText && this.freeModels > 0 && this.#isIdle;
  }

  /** Embeds one item, which cannot be cancelled. Only if `canEmbedText`. @throws {RuntimeError} see `WorkerPool.run` */
  embedText(task: TokenizeTask): Promise<EmbedOutcome> {
    return this.#wideModel.run({ kind: 'text', task });
  }

  tokenize(task: TokenizeTask, { signal }: { signal: AbortSignal }): Promise<PackedTexts> {
    return this.#tokenizers.run(task, { signal });
  }

  /** @param isLast whether no other batch waits; if none is computing either, this batch uses every core */
  compute(texts: PackedTexts, { isLast }: { isLast: boolean }): Promise<EmbedOutcome> {
    const pool = isLast && this.#isIdle ? this.#wideModel : this.#models;
    return pool.run({ kind: 'tokens', texts }, { transfer: buffersOf(texts) });
  }

  /** Computes texts again; waits for a thread, ahead of all batches that have not started. @throws {RuntimeError} see `WorkerPool.run` */
  computeAgain(texts: PackedTexts): Promise<EmbedOutcome> {
    return this.#models.run({ kind: 'tokens', texts }, { transfer: buffersOf(texts) });
  }

  get #models(): ModelPool {
    return this.#narrowModels ?? this.#wideModel;
  }

  #poolOf<Facts>(role: EmbeddingThreadData['role'], threads: number, onFree: () => void): WorkerPoolOptions<Facts> {
    const { workerUrl, workerData: data, watch } = this.#options;
    const workerData: EmbeddingThreadData = { role, data };
    const waitingTasksMax = role === 'tokenizer' ? 0 : retriesMax;
    const reopen: WorkerPoolOptions<Facts>['reopen'] = (open, reason) => this.#reload(open, reason);
    return { workerUrl, workerData, threads, waitingTasksMax, onFree, watch, reopen };
  }

  async #reload(open: () => Promise<unknown>, reason: string): Promise<void> {
    this.#reloads += 1;
    const isOver = Promise.withResolvers<void>();
    this.#options.onReload(isOver.promise);
    try {
      await this.#restarts.afterLoss(reason);
      await this.#restarts.open(open);
      this.#settleReload(isOver.resolve);
    } catch (error) {
      this.#settleReload(() => isOver.reject(error));
      throw error;
    }
  }

  /** Settles a reload after the pool, which waits for `#reload`, accepts tasks again. */
  #settleReload(settle: () => void): void {
    setImmediate(() => {
      this.#reloads -= 1;
      settle();
    });
  }

  get #isIdle(): boolean {
    const { tokenizerThreads, sessionThreads } = this.#options;
    const areModelsFree = this.#narrowModels === undefined || this.#narrowModels.freeThreads === sessionThreads;
    return areModelsFree && this.#wideModel.freeThreads > 0 && this.#tokenizers.freeThreads === tokenizerThreads;
  }
}

function buffersOf({ tokens, lengths }: PackedTexts): ArrayBuffer[] {
  return [tokens.buffer, lengths.buffer];
}
