/** What it means to pin weights, however they are named: where they are, digests of all of them, and what they are. */
import type { ModelFile, ModelFolders, ModelSource } from '../catalogue/catalogue.ts';
import type { GgufFacts } from '../gguf/gguf-header.ts';
import type { RemoteOptions } from './hub.ts';
import type { ModelFacts } from './model-folder.ts';

export type Reference =
  | { readonly kind: 'hub'; readonly repository: string; readonly revision: string; readonly file: string | undefined }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'path'; readonly path: string };

/** Where the weights are, and what they say about themselves. */
export interface PinnedWeights {
  /** What the model is called where nobody says: a file's or a folder's name. */
  readonly stem: string;
  readonly source: ModelSource;
  readonly files: readonly ModelFile[];
  readonly facts: ModelFacts;
}

export interface PinOptions extends RemoteOptions {
  readonly hub: string;
  readonly folders: ModelFolders;
  /** For a single-file `url:`: spares reading the file once for its digest. */
  readonly sha256?: string | undefined;
}

/** What pinning needs where nothing is fetched. */
export type LocalPinOptions = Pick<PinOptions, 'folders' | 'signal' | 'onBytes'>;

export function factsOfGguf({ name, contextLength, embeds }: GgufFacts): ModelFacts {
  if (embeds) return { kind: 'llama-embedding', name, contextLength, capabilities: ['embeddings'] };
  return { kind: 'llama-text', name, contextLength, capabilities: ['streaming', 'structured_outputs', 'logprobs'] };
}
