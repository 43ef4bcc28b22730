/** The threads of an embedding engine: those that tokenise, and those that hold a model each. Decides which are used. */
import type { EmbeddingModelInfo } from '../models/embedding-model.ts';
import type {
  EmbeddingThreadData,
  EmbedOutcome,
  EmbedTask,
  ModelThreadFacts,
  PackedTexts,
  TokenizeTask,
} from './embedding-worker.ts';
import { RuntimeError } from './errors.ts';
import { WorkerPool } from './worker-pool.ts';

export interface EmbeddingThreadsOptions {
  /** The threads' entry; its default export is made by `serveTokenizer` or `serveEmbeddingModel`. */
  readonly workerUrl: URL;
  /** Reaches each thread as `EmbeddingThreadData.data`. */
  readonly workerData: unknown;
  readonly tokenizerThreads: number;
  /** Models that compute side by side; where there are several, there is a wide one beside them. */
  readonly sessionThreads: number;
  /** Makes sure of the files before a thread that was lost loads them once more. @throws what is wrong with them */
  readonly prove: () => Promise<unknown>;
  /** A thread was lost. Nothing starts until the promise settles; if it rejects, nothing will. */
  readonly onReload: (reload: Promise<void>) => void;
  /** A thread has become free. */
  readonly onTokenizerFree: () => void;
  readonly onModelFree: () => void;
}

type ModelPool = WorkerPool<EmbedTask, EmbedOutcome, ModelThreadFacts>;

/**
 * Work is handed to a thread when it is free, and waits in the engine until then, where it can be ordered and dropped: but
 * for what is computed again.
 */
const RETRIES_MAX = 4096;
/** Threads that are lost this often, without a batch computed in between, are not replaced any more. */
const LOSSES_MAX = 3;

export class EmbeddingThreads {
  readonly #options: EmbeddingThreadsOptions;
  readonly #tokenizers: WorkerPool<TokenizeTask, PackedTexts, undefined>;
  readonly #models: ModelPool;
  readonly #wideModel: ModelPool | undefined;
  #losses = 0;
  #reloads = 0;
  #takesText = false;

  constructor(options: EmbeddingThreadsOptions) {
    this.#options = options;
    const { workerUrl, workerData: data, tokenizerThreads, sessionThreads, onTokenizerFree, onModelFree } = options;
    const reopen = (open: () => Promise<unknown>) => this.#reload(open);
    const widest = sessionThreads > 1 ? 'wide-model' : 'model';
    const pool = (role: EmbeddingThreadData['role'], threads: number, onFree: () => void, waitingTasksMax = 0) => {
      const workerData: EmbeddingThreadData = { role, takesText: role === widest, data };
      return { workerUrl, workerData, threads, waitingTasksMax, onFree, reopen };
    };
    this.#tokenizers = new WorkerPool(pool('tokenizer', tokenizerThreads, onTokenizerFree));
    this.#models = new WorkerPool(pool('model', sessionThreads, onModelFree, RETRIES_MAX));
    this.#wideModel = sessionThreads > 1 ? new WorkerPool(pool('wide-model', 1, onModelFree)) : undefined;
  }

  /** @returns what the model says of itself · @throws {RuntimeError} ERR_MODEL_LOAD, ERR_MEMORY_BUDGET, ERR_ENGINE_LOST */
  async open({ onProgress }: { onProgress: (fraction: number) => void }): Promise<EmbeddingModelInfo> {
    const [[model], [wideModel] = []] = await Promise.all([
      this.#models.open({ onProgress }),
      this.#wideModel?.open(),
      this.#tokenizers.open(),
    ]);
    this.#takesText = (wideModel ?? model!).takesText;
    return model!.info;
  }

  async close(): Promise<void> {
    await Promise.all([this.#tokenizers.close(), this.#models.close(), this.#wideModel?.close()]);
  }

  get canTokenize(): boolean {
    return this.#reloads === 0 && this.#tokenizers.freeThreads > 0;
  }

  /** Models that could begin a batch; none while the wide one computes, which uses every core. */
  get freeModels(): number {
    return this.#reloads > 0 || this.#wideModel?.freeThreads === 0 ? 0 : this.#models.freeThreads;
  }

  /** Whether a text may be given to a model as it is: nothing else is under way. */
  get canEmbedText(): boolean {
    return this.#takesText && this.freeModels > 0 && this.#isIdle;
  }

  /** Of one item, and only where `canEmbedText`: nobody could stop it in time. @throws {RuntimeError} as `WorkerPool.run` */
  embedText(task: TokenizeTask): Promise<EmbedOutcome> {
    return this.#embed(this.#wideModel ?? this.#models, { kind: 'text', task });
  }

  tokenize(task: TokenizeTask, { signal }: { signal: AbortSignal }): Promise<PackedTexts> {
    return this.#tokenizers.run(task, { signal });
  }

  /** @param isLast whether no other batch waits: then, if none is computed either, this one may have every core */
  async compute(texts: PackedTexts, { isLast }: { isLast: boolean }): Promise<EmbedOutcome> {
    const pool = isLast && this.#isIdle ? (this.#wideModel ?? this.#models) : this.#models;
    return await this.#embed(pool, { kind: 'tokens', texts }, { transfer: buffersOf(texts) });
  }

  /** Waits for a thread, before everything that has not begun. @throws {RuntimeError} as `WorkerPool.run` */
  computeAgain(texts: PackedTexts): Promise<EmbedOutcome> {
    return this.#models.run({ kind: 'tokens', texts }, { transfer: buffersOf(texts) });
  }

  async #embed(pool: ModelPool, task: EmbedTask, options?: Parameters<ModelPool['run']>[1]): Promise<EmbedOutcome> {
    const outcome = await pool.run(task, options);
    this.#losses = 0;
    return outcome;
  }

  async #reload(open: () => Promise<unknown>): Promise<void> {
    this.#losses += 1;
    this.#reloads += 1;
    const isOver = Promise.withResolvers<void>();
    this.#options.onReload(isOver.promise);
    try {
      if (this.#losses > LOSSES_MAX) throw new RuntimeError('ERR_ENGINE_LOST', `lost ${this.#losses} times in a row`);
      await this.#options.prove();
      await open();
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
    return this.#models.freeThreads === sessionThreads && this.#tokenizers.freeThreads === tokenizerThreads;
  }
}

function buffersOf({ tokens, lengths }: PackedTexts): ArrayBuffer[] {
  return [tokens.buffer, lengths.buffer];
}
