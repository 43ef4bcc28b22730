/** A model as the routes know it: an id clients ask for, and the engine behind it. */
import type { EmbeddingTerms, ImageTerms } from '../../models/catalogue.ts';
import type { EmbeddingEngine } from '../../runtime/embedding-request.ts';
import type { ImageEngine } from '../../runtime/image-engine.ts';
import type { ChatEngine } from '../../runtime/request.ts';
import { ServerError } from '../errors.ts';
import type { ModelTerms } from './model-terms.ts';

interface Served<Kind extends string, Engine> {
  readonly kind: Kind;
  /** Public, ends in `-TEE`. */
  readonly id: string;
  readonly engine: Engine;
  /** Unix seconds. */
  readonly created: number;
  /** Stands for weights and program version: the same seed promises the same answer only where it is the same. */
  readonly fingerprint: string;
  readonly terms: ModelTerms;
}

export type ServedChatModel = Served<'chat', ChatEngine>;
export interface ServedImageModel extends Served<'image', ImageEngine> {
  readonly image?: ImageTerms | undefined;
}
export interface ServedEmbeddingModel extends Served<'embedding', EmbeddingEngine> {
  readonly embedding: EmbeddingTerms;
}
export type ServedModel = ServedChatModel | ServedImageModel | ServedEmbeddingModel;

/** Models by id, in the order they are listed. */
export type ModelDirectory = ReadonlyMap<string, ServedModel>;

/** @throws {ServerError} ERR_MODEL_UNKNOWN, with the ids that would work */
export function findChatModel(models: ModelDirectory, id: string): ServedChatModel {
  const model = models.get(id);
  if (model?.kind === 'chat') return model;
  throw unknownModel(models, 'chat');
}

/** @throws {ServerError} ERR_MODEL_UNKNOWN, with the ids that would work */
export function findEmbeddingModel(models: ModelDirectory, id: string): ServedEmbeddingModel {
  const model = models.get(id);
  if (model?.kind === 'embedding') return model;
  throw unknownModel(models, 'embedding');
}

function unknownModel(models: ModelDirectory, kind: ServedModel['kind']): ServerError {
  const ids = [...models.values()].filter((one) => one.kind === kind).map((one) => one.id);
  const known = ids.length === 0 ? 'no model of this kind is' : `these are: ${ids.join(', ')}`;
  return new ServerError('ERR_MODEL_UNKNOWN', `\`model\` is not served here; ${known}`);
}

/** The first image model: its route has no field that names one (I-033). @throws {ServerError} ERR_MODEL_UNKNOWN */
export function findImageModel(models: ModelDirectory): ServedImageModel {
  const model = [...models.values()].find((one) => one.kind === 'image');
  if (model !== undefined) return model;
  throw new ServerError('ERR_MODEL_UNKNOWN', 'no image model is served here');
}
