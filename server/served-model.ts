/** A model as the routes know it: an id clients ask for, and the engine behind it. */
import type { ChatEngine, ModelFacts } from '../runtime/request.ts';
import { ServerError } from './errors.ts';

export interface ServedModel {
  /** Public, ends in `-TEE`. */
  readonly id: string;
  readonly engine: ChatEngine;
  /** Unix seconds. */
  readonly created: number;
  /** Stands for weights and program version: the same seed promises the same text only where it is the same. */
  readonly fingerprint: string;
}

/** Models by id, in the order they are listed. */
export type ModelDirectory = ReadonlyMap<string, ServedModel>;

/** @throws {ServerError} ERR_MODEL_UNKNOWN, with the ids that would work */
export function findModel(models: ModelDirectory, id: string): ServedModel {
  const model = models.get(id);
  if (model !== undefined) return model;
  throw new ServerError(
    'ERR_MODEL_UNKNOWN',
    `\`model\` is not served here; these are: ${[...models.keys()].join(', ')}`,
  );
}

/** Undefined until the model is loaded. */
export function factsOf({ engine }: ServedModel): ModelFacts | undefined {
  return engine.state.kind === 'ready' ? engine.state.model : undefined;
}
