/** A served model: its public id, its terms and its engine. */
import type { EmbeddingTerms, ImageTerms } from '@cloister/models/catalogue/catalogue';
import { AdaptedEngine } from '@cloister/runtime/chat/adapted-engine';
import type { ChatEngine } from '@cloister/runtime/chat/request';
import type { EmbeddingEngine } from '@cloister/runtime/embeddings/embedding-request';
import type { ImageEngine } from '@cloister/runtime/images/image-engine';
import type { EngineState } from '@cloister/runtime/pool/engine-state';
import type { ModelTerms } from './model-terms.ts';

/** A model's use of the machine, for the operator. */
export interface ModelUse {
  /** Main memory that the model has claimed. */
  readonly claimedBytes: () => number;
  /** Milliseconds since 1970, as is `usedAt`; undefined until the model is loaded. */
  readyAt?: number;
  /** End of the last admitted request. */
  usedAt?: number;
}

/** Whether a model is in memory, and how to change that. */
export interface Resident {
  readonly residence: 'loading' | 'loaded' | 'unloading' | 'unloaded';
  /** Part of the load that is done, 0…1. */
  readonly loadedFraction: number;
  /** Milliseconds without work. */
  readonly idleMs: number;
  /** Loads the model if it is not in memory. @throws the reason if it cannot be loaded */
  load(): Promise<void>;
  /** Frees the model after running work; the next request loads it again. @returns false if it is not loaded */
  unload(options: { signal: AbortSignal }): Promise<boolean>;
}

interface Served<Kind extends string, Engine> {
  readonly kind: Kind;
  /** Public, ends in `-TEE`. */
  readonly id: string;
  readonly engine: Engine;
  /** Unix seconds. */
  readonly created: number;
  /** Identifies the weights and the program's version. The same seed gives the same answer only with the same fingerprint. */
  readonly fingerprint: string;
  /** Replaced when the catalogue is reloaded; admitted requests keep theirs. */
  terms: ModelTerms;
  /** Other names that requests may use; answers and receipts name `id`. Replaced with the terms. */
  aliases?: readonly string[] | undefined;
  readonly use?: ModelUse | undefined;
  /** Undefined for engines that are always in memory. */
  readonly resident?: Resident | undefined;
  /** Extensions of the start log that evidence must cover to name this model; 0 for models of the start. */
  measuredBy?: number;
}

export interface ServedChatModel extends Served<'chat', ChatEngine> {
  /** LoRA adapters in the order of the engine, which requests name as `id:name`. */
  readonly adapters?: readonly ServedAdapter[] | undefined;
}

export interface ServedAdapter {
  readonly name: string;
  /** As the model's, of the weights with this adapter. */
  readonly fingerprint: string;
}
export interface ServedImageModel extends Served<'image', ImageEngine> {
  readonly image?: ImageTerms | undefined;
}
export interface ServedEmbeddingModel extends Served<'embedding', EmbeddingEngine> {
  readonly embedding: EmbeddingTerms;
}
/** A cross-encoder: its vectors are one logit for each pair of texts. */
export type ServedRerankerModel = Served<'reranker', EmbeddingEngine>;
export type ServedModel = ServedChatModel | ServedImageModel | ServedEmbeddingModel | ServedRerankerModel;

export type ModelStatus = EngineState<unknown>['kind'] | Exclude<Resident['residence'], 'loaded'>;

/** What lists of models show: a model that is ready may not be in memory, and then the next request loads it. */
export function statusOf({ engine: { state }, resident }: ServedModel): ModelStatus {
  if (state.kind !== 'ready' || resident === undefined || resident.residence === 'loaded') return state.kind;
  return resident.residence;
}

/** Models by id, in the order of lists. `get` may also find a model by its alias, and its adapters. */
export type ModelDirectory = ReadonlyMap<string, ServedModel>;

/**
 * A directory whose `get` also finds models by alias, and the adapters of a model, which `values` does not have. An id always
 * names its own model.
 */
export class ServedModels extends Map<string, ServedModel> {
  /** Counts changes of the list. */
  revision = 0;

  constructor(models: readonly ServedModel[]) {
    super(models.map((model) => [model.id, model]));
  }

  override set(id: string, model: ServedModel): this {
    this.revision += 1;
    return super.set(id, model);
  }

  override delete(id: string): boolean {
    this.revision += 1;
    return super.delete(id);
  }

  override get(name: string): ServedModel | undefined {
    return this.#named(name) ?? this.#adapted(name);
  }

  #named(name: string): ServedModel | undefined {
    return super.get(name) ?? [...this.values()].find(({ aliases }) => aliases?.includes(name));
  }

  #adapted(name: string): ServedModel | undefined {
    const colon = name.lastIndexOf(':');
    const model = colon < 0 ? undefined : this.#named(name.slice(0, colon));
    return model?.kind === 'chat' ? adaptersOf(model).find(({ id }) => id.endsWith(name.slice(colon))) : undefined;
  }
}

/** A model, then each of its adapters as a model. */
export function withAdapters(model: ServedModel): readonly ServedModel[] {
  return model.kind === 'chat' ? [model, ...adaptersOf(model)] : [model];
}

/** Each adapter of a model as a model of its own, with the terms and the engine of that model. */
function adaptersOf({ adapters = [], ...model }: ServedChatModel): readonly ServedChatModel[] {
  return adapters.map(({ name, fingerprint }, index) => ({
    ...model,
    ...{ id: `${model.id}:${name}`, fingerprint, aliases: undefined },
    engine: new AdaptedEngine(model.engine, index + 1),
  }));
}
