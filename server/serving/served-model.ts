/** A model as the routes know it: an id clients ask for, and the engine behind it. */
import type { EmbeddingTerms, ImageTerms } from '@cloister/models/catalogue/catalogue';
import type { ChatEngine } from '@cloister/runtime/chat/request';
import type { EmbeddingEngine } from '@cloister/runtime/embeddings/embedding-request';
import type { ImageEngine } from '@cloister/runtime/images/image-engine';
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
