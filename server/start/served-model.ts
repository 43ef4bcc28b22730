/** A model as the routes know it: an id clients ask for, and the engine behind it. */
import type { EmbeddingTerms, ImageTerms } from '../../models/catalogue.ts';
import type { EmbeddingEngine } from '../../runtime/embedding-request.ts';
import type { ImageEngine } from '../../runtime/image-engine.ts';
import type { ChatEngine } from '../../runtime/request.ts';
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
