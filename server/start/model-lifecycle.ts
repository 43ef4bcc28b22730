/**
 * Loads and unloads models while the server runs: on the operator's request, and idle ones after `--model-idle-ttl-s`. A model serves only
 * after it has been measured; see docs/decisions/2026-11-28-models-at-run-time.md.
 */
import type { Engine } from '@cloister/runtime/pool/engine-state';
import { ServerError } from '../http/errors.ts';
import type { Logger } from '../http/request-log.ts';
import type { ServedModel, ServedModels } from '../serving/served-model.ts';
import type { PlannedModel } from './model-plan.ts';
import type { ModelStarter, StartedModel } from './start-models.ts';

export interface LifecycleParts {
  readonly starter: Pick<ModelStarter, 'start' | 'hasRoom'>;
  /** Those of the start. */
  readonly started: readonly StartedModel[];
  /** The models that requests can name. */
  readonly models: ServedModels;
  /** Finds a model in the catalogues. @throws {ModelError} ERR_MODEL_UNKNOWN and others */
  readonly plan: (name: string) => Promise<PlannedModel>;
  /** Measures a loaded model. @returns extensions of the start log that name it · @throws if it must not serve */
  readonly prove: (started: Pick<StartedModel, 'plan' | 'model'>) => Promise<number>;
  /** Prepares a model that is about to serve, such as the prompts of agents. Never rejects. */
  readonly warmUp: (model: ServedModel) => Promise<void>;
  readonly logger: Logger;
  /** Idle models are unloaded after this time; undefined: never. */
  readonly idleTtlMs: number | undefined;
  /** Time for the requests of a model that is unloaded. */
  readonly drainTimeoutMs: number;
}

/** A model that requests cannot name yet, or no longer. */
export interface PassingModel {
  readonly model: ServedModel;
  readonly isLoading: boolean;
}

const checkMsMax = 1_000;

export class ModelLifecycle {
  readonly #parts: LifecycleParts;
  /** By id. */
  readonly #started = new Map<string, StartedModel>();
  readonly #loading = new Map<string, Promise<ServedModel>>();
  readonly #unloading = new Map<string, Promise<ServedModel>>();
  readonly #timer: NodeJS.Timeout | undefined;
  /** Measurements run one after the other. */
  #proving: Promise<unknown> = Promise.resolve();
  #isOpen = false;
  #isClosed = false;

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
    for (const one of parts.started) this.#started.set(one.plan.id, one);
    const { idleTtlMs } = parts;
    if (idleTtlMs === undefined) return;
    this.#timer = setInterval(() => this.#unloadIdle(idleTtlMs), Math.min(checkMsMax, idleTtlMs / 4)).unref();
  }

  /** All loaded models, also those that load or unload. */
  get loaded(): readonly StartedModel[] {
    return [...this.#started.values()];
  }

  /** All plans of loaded models, also of those that load or unload. */
  get plans(): readonly PlannedModel[] {
    return this.loaded.map(({ plan }) => plan);
  }

  /** All engines, also of models that load or unload. */
  get engines(): readonly Engine<unknown>[] {
    return this.loaded.map(({ model }) => model.engine);
  }

  /** Models that requests cannot name: they load, or they unload. */
  get passing(): readonly PassingModel[] {
    const all = this.loaded.filter(({ plan }) => !this.#parts.models.has(plan.id));
    return all.map(({ plan, model }) => ({ model, isLoading: this.#loading.has(plan.id) }));
  }

  find(id: string): StartedModel | undefined {
    return this.#started.get(id);
  }

  /** Allows loads and unloads, once the start has been measured. */
  open(): void {
    this.#isOpen = true;
  }

  /** Refuses further loads. Loads in progress end when their engines drain. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  /**
   * Loads a model of the catalogues, or one that is idle and unloaded. Loads of one model at the same time share one load.
   * @param name an id or an alias · @returns the model, and whether it was not served before
   * @throws {ServerError} ERR_MODEL_STATE with the reason, ERR_ROUTE_UNKNOWN if the catalogue does not have it
   */
  async load(name: string): Promise<{ model: ServedModel; isNew: boolean }> {
    this.#requireOpen();
    const served = this.#parts.models.get(name);
    if (served !== undefined) {
      await served.resident?.load().catch((error: unknown) => {
        throw notLoaded(served.id, error);
      });
      return { model: served, isNew: false };
    }
    if (/[/]|\.(?:gguf|onnx)$/.test(name)) throw stateError('name a model of the catalogue, not a file');
    const plan = await this.#parts.plan(name).catch((error: unknown) => {
      // The message of the catalogue quotes the name.
      if ((error as { code?: string }).code === 'ERR_MODEL_UNKNOWN')
        throw new ServerError('ERR_ROUTE_UNKNOWN', 'the catalogue has no model with this id: add it first');
      throw stateError((error as Error).message, error);
    });
    const running = this.#loading.get(plan.id);
    if (running !== undefined) return { model: await running, isNew: false };
    const loading = this.#load(plan).finally(() => this.#loading.delete(plan.id));
    this.#loading.set(plan.id, loading);
    return { model: await loading, isNew: true };
  }

  /**
   * Removes a model from those that requests can name, lets its requests finish, and frees its memory.
   * @throws {ServerError} ERR_MODEL_STATE while it loads, ERR_ROUTE_UNKNOWN if it is not served
   */
  async unload(id: string): Promise<ServedModel> {
    this.#requireOpen();
    const running = this.#unloading.get(id);
    if (running !== undefined) return await running;
    if (this.#loading.has(id)) throw stateError(`${id} is loading: unload it once it is loaded`);
    const started = this.#parts.models.has(id) ? this.#started.get(id) : undefined;
    if (started === undefined) throw new ServerError('ERR_ROUTE_UNKNOWN', 'no model with this id is served');
    const { state } = started.model.engine;
    if (state.kind === 'loading' || started.model.resident?.residence === 'loading')
      throw stateError(`${id} is loading: unload it once it is loaded`);
    const unloading = this.#unload(started).finally(() => this.#unloading.delete(id));
    this.#unloading.set(id, unloading);
    return await unloading;
  }

  /** Runs before a model that was idle and unloaded serves again. */
  async proveAgain(model: ServedModel): Promise<void> {
    const { plan } = this.#started.get(model.id)!;
    model.measuredBy = await this.#prove({ plan, model });
  }

  async #load(plan: PlannedModel): Promise<ServedModel> {
    const { starter, models, warmUp, logger } = this.#parts;
    await this.#unloading.get(plan.id)?.catch(() => undefined);
    this.#requireOpen();
    if (!starter.hasRoom) throw stateError('too many models are loaded: unload one');
    const startedAtMs = performance.now();
    const started = starter.start(plan, { beforeServing: (model) => this.proveAgain(model) });
    this.#started.set(plan.id, started);
    const { model } = started;
    try {
      await started.ready;
      model.measuredBy = await this.#prove(started);
      await warmUp(model);
      if (this.#isClosed) throw stateError('the server is stopping');
      models.set(model.id, model);
      logger.info({ model: model.id, ms: Math.round(performance.now() - startedAtMs) }, 'model loaded and measured');
      return model;
    } catch (error) {
      await this.#free(started, AbortSignal.abort());
      throw notLoaded(plan.id, error);
    }
  }

  async #unload(started: StartedModel): Promise<ServedModel> {
    const { models, logger, drainTimeoutMs } = this.#parts;
    const { model } = started;
    models.delete(model.id);
    await this.#free(started, AbortSignal.timeout(drainTimeoutMs));
    logger.info({ model: model.id }, 'model unloaded');
    return model;
  }

  async #free(started: StartedModel, signal: AbortSignal): Promise<void> {
    await started.model.engine.drain({ signal });
    started.release();
    this.#started.delete(started.plan.id);
  }

  #prove(started: Pick<StartedModel, 'plan' | 'model'>): Promise<number> {
    const proved = this.#proving.then(() => this.#parts.prove(started));
    this.#proving = proved.catch(() => undefined);
    return proved;
  }

  #unloadIdle(ttlMs: number): void {
    if (!this.#isOpen || this.#isClosed) return;
    for (const { id, resident } of this.#parts.models.values()) {
      if (resident === undefined || resident.idleMs < ttlMs || resident.residence !== 'loaded') continue;
      const { logger } = this.#parts;
      resident.unload({ signal: new AbortController().signal }).then(
        (isUnloaded) => isUnloaded && logger.info({ model: id }, 'idle model unloaded: the next request loads it'),
        (error: unknown) => logger.error({ model: id, reason: (error as Error).message }, 'model not unloaded'),
      );
    }
  }

  #requireOpen(): void {
    if (this.#isClosed) throw stateError('the server is stopping');
    if (!this.#isOpen) throw stateError('the server is starting: try again when it is ready');
  }
}

function stateError(message: string, cause?: unknown): ServerError {
  return new ServerError('ERR_MODEL_STATE', message, { cause });
}

function notLoaded(id: string, error: unknown): unknown {
  if (error instanceof ServerError && error.code === 'ERR_MODEL_STATE') return error;
  return stateError(`${id} cannot be loaded: ${(error as Error).message}`, error);
}
