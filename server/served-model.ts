/** A model as the routes know it: an id clients ask for, and the engine behind it. */
import type { ImageEngine } from '../runtime/image-engine.ts';
import type { ChatEngine } from '../runtime/request.ts';
import { ServerError } from './errors.ts';

interface Served<Kind extends string, Engine> {
  readonly kind: Kind;
  /** Public, ends in `-TEE`. */
  readonly id: string;
  readonly engine: Engine;
  /** Unix seconds. */
  readonly created: number;
  /** Stands for weights and program version: the same seed promises the same answer only where it is the same. */
  readonly fingerprint: string;
}

export type ServedChatModel = Served<'chat', ChatEngine>;
export type ServedImageModel = Served<'image', ImageEngine>;
export type ServedModel = ServedChatModel | ServedImageModel;

/** Models by id, in the order they are listed. */
export type ModelDirectory = ReadonlyMap<string, ServedModel>;

/** @throws {ServerError} ERR_MODEL_UNKNOWN, with the ids that would work */
export function findChatModel(models: ModelDirectory, id: string): ServedChatModel {
  const model = models.get(id);
  if (model?.kind === 'chat') return model;
  const ids = [...models.values()].filter(({ kind }) => kind === 'chat').map((one) => one.id);
  throw new ServerError('ERR_MODEL_UNKNOWN', `\`model\` is not served here; these are: ${ids.join(', ')}`);
}

/** The first image model: its route has no field that names one (I-033). @throws {ServerError} ERR_MODEL_UNKNOWN */
export function findImageModel(models: ModelDirectory): ServedImageModel {
  const model = [...models.values()].find((one) => one.kind === 'image');
  if (model !== undefined) return model;
  throw new ServerError('ERR_MODEL_UNKNOWN', 'no image model is served here');
}
