/** The threads of an embedding engine: those that tokenise, and those that hold a model each. Decides which are used. */
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
  /** The threads' entry; its default export is made by `serveTokenizer` or `serveEmbeddingModel`. */
  readonly workerUrl: URL;
  /** Reaches each thread as `EmbeddingThreadData.data`. */
  readonly workerData: unknown;
  readonly tokenizerThreads: number;
  /**
   * Models that compute side by side, beside the one that has every core. There are none where this is 1, nor where the
   * model packs texts: then a batch is shared out among the cores by itself.
   */
  readonly sessionThreads: number;
  /** Makes sure of the files before a thread that was lost loads them once more. @throws what is wrong with them */
  readonly prove: () => Promise<unknown>;
  /** A thread was lost. Nothing starts until the promise settles; if it rejects, nothing will. */
  readonly onReload: (reload: Promise<void>) => void;
  /** When the thread's successor starts. */
  readonly onLoss: (loss: Loss) => void;
  readonly watch: ThreadWatch;
  readonly restartDelays?: RestartDelays | undefined;
  /** A thread has become free. */
  readonly onTokenizerFree: () => void;
  readonly onModelFree: () => void;
}

type ModelPool = WorkerPool<EmbedTask, EmbedOutcome, ModelThreadFacts>;

/**
 * Work is handed to a thread when it is free, and waits in the engine until then, where it can be ordered and dropped: but
 * for what is computed again.
 */
const retriesMax = 4096;

export class EmbeddingThreads {
  readonly #options: EmbeddingThreadsOptions;
  readonly #tokenizers: WorkerPool<TokenizeTask, PackedTexts, undefined>;
  readonly #wideModel: ModelPool;
  /** Some cores each. */
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

  /** @returns what the model says of itself · @throws {RuntimeError} ERR_MODEL_LOAD, ERR_MEMORY_BUDGET, ERR_ENGINE_LOST */
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

  /** @param options.signal as that of `WorkerPool.close` */
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

  /** Models that could begin a batch; none while the wide one computes, which uses every core. */
  get freeModels(): number {
    const { freeThreads } = this.#wideModel;
    return this.#reloads > 0 || freeThreads === 0 ? 0 : (this.#narrowModels?.freeThreads ?? freeThreads);
  }

  /** Whether a text may be given to a model as it is: nothing else is under way. */
  get canEmbedText(): boolean {
    return this.#takesText && this.freeModels > 0 && this.#isIdle;
  }

  /** Of one item, and only where `canEmbedText`: nobody could stop it in time. @throws {RuntimeError} as `WorkerPool.run` */
  embedText(task: TokenizeTask): Promise<EmbedOutcome> {
    return this.#wideModel.run({ kind: 'text', task });
  }

  tokenize(task: TokenizeTask, { signal }: { signal: AbortSignal }): Promise<PackedTexts> {
    return this.#tokenizers.run(task, { signal });
  }

  /** @param isLast whether no other batch waits: then, if none is computed either, this one may have every core */
  compute(texts: PackedTexts, { isLast }: { isLast: boolean }): Promise<EmbedOutcome> {
    const pool = isLast && this.#isIdle ? this.#wideModel : this.#models;
    return pool.run({ kind: 'tokens', texts }, { transfer: buffersOf(texts) });
  }

  /** Waits for a thread, before everything that has not begun. @throws {RuntimeError} as `WorkerPool.run` */
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

  /** Once the pool, which waits for `#reload`, takes tasks again. */
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
