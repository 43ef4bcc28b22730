/** Starts models: those of the configuration at the start, and others later. */
import { availableParallelism } from 'node:os';
import { DigestCache } from '@cloister/models/hub/digest-cache';
import { claimedBytes, openMemoryClaims, releaseMemory } from '@cloister/runtime/pool/memory-claims';
import { ServerError } from '../http/errors.ts';
import type { Logger } from '../http/request-log.ts';
import type { Config } from '../program/config.ts';
import { statePaths } from '../program/state-folder.ts';
import type { ModelUse, ServedModel } from '../serving/served-model.ts';
import type { PlannedModel } from './model-plan.ts';
import { type ModelState, prepareModel } from './prepare-model.ts';

export interface ModelStarterOptions {
  readonly config: Config;
  /** Whether a cached digest on disk may replace reading the file again. */
  readonly trustsDisk: boolean;
  readonly logger: Logger;
  /** A thread of this model hangs in native code and cannot be ended. */
  readonly onStuck: (id: string) => void;
}

export interface StartOptions {
  /** @param fraction of the weights of the first load, 0…1 */
  readonly onProgress?: (fraction: number) => void;
  /** Runs after an unloaded model was loaded again and before it serves. */
  readonly beforeServing?: (model: ServedModel) => Promise<void>;
}

export interface StartedModel {
  readonly plan: PlannedModel;
  readonly model: ServedModel;
  /** Resolves when the model is loaded. @throws {ServerError} ERR_START with the reason */
  readonly ready: Promise<void>;
  /** Returns the model's claim of memory. Call it once the engine has drained. */
  readonly release: () => void;
}

/** Models that may be in memory, or load, in addition to those of the start. */
export const laterModelsMax = 64;

export class ModelStarter {
  readonly #options: ModelStarterOptions;
  readonly #digestCache: DigestCache | undefined;
  readonly #claims: ReturnType<typeof openMemoryClaims>;
  readonly #freeClaims: number[];
  #chats: number;

  /** @param plans those of the start, between which threads are divided */
  static async open(plans: readonly PlannedModel[], options: ModelStarterOptions): Promise<ModelStarter> {
    const { digestCache } = statePaths(options.config);
    return new ModelStarter(plans, options, options.trustsDisk ? await DigestCache.open(digestCache) : undefined);
  }

  private constructor(
    plans: readonly PlannedModel[],
    options: ModelStarterOptions,
    digestCache: DigestCache | undefined,
  ) {
    this.#options = options;
    this.#digestCache = digestCache;
    this.#chats = plans.filter(({ kind }) => kind === 'llama-text').length;
    const models = plans.length + laterModelsMax;
    this.#claims = openMemoryClaims({ models, availableBytes: process.availableMemory() });
    this.#freeClaims = Array.from({ length: models }, (_, index) => models - 1 - index);
  }

  /** Whether another model may be started. */
  get hasRoom(): boolean {
    return this.#freeClaims.length > 0;
  }

  /** @returns a model that is still loading */
  start(plan: PlannedModel, { onProgress, beforeServing }: StartOptions = {}): StartedModel {
    const { config, logger, onStuck } = this.#options;
    const index = this.#freeClaims.pop();
    if (index === undefined) throw new ServerError('ERR_START', 'too many models are loaded: unload one');
    const memory = { ...this.#claims, index };
    const ready = Promise.withResolvers<void>();
    // The caller that awaits it gets the failure; without this line an early failure would be an unhandled rejection.
    ready.promise.catch(() => undefined);
    const use: ModelUse = { claimedBytes: () => claimedBytes(memory) };
    const onState = (state: ModelState) => {
      if (state.kind === 'loading') {
        if (state.loss !== undefined) logger.warn({ model: plan.id, ...state.loss }, 'engine lost: restarting');
        if (use.readyAt === undefined) onProgress?.(state.fraction);
        return;
      }
      logState(logger, plan, state);
      if (state.kind === 'ready') {
        use.readyAt = Date.now();
        ready.resolve();
      }
      if (state.kind === 'failed') ready.reject(new ServerError('ERR_START', state.message));
    };
    const model: ServedModel = prepareModel(plan, {
      config,
      ...this.#threads(plan),
      digestCache: this.#digestCache,
      onState,
      watch: { stepTimeoutMs: config.stepTimeoutS * 1000, onStuck: () => onStuck(plan.id) },
      memory,
      use,
      beforeServing: async () => beforeServing?.(model),
    });
    const release = () => {
      releaseMemory(memory);
      this.#freeClaims.push(index);
    };
    return { plan, model, ready: ready.promise, release };
  }

  /** Models that run keep their threads. */
  #threads({ kind }: PlannedModel) {
    const { threads, embeddingThreads } = this.#options.config;
    const chats = Math.max(this.#chats, kind === 'llama-text' ? 1 : 0);
    return {
      threads: Math.max(1, Math.floor(threads / Math.max(1, chats))),
      embeddingThreads: embeddingThreads === 'auto' ? defaultEmbeddingThreads(chats) : embeddingThreads,
    };
  }
}

export interface StartModelsOptions extends ModelStarterOptions {
  /** @param fraction of all weights, 0…1 */
  readonly onProgress: (fraction: number) => void;
  readonly beforeServing: NonNullable<StartOptions['beforeServing']>;
}

/** @returns models that are still loading, and a promise that resolves when all are ready and rejects if one fails */
export async function startModels(
  plans: readonly PlannedModel[],
  { onProgress, beforeServing, ...options }: StartModelsOptions,
): Promise<{ starter: ModelStarter; started: readonly StartedModel[]; loaded: Promise<unknown> }> {
  const starter = await ModelStarter.open(plans, options);
  const fractions = plans.map(() => 0);
  const started = plans.map((plan, index) =>
    starter.start(plan, {
      beforeServing,
      onProgress(fraction) {
        fractions[index] = fraction;
        onProgress(fractions.reduce((sum, one) => sum + one, 0) / plans.length);
      },
    }),
  );
  const loaded = Promise.all(started.map(({ ready }) => ready));
  loaded.catch(() => undefined);
  return { starter, started, loaded };
}

/** A chat's threads synchronise many times per token, so one that waits for a core delays all. */
function defaultEmbeddingThreads(chats: number): number {
  return chats === 0 ? availableParallelism() : Math.max(1, Math.floor(availableParallelism() / 2));
}

function logState(logger: Logger, { id }: PlannedModel, state: ModelState): void {
  if (state.kind === 'failed') logger.error({ model: id, reason: state.message }, 'model failed');
  else if (state.kind !== 'ready') logger.info({ model: id }, `model ${state.kind}`);
  else {
    const { promptBound: _, ...model } = state.model;
    logger.info({ model: id, ...model }, 'model ready');
  }
}
